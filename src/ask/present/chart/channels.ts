// Creates the axes of a chart. The axes show units, currencies and percentages, and label dates by calendar period.
import type { ChartShape } from './chart-shape.ts';

export type ChartSpec = Record<string, unknown>;

export const createQuantitativeChannel = (column: LabeledColumn): ChartSpec => ({
  ...createTitledField(column),
  axis: {
    labelExpr: writeDisplayExpression('datum.value', column),
    format: getExactFormat(column),
  },
});

/** Shows the exact value of a measure when the reader points at a mark. */
export const createTooltipChannel = (column: LabeledColumn): ChartSpec => ({
  ...createTitledField(column),
  format: getExactFormat(column),
});

function createTitledField({ name, unit, isShare }: LabeledColumn): ChartSpec {
  const words = name.replaceAll('_', ' ');
  const isInPercent = isPercent(unit);
  const title = unit && !isInPercent ? `${words} (${unit})` : isInPercent || isShare ? `${words} (%)` : words;
  return { field: name, type: 'quantitative', title };
}

/** A double has up to 15 reliable digits. */
export const getExactFormat = ({ unit, isShare }: Omit<LabeledColumn, 'name'>): string =>
  isShare && !isPercent(unit) ? '.2~%' : ',.15~g';

type LabeledColumn = Pick<ChartShape['measures'][number], 'name' | 'unit' | 'isShare'>;
/** Currency signs that precede the amount. d3 handles the dollar sign itself. */
const CURRENCY_SYMBOLS: Record<string, string> = { EUR: '€', GBP: '£', JPY: '¥', INR: '₹' };
const isPercent = (unit: string | null): boolean => unit === 'percent' || unit === '%';

/**
 * An expression that formats a number: k for thousands and B for billions with one decimal, percent for shares, and
 * never m for thousandths.
 */
export function writeDisplayExpression(
  value: string,
  { unit, isShare }: Omit<LabeledColumn, 'name'>,
  sign = '',
): string {
  const currency = unit === 'USD' ? '$' : '';
  const symbol = CURRENCY_SYMBOLS[unit ?? ''];
  if (symbol) {
    const amount = writeDisplayExpression(`abs(${value})`, { unit: null, isShare: false });
    return `(${value} < 0 ? '−' : '${sign}') + '${symbol}' + (${amount})`;
  }
  if (isShare && !isPercent(unit)) return `format(${value}, '${sign}.3~p')`;
  if (isPercent(unit)) return `format(${value}, '${sign},.1f') + '%'`;
  const digits = `(abs(${value}) < 1000 ? 4 : floor(log(abs(${value})) / LN10) % 3 + 2)`;
  const large = `replace(format(${value}, '${sign}${currency},.' + ${digits} + '~s'), 'G', 'B')`;
  return `abs(${value}) < 1 ? format(${value}, '${sign}${currency},.3~r') : ${large}`;
}

const TIME_AXES = {
  year: { timeUnit: 'utcyear', axis: { format: '%Y' } },
  quarter: { timeUnit: 'utcyearquarter', axis: { format: 'Q%q %Y' } },
  month: { timeUnit: 'utcyearmonth', axis: { format: '%b %Y' } },
  day: { timeUnit: 'utcyearmonthdate', axis: { format: '%d %b %Y' } },
  moment: { axis: { format: '%d %b %H:%M' } },
};

export function createTimeChannel({ name, grain }: ChartShape['times'][number]): ChartSpec {
  const { axis, ...unit } = TIME_AXES[grain] as { axis: ChartSpec; timeUnit?: string };
  return {
    field: name,
    type: 'temporal',
    ...unit,
    title: name.replaceAll('_', ' '),
    axis: { ...axis, labelOverlap: true },
  };
}
