import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiClient, unwrapData } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { StatusBadge } from '../../ui/Badges.tsx';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { formatDateTime } from '../../ui/format.ts';
import { Section } from '../../ui/Page.tsx';
import { PagedList, usePagedList } from '../../ui/PagedList.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../ui/States.tsx';

export function Versions({ name }: { name: string }) {
  const [selectedVersion, setSelectedVersion] = useState<number | null>(null);
  const versions = usePagedList(['versions', name], ({ cursor, signal }) =>
    unwrapData(
      apiClient.GET('/mgmt/lenses/{name}/versions', {
        signal,
        params: { path: { name }, query: { limit: 50, cursor } },
      }),
    ),
  );
  const restoreVersion = useMutation({
    mutationFn: (version: number) =>
      unwrapData(
        apiClient.POST('/mgmt/lenses/{name}/versions/{version}/restore', { params: { path: { name, version } } }),
      ),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['versions', name] });
      void queryClient.invalidateQueries({ queryKey: ['lenses'] });
    },
  });
  return (
    <>
      {restoreVersion.error && <ErrorState fault={restoreVersion.error} />}
      <PagedList
        label="Versions"
        pages={versions}
        empty={<EmptyState title="No versions yet" />}
        columns={[
          { id: 'version', header: 'Version', numeric: true, cell: ({ version }) => version },
          { id: 'at', header: 'Created', cell: ({ created_at }) => formatDateTime(created_at) },
          { id: 'by', header: 'Created by', cell: ({ created_by }) => created_by },
          { id: 'state', header: 'Status', cell: ({ active }) => (active ? <StatusBadge status="active" /> : '–') },
          {
            id: 'diff',
            header: 'What changed',
            cell: ({ version }) =>
              version === 1 ? (
                'First version'
              ) : (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Show changes in version ${version}`}
                  onClick={() => setSelectedVersion(version)}
                >
                  Show
                </Button>
              ),
          },
          {
            id: 'restore',
            header: 'Actions',
            cell: ({ version, active }) =>
              active ? (
                '–'
              ) : (
                <Button
                  size="compact-sm"
                  variant="default"
                  loading={restoreVersion.isPending && restoreVersion.variables === version}
                  disabled={restoreVersion.isPending}
                  aria-label={`Restore version ${version}`}
                  onClick={() => restoreVersion.mutate(version)}
                >
                  Restore
                </Button>
              ),
          },
        ]}
      />
      {selectedVersion !== null && <VersionDiff name={name} from={selectedVersion - 1} to={selectedVersion} />}
    </>
  );
}

function VersionDiff({ name, from, to }: { name: string; from: number; to: number }) {
  const { data, error } = useQuery({
    queryKey: ['diff', name, from, to],
    queryFn: ({ signal }) =>
      unwrapData(
        apiClient.GET('/mgmt/lenses/{name}/diff', { signal, params: { path: { name }, query: { from, to } } }),
      ),
  });
  return (
    <Section title={`Version ${to} compared with ${from}`}>
      {error ? (
        <ErrorState fault={error} />
      ) : !data ? (
        <LoadingState />
      ) : (
        <>
          {data.summary.length === 0 ? (
            <p>No changes in meaning.</p>
          ) : (
            <ul>
              {data.summary.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          )}
          {data.files.map(({ path, diff }) => (
            <CodeBlock key={path} text={diff} label={`Changes to ${path}`} />
          ))}
        </>
      )}
    </Section>
  );
}
