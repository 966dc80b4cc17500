import { Button, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiClient, unwrapData } from '../../api/client.ts';
import type { paths } from '../../api/schema.d.ts';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { formatDateTime } from '../../ui/format.ts';
import { PagedList, usePagedList } from '../../ui/PagedList.tsx';
import { EmptyState } from '../../ui/States.tsx';
import css from './access.module.css';
import { allCallersQuery } from './callers-query.ts';

type AuditEntry = paths['/mgmt/audit']['get']['responses']['200']['content']['application/json']['items'][number];

export function AuditLog() {
  const [shownEntry, setShownEntry] = useState<AuditEntry | null>(null);
  const entries = usePagedList(['audit'], ({ cursor, signal }) =>
    unwrapData(apiClient.GET('/mgmt/audit', { signal, params: { query: { limit: 100, cursor } } })),
  );
  const names = useNamesById();
  const describe = (entry: AuditEntry) => describeObject(entry, names);
  return (
    <>
      <PagedList
        label="Audit log"
        pages={entries}
        empty={<EmptyState title="No changes yet" />}
        columns={[
          { id: 'at', header: 'Time', cell: ({ at }) => formatDateTime(at) },
          { id: 'actor', header: 'Actor', wraps: true, cell: ({ actor }) => actor },
          { id: 'action', header: 'Action', cell: ({ action }) => action },
          { id: 'object', header: 'Object', wraps: true, cell: describe },
          {
            id: 'details',
            header: 'Actions',
            cell: (entry) => (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Details of ${entry.action}, ${describe(entry)}`}
                onClick={() => setShownEntry(entry)}
              >
                Details
              </Button>
            ),
          },
        ]}
      />
      <Modal
        opened={shownEntry !== null}
        onClose={() => setShownEntry(null)}
        title={shownEntry?.action}
        size="lg"
        lockScroll={false}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {shownEntry && <EntryDetails entry={shownEntry} />}
      </Modal>
    </>
  );
}

const EntryDetails = ({ entry }: { entry: AuditEntry }) => (
  <div className={css.form}>
    <p>{`${entry.actor}, ${formatDateTime(entry.at)}`}</p>
    {entry.object_id && <p>{`ID: ${entry.object_id}`}</p>}
    {entry.request_id && <p>{`Request: ${entry.request_id}`}</p>}
    {entry.before != null && <Values title="Before" value={entry.before} />}
    {entry.after != null && <Values title="After" value={entry.after} />}
  </div>
);

const Values = ({ title, value }: { title: string; value: unknown }) => (
  <div>
    <p>{title}</p>
    <CodeBlock text={JSON.stringify(value, null, 2)} label={title} noWrap />
  </div>
);

/** Entries of grants and sign-ins contain only the ID of the caller or the account. */
function useNamesById(): Map<string, string> {
  const callers = useQuery(allCallersQuery);
  const users = useQuery({
    queryKey: ['users', 'all'],
    queryFn: ({ signal }) => unwrapData(apiClient.GET('/mgmt/users', { signal, params: { query: { limit: 500 } } })),
  });
  return new Map([
    ...(callers.data?.items ?? []).map(({ id, name }): [string, string] => [id, name]),
    ...(users.data?.items ?? []).map(({ id, email }): [string, string] => [id, email]),
  ]);
}

/** Shows the ID of an object only if its name is unknown. */
function describeObject({ object_kind, object_id, before, after }: AuditEntry, names: Map<string, string>): string {
  const name = findName(after) ?? findName(before) ?? names.get(object_id ?? '') ?? object_id;
  return [object_kind.replaceAll('_', ' '), name].filter(Boolean).join(' ');
}

const NAME_FIELDS = ['name', 'email', 'label', 'title'];

function findName(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const named = Object.entries(value).find(([key, text]) => NAME_FIELDS.includes(key) && typeof text === 'string');
  return named?.[1] as string | undefined;
}
