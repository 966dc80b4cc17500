// Starts the run that looks for questions to certify. svc asks each question again, with the rights of
// the person who starts the run.
import { type Actor, recordAuditSeparately } from '../domain/audit/audit-log.ts';
import { findCandidates } from '../domain/certified/distill.ts';
import { findCertifiedFault } from '../domain/certified/guard-entry.ts';
import type { Principal } from '../domain/identity/principal.ts';
import type { LiveLens } from '../domain/lenses/lens-repository.ts';
import type { WarehouseDirectory } from '../domain/ports.ts';
import type { Runs } from '../domain/runs/runs.ts';
import type { Tenancy } from '../platform/tenancy/tenant.ts';
import { createBackgroundContext } from './entry-points.ts';
import type { UntracedAsk } from './untraced-ask.ts';

const DISTILLATION_ASK_TIMEOUT_MS = 30_000;

export async function distillLens(
  deps: { tenancy: Tenancy; warehouses: WarehouseDirectory; runs: Runs; untracedAsk: UntracedAsk },
  actor: Actor,
  principal: Principal,
  liveLens: LiveLens,
  options: { minAsks: number },
): Promise<string> {
  const { orgId } = actor;
  const run = { kind: 'distill', about: { kind: 'lens', id: liveLens.name } };
  const run_id = await deps.runs.start(actor, run, async ({ report, signal }) => {
    const warehouse = await deps.warehouses.get(orgId, liveLens.lens.connection);
    const ask = deps.untracedAsk(liveLens);
    const ports = {
      async sqlOf(q: string) {
        const context = createBackgroundContext(
          principal,
          AbortSignal.any([signal, AbortSignal.timeout(DISTILLATION_ASK_TIMEOUT_MS)]),
        );
        const { status, plan, sql } = await ask.query(context, liveLens.name, { q, dry_run: true });
        return status === 'answered' && plan === 'compiled' ? sql : null;
      },
      runs: async (sql: string) =>
        (await findCertifiedFault(liveLens.lens, { sql, parameters: {} }, warehouse)) === null,
    };
    const candidates = await findCandidates(deps, orgId, liveLens, ports, { ...options, report });
    return { lens: liveLens.name, candidates };
  });
  const entry = { action: 'lens.distill', objectId: liveLens.name, after: { run_id } };
  await recordAuditSeparately(deps, actor, entry);
  return run_id;
}
