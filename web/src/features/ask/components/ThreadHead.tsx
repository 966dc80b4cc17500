import { Button, Modal, TextInput, VisuallyHidden } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { showHiddenCharacters } from '../../../ui/hidden-characters.ts';
import { ErrorState } from '../../../ui/States.tsx';
import { changeThread, type Thread } from '../api/answers.ts';
import css from './ask.module.css';

/** A conversation that is named after its only question needs no title, because the question appears just below. */
const needsTitle = ({ own, title, turns: [first, ...more] }: Thread): boolean =>
  !own || more.length > 0 || title !== first?.question;

export function ThreadHead({ thread, onNew }: { thread: Thread | null; onNew: () => void }) {
  const [naming, setNaming] = useState<string | null>(null);
  const link = useClipboard({ timeout: 2000 });
  const saveChange = useMutation({
    mutationFn: (changes: Parameters<typeof changeThread>[1]) => changeThread(thread!.id, changes),
  });
  const [asksToShare, setAsksToShare] = useState(false);
  const share = async () => {
    await saveChange.mutateAsync({ shared: true });
    setAsksToShare(false);
    link.copy(`${window.location.origin}/app/?thread=${thread!.id}`);
  };
  const title = (
    <h1>{showHiddenCharacters(thread ? (thread.title ?? 'Shared conversation') : 'Questions and answers')}</h1>
  );
  return (
    <header className={css.threadHead}>
      {naming === null ? (
        thread && needsTitle(thread) ? (
          title
        ) : (
          <VisuallyHidden>{title}</VisuallyHidden>
        )
      ) : (
        <form
          className={css.naming}
          onSubmit={(event) => {
            event.preventDefault();
            if (naming.trim()) saveChange.mutate({ title: naming.trim() });
            setNaming(null);
          }}
        >
          <TextInput
            aria-label="Conversation name"
            size="xs"
            autoFocus
            maxLength={200}
            value={naming}
            onChange={({ currentTarget: { value } }) => setNaming(value)}
            onKeyDown={({ key }) => key === 'Escape' && setNaming(null)}
          />
          <Button type="submit" size="xs">
            Save
          </Button>
        </form>
      )}
      <div className={css.actions}>
        {thread?.own && naming === null && (
          <Button size="compact-xs" variant="subtle" onClick={() => setNaming(thread.title ?? '')}>
            Rename
          </Button>
        )}
        {thread?.own && thread.shared && (
          <Button size="compact-xs" variant="subtle" onClick={() => saveChange.mutate({ shared: false })}>
            Stop sharing
          </Button>
        )}
        {thread?.own && (
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() => (thread.shared ? void share() : setAsksToShare(true))}
          >
            {link.copied ? 'Link copied' : thread.shared ? 'Copy link' : 'Share'}
          </Button>
        )}
        <Button size="compact-xs" variant="subtle" onClick={onNew}>
          New conversation
        </Button>
      </div>
      {thread?.own && thread.shared && (
        <p className={css.hint}>
          Shared: people in your organization who have the link can open this conversation with their own access.
        </p>
      )}
      {thread && !thread.own && (
        <p className={css.hint}>
          Someone shared this conversation. svc computes the answers with your access.
          {thread.withheld > 0 && ` Questions left out, because you can’t use their lens: ${thread.withheld}.`}
        </p>
      )}
      {saveChange.error && <ErrorState fault={saveChange.error} />}
      <Modal
        opened={asksToShare}
        onClose={() => setAsksToShare(false)}
        title="Share this conversation?"
        lockScroll={false}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <div className={css.dialog}>
          <p>
            Everyone in your organization who has the link can then open the conversation. svc computes the answers with
            each person’s access, and leaves out answers about data that the person can’t see.
          </p>
          <Button data-autofocus loading={saveChange.isPending} onClick={() => void share()}>
            Share and copy link
          </Button>
        </div>
      </Modal>
    </header>
  );
}
