import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { apiClient, unwrapData } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { waitForRun } from '../../api/runs.ts';
import { formatCount, formatPercent } from '../../ui/format.ts';
import { Section } from '../../ui/Page.tsx';
import { PagedList, usePagedList } from '../../ui/PagedList.tsx';
import { EmptyState, ErrorState } from '../../ui/States.tsx';

export function Profile({ id, name }: { id: string; name: string }) {
  const params = { path: { id } };
  const columns = usePagedList(['profile', id], ({ cursor, signal }) =>
    unwrapData(
      apiClient.GET('/mgmt/connections/{id}/profile', { signal, params: { ...params, query: { limit: 200, cursor } } }),
    ),
  );
  const takeProfile = useMutation({
    mutationFn: async () =>
      waitForRun(
        (await unwrapData(apiClient.POST('/mgmt/connections/{id}/profile', { params, body: { sample_rows: 10_000 } })))
          .run_id,
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['profile', id] }),
  });
  return (
    <Section
      title={`Profile of ${name}`}
      description="Statistics of each column, from a sample of its rows."
      actions={
        <Button size="sm" variant="default" loading={takeProfile.isPending} onClick={() => takeProfile.mutate()}>
          Collect statistics
        </Button>
      }
    >
      {takeProfile.error && <ErrorState fault={takeProfile.error} />}
      <PagedList
        label={`Profile of ${name}`}
        pages={columns}
        empty={
          <EmptyState title="No profile yet">Select “Collect statistics” to read a sample of each table.</EmptyState>
        }
        columns={[
          { id: 'column', header: 'Column', cell: ({ table, column }) => `${table}.${column}` },
          { id: 'rows', header: 'Rows read', numeric: true, cell: ({ rows }) => formatCount(rows) },
          {
            id: 'nulls',
            header: 'Null',
            numeric: true,
            cell: ({ rows, nulls }) => (rows === 0 ? '–' : formatPercent(nulls / rows)),
          },
          {
            id: 'distinct',
            header: 'Distinct values',
            numeric: true,
            cell: ({ distinct }) => (distinct === null ? '–' : formatCount(distinct)),
          },
          {
            id: 'range',
            header: 'Range',
            wraps: true,
            cell: ({ min, max }) => (min === null ? '–' : `${min} to ${max}`),
          },
          {
            id: 'values',
            header: 'Most frequent values',
            wraps: true,
            cell: ({ values }) => values?.slice(0, 8).join(', ') ?? '–',
          },
        ]}
      />
    </Section>
  );
}
