// If a "top 10" ends within a tie, its last rows are arbitrary. svc reads one more row and its sort keys. If the
// sort keys are equal on both sides of a cut, the answer states that other rows share the last place.
import type { Cell } from '../../../domain/ports.ts';
import type { LensPlan } from '../../../plan/lens-plan.ts';
import type { Probes } from '../probes.ts';
import { createTieProbe } from './tie-probe.ts';

/** The maximum number of rows to read if each group has its own limit. */
const MAX_PROBED_ROWS = 5000;

/** `unknown` if the probe can't show every sort key or every group. */
export async function isTieSplitByLimit(lensPlan: LensPlan, probes: Probes): Promise<boolean | 'unknown'> {
  const probe = createTieProbe(probes.grantedLens.lens, lensPlan);
  if (probe === null || probe === 'unknown') return probe ?? false;
  const maxRows = probe.within ? MAX_PROBED_ROWS : probe.cuts.at(-1)! + 1;
  const rows = await probes.fetchRows(probe.lensPlan, maxRows);
  const groups = new Map<string, typeof rows>();
  for (const row of rows) {
    const key = JSON.stringify(probe.within?.map((column) => row[column]) ?? []);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const isEqual = (columns: number[], row: Cell[], other: Cell[]): boolean =>
    columns.every((column) => row[column] === other[column]);
  const isTied = [...groups.values()].some((group) =>
    probe.cuts.some((cut) => {
      const [lastRow, nextRow] = [group[cut - 1], group[cut]];
      if (!lastRow || !nextRow || !isEqual(probe.columns, lastRow, nextRow)) return false;
      // The probe reads all tied rows of a group. If these rows are identical, every choice of rows results in the same
      // answer.
      const tiedRows = group.filter((row) => isEqual(probe.columns, lastRow, row));
      return !probe.within || !tiedRows.every((row) => isEqual(probe.answerColumns, lastRow, row));
    }),
  );
  return isTied || (probe.within && rows.length >= maxRows ? 'unknown' : false);
}
