import { useQuery } from '@tanstack/react-query';
import { apiClient, unwrapData } from '../../api/client.ts';
import { formatLabel } from '../../ui/Badges.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { Section } from '../../ui/Page.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../ui/States.tsx';

interface CompiledLens {
  rowPolicies?: { name: string; dataset: string; filter: string; groups: string[] }[];
  datasets?: { name: string; fields: { name: string; masked: boolean }[] }[];
}

export function Policies({ name, version }: { name: string; version: number }) {
  const compiled = useQuery({
    queryKey: ['version', name, version],
    queryFn: async ({ signal }) =>
      (
        await unwrapData(
          apiClient.GET('/mgmt/lenses/{name}/versions/{version}', { signal, params: { path: { name, version } } }),
        )
      ).lens as CompiledLens,
  });
  const grants = useQuery({
    queryKey: ['lens grants', name],
    queryFn: ({ signal }) =>
      unwrapData(apiClient.GET('/mgmt/lenses/{name}/grants', { signal, params: { path: { name } } })),
  });
  const fault = compiled.error ?? grants.error;
  if (fault) return <ErrorState fault={fault} />;
  if (!compiled.data || !grants.data) return <LoadingState lines={6} />;
  const { rowPolicies = [], datasets = [] } = compiled.data;
  const masked = datasets.flatMap(({ name: dataset, fields }) =>
    fields.filter((field) => field.masked).map((field) => ({ dataset, field: field.name })),
  );
  return (
    <>
      <Section title="Who can ask">
        {grants.data.effective.length === 0 ? (
          <EmptyState title="No callers can use this lens yet">
            To grant the lens to a caller, open the “Access” page.
          </EmptyState>
        ) : (
          <DataTable
            label="Who can ask"
            rows={grants.data.effective}
            columns={[
              { id: 'subject', header: 'Name', cell: ({ subject }) => subject },
              { id: 'kind', header: 'Type', cell: ({ kind }) => formatLabel(kind) },
              { id: 'origin', header: 'Granted in', cell: ({ origin }) => ORIGIN_NAMES[origin] },
            ]}
          />
        )}
      </Section>
      <Section title="Row policies" description="Under a row policy, callers see only rows that match its filter.">
        {rowPolicies.length === 0 ? (
          <EmptyState title="No row policies: every caller sees all rows" />
        ) : (
          <DataTable
            label="Row policies"
            rows={rowPolicies}
            columns={[
              { id: 'name', header: 'Policy', cell: (policy) => policy.name },
              { id: 'dataset', header: 'Dataset', cell: ({ dataset }) => dataset },
              { id: 'filter', header: 'Shows rows where', wraps: true, cell: ({ filter }) => <code>{filter}</code> },
              {
                id: 'groups',
                header: 'Groups',
                cell: ({ groups }) => (groups.length > 0 ? groups.join(', ') : 'all callers'),
              },
            ]}
          />
        )}
      </Section>
      <Section
        title="Masks"
        description="Answers never show the values of a masked field. Callers can still count distinct values."
      >
        {masked.length === 0 ? (
          <EmptyState title="No masked fields" />
        ) : (
          <DataTable
            label="Masked fields"
            rows={masked}
            columns={[
              { id: 'dataset', header: 'Dataset', cell: ({ dataset }) => dataset },
              { id: 'field', header: 'Field', cell: ({ field }) => field },
            ]}
          />
        )}
      </Section>
    </>
  );
}

const ORIGIN_NAMES = {
  lens_file: 'Lens file',
  group_file: 'Group file',
  demo: 'Demo mode',
  lens_api: 'App or API',
  caller_api: 'App or API',
} as const;
