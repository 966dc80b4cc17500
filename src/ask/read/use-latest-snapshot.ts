// Sums a level (a balance, a stock, a population) at one time only: the requested time, otherwise the latest one.
import { type Aggregate, emptyPlan, type FieldRef, type LensPlan } from '../../plan/lens-plan.ts';
import { pinsField } from '../../plan/pins-field.ts';
import type { GrantedLens } from '../outcome.ts';
import { readGoverned } from '../run/governed-read.ts';
import type { ProbeLimits } from './values/probe-values.ts';

interface SnapshotField {
  path: string;
  name: string;
  /** The field that contains the time of the level. */
  at: string;
  /** Whether a condition on the time would change no other measure of the plan. */
  alone: boolean;
}
interface SnapshotPlan {
  lensPlan: LensPlan;
  notes: string[];
  doubts: string[];
  /** The reason why svc can't use a single time for the level. */
  doubt: string | null;
  /** Whether the level can be taken at the latest of the requested times. */
  isAtOneTime: boolean;
}

export async function useLatestSnapshot(
  grantedLens: GrantedLens,
  lensPlan: LensPlan,
  { path, name, at, alone }: SnapshotField,
  wantsLatest: boolean,
  limits: ProbeLimits,
): Promise<SnapshotPlan> {
  const timeRef: FieldRef = { path, field: at };
  const outcome: SnapshotPlan = { lensPlan, notes: [], doubts: [], doubt: null, isAtOneTime: false };
  if (pinsField(lensPlan.filters, path, at)) return outcome;
  const readRow = async (parts: Partial<LensPlan>) => {
    const probe = { ...emptyPlan(), filters: lensPlan.filters, time: lensPlan.time, limit: 1, ...parts };
    const { rows } = await readGoverned(grantedLens, probe, {
      ...limits,
      maxRows: 1,
    });
    return rows[0];
  };
  const isTime = (ref: FieldRef): boolean => ref.path === path && ref.field === at;
  const periods = lensPlan.dimensions.filter(isTime);
  const plainName = name.replaceAll('_', ' ');
  if (periods.length > 0 || (lensPlan.time && isTime(lensPlan.time.field))) {
    const times: Aggregate = { fn: 'count_distinct', field: timeRef };
    const timeCounts = await readRow({
      measures: [times],
      dimensions: periods,
      order_by: [{ measure: times, direction: 'desc' }],
    });
    if (Number(timeCounts?.at(-1) ?? 0) <= 1) return outcome;
    const doubt = `${plainName} is a level (like a balance), and the question covers several values of ${path}.${at}. A sum over them counts the same amount repeatedly.`;
    if (periods.length > 0 || !wantsLatest || !alone)
      return { ...outcome, doubt, isAtOneTime: periods.length === 0 && alone };
  }
  if (!alone)
    return {
      ...outcome,
      doubt: `${plainName} is a level (like a balance), and the other measures are not. Ask for ${plainName} separately, or name one value of ${path}.${at}.`,
    };
  const rowCount: Aggregate = { fn: 'count', rows: path };
  const [latestCell, fullestCell] = await Promise.all(
    [{ field: timeRef }, { measure: rowCount }].map((sortKey) =>
      readRow({ measures: [rowCount], dimensions: [timeRef], order_by: [{ ...sortKey, direction: 'desc' }] }),
    ),
  );
  const [value, count] = latestCell ?? [];
  if (value === null || value === undefined) return outcome;
  return {
    ...outcome,
    lensPlan: {
      ...lensPlan,
      filters: [...lensPlan.filters, { field: timeRef, op: '=', values: [String(value)] }],
    },
    notes: [`${plainName} is a level (like a balance), so svc uses the latest ${at}, ${String(value)}.`],
    doubts:
      Number(count) < Number(fullestCell![1])
        ? [
            `The latest ${at} has ${count} rows, and ${fullestCell![0]} has ${fullestCell![1]}. svc doesn’t count anything without a row at the latest ${at}.`,
          ]
        : [],
  };
}
