// The list includes joins that the lens already declares.
import { Button, Select } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiClient, unwrapData } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { waitForRun } from '../../api/runs.ts';
import { formatCount, formatPercent } from '../../ui/format.ts';
import { Section } from '../../ui/Page.tsx';
import { PagedList, usePagedList } from '../../ui/PagedList.tsx';
import { EmptyState, ErrorState } from '../../ui/States.tsx';
import { useLensTitle } from '../ask/api/lenses.ts';
import css from './data.module.css';

export function Joins() {
  const [lens, setLens] = useState<string | null>(null);
  const titleOf = useLensTitle();
  const lenses = useQuery({
    queryKey: ['lenses in service'],
    queryFn: ({ signal }) => unwrapData(apiClient.GET('/mgmt/lenses', { signal, params: { query: { limit: 500 } } })),
  });
  const findJoins = useMutation({
    mutationFn: async (name: string) =>
      waitForRun(
        (await unwrapData(apiClient.POST('/mgmt/lenses/{name}/join-candidates', { params: { path: { name } } })))
          .run_id,
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['joins', lens] }),
  });
  return (
    <Section title="Joins" description="A possible join is a pair of columns whose names and values match.">
      <div className={css.bar}>
        <Select
          label="Lens"
          placeholder="Choose a lens"
          data={lenses.data?.items.map(({ name }) => ({ value: name, label: titleOf(name) })) ?? []}
          value={lens}
          onChange={setLens}
          allowDeselect={false}
        />
        <Button
          variant="default"
          disabled={!lens}
          title={lens ? undefined : 'Choose a lens first'}
          loading={findJoins.isPending}
          onClick={() => lens && findJoins.mutate(lens)}
        >
          Find joins
        </Button>
      </div>
      {findJoins.error && <ErrorState fault={findJoins.error} />}
      {lens && <JoinCandidates key={lens} lens={lens} />}
    </Section>
  );
}

function JoinCandidates({ lens }: { lens: string }) {
  const candidates = usePagedList(['joins', lens], ({ cursor, signal }) =>
    unwrapData(
      apiClient.GET('/mgmt/lenses/{name}/join-candidates', {
        signal,
        params: { path: { name: lens }, query: { limit: 100, cursor } },
      }),
    ),
  );
  return (
    <PagedList
      label={`Joins of ${lens}`}
      pages={candidates}
      empty={
        <EmptyState title="No joins found">
          Select “Find joins” to compare the values of columns with similar names.
        </EmptyState>
      }
      columns={[
        { id: 'from', header: 'From', cell: ({ from }) => from },
        { id: 'to', header: 'To', cell: ({ to }) => to },
        { id: 'declared', header: 'In the lens', cell: ({ declared }) => (declared ? 'yes' : 'no') },
        { id: 'share', header: 'Match rate', numeric: true, cell: ({ inclusion }) => formatPercent(inclusion) },
        {
          id: 'checked',
          header: 'Values checked',
          numeric: true,
          cell: ({ values_checked }) => formatCount(values_checked),
        },
        { id: 'sure', header: 'Confidence', cell: ({ confidence }) => confidence },
      ]}
    />
  );
}
