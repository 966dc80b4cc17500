// Who may use a lens, and which rows and fields of it stay hidden from whom.
import { useQuery } from '@tanstack/react-query';
import { api, told } from '../../api/client.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { Section } from '../../ui/Page.tsx';
import { Empty, Failed, Loading } from '../../ui/States.tsx';

interface Compiled {
  rowPolicies?: { name: string; dataset: string; filter: string; groups: string[] }[];
  datasets?: { name: string; fields: { name: string; masked: boolean }[] }[];
}

export function Policies({ name, version }: { name: string; version: number }) {
  const compiled = useQuery({
    queryKey: ['version', name, version],
    queryFn: async ({ signal }) =>
      (await told(api.GET('/mgmt/lenses/{name}/versions/{version}', { signal, params: { path: { name, version } } })))
        .lens as Compiled,
  });
  const grants = useQuery({
    queryKey: ['lens grants', name],
    queryFn: ({ signal }) => told(api.GET('/mgmt/lenses/{name}/grants', { signal, params: { path: { name } } })),
  });
  const fault = compiled.error ?? grants.error;
  if (fault) return <Failed fault={fault} />;
  if (!compiled.data || !grants.data) return <Loading lines={6} />;
  const { rowPolicies = [], datasets = [] } = compiled.data;
  const masked = datasets.flatMap(({ name: dataset, fields }) =>
    fields.filter((field) => field.masked).map((field) => ({ dataset, field: field.name })),
  );
  return (
    <>
      <Section title="Who may ask">
        {grants.data.effective.length === 0 ? (
          <Empty title="Nobody is granted this lens">Grant it to a caller under Access.</Empty>
        ) : (
          <DataTable
            label="Who may ask"
            rows={grants.data.effective}
            columns={[
              { id: 'kind', header: 'Kind', cell: ({ kind }) => kind },
              { id: 'subject', header: 'Who', cell: ({ subject }) => subject },
              { id: 'origin', header: 'By', cell: ({ origin }) => origin.replaceAll('_', ' ') },
            ]}
          />
        )}
      </Section>
      <Section title="Rows" about="Whoever a policy names sees only the rows that its filter keeps.">
        {rowPolicies.length === 0 ? (
          <Empty title="No row policy: whoever may ask sees every row" />
        ) : (
          <DataTable
            label="Row policies"
            rows={rowPolicies}
            columns={[
              { id: 'name', header: 'Policy', cell: (policy) => policy.name },
              { id: 'dataset', header: 'Dataset', cell: ({ dataset }) => dataset },
              { id: 'filter', header: 'Keeps rows where', wraps: true, cell: ({ filter }) => <code>{filter}</code> },
              {
                id: 'groups',
                header: 'For',
                cell: ({ groups }) => (groups.length > 0 ? groups.join(', ') : 'everyone'),
              },
            ]}
          />
        )}
      </Section>
      <Section title="Masks" about="A masked field is never shown; its values can be counted.">
        {masked.length === 0 ? (
          <Empty title="No field is masked" />
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
