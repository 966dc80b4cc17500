// Certified entries into service and out of it: approve, retire, check.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as wire from '../../../contract/mgmt/certified.ts';
import { lensParams, runStarted } from '../../../contract/mgmt/shared.ts';
import type { Deps } from '../../../deps.ts';
import { audit } from '../../../domain/audit/audited.ts';
import { checkEntries } from '../../../domain/certified/check-entries.ts';
import { checkEntry } from '../../../domain/certified/check-entry.ts';
import { approveCertified, entryRevision, getEntry, retireCertified } from '../../../domain/certified/keep-entries.ts';
import { getServedLens } from '../../../domain/lenses/get-served-lens.ts';
import type { ServedLens } from '../../../domain/lenses/lens-repository.ts';
import { runOnce } from '../../http/run-once.ts';
import { actorOf, changing, ifMatch, tagged } from '../route-parts.ts';
import { startLensRun } from '../start-lens-run.ts';
import { entryView } from './certified-views.ts';

export function certifiedServiceRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const lensOf = (orgId: string, name: string) => getServedLens(deps.lenses, orgId, name);
  const warehouseOf = (orgId: string, { lens }: ServedLens) => deps.warehouses.get(orgId, lens.connection);
  const tag = 'certified';

  app.post(
    '/lenses/:name/certified/:id/approve',
    {
      schema: {
        ...changing(tag, 200, wire.entry, 'not_found', 'upstream', 'timeout', 'precondition_failed'),
        operationId: 'approveCertifiedEntry',
        summary: 'Approve an entry',
        description:
          'svc serves it from now on. You can also approve a suspended or retired entry. Its SQL must run on the current lens.',
        params: wire.entryParams,
        body: wire.approveEntry.meta({ examples: [{ approved_by: 'ops@example.com' }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const served = await lensOf(request.principal.orgId, request.params.name);
        const warehouse = await warehouseOf(request.principal.orgId, served);
        const by = request.body.approved_by ?? request.principal.name;
        const { id } = request.params;
        await approveCertified(deps, actorOf(request), served, warehouse, id, by, ifMatch(request));
        await deps.certifiedWatch.dependencies(request.principal.orgId, served, id, warehouse);
        const approved = await getEntry(deps, request.principal.orgId, served, id);
        tagged(reply, entryRevision(approved));
        return { status: 200, body: entryView(served.name, approved) };
      }),
  );

  app.post(
    '/lenses/:name/certified/:id/retire',
    {
      schema: {
        ...changing(tag, 200, wire.entry, 'not_found', 'precondition_failed'),
        operationId: 'retireCertifiedEntry',
        summary: 'Take an entry out of service',
        description: 'The entry stays in the history, and you can approve it again.',
        params: wire.entryParams,
        body: wire.retireEntry.meta({ examples: [{ reason: 'Replaced by revenue-net' }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const served = await lensOf(request.principal.orgId, request.params.name);
        const made = await retireCertified(
          deps,
          actorOf(request),
          served,
          request.params.id,
          request.body.reason ?? null,
          ifMatch(request),
        );
        tagged(reply, entryRevision(made));
        return { status: 200, body: entryView(served.name, made) };
      }),
  );

  app.post(
    '/lenses/:name/certified/:id/check',
    {
      schema: {
        ...changing(tag, 200, wire.checkResult, 'not_found', 'upstream', 'timeout'),
        operationId: 'checkCertifiedEntry',
        summary: 'Check one entry now',
        description:
          'Checks that its SQL runs, reads only names of the lens and keeps its invariants. If an approved entry fails, svc suspends it and opens a ticket. If its SQL was the only fault and runs again as at its approval, svc restores it.',
        params: wire.entryParams,
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const { orgId } = request.principal;
        const served = await lensOf(orgId, request.params.name);
        const entry = await getEntry(deps, orgId, served, request.params.id);
        const found = await checkEntry(deps, orgId, served, entry, await warehouseOf(orgId, served));
        await audit(deps, actorOf(request), {
          action: 'certified.check',
          objectKind: 'certified',
          objectId: `${served.name}/${entry.certId}`,
          after: { ok: found.ok, status: found.status },
        });
        return { status: 200, body: found };
      }),
  );

  app.post(
    '/lenses/:name/certified/check',
    {
      schema: {
        ...changing(tag, 202, runStarted, 'not_found'),
        operationId: 'checkCertifiedEntries',
        summary: 'Check every entry of a lens, except retired ones',
        description: 'Follow the run at GET /mgmt/runs/{run_id}; its result lists the findings.',
        params: lensParams,
      },
    },
    (request, reply) =>
      startLensRun(deps, request, reply, { kind: 'certified.check_all' }, async (served, run) => {
        const { orgId } = request.principal;
        return checkEntries(deps, orgId, served, await warehouseOf(orgId, served), run);
      }),
  );
}
