// The series of asks as rows and a specification, in the form of the charts of answers.
import type { paths } from '../../api/schema.d.ts';

type Series = paths['/mgmt/observe/timeseries']['get']['responses']['200']['content']['application/json'];
const PARTS = {
  status: ['answered', 'clarification', 'refused', 'uncovered', 'failed'],
  confidence: ['verified', 'partial', 'unverified'],
  certification: ['certified', 'assisted', 'none', 'certified_failed'],
} as const;

export function overTime({ items, bucket }: Pick<Series, 'items' | 'bucket'>, by: keyof typeof PARTS) {
  const asks = (one: Series['items'][number], part: string) => (one[by] as Record<string, number>)[part] ?? 0;
  const shown = PARTS[by].filter((part) => items.some((one) => asks(one, part) > 0));
  const rows = items.flatMap((one) => shown.map((part) => ({ at: one.at, ended: part, asks: asks(one, part) })));
  const spec = {
    width: 'container',
    height: 220,
    autosize: { type: 'fit-x', contains: 'padding' },
    data: { name: 'rows' },
    mark: { type: 'bar', tooltip: true },
    encoding: {
      x: {
        field: 'at',
        type: 'temporal',
        timeUnit: bucket === 'day' ? 'utcyearmonthdate' : 'utcyearmonthdatehours',
        title: null,
        axis: { grid: false, format: bucket === 'day' ? '%d %b' : '%d %b %H:00', labelOverlap: true },
      },
      y: { field: 'asks', type: 'quantitative', title: 'asks', axis: { tickMinStep: 1 } },
      color: { field: 'ended', type: 'nominal', sort: [...shown], title: null },
    },
  };
  return { chart: { vega_lite: spec }, rows };
}
