// Lists the warehouse connections with their state, lenses and tables.
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOrThrow } from '../../api/client.ts';
import { toUserMessage } from '../../api/own-words.ts';
import { formatCount, formatMilliseconds } from '../../ui/format.ts';
import { PagedList, usePages } from '../../ui/ListOf.tsx';
import { Page, Section } from '../../ui/Page.tsx';
import { EmptyState } from '../../ui/States.tsx';
import css from './data.module.css';
import { engineName } from './engine-name.ts';
import { DropFiles } from './files/DropFiles.tsx';
import { Joins } from './Joins.tsx';
import { Profile } from './Profile.tsx';

const LOOKS = ['Tables', 'Profile'] as const;

export function DataPage() {
  const [selection, setSelection] = useState<{ id: string; name: string; view: (typeof LOOKS)[number] } | null>(null);
  const connections = usePages(['connections'], ({ cursor, signal }) =>
    dataOrThrow(api.GET('/mgmt/connections', { signal, params: { query: { limit: 100, cursor } } })),
  );
  return (
    <Page
      title="Data"
      description="Connections to warehouses. svc only reads them."
      actions={
        <Button component={Link} to="/data/new">
          Create a lens from a database
        </Button>
      }
    >
      <PagedList
        label="Connections"
        pages={connections}
        empty={
          <EmptyState title="No connection yet">
            <Link to="/data/new">Connect a database</Link> or drop files below, and svc drafts a lens from them.
          </EmptyState>
        }
        columns={[
          { id: 'name', header: 'Connection', cell: ({ name }) => name },
          { id: 'kind', header: 'Kind', cell: ({ kind }) => engineName(kind) },
          {
            id: 'lenses',
            header: 'Lenses',
            cell: ({ used_by }) =>
              used_by.length === 0
                ? '–'
                : used_by.map((lens) => (
                    <span key={lens}>
                      <Link to="/lenses/$name" params={{ name: lens }}>
                        {lens}
                      </Link>{' '}
                    </span>
                  )),
          },
          { id: 'origin', header: 'Source', cell: ({ origin }) => (origin === 'file' ? 'project files' : 'API') },
          { id: 'test', header: 'Status', cell: ({ id, name }) => <Test id={id} name={name} /> },
          {
            id: 'look',
            header: 'Details',
            cell: ({ id, name }) => (
              <span className={css.buttons}>
                {LOOKS.map((viewName) => (
                  <Button
                    key={viewName}
                    size="compact-sm"
                    variant="default"
                    aria-label={`${viewName} of ${name}`}
                    onClick={() => setSelection({ id, name, view: viewName })}
                  >
                    {viewName}
                  </Button>
                ))}
                <Link to="/data/new" search={{ connection: name }} aria-label={`New lens from ${name}`}>
                  New lens
                </Link>
              </span>
            ),
          },
        ]}
      />
      {selection?.view === 'Tables' && <Catalog key={selection.id} {...selection} />}
      {selection?.view === 'Profile' && <Profile key={selection.id} {...selection} />}
      <DropFiles connections={connections.rows?.map(({ name }) => name) ?? []} />
      <Joins />
    </Page>
  );
}

function Test({ id, name }: { id: string; name: string }) {
  const test = useMutation({
    mutationFn: () => dataOrThrow(api.POST('/mgmt/connections/{id}/test', { params: { path: { id } } })),
  });
  const statusText = test.error
    ? test.error.message
    : test.data &&
      (test.data.ok
        ? `Connected in ${formatMilliseconds(test.data.latency_ms)}`
        : toUserMessage(test.data.error ?? 'The connection does not work.'));
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        loading={test.isPending}
        aria-label={`Test ${name}`}
        onClick={() => test.mutate()}
      >
        Test
      </Button>{' '}
      <span role="status">{statusText}</span>
    </>
  );
}

function Catalog({ id, name }: { id: string; name: string }) {
  const tables = usePages(['catalog', id], ({ cursor, signal }) =>
    dataOrThrow(
      api.GET('/mgmt/connections/{id}/catalog', { signal, params: { path: { id }, query: { limit: 100, cursor } } }),
    ),
  );
  return (
    <Section title={`Tables of ${name}`}>
      <PagedList
        label={`Tables of ${name}`}
        pages={tables}
        empty={<EmptyState title="This connection can’t read any tables" />}
        columns={[
          { id: 'table', header: 'Table', cell: ({ schema, table }) => [schema, table].filter(Boolean).join('.') },
          {
            id: 'rows',
            header: 'Rows (estimate)',
            numeric: true,
            cell: ({ row_estimate }) => (row_estimate === null ? '–' : formatCount(row_estimate)),
          },
          {
            id: 'columns',
            header: 'Columns',
            wraps: true,
            cell: ({ columns }) => columns.map((column) => column.name).join(', '),
          },
        ]}
      />
    </Section>
  );
}
