import { DateTime, Duration } from 'luxon';
import { findDatasetOfPath } from '../../../lens/model/join-paths.ts';
import type { Lens } from '../../../lens/model/lens.ts';
import type { Plan } from '../../outcome.ts';
import { type AnswerCheck, failVerdict, inapplicableVerdict, passVerdict, unknownVerdict } from '../check.ts';

export const dataFreshCheck: AnswerCheck = {
  name: 'data_fresh',
  critical: false,
  checkPlan: () => null,
  checkRows({ plan, dataAsOf }, _verdict, { now }) {
    const { freshFor, timezone } = plan.grantedLens.lens;
    if (startsAfterDataEnds(plan, dataAsOf))
      return failVerdict(`The period begins at ${findPeriodStart(plan)}, after the data ends (${dataAsOf}).`);
    if (!freshFor) return inapplicableVerdict('The lens sets no freshness limit (fresh_for).');
    if (!dataAsOf) return unknownVerdict('The data has no timestamp, so svc can’t check its freshness.');
    const freshUntil = DateTime.fromISO(dataAsOf, { zone: timezone }).plus(Duration.fromISO(freshFor));
    const detail = `The data is as of ${dataAsOf}; the freshness limit is ${freshFor}.`;
    return freshUntil.toMillis() >= now.getTime() ? passVerdict(detail) : failVerdict(detail);
  },
};

/** Whether the period begins after the data ends. For such a period, a zero or an empty result has no meaning. */
export function startsAfterDataEnds(plan: Plan, dataAsOf: string | null): boolean {
  const start = findPeriodStart(plan);
  return start !== null && dataAsOf !== null && start.slice(0, 10) > dataAsOf.slice(0, 10);
}

/** The start of the scope's period. Without a period, the latest date from which a condition on a time field starts. */
function findPeriodStart({ scope: { time, filters }, grantedLens: { lens } }: Plan): string | null {
  if (time) return time.from;
  const starts = filters.flatMap(({ field, op, values: [first] }) =>
    STARTING_OPERATORS.has(op) && /^\d{4}-\d\d-\d\d/.test(String(first)) && isTimeField(lens, field)
      ? [String(first)]
      : [],
  );
  return starts.sort().at(-1) ?? null;
}
const STARTING_OPERATORS = new Set(['=', '>', '>=', 'between']);
function isTimeField(lens: Lens, field: string): boolean {
  const [, path = '', name] = /^(.+?)\.(\w+?)(?:\.(?:day|week|month|quarter|year))?$/.exec(field) ?? [];
  return findDatasetOfPath(lens, path)?.timeField === name;
}
