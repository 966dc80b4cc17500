// Starts long work in the background and answers at once with its run id; GET /mgmt/runs/{id} follows it.
import { isId } from '../../platform/ids.ts';
import { Problem } from '../../platform/problem.ts';
import type { Tenancy } from '../../platform/tenant.ts';
import { findRun, insertRun, type Run, updateRun } from './run-repository.ts';

const WRITE_EVERY_MS = 1_000;

/** `work` reports progress as often as it likes; it is written at most once a second, and beats while nothing is said. */
export async function startRun(
  deps: { tenancy: Tenancy },
  run: { orgId: string; kind: string; actor: string },
  work: (report: (progress: Record<string, unknown>) => void, runId: string) => Promise<unknown>,
): Promise<string> {
  const id = await deps.tenancy.inTenant(run.orgId, (db) => insertRun(db, run));
  const write = (change: Parameters<typeof updateRun>[2]) =>
    deps.tenancy.inTenant(run.orgId, (db) => updateRun(db, id, change));
  let progress: Record<string, unknown> | null = null;
  let quiet = 0;
  const timer = setInterval(() => {
    if (!progress && ++quiet < 20) return;
    const change = progress ? { progress } : {};
    progress = null;
    quiet = 0;
    void write(change).catch(() => undefined);
  }, WRITE_EVERY_MS);
  void (async () => {
    try {
      const result = await work((said) => {
        progress = said;
      }, id);
      clearInterval(timer);
      await write({ state: 'succeeded', result, ...(progress ? { progress } : {}) });
    } catch (error) {
      clearInterval(timer);
      const known =
        error instanceof Problem
          ? { code: error.code, message: error.message }
          : { code: 'internal', message: 'Something went wrong on our side.' };
      await write({ state: 'failed', error: known }).catch(() => undefined);
    }
  })();
  return id;
}

export async function getRun(deps: { tenancy: Tenancy }, orgId: string, id: string): Promise<Run> {
  const found = isId(id) ? await deps.tenancy.inTenant(orgId, (db) => findRun(db, id)) : null;
  if (!found) throw new Problem('not_found', 'There is no run with this id.');
  return found;
}
