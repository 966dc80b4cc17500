import { DateTime, Duration } from 'luxon';
import type { Scope } from '../../../contract/ask.ts';
import { findDatasetOfPath } from '../../../lens/model/join-paths.ts';
import type { Lens } from '../../../lens/model/lens.ts';
import { isRelated, listInnerFilters, listTopLevelFilters, toPeriodConditions } from '../../../plan/filters.ts';
import { type Condition, type Filter, type LensPlan, listNestedMeasures } from '../../../plan/lens-plan.ts';
import type { Plan } from '../../outcome.ts';
import {
  type AnswerCheck,
  createFailVerdict,
  createInapplicableVerdict,
  createPassVerdict,
  createUnknownVerdict,
} from '../check.ts';

export const dataFreshCheck: AnswerCheck = {
  name: 'data_fresh',
  critical: false,
  checkPlan: () => null,
  checkRows({ plan, dataAsOf }, _verdict, { now }) {
    const { freshFor, timezone } = plan.grantedLens.lens;
    if (startsAfterDataEnds(plan, dataAsOf))
      return createFailVerdict(`The period begins at ${findPeriodStart(plan)}, after the data ends (${dataAsOf}).`);
    if (!freshFor) return createInapplicableVerdict('The lens sets no freshness limit (fresh_for).');
    if (!dataAsOf) return createUnknownVerdict('The data has no timestamp, so svc can’t check its freshness.');
    const freshUntil = DateTime.fromISO(dataAsOf, { zone: timezone }).plus(Duration.fromISO(freshFor));
    const detail = `The data is as of ${dataAsOf}; the freshness limit is ${freshFor}.`;
    return freshUntil.toMillis() >= now.getTime() ? createPassVerdict(detail) : createFailVerdict(detail);
  },
};

/** Whether the period begins after the data ends. For such a period, a zero or an empty result has no meaning. */
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

/** The conditions of measures and related rows, and the periods of changes. Leaves out alternatives and negations. */
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
