// Starts the run that asks the eval cases of a lens and stores the results.
import type { Actor } from '../domain/audit/audited.ts';
import { findEvalRun, insertEvalRun, listEvals } from '../domain/evals/evals.ts';
import { compareRuns, runEvals } from '../domain/evals/run-evals.ts';
import type { Principal } from '../domain/identity/principal.ts';
import type { ServedLens } from '../domain/lenses/lens-repository.ts';
import type { WarehouseDirectory } from '../domain/ports.ts';
import type { Runs } from '../domain/runs/runs.ts';
import { Problem } from '../platform/problem.ts';
import type { Tenancy } from '../platform/tenancy/tenant.ts';
import { evalPorts } from './eval-lens.ts';
import type { SideAsk } from './side-ask.ts';

/** With `ids`, runs only these cases. */
export async function runLensEvals(
  deps: { tenancy: Tenancy; warehouses: WarehouseDirectory; runs: Runs; sideAsk: SideAsk },
  actor: Actor,
  principal: Principal,
  liveLens: ServedLens,
  ids: readonly string[] | undefined,
): Promise<string> {
  const { orgId } = actor;
  const { lensId, name, version } = liveLens;
  const evals = await listEvals(deps, orgId, liveLens, { limit: null, after: null });
  const unknownIds = (ids ?? []).filter((id) => !evals.some((item) => item.id === id));
  if (unknownIds.length > 0)
    throw new Problem('invalid', `Lens ${name} has no eval ${unknownIds.map((id) => `“${id}”`).join(', ')}.`, {
      param: 'ids',
    });
  const cases = evals.filter(({ id }) => !ids || ids.includes(id));
  const subject = { kind: 'evals.run', about: { kind: 'lens', id: name } };
  return deps.runs.start(actor, subject, async ({ id, report, signal }) => {
    const previousRun = await findEvalRun(deps, orgId, lensId, null);
    const warehouse = await deps.warehouses.get(orgId, liveLens.lens.connection);
    const ports = evalPorts(deps.sideAsk, principal, liveLens, warehouse, { cancelled: signal });
    const results = await runEvals(
      ports,
      cases,
      (doneCount) => report({ done: doneCount, total: cases.length }),
      signal,
    );
    const summary = { ...results.summary, ...compareRuns(previousRun, results.cases) };
    const run = { runId: id, lensVersion: version, summary, cases: results.cases, actor: actor.name };
    await deps.tenancy.inTenant(orgId, (db) => insertEvalRun(db, lensId, run));
    return { lens: name, lens_version: version, ...summary };
  });
}
