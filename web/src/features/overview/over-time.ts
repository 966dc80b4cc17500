// The series of asks as rows and a specification, in the form of the charts of answers.
import type { paths } from '../../api/schema.d.ts';

type Series = paths['/mgmt/observe/timeseries']['get']['responses']['200']['content']['application/json'];
const STATUS = ['answered', 'clarification', 'refused', 'uncovered', 'failed'] as const;

export function overTime({ items, bucket }: Pick<Series, 'items' | 'bucket'>) {
  const shown = STATUS.filter((status) => items.some((one) => one.status[status] > 0));
  const rows = items.flatMap(({ at, status }) => shown.map((one) => ({ at, ended: one, asks: status[one] })));
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
