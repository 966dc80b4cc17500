// Finds the approved entries that svc would suspend if it served a changed lens.
import type { Lens } from '../../lens/model/lens.ts';
import { createSlicer } from '../../platform/schedule/in-turns.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import type { LensChange } from '../lenses/lens-diff.ts';
import { changedMeanings, hashDependencies } from './dependencies.ts';
import { listEntriesThatUse } from './entry-repository.ts';

/** Comparing an entry reads all names of the lens, so only this many entries are compared. */
const MAX_COMPARED = 100;

/** Returns null if publishing suspends no entry. */
export async function describeSuspensions(
  tenancy: Tenancy,
  orgId: string,
  { lensId, lens }: { lensId: string; lens: Lens },
  changes: readonly LensChange[],
): Promise<string | null> {
  if (changes.length === 0) return null;
  // A metric made from other metrics changes with them.
  const derivedMetrics = lens.metrics.filter(({ references }) => references.metrics.length > 0);
  const names = [
    ...changes.map(({ kind, name }) => `${kind} ${name}`),
    ...derivedMetrics.map(({ name }) => `metric ${name}`),
  ];
  const candidates = await tenancy.inTenant(orgId, (db) => listEntriesThatUse(db, lensId, names, MAX_COMPARED));
  const pause = createSlicer();
  const suspended: string[] = [];
  for (const { dependencies, ...entry } of candidates) {
    await pause();
    const { meanings, columns } = dependencies!;
    const changedNames = changedMeanings(meanings, hashDependencies(lens, entry, columns));
    if (changedNames.length > 0) suspended.push(`“${entry.question}” (${changedNames.join(', ')})`);
  }
  if (suspended.length === 0) return null;
  const count = `${suspended.length}${candidates.length === MAX_COMPARED ? ' or more' : ''}`;
  const listed = suspended.slice(0, 3).join(', ') + (suspended.length > 3 ? ' and others' : '');
  return `Publishing suspends ${count} certified ${count === '1' ? 'entry' : 'entries'}: ${listed}. After publishing, approve again the entries that you still need.`;
}
