// Classifies the columns of a result for a chart: categories, measures and shares.
import type { Column } from '../../../contract/ask.ts';
import { findPeriodComparison } from '../../../plan/lens-plan.ts';
import type { FetchedRows } from '../../outcome.ts';
import { isLabelColumn } from '../../read/values/format-cell.ts';

export type TimeAxisGrain = 'year' | 'quarter' | 'month' | 'day' | 'moment';

export interface ChartShape {
  title: string;
  times: (Column & { grain: TimeAxisGrain })[];
  categories: Column[];
  measures: (Column & { isShare: boolean; isChange: boolean })[];
  /** True if the first two measures are the values of two periods, and the other measures are their changes. */
  comparesPeriods: boolean;
}

export function toChartShape({ plan, columns, rows }: Pick<FetchedRows, 'plan' | 'columns' | 'rows'>): ChartShape {
  const planMeasures = plan.plan === 'compiled' ? plan.lensPlan.measures : [];
  const shares = listColumnNamesWhere(planMeasures, columns, ({ fn }) => fn === 'share_of_total');
  const changes = listColumnNamesWhere(
    planMeasures,
    columns,
    ({ fn, from, show }) => fn === 'change' && !!from && !show,
  );
  const isDated = (column: Column) => column.datatype.startsWith('date');
  return {
    title: plan.scope.sentence,
    times: columns
      .filter(isDated)
      .map((column) => ({ ...column, grain: inferGrain(rows.map((row) => row[column.name])) })),
    categories: columns.filter((column) => isLabelColumn(column) && !isDated(column)),
    measures: columns
      .filter((column) => !isLabelColumn(column))
      .map((column) => ({ ...column, isShare: shares.has(column.name), isChange: changes.has(column.name) })),
    comparesPeriods: findPeriodComparison(planMeasures) !== null,
  };
}

interface PlanMeasure {
  fn: string;
  from?: unknown;
  show?: unknown;
}
/** The measures are the last columns, in the order of the plan. */
function listColumnNamesWhere(
  measures: PlanMeasure[],
  columns: Column[],
  predicate: (measure: PlanMeasure) => boolean,
): Set<string> {
  const firstIndex = columns.length - measures.length;
  const matches = measures.map(predicate);
  return new Set(columns.filter((_, index) => matches[index - firstIndex]).map(({ name }) => name));
}

/** The coarsest grain for which every value is the start of a period. */
function inferGrain(values: unknown[]): TimeAxisGrain {
  const texts = values.filter((value) => typeof value === 'string');
  const allMatch = (shape: RegExp) => texts.every((text) => shape.test(text));
  const midnightPattern = String.raw`(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?$`;
  if (allMatch(new RegExp(`^\\d{4}-01-01${midnightPattern}`)) && new Set(texts).size > 1) return 'year';
  if (allMatch(new RegExp(`^\\d{4}-(?:01|04|07|10)-01${midnightPattern}`)) && new Set(texts).size > 2) return 'quarter';
  if (allMatch(new RegExp(`^\\d{4}-\\d\\d-01${midnightPattern}`))) return 'month';
  return allMatch(new RegExp(`^\\d{4}-\\d\\d-\\d\\d${midnightPattern}`)) ? 'day' : 'moment';
}
