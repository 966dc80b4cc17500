// If a "top 10" ends within a tie, its last rows are arbitrary. svc reads one more row and its sort values. If the
// values on both sides of the cut are equal, the answer states that other rows share the last place.
import type { LensPlan } from '../../../plan/lens-plan.ts';
import type { Probes } from '../probes.ts';
import { tieProbe } from './tie-probe.ts';

/** The maximum number of rows to read if each group has its own limit. */
const MAX_PROBED_ROWS = 5000;

export async function cutsThroughTie(lensPlan: LensPlan, probes: Probes): Promise<boolean> {
  const probe = tieProbe(lensPlan);
  if (!probe) return false;
  const rows = await probes.rows(probe.lensPlan, probe.within ? MAX_PROBED_ROWS : probe.cuts.at(-1)! + 1);
  const lists = new Map<string, typeof rows>();
  for (const row of rows) {
    const group = JSON.stringify(probe.within?.map((columnIndex) => row[columnIndex]) ?? []);
    const list = lists.get(group);
    if (list) list.push(row);
    else lists.set(group, [row]);
  }
  return [...lists.values()].some((list) =>
    probe.cuts.some((cut) => {
      const [lastValue, nextValue] = [list[cut - 1], list[cut]];
      if (lastValue === undefined || nextValue === undefined) return false;
      return [probe.column, ...(probe.settled ?? [])].every(
        (columnIndex) => lastValue[columnIndex] === nextValue[columnIndex],
      );
    }),
  );
}
