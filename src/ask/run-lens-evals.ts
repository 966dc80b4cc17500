// Asks the eval cases of a lens through the real pipeline, without traces, receipts or a limit on returned rows, and
// stores the results.
import type { JsonScalar } from '../contract/ask.ts';
import type { Actor } from '../domain/audit/audit-log.ts';
import { findEvalRun, insertEvalRun, listEvals } from '../domain/evals/evals.ts';
import { compareRuns, type EvalPorts, runEvals } from '../domain/evals/run-evals.ts';
import type { Principal } from '../domain/identity/principal.ts';
import type { LiveLens } from '../domain/lenses/lens-repository.ts';
import type { ModelUsage, Warehouse, WarehouseDirectory } from '../domain/ports.ts';
import type { Runs } from '../domain/runs/runs.ts';
import { SVC_CALLER } from '../lens/model/lens.ts';
import { guardStatementOverLens } from '../lens/policies/governed-relations.ts';
import { Problem } from '../platform/problem.ts';
import type { Tenancy } from '../platform/tenancy/tenant.ts';
import { createBackgroundContext } from './entry-points.ts';
import { MAX_FETCHED_ROWS } from './run/fetch-rows.ts';
import type { UntracedAsk } from './untraced-ask.ts';

const FETCH_LIMITS = { maxRows: MAX_FETCHED_ROWS, maxBytes: 16_777_216, timeoutMs: 60_000 };
const ASK_TIMEOUT_MS = 120_000;

/** With `ids`, runs only these cases. */
export async function runLensEvals(
  deps: { tenancy: Tenancy; warehouses: WarehouseDirectory; runs: Runs; untracedAsk: UntracedAsk },
  actor: Actor,
  principal: Principal,
  liveLens: LiveLens,
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
    const ports = createEvalPorts(deps.untracedAsk, principal, liveLens, warehouse, { cancelled: signal });
    const results = await runEvals(ports, cases, (done) => report({ done, total: cases.length }), signal);
    const summary = { ...results.summary, ...compareRuns(previousRun, results.cases) };
    const run = { runId: id, lensVersion: version, summary, cases: results.cases, actor: actor.name };
    await deps.tenancy.inTenant(orgId, (db) => insertEvalRun(db, lensId, run));
    return { lens: name, lens_version: version, ...summary };
  });
}

export function createEvalPorts(
  untracedAsk: UntracedAsk,
  principal: Principal,
  liveLens: LiveLens,
  warehouse: Warehouse,
  { cancelled: cancelSignal, onModelCall }: { cancelled?: AbortSignal; onModelCall?: (call: ModelUsage) => void },
): EvalPorts {
  const createTimeoutSignal = (ms: number) =>
    AbortSignal.any([AbortSignal.timeout(ms), ...(cancelSignal ? [cancelSignal] : [])]);
  const uncappedLens = { ...liveLens, lens: { ...liveLens.lens, maxRowsToReturn: MAX_FETCHED_ROWS } };
  const ask = untracedAsk(uncappedLens);
  return {
    ask: (q, choices) => {
      const context = createBackgroundContext(principal, createTimeoutSignal(ASK_TIMEOUT_MS));
      const body = { q, format: 'structured' as const, ...(choices && { choices }) };
      return ask.query({ ...context, ...(onModelCall && { onModelCall }) }, liveLens.name, body);
    },
    async fetchRows(sql) {
      const statement = await guardStatementOverLens(liveLens.lens, SVC_CALLER, sql, {
        mode: 'govern',
        maxRows: MAX_FETCHED_ROWS,
      });
      const signal = createTimeoutSignal(FETCH_LIMITS.timeoutMs);
      const { rows } = await warehouse.fetch(statement, { ...FETCH_LIMITS, signal });
      return { rows: rows as JsonScalar[][], ordered: statement.report.ordered };
    },
  };
}
