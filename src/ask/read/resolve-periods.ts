// Sets the period of "every month" in a plan without a time window. The period covers the dates of all rows that this
// caller can see.
import { DateTime } from 'luxon';
import { type Condition, createEmptyPlan, type LensPlan, type Period } from '../../plan/lens-plan.ts';
import { findSeriesEnds, listPeriods } from '../../plan/periods.ts';
import type { GrantedLens } from '../outcome.ts';
import { fetchGovernedRows } from '../run/governed-read.ts';
import type { ProbeLimits } from './values/probe-values.ts';

export async function resolvePeriods(
  grantedLens: GrantedLens,
  initialPlan: LensPlan,
  limits: ProbeLimits,
): Promise<LensPlan> {
  let lensPlan = initialPlan;
  for (const period of listPeriods(lensPlan)) {
    if (findSeriesEnds(lensPlan, period)) continue;
    const ends = await Promise.all(
      (['asc', 'desc'] as const).map((direction) =>
        fetchFirstDateOfPeriod(grantedLens, lensPlan, period, direction, limits),
      ),
    );
    const [from, last] = ends;
    // If there are no rows, the compiler asks for the period.
    if (!from || !last) continue;
    const { path, field, grain } = period;
    const to = DateTime.fromISO(last, { zone: 'utc' })
      .plus({ [grain]: 1 })
      .toISODate()!;
    const date = { path, field };
    const toCondition = (op: '>=' | '<', value: string): Condition => ({ field: date, op, values: [value] });
    lensPlan = lensPlan.time
      ? { ...lensPlan, filters: [...lensPlan.filters, toCondition('>=', from), toCondition('<', to)] }
      : { ...lensPlan, time: { field: date, from, to } };
  }
  return lensPlan;
}

async function fetchFirstDateOfPeriod(
  grantedLens: GrantedLens,
  { filters, time }: LensPlan,
  period: Period,
  direction: 'asc' | 'desc',
  limits: ProbeLimits,
): Promise<string | null> {
  const { path, field } = period;
  const probe: LensPlan = {
    ...createEmptyPlan(),
    measures: [{ fn: 'max', field: { path, field } }],
    dimensions: [period],
    filters: [...filters, { field: { path, field }, op: 'is_not_null', values: [] }],
    time,
    order_by: [{ field: period, direction }],
    limit: 1,
  };
  const { rows } = await fetchGovernedRows(grantedLens, probe, {
    ...limits,
    maxRows: 1,
  });
  const [value] = rows[0] ?? [];
  return value === null || value === undefined ? null : String(value).slice(0, 10);
}
