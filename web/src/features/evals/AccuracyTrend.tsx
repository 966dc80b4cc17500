import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { apiClient, unwrapData } from '../../api/client.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Section } from '../../ui/Page.tsx';
import { LoadingState } from '../../ui/States.tsx';
import { useLensTitle } from '../ask/api/lenses.ts';

const Chart = lazyPart(() => import('../../ui/Chart.tsx'));
const MAX_RUNS = 100;

/** `latestRun` is the ID of the latest run. When it changes, the trend is loaded again. */
export function AccuracyTrend({ lens, latestRun }: { lens: string; latestRun: string }) {
  const titleOf = useLensTitle();
  const { data } = useQuery({
    queryKey: ['eval runs', lens, latestRun],
    queryFn: ({ signal }) =>
      unwrapData(
        apiClient.GET('/mgmt/lenses/{name}/evals/runs', {
          signal,
          params: { path: { name: lens }, query: { limit: MAX_RUNS } },
        }),
      ),
  });
  const runs = data?.items ?? [];
  if (runs.length < 2) return null;
  const rows = runs.map(({ created_at, summary }) => ({ at: created_at, right: summary.accuracy }));
  return (
    <Section title={`Accuracy of ${titleOf(lens)} by run`}>
      <Suspense fallback={<LoadingState lines={4} />}>
        <Chart
          chart={{ vega_lite: CHART_SPEC }}
          rows={rows}
          label={`Share of correct answers for ${titleOf(lens)}, by run`}
        />
      </Suspense>
    </Section>
  );
}

const CHART_SPEC = {
  width: 'container',
  height: 160,
  autosize: { type: 'fit-x', contains: 'padding' },
  data: { name: 'rows' },
  mark: { type: 'line', point: true, tooltip: true },
  encoding: {
    x: { field: 'at', type: 'temporal', title: null, axis: { labelOverlap: true } },
    y: { field: 'right', type: 'quantitative', title: 'accuracy', scale: { domain: [0, 1] }, axis: { format: '.0%' } },
  },
};
