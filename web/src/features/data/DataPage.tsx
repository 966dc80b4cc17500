import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { apiClient, unwrapData } from '../../api/client.ts';
import { toUserMessage } from '../../api/user-messages.ts';
import { StatusBadge } from '../../ui/Badges.tsx';
import { formatCount, formatMilliseconds } from '../../ui/format.ts';
import { Page, Section } from '../../ui/Page.tsx';
import { PagedList, usePagedList } from '../../ui/PagedList.tsx';
import { EmptyState } from '../../ui/States.tsx';
import { useLensTitle } from '../ask/api/lenses.ts';
import css from './data.module.css';
import { formatEngineName } from './engine-name.ts';
import { FileDropZone } from './files/FileDropZone.tsx';
import { Joins } from './Joins.tsx';
import { Profile } from './Profile.tsx';

const CONNECTION_VIEWS = ['Tables', 'Profile'] as const;

export function DataPage() {
  const [selection, setSelection] = useState<{
    id: string;
    name: string;
    view: (typeof CONNECTION_VIEWS)[number];
  } | null>(null);
  const titleOf = useLensTitle();
  const connections = usePagedList(['connections'], ({ cursor, signal }) =>
    unwrapData(apiClient.GET('/mgmt/connections', { signal, params: { query: { limit: 100, cursor } } })),
  );
  return (
    <Page
      title="Data"
      description="Connections to your databases, and the lenses that use them. svc only reads your data."
      actions={
        <Button component={Link} to="/data/new">
          Connect a database
        </Button>
      }
    >
      <PagedList
        label="Connections"
        pages={connections}
        empty={
          <EmptyState title="No connections yet">
            <Link to="/data/new">Connect a database</Link> or drop files below, and svc drafts a lens from them.
          </EmptyState>
        }
        columns={[
          { id: 'name', header: 'Connection', cell: ({ name }) => name },
          { id: 'kind', header: 'Engine', cell: ({ kind }) => formatEngineName(kind) },
          {
            id: 'lenses',
            header: 'Lenses',
            cell: ({ used_by }) =>
              used_by.length === 0
                ? '–'
                : used_by.map((lens) => (
                    <span key={lens}>
                      <Link to="/lenses/$name" params={{ name: lens }}>
                        {titleOf(lens)}
                      </Link>{' '}
                    </span>
                  )),
          },
          {
            id: 'origin',
            header: 'Source',
            hiddenIfNarrow: true,
            cell: ({ origin }) => (origin === 'file' ? 'Project files' : 'App or API'),
          },
          { id: 'test', header: 'Status', cell: ({ id }) => <TestResult id={id} /> },
          {
            id: 'look',
            header: 'Actions',
            cell: ({ id, name }) => (
              <span className={css.buttons}>
                <TestButton id={id} name={name} />
                <Menu position="bottom-end">
                  <Menu.Target>
                    <ActionIcon variant="default" size={26} aria-label={`More actions for ${name}`}>
                      <IconDots size={16} stroke={2} aria-hidden="true" />
                    </ActionIcon>
                  </Menu.Target>
                  <Menu.Dropdown>
                    {CONNECTION_VIEWS.map((view) => (
                      <Menu.Item key={view} onClick={() => setSelection({ id, name, view })}>
                        {view}
                      </Menu.Item>
                    ))}
                    <Menu.Item component={Link} to={`/data/new?connection=${encodeURIComponent(name)}`}>
                      New lens
                    </Menu.Item>
                  </Menu.Dropdown>
                </Menu>
              </span>
            ),
          },
        ]}
      />
      {selection?.view === 'Tables' && <Catalog key={selection.id} {...selection} />}
      {selection?.view === 'Profile' && <Profile key={selection.id} {...selection} />}
      <FileDropZone connections={connections.rows?.map(({ name }) => name) ?? []} />
      <Joins />
    </Page>
  );
}

const createConnectionTestQuery = (id: string) =>
  queryOptions({
    queryKey: ['connection test', id],
    queryFn: () => unwrapData(apiClient.POST('/mgmt/connections/{id}/test', { params: { path: { id } } })),
    enabled: false, // the test runs only if the person selects “Test”
    retry: false,
  });

function TestButton({ id, name }: { id: string; name: string }) {
  const { isFetching, refetch } = useQuery(createConnectionTestQuery(id));
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={isFetching}
      aria-label={`Test ${name}`}
      onClick={() => void refetch()}
    >
      Test
    </Button>
  );
}

function TestResult({ id }: { id: string }) {
  const { data, error } = useQuery(createConnectionTestQuery(id));
  if (!data && !error) return <span className={css.quiet}>Not tested</span>;
  if (data?.ok && !error)
    return (
      <span role="status">
        <StatusBadge status="connected" /> <span className={css.quiet}>{formatMilliseconds(data.latency_ms)}</span>
      </span>
    );
  return (
    <div role="status" className={css.fault}>
      <StatusBadge status="failed" />
      <p>{error?.message ?? toUserMessage(data?.error ?? 'The connection test failed.')}</p>
    </div>
  );
}

function Catalog({ id, name }: { id: string; name: string }) {
  const tables = usePagedList(['catalog', id], ({ cursor, signal }) =>
    unwrapData(
      apiClient.GET('/mgmt/connections/{id}/catalog', {
        signal,
        params: { path: { id }, query: { limit: 100, cursor } },
      }),
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
