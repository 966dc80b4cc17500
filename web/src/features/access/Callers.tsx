import { Button, Modal, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { apiClient, unwrapData } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { StatusBadge } from '../../ui/Badges.tsx';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { formatDateTime } from '../../ui/format.ts';
import { PagedList, usePagedList } from '../../ui/PagedList.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../ui/States.tsx';
import { lensesQuery } from '../ask/api/lenses.ts';
import { toCurlCommand } from '../ask/lib/export-answer.ts';
import css from './access.module.css';
import { CallerDetail } from './CallerDetail.tsx';
import { CallerLensSelect } from './CallerLensSelect.tsx';
import { createGrantsQuery } from './grants-query.ts';

export function Callers() {
  const [adding, setAdding] = useState(false);
  const [selectedCaller, setSelectedCaller] = useState<{ id: string; name: string } | null>(null);
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), 250);
  const callers = usePagedList(['callers', 'paged', q], ({ cursor, signal }) =>
    unwrapData(
      apiClient.GET('/mgmt/callers', { signal, params: { query: { limit: 100, cursor, ...(q ? { q } : {}) } } }),
    ),
  );
  return (
    <>
      <div className={css.bar}>
        <TextInput
          aria-label="Search callers"
          placeholder="Search callers"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Button onClick={() => setAdding(true)}>New caller</Button>
      </div>
      <PagedList
        label="Callers"
        pages={callers}
        empty={
          q ? (
            <EmptyState title="No matching callers" />
          ) : (
            <EmptyState title="No callers yet">Create a caller, then create a key for it.</EmptyState>
          )
        }
        columns={[
          { id: 'name', header: 'Caller', wraps: true, cell: ({ name }) => name },
          { id: 'groups', header: 'Groups', cell: ({ groups }) => groups.join(', ') || '–' },
          {
            id: 'state',
            header: 'Status',
            cell: ({ disabled }) => <StatusBadge status={disabled ? 'disabled' : 'active'} />,
          },
          {
            id: 'since',
            header: 'Created',
            hiddenIfNarrow: true,
            cell: ({ created_at }) => formatDateTime(created_at),
          },
          {
            id: 'kind',
            header: 'Type',
            hiddenIfNarrow: true,
            cell: ({ kind }) => (kind === 'demo' ? 'Demo visitors' : 'App, agent or person'),
          },
          {
            id: 'look',
            header: 'Actions',
            cell: ({ id, name }) => (
              <div className={css.buttons}>
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Lenses and keys of ${name}`}
                  onClick={() => setSelectedCaller({ id, name })}
                >
                  Lenses and keys
                </Button>
                <NewKey id={id} name={name} />
              </div>
            ),
          },
        ]}
      />
      <Modal
        opened={selectedCaller !== null}
        onClose={() => setSelectedCaller(null)}
        title={selectedCaller?.name}
        size="xl"
        lockScroll={false}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {selectedCaller && <CallerDetail id={selectedCaller.id} />}
      </Modal>
      <NewCaller opened={adding} onClose={() => setAdding(false)} />
    </>
  );
}

function NewKey({ id, name }: { id: string; name: string }) {
  const createKey = useMutation({
    mutationFn: () => unwrapData(apiClient.POST('/mgmt/callers/{id}/keys', { params: { path: { id } }, body: {} })),
    gcTime: 0,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['keys', id] }),
  });
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        loading={createKey.isPending}
        aria-label={`New key for ${name}`}
        onClick={() => createKey.mutate()}
      >
        New key
      </Button>
      {createKey.error && <ErrorState fault={createKey.error} />}
      <Modal
        opened={createKey.data !== undefined}
        onClose={createKey.reset}
        title={`New key for ${name}`}
        closeOnClickOutside={false} // the dialog stays open, because svc can't show the new key again
        lockScroll={false}
        closeButtonProps={{ 'aria-label': 'Close' }}
        centered
      >
        {createKey.data && (
          <div className={css.form}>
            <p>svc shows this key only once. Store it in a safe place.</p>
            <CodeBlock text={createKey.data.key} label="Key" />
            <FirstAskCommand caller={id} apiKey={createKey.data.key} />
          </div>
        )}
      </Modal>
    </>
  );
}

function FirstAskCommand({ caller, apiKey }: { caller: string; apiKey: string }) {
  const { data: lenses } = useSuspenseQuery(lensesQuery);
  const { data: grants } = useQuery(createGrantsQuery(caller));
  const lens = lenses.find(({ name }) => grants?.effective.some((item) => item.lens === name));
  if (!grants) return <LoadingState lines={3} />;
  if (!lens) return <p>This caller can’t use any lens yet. Choose lenses under “Lenses and keys”.</p>;
  const q = lens.sample_questions[0];
  const command =
    q &&
    toCurlCommand({ kind: 'question', q, lens: lens.name, choices: {}, earlierQuestions: [] }, window.location.origin);
  return (
    <>
      {command && (
        <>
          <p>To try the key, run this command in a terminal:</p>
          <CodeBlock text={command.replace('$SVC_KEY', apiKey)} label="Command that sends a question with this key" />
        </>
      )}
      <p>
        <Link to="/connect">Connect an agent or a chat client</Link>
      </p>
    </>
  );
}

function NewCaller({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [name, setName] = useState('');
  const [granted, setGranted] = useState<string[]>([]);
  const createCaller = useMutation({
    mutationFn: async () => {
      const createdCaller = await unwrapData(apiClient.POST('/mgmt/callers', { body: { name: name.trim() } }));
      if (granted.length > 0)
        await unwrapData(
          apiClient.PUT('/mgmt/callers/{id}/grants', {
            params: { path: { id: createdCaller.id } },
            body: { lenses: granted },
          }),
        );
    },
    onSuccess: () => {
      setName('');
      onClose();
      void queryClient.invalidateQueries({ queryKey: ['callers'] });
    },
  });
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="New caller"
      lockScroll={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
      centered
    >
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          createCaller.mutate();
        }}
      >
        <TextInput
          label="Name"
          description="An app, an agent or a person"
          value={name}
          data-autofocus
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <CallerLensSelect value={granted} onChange={setGranted} />
        {createCaller.error && <ErrorState fault={createCaller.error} />}
        <Button type="submit" disabled={!name.trim()} loading={createCaller.isPending}>
          Create
        </Button>
      </form>
    </Modal>
  );
}
