// All lenses with their last eval run. A run started here is followed to its end and shown case by case.
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOrThrow } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { waitForRun } from '../../api/runs.ts';
import { Status } from '../../ui/Badges.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { moment, percent } from '../../ui/format.ts';
import { ListOf, usePages } from '../../ui/ListOf.tsx';
import { Page, Section } from '../../ui/Page.tsx';
import { Empty, Failed, Loading } from '../../ui/States.tsx';
import { Trend } from './Trend.tsx';

export function EvalsPage() {
  const [shown, setShown] = useState<{ lens: string; run: string } | null>(null);
  const lenses = usePages(['evals'], ({ cursor, signal }) =>
    dataOrThrow(api.GET('/mgmt/observe/evals', { signal, params: { query: { limit: 100, cursor } } })),
  );
  const run = useMutation({
    mutationFn: async (lens: string) => {
      const { run_id } = (await dataOrThrow(
        api.POST('/mgmt/lenses/{name}/evals/run', { params: { path: { name: lens } }, body: {} }),
      )) as { run_id: string };
      await waitForRun(run_id);
      return { lens, run: run_id };
    },
    onSuccess: (finished) => {
      setShown(finished);
      void queryClient.invalidateQueries({ queryKey: ['evals'] });
    },
  });
  return (
    <Page title="Evals" about="Questions with known answers. A run shows how many answers are right for each grade.">
      {run.error && <Failed fault={run.error} />}
      <ListOf
        label="Evals by lens"
        of={lenses}
        empty={<Empty title="No lens yet" />}
        columns={[
          { id: 'lens', header: 'Lens', cell: ({ lens }) => lens },
          { id: 'cases', header: 'Cases', numeric: true, cell: ({ cases }) => cases },
          {
            id: 'last',
            header: 'Last run',
            cell: ({ lens, last_run }) =>
              last_run ? (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  aria-label={`${moment(last_run.at)}: last run of ${lens}`}
                  onClick={() => setShown({ lens, run: last_run.run_id })}
                >
                  {moment(last_run.at)}
                </Button>
              ) : (
                '–'
              ),
          },
          { id: 'passed', header: 'Passed', numeric: true, cell: ({ last_run }) => last_run?.passed ?? '–' },
          { id: 'failed', header: 'Failed', numeric: true, cell: ({ last_run }) => last_run?.failed ?? '–' },
          { id: 'right', header: 'Right', numeric: true, cell: ({ last_run }) => percent(last_run?.accuracy ?? null) },
          {
            id: 'run',
            header: 'Actions',
            cell: ({ lens, cases }) => (
              <Button
                size="compact-sm"
                variant="default"
                disabled={cases === 0 || run.isPending}
                loading={run.isPending && run.variables === lens}
                aria-label={`Run the evals of ${lens}`}
                onClick={() => run.mutate(lens)}
              >
                Run
              </Button>
            ),
          },
        ]}
      />
      {shown && <Trend key={shown.lens} lens={shown.lens} newest={shown.run} />}
      {shown && <Run {...shown} />}
    </Page>
  );
}

const READ_BY = {
  certified: 'certified entry',
  reader: 'svc',
  model: 'language model',
  model_sql: 'language model, SQL',
} as const;

function Run({ lens, run }: { lens: string; run: string }) {
  const { data, error } = useQuery({
    queryKey: ['eval run', lens, run],
    queryFn: ({ signal }) =>
      dataOrThrow(
        api.GET('/mgmt/lenses/{name}/evals/runs/{id}', { signal, params: { path: { name: lens, id: run } } }),
      ),
  });
  if (error) return <Failed fault={error} />;
  if (!data) return <Loading lines={6} />;
  const { summary } = data;
  const graded = (['verified', 'partial', 'unverified'] as const).filter(
    (grade) => summary.by_grade[grade].answers > 0,
  );
  return (
    <Section
      title={`${lens}: ${summary.passed} of ${summary.cases} passed`}
      about={graded
        .map((grade) => `${grade}: ${summary.by_grade[grade].right} of ${summary.by_grade[grade].answers} right`)
        .join(' · ')}
    >
      <DataTable
        label="Cases of the run"
        rows={data.cases}
        columns={[
          { id: 'question', header: 'Question', wraps: true, cell: ({ question }) => question },
          { id: 'passed', header: 'Result', cell: ({ passed }) => <Status of={passed ? 'passed' : 'failed'} /> },
          { id: 'reader', header: 'Interpreted by', cell: ({ reader }) => (reader ? READ_BY[reader] : '–') },
          { id: 'why', header: 'Why', wraps: true, cell: ({ reason, detail }) => detail ?? reason ?? '–' },
          {
            id: 'grade',
            header: 'Grade',
            cell: ({ confidence, status }) => (status === 'answered' ? confidence : status),
          },
        ]}
      />
    </Section>
  );
}
