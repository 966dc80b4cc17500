// Checks all entries of a lens except the retired ones, one after the other.
import type { ServedLens } from '../lenses/lens-repository.ts';
import type { Warehouse } from '../ports.ts';
import type { RunContext } from '../runs/runs.ts';
import { type CheckDeps, checkEntry } from './check-entry.ts';
import { listEntries } from './entry-repository.ts';

export async function checkEntries(
  deps: CheckDeps,
  orgId: string,
  liveLens: ServedLens,
  warehouse: Warehouse,
  { report, signal }: Pick<RunContext, 'report' | 'signal'>,
) {
  const entries = await deps.tenancy.inTenant(orgId, (db) =>
    listEntries(db, liveLens.lensId, {}, { limit: null, after: null }),
  );
  const dueEntries = entries.filter(({ status }) => status !== 'retired');
  const items = [];
  for (const [doneCount, entry] of dueEntries.entries()) {
    signal.throwIfAborted();
    report({ done: doneCount, total: dueEntries.length });
    items.push(await checkEntry(deps, orgId, { liveLens, warehouse }, entry, signal));
  }
  report({ done: dueEntries.length, total: dueEntries.length });
  return {
    lens: liveLens.name,
    checked: items.length,
    failed: items.filter((item) => !item.ok).length,
    suspended: items.filter((item) => item.suspended).length,
    restored: items.filter((item) => item.restored).length,
    items,
  };
}
