import { DateTime, Duration } from 'luxon';
import type { Scope } from '../../../contract/ask.ts';
import { findDatasetOfPath } from '../../../lens/model/join-paths.ts';
import type { Lens } from '../../../lens/model/lens.ts';
import { isRelated, listInnerFilters, listTopLevelFilters, toPeriodConditions } from '../../../plan/filters.ts';
import {
  type Condition,
  createEmptyPlan,
  type Filter,
  type LensPlan,
  listNestedMeasures,
} from '../../../plan/lens-plan.ts';
import type { FetchedRows, Plan } from '../../outcome.ts';
import {
  type AnswerCheck,
  createFailVerdict,
  createInapplicableVerdict,
  createPassVerdict,
  createUnknownVerdict,
  createWarningVerdict,
} from '../check.ts';
import type { Probes } from '../probes.ts';

export const dataFreshCheck: AnswerCheck = {
  name: 'data_fresh',
  critical: false,
  checkPlan: () => null,
  async checkRows(fetchedRows, _verdict, probes) {
    const { plan, dataAsOf } = fetchedRows;
    const { freshFor, timezone } = plan.grantedLens.lens;
    const firstEmptyPeriod = await findPeriodAfterData(fetchedRows, probes);
    if (firstEmptyPeriod !== null)
      return createWarningVerdict(
        dataAsOf === null
          ? `There are no rows from ${firstEmptyPeriod} on, so the data may end before.`
          : `The data ends on ${dataAsOf.slice(0, 10)}, so the values from ${firstEmptyPeriod} on have no meaning.`,
      );
    if (startsAfterDataEnds(plan, dataAsOf))
      return createFailVerdict(`The period begins at ${findPeriodStart(plan)}, after the data ends (${dataAsOf}).`);
    if (!freshFor) return createInapplicableVerdict('The lens sets no freshness limit (fresh_for).');
    if (!dataAsOf) return createUnknownVerdict('The data has no timestamp, so svc can’t check its freshness.');
    const freshUntil = DateTime.fromISO(dataAsOf, { zone: timezone }).plus(Duration.fromISO(freshFor));
    const detail = `The data is as of ${dataAsOf}; the freshness limit is ${freshFor}.`;
    return freshUntil.toMillis() >= probes.now.getTime() ? createPassVerdict(detail) : createFailVerdict(detail);
  },
};

/**
 * Returns the start of the first period after the last period with rows. Returns null if there is no later period, or
 * if the data continues into the later period.
 */
async function findPeriodAfterData(
  { plan, columns, rows, dataAsOf }: FetchedRows,
  probes: Probes,
): Promise<string | null> {
  if (plan.plan !== 'compiled' || typeof plan.lensPlan.every !== 'object' || plan.lensPlan.dimensions.length > 1)
    return null;
  const { path, field } = plan.lensPlan.every;
  const dataset = findDatasetOfPath(plan.grantedLens.lens, path)!.name;
  const [period = '', ...measures] = columns.map(({ name }) => name);
  const startOf = (row: FetchedRows['rows'][number]): string => String(row[period]).slice(0, 10);
  const filledRows = rows.filter((row) => measures.some((name) => Number(row[name] ?? 0) !== 0));
  const lastStart = filledRows.map(startOf).sort().at(-1);
  if (lastStart === undefined) return null;
  const lastDay = dataAsOf === null ? lastStart : [lastStart, dataAsOf.slice(0, 10)].sort().at(-1)!;
  const start = rows
    .map(startOf)
    .sort()
    .find((item) => item > lastDay);
  if (start === undefined || dataAsOf !== null) return start ?? null;
  const laterRows = await probes.count({
    ...createEmptyPlan(),
    measures: [{ fn: 'count', rows: dataset }],
    filters: [{ field: { path: dataset, field }, op: '>=', values: [start] }],
  });
  return laterRows > 0 ? null : start;
}

/**
 * Whether the plan's period begins after the data ends. For such a period, a zero or an empty result says nothing about
 * the business.
 */
export function startsAfterDataEnds(plan: Plan, dataAsOf: string | null): boolean {
  if (dataAsOf === null) return false;
  const start = findPeriodStart(plan);
  return start !== null && start.slice(0, 10) > dataAsOf.slice(0, 10);
}

/** The latest start date among the plan's periods and its conditions on time fields. */
function findPeriodStart(plan: Plan): string | null {
  const { scope, grantedLens } = plan;
  const isStart = ({ field, op, values: [first] }: StartCondition): boolean =>
    PERIOD_START_OPERATORS.has(op) &&
    /^\d{4}(?:-\d\d)*(?:[T ]|$)/.test(String(first)) &&
    isTimeField(grantedLens.lens, field);
  const conditions = [...scope.filters, ...(plan.plan === 'compiled' ? findNestedConditions(plan.lensPlan) : [])];
  const starts = conditions.filter(isStart).map(({ values }) => String(values[0]));
  return [...starts, ...(scope.time ? [scope.time.from] : [])].sort().at(-1) ?? null;
}
type StartCondition = Pick<Scope['filters'][number], 'field' | 'op' | 'values'>;
const PERIOD_START_OPERATORS = new Set(['=', '>', '>=', 'between']);
function isTimeField(lens: Lens, field: string): boolean {
  const [, path = '', name] = /^(.+?)\.(\w+?)(?:\.(?:day|week|month|quarter|year))?$/.exec(field) ?? [];
  return name !== undefined && findDatasetOfPath(lens, path)?.timeField === name;
}

/**
 * The conditions in measures and in filters on related rows, and the periods that a measure compares. Leaves out
 * conditions inside `any` and `not`, because a row doesn't have to meet them.
 */
function findNestedConditions(lensPlan: LensPlan): StartCondition[] {
  const periods = listNestedMeasures(lensPlan).flatMap((measure) =>
    measure.fn === 'change' && measure.from ? [measure.from, measure.to] : [],
  );
  return [...listTopLevelFilters(lensPlan).flatMap(findRequiredConditions), ...periods.flatMap(toPeriodConditions)].map(
    ({ field: { path, field }, ...condition }) => ({ ...condition, field: `${path}.${field}` }),
  );
}
function findRequiredConditions(filter: Filter): Condition[] {
  if ('field' in filter) return [filter];
  return 'all' in filter || isRelated(filter) ? listInnerFilters(filter).flatMap(findRequiredConditions) : [];
}
