import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { apiClient, unwrapData } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { waitForRun } from '../../api/runs.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { formatDateTime } from '../../ui/format.ts';
import { Section } from '../../ui/Page.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../ui/States.tsx';

export function Drift({ name }: { name: string }) {
  const params = { path: { name } };
  const { data, error } = useQuery({
    queryKey: ['drift', name],
    queryFn: ({ signal }) =>
      unwrapData(apiClient.GET('/mgmt/lenses/{name}/drift', { signal, params: { ...params, query: { limit: 500 } } })),
  });
  const checkDrift = useMutation({
    mutationFn: async () =>
      waitForRun((await unwrapData(apiClient.POST('/mgmt/lenses/{name}/drift', { params }))).run_id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['drift', name] }),
  });
  const fault = checkDrift.error ?? error;
  return (
    <Section
      title="Drift"
      description={
        data?.taken_at
          ? `Checked ${formatDateTime(data.taken_at)}.`
          : 'Drift is a difference between the lens and its database, such as a column that no longer exists.'
      }
      actions={
        <Button variant="default" size="sm" loading={checkDrift.isPending} onClick={() => checkDrift.mutate()}>
          Check now
        </Button>
      }
    >
      {fault ? (
        <ErrorState fault={fault} />
      ) : !data ? (
        <LoadingState />
      ) : data.items.length === 0 ? (
        <EmptyState title={data.taken_at ? 'No drift' : 'Not checked yet'} />
      ) : (
        <DataTable
          label="Drift"
          rows={data.items}
          columns={[
            { id: 'message', header: 'Difference', wraps: true, cell: ({ message }) => message },
            { id: 'breaks', header: 'Breaks', wraps: true, cell: ({ breaks }) => breaks.join(', ') || 'Nothing' },
          ]}
        />
      )}
    </Section>
  );
}
