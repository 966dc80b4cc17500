import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiClient, unwrapData } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { waitForRun } from '../../api/runs.ts';
import { formatLabel, GradeBadge, StatusBadge } from '../../ui/Badges.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { formatDateTime, formatPercent } from '../../ui/format.ts';
import { Page, Section } from '../../ui/Page.tsx';
import { PagedList, usePagedList } from '../../ui/PagedList.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../ui/States.tsx';
import { useLensTitle } from '../ask/api/lenses.ts';
import { AccuracyTrend } from './AccuracyTrend.tsx';

export function EvalsPage() {
  const titleOf = useLensTitle();
  const [selectedRun, setSelectedRun] = useState<{ lens: string; run: string } | null>(null);
  const lenses = usePagedList(['evals'], ({ cursor, signal }) =>
    unwrapData(apiClient.GET('/mgmt/observe/evals', { signal, params: { query: { limit: 100, cursor } } })),
  );
  const run = useMutation({
    mutationFn: async (lens: string) => {
      const { run_id } = (await unwrapData(
        apiClient.POST('/mgmt/lenses/{name}/evals/run', { params: { path: { name: lens } }, body: {} }),
      )) as { run_id: string };
      await waitForRun(run_id);
      return { lens, run: run_id };
    },
    onSuccess: (finished) => {
      setSelectedRun(finished);
      void queryClient.invalidateQueries({ queryKey: ['evals'] });
    },
  });
  return (
    <Page
      title="Evals"
      description="An eval is a question with its expected result. A run shows how many answers of each grade are correct."
    >
      {run.error && <ErrorState fault={run.error} />}
      <PagedList
        label="Evals by lens"
        pages={lenses}
        empty={<EmptyState title="No lenses yet" />}
        columns={[
          { id: 'lens', header: 'Lens', cell: ({ lens }) => titleOf(lens) },
          { id: 'cases', header: 'Cases', numeric: true, cell: ({ cases }) => cases },
          {
            id: 'last',
            header: 'Last run',
            cell: ({ lens, last_run }) =>
              last_run ? (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  aria-label={`${formatDateTime(last_run.at)}: last run of ${titleOf(lens)}`}
                  onClick={() => setSelectedRun({ lens, run: last_run.run_id })}
                >
                  {formatDateTime(last_run.at)}
                </Button>
              ) : (
                '–'
              ),
          },
          { id: 'passed', header: 'Passed', numeric: true, cell: ({ last_run }) => last_run?.passed ?? '–' },
          { id: 'failed', header: 'Failed', numeric: true, cell: ({ last_run }) => last_run?.failed ?? '–' },
          {
            id: 'right',
            header: 'Accuracy',
            numeric: true,
            cell: ({ last_run }) => formatPercent(last_run?.accuracy ?? null),
          },
          {
            id: 'run',
            header: 'Actions',
            cell: ({ lens, cases }) =>
              cases === 0 ? (
                'No evals yet'
              ) : (
                <Button
                  size="compact-sm"
                  variant="default"
                  disabled={run.isPending}
                  loading={run.isPending && run.variables === lens}
                  aria-label={`Run the evals of ${titleOf(lens)}`}
                  onClick={() => run.mutate(lens)}
                >
                  Run
                </Button>
              ),
          },
        ]}
      />
      {selectedRun && <AccuracyTrend key={selectedRun.lens} lens={selectedRun.lens} latestRun={selectedRun.run} />}
      {selectedRun && <EvalRunDetails {...selectedRun} />}
    </Page>
  );
}

const READER_NAMES = {
  certified: 'certified entry',
  reader: 'svc',
  model: 'language model',
  model_sql: 'language model, SQL',
} as const;

function EvalRunDetails({ lens, run }: { lens: string; run: string }) {
  const titleOf = useLensTitle();
  const { data, error } = useQuery({
    queryKey: ['eval run', lens, run],
    queryFn: ({ signal }) =>
      unwrapData(
        apiClient.GET('/mgmt/lenses/{name}/evals/runs/{id}', { signal, params: { path: { name: lens, id: run } } }),
      ),
  });
  if (error) return <ErrorState fault={error} />;
  if (!data) return <LoadingState lines={6} />;
  const { summary } = data;
  const presentGrades = (['verified', 'partial', 'unverified'] as const).filter(
    (grade) => summary.by_grade[grade].answers > 0,
  );
  return (
    <Section
      title={`${titleOf(lens)}: ${summary.passed} of ${summary.cases} passed`}
      description={presentGrades
        .map(
          (grade) =>
            `${formatLabel(grade)}: ${summary.by_grade[grade].right} of ${summary.by_grade[grade].answers} correct`,
        )
        .join(' · ')}
    >
      <DataTable
        label="Cases in this run"
        rows={data.cases}
        columns={[
          { id: 'question', header: 'Question', wraps: true, cell: ({ question }) => question },
          {
            id: 'passed',
            header: 'Result',
            cell: ({ passed }) => <StatusBadge status={passed ? 'passed' : 'failed'} />,
          },
          { id: 'reader', header: 'Interpreted by', cell: ({ reader }) => (reader ? READER_NAMES[reader] : '–') },
          { id: 'why', header: 'Reason', wraps: true, cell: ({ reason, detail }) => detail ?? reason ?? '–' },
          {
            id: 'grade',
            header: 'Grade',
            cell: ({ confidence, status }) =>
              status === 'answered' ? <GradeBadge confidence={confidence} /> : <StatusBadge status={status} />,
          },
        ]}
      />
    </Section>
  );
}
