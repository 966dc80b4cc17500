import { Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { apiClient, unwrapData } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { formatDateTime } from '../../../ui/format.ts';
import { showHiddenCharacters } from '../../../ui/hidden-characters.ts';
import { usePagedList } from '../../../ui/PagedList.tsx';
import { ErrorState } from '../../../ui/States.tsx';
import { listThreads, type ThreadSummary } from '../api/answers.ts';
import { useUndoableAction } from '../lib/use-undoable.ts';
import css from './ask.module.css';

const PAGE_SIZE = 8;
const MIN_SEARCHABLE_COUNT = 4;

export function Conversations() {
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), 200);
  const { rows, error, retry, more } = usePagedList<ThreadSummary>(['conversations', q], ({ cursor, signal }) =>
    listThreads({ q, cursor, signal, limit: PAGE_SIZE }),
  );
  const remove = useMutation({
    mutationFn: (id: string) => unwrapData(apiClient.DELETE('/v1/threads/{id}', { params: { path: { id } } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['conversations'] }),
  });
  const deleting = useUndoableAction<ThreadSummary>(({ id }) => remove.mutateAsync(id).catch(() => undefined));
  if (error) return <ErrorState fault={error} onRetry={retry} />;
  if (!rows || (rows.length === 0 && !typed)) return null;
  const visibleThreads = rows.filter(({ id }) => id !== deleting.waitingItem?.id);
  return (
    <section aria-label="Your conversations">
      <div className={css.pastHead}>
        <h2>Your conversations</h2>
        {(typed || rows.length >= MIN_SEARCHABLE_COUNT) && (
          <TextInput
            size="xs"
            type="search"
            aria-label="Search your conversations"
            placeholder="Search"
            value={typed}
            onChange={({ currentTarget: { value } }) => setTyped(value)}
          />
        )}
      </div>
      {rows.length === 0 && <p className={css.hint}>No matching conversations.</p>}
      <ul className={css.past}>
        {visibleThreads.map((thread) => (
          <li key={thread.id}>
            <Link to="/" search={{ thread: thread.id }}>
              {showHiddenCharacters(thread.title ?? '')}
            </Link>
            <span className={css.hint}>
              {thread.turns === 1 ? '1 question' : `${thread.turns} questions`}, {formatDateTime(thread.updated_at)}
            </span>
            <Button
              variant="delete"
              size="compact-xs"
              aria-label={`Delete ${thread.title}`}
              onClick={() => deleting.begin(thread)}
            >
              Delete
            </Button>
          </li>
        ))}
      </ul>
      {more.has && (
        <Button className={css.more} variant="subtle" size="compact-sm" loading={more.loading} onClick={more.fetch}>
          Load more
        </Button>
      )}
      {deleting.waitingItem && (
        <p role="status" className={css.undo}>
          Deleted “{showHiddenCharacters(deleting.waitingItem.title ?? '')}”.
          <Button variant="default" size="compact-xs" onClick={deleting.undo}>
            Undo
          </Button>
        </p>
      )}
      {remove.error && <ErrorState fault={remove.error} />}
    </section>
  );
}
