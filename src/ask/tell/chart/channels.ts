// Axes: units, currencies and percent are said there; dates stand on their calendar step.
import type { ChartShape } from './chart-shape.ts';

export type Spec = Record<string, unknown>;

export function channel({ name, unit }: Pick<ChartShape['measures'][number], 'name' | 'unit'>): Spec {
  const words = name.replaceAll('_', ' ');
  const percent = unit === 'percent' || unit === '%';
  return {
    field: name,
    type: 'quantitative',
    title: unit ? `${words} (${percent ? '%' : unit})` : words,
    axis: { format: unit === 'USD' ? '$,.4~s' : ',.4~s' },
  };
}

const STEPS = {
  year: { timeUnit: 'utcyear', axis: { format: '%Y' } },
  quarter: { timeUnit: 'utcyearquarter', axis: { format: 'Q%q %Y' } },
  month: { timeUnit: 'utcyearmonth', axis: { format: '%b %Y' } },
  day: { timeUnit: 'utcyearmonthdate', axis: { format: '%d %b %Y' } },
  moment: { axis: { format: '%d %b %H:%M' } },
};

export function dated({ name, grain }: ChartShape['times'][number]): Spec {
  const { axis, ...unit } = STEPS[grain] as { axis: Spec; timeUnit?: string };
  return {
    field: name,
    type: 'temporal',
    ...unit,
    title: name.replaceAll('_', ' '),
    axis: { ...axis, labelOverlap: true },
  };
}
