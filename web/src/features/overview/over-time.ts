// Draws outcomes as bars, and shares, response times and cost as lines.
import type { paths } from '../../api/schema.d.ts';
import { formatLabel } from '../../ui/Badges.tsx';

type AskTimeSeries = paths['/mgmt/observe/timeseries']['get']['responses']['200']['content']['application/json'];
const SERIES_GROUPS = {
  status: ['answered', 'clarification', 'refused', 'uncovered', 'failed'],
  confidence: ['verified', 'partial', 'unverified'],
  certification: ['certified', 'assisted', 'none', 'certified_failed'],
} as const;

type SeriesPoint = AskTimeSeries['items'][number];
const computeShare = (part: number, total: number): number | null => (total === 0 ? null : part / total);
const TREND_LINES = {
  covered: {
    title: 'share of asks that got an answer or a question back',
    format: '.0%',
    of: ({ coverage }: SeriesPoint) => coverage,
  },
  verified: {
    title: 'share of answers that are verified',
    format: '.0%',
    of: ({ confidence, status }: SeriesPoint) => computeShare(confidence.verified, status.answered),
  },
  time: { title: 'mean response time (ms)', format: ',.0f', of: ({ mean_ms }: SeriesPoint) => mean_ms },
  cost: { title: 'model cost (USD)', format: '$,.2f', of: ({ cost }: SeriesPoint) => cost },
} as const;

export const TREND_LABELS = {
  status: 'Outcome',
  confidence: 'Grade',
  certification: 'Certification',
  covered: 'Share of asks that got an answer or a question back',
  verified: 'Verified share',
  time: 'Mean response time',
  cost: 'Model cost',
} as const;
export type TrendKind = keyof typeof TREND_LABELS;

export function createTrendChart(series: Pick<AskTimeSeries, 'items' | 'bucket'>, kind: TrendKind) {
  return kind in SERIES_GROUPS
    ? createBarChart(series, kind as keyof typeof SERIES_GROUPS)
    : createLineChart(series, kind as keyof typeof TREND_LINES);
}

const createTimeAxis = (bucket: AskTimeSeries['bucket']) => ({
  field: 'at',
  type: 'temporal',
  timeUnit: bucket === 'day' ? 'utcyearmonthdate' : 'utcyearmonthdatehours',
  title: null,
  axis: {
    grid: false,
    format: bucket === 'day' ? '%d %b' : '%d %b %H:00',
    tickCount: { interval: bucket, step: 1 },
    labelOverlap: true,
  },
});
const CHART_LAYOUT = {
  width: 'container',
  height: 220,
  autosize: { type: 'fit-x', contains: 'padding' },
  data: { name: 'rows' },
};

function createLineChart({ items, bucket }: Pick<AskTimeSeries, 'items' | 'bucket'>, kind: keyof typeof TREND_LINES) {
  const { title, format, of } = TREND_LINES[kind];
  const rows = items.map((item) => ({ at: item.at, value: of(item) }));
  const scale = format === '.0%' ? { domain: [0, 1] } : { zero: true };
  const spec = {
    ...CHART_LAYOUT,
    mark: { type: 'line', point: true, tooltip: true },
    encoding: {
      x: createTimeAxis(bucket),
      y: { field: 'value', type: 'quantitative', title, scale, axis: { format, tickCount: 5 } },
    },
  };
  return { chart: { vega_lite: spec }, rows };
}

function createBarChart({ items, bucket }: Pick<AskTimeSeries, 'items' | 'bucket'>, kind: keyof typeof SERIES_GROUPS) {
  const countAsks = (item: AskTimeSeries['items'][number], part: string) =>
    (item[kind] as Record<string, number>)[part] ?? 0;
  const visibleParts = SERIES_GROUPS[kind].filter((part) => items.some((item) => countAsks(item, part) > 0));
  const rows = items.flatMap((item) =>
    visibleParts.map((part) => ({ at: item.at, outcome: formatLabel(part), asks: countAsks(item, part) })),
  );
  const spec = {
    ...CHART_LAYOUT,
    mark: { type: 'bar', tooltip: true },
    encoding: {
      x: createTimeAxis(bucket),
      y: { field: 'asks', type: 'quantitative', title: 'asks', axis: { tickMinStep: 1 } },
      color: { field: 'outcome', type: 'nominal', sort: visibleParts.map(formatLabel), title: null },
    },
  };
  return { chart: { vega_lite: spec }, rows };
}
