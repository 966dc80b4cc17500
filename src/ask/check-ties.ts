// "Top 10" through a tie shows ten by chance. One more row is read, with what it is ordered by: equal values on both
// sides of the cut mean that others belong there as well, and the answer says so.

import type { Intent } from '../lens/intent.ts';
import { tieProbe } from '../planner/tie-probe.ts';
import type { ProbeLimits } from './check-values.ts';
import { readGoverned } from './governed-read.ts';
import type { GrantedLens } from './outcome.ts';

export async function cutsThroughTie(granted: GrantedLens, intent: Intent, limits: ProbeLimits): Promise<boolean> {
  const probe = tieProbe(intent);
  if (!probe) return false;
  const { rows } = await readGoverned(granted.warehouse, granted.lens, granted.asker, probe.intent, {
    ...limits,
    maxRows: probe.cuts.at(-1)! + 1,
  });
  return probe.cuts.some((cut) => {
    const [last, behind] = [rows[cut - 1], rows[cut]];
    return last !== undefined && behind !== undefined && last[probe.column] === behind[probe.column];
  });
}
