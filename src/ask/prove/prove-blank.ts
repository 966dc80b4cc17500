// An answer of nothing, where a value was taken as stored from memory: the warehouse is asked whether it is still there,
// so that a value that went is not told as a zero of one that exists.
import { inParallel } from '../../platform/in-parallel.ts';
import type { FetchedRows } from '../outcome.ts';
import { type ProbeLimits, probeValues } from '../read/probe-values.ts';

const AT_ONCE = 3;

export async function proveBlank(fetched: FetchedRows, limits: ProbeLimits): Promise<FetchedRows> {
  const { plan } = fetched;
  const { believed = [], granted } = plan;
  if (believed.length === 0 || !isBlank(fetched)) return fetched;
  const gone: string[] = [];
  const untold: string[] = [];
  await inParallel(believed, AT_ONCE, async ({ naming, values }) => {
    for (const [value, found] of await probeValues(granted, naming, values, limits)) {
      if (found.is === 'absent') gone.push(`“${value}” is no longer a value of ${naming.term}.`);
      if (found.is === 'untold')
        untold.push(`Whether “${value}” is still a value of ${naming.term} is not known: ${found.why}.`);
    }
  });
  if (gone.length + untold.length === 0) return fetched;
  if (gone.length > 0) limits.lagging?.(granted);
  const details = { ...plan.facts.details, values_known: [...gone, ...untold].join(' ') };
  const valuesKnown = gone.length > 0 ? false : ('unknown' as const);
  return {
    ...fetched,
    plan: { ...plan, facts: { ...plan.facts, valuesKnown, details }, warnings: [...plan.warnings, ...gone] },
  };
}

/** No rows, or nothing in them but zeros and blanks beside what they are grouped by. */
function isBlank({ plan, rows, columns }: FetchedRows): boolean {
  const grouped = plan.plan === 'compiled' ? plan.intent.dimensions.length : 0;
  const measured = columns.slice(grouped);
  if (rows.length > 0 && measured.length === 0) return false;
  return rows.every((row) => measured.every(({ name }) => row[name] === null || Number(row[name]) === 0));
}
