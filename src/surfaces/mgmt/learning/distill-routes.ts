// Certified candidates from traced questions; a person takes or leaves each.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import * as wire from '../../../contract/mgmt/distill.ts';
import { lensParams, runStarted } from '../../../contract/mgmt/shared.ts';
import type { Deps } from '../../../deps.ts';
import { audit } from '../../../domain/audit/audited.ts';
import { certifiedFault } from '../../../domain/certified/check-certified.ts';
import {
  type Candidate,
  decideCandidate,
  distill,
  getCandidate,
  listCandidates,
} from '../../../domain/certified/distill.ts';
import { approveCertified, createCertified } from '../../../domain/certified/keep-entries.ts';
import { getServedLens } from '../../../domain/lenses/get-served-lens.ts';
import { newId } from '../../../platform/ids.ts';
import { runOnce } from '../../http/run-once.ts';
import { pageAfter } from '../page-after.ts';
import { actorOf, changing, reading } from '../route-parts.ts';
import { entryView } from './certified-views.ts';

const ASK_MS = 30_000;

export function distillRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const tag = 'distill';

  app.post(
    '/lenses/:name/distill',
    {
      schema: {
        ...changing(tag, 202, runStarted, 'not_found'),
        operationId: 'distill',
        summary: 'Find questions to certify',
        description:
          'Looks in the newest requests for questions that recur, were confirmed or were corrected. Wordings of one question form one candidate. Questions whose answer depends on the current day are skipped. Follow the run at GET /mgmt/runs/{run_id}.',
        params: lensParams,
        body: wire.distillBody.meta({ examples: [{}, { min_asks: 5 }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const { principal, body } = request;
        const { orgId } = principal;
        const served = await getServedLens(deps.lenses, orgId, request.params.name);
        const asked = { kind: 'distill', about: { kind: 'lens', id: served.name } };
        const run_id = await deps.runs.start(actorOf(request), asked, async ({ report, signal }) => {
          const warehouse = await deps.warehouses.get(orgId, served.lens.connection);
          const ask = deps.sideAsk(served);
          const candidates = await distill(
            deps,
            orgId,
            served,
            { minAsks: body.min_asks },
            {
              async sqlOf(q) {
                const context = {
                  principal,
                  requestId: newId(),
                  surface: 'mgmt' as const,
                  client: null,
                  signal: AbortSignal.any([signal, AbortSignal.timeout(ASK_MS)]),
                };
                const { status, plan, sql } = await ask.query(context, served.name, { q, dry_run: true });
                return status === 'answered' && plan === 'compiled' ? sql : null;
              },
              runs: async (sql) => (await certifiedFault(served.lens, { sql, parameters: {} }, warehouse)) === null,
            },
            report,
          );
          return { lens: served.name, candidates };
        });
        await audit(deps, actorOf(request), {
          action: 'lens.distill',
          objectKind: 'lens',
          objectId: served.name,
          after: { run_id },
        });
        return { status: 202, body: { run_id } };
      }),
  );

  app.get(
    '/lenses/:name/distill/candidates',
    {
      schema: {
        ...reading(tag, wire.candidateList, 'not_found', 'invalid'),
        operationId: 'listDistillCandidates',
        summary: 'Questions found to certify',
        description: 'Each with its SQL, its other wordings and the evidence for it.',
        params: lensParams,
        querystring: wire.candidateQuery,
      },
    },
    async ({ principal, params, query: { status, ...page } }) => {
      const { lensId, name } = await getServedLens(deps.lenses, principal.orgId, params.name);
      return pageAfter(
        page,
        (at) => deps.tenancy.inTenant(principal.orgId, (db) => listCandidates(db, lensId, { status }, at)),
        ({ id }) => id,
        (row) => view(name, row),
      );
    },
  );

  app.post(
    '/lenses/:name/distill/candidates/:id/accept',
    {
      schema: {
        ...changing(tag, 200, wire.accepted, 'not_found', 'upstream', 'timeout'),
        operationId: 'acceptDistillCandidate',
        summary: 'Certify a candidate',
        description: 'Approves the entry with its other wordings, or stores it as a draft.',
        params: wire.candidateParams,
        body: wire.acceptBody.meta({ examples: [{}, { approve: false }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const { orgId, name: by } = request.principal;
        const actor = actorOf(request);
        const served = await getServedLens(deps.lenses, orgId, request.params.name);
        const found = await getCandidate(deps, orgId, served, request.params.id);
        const warehouse = await deps.warehouses.get(orgId, served.lens.connection);
        const text = {
          question: found.question,
          alsoAsked: found.variants,
          sql: found.sql,
          parameters: {},
          notes: null,
          invariants: null,
        };
        const made = await createCertified(deps, actor, served, warehouse, { ...text, certId: request.body.cert_id });
        const kept = request.body.approve
          ? await approveCertified(deps, actor, served, warehouse, made.certId, by)
          : made;
        await deps.tenancy.inTenant(orgId, (db) =>
          decideCandidate(db, found.id, { status: 'accepted', certId: kept.certId, by }),
        );
        await audit(deps, actor, {
          action: 'distill.accept',
          objectKind: 'distill_candidate',
          objectId: found.id,
          after: { cert_id: kept.certId },
        });
        const now = { ...found, status: 'accepted' as const, certId: kept.certId, decidedBy: by };
        return { status: 200, body: { ...view(served.name, now), entry: entryView(served.name, kept) } };
      }),
  );

  app.post(
    '/lenses/:name/distill/candidates/:id/dismiss',
    {
      schema: {
        ...changing(tag, 200, wire.candidate, 'not_found'),
        operationId: 'dismissDistillCandidate',
        summary: 'Leave a candidate',
        description: 'svc does not propose the same question again.',
        params: wire.candidateParams,
        body: wire.dismissBody.meta({ examples: [{ note: 'Asked by a test' }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const { orgId, name: by } = request.principal;
        const served = await getServedLens(deps.lenses, orgId, request.params.name);
        const found = await getCandidate(deps, orgId, served, request.params.id);
        await deps.tenancy.inTenant(orgId, (db) =>
          decideCandidate(db, found.id, { status: 'dismissed', certId: null, by }),
        );
        await audit(deps, actorOf(request), {
          action: 'distill.dismiss',
          objectKind: 'distill_candidate',
          objectId: found.id,
          after: { note: request.body.note ?? null },
        });
        return { status: 200, body: view(served.name, { ...found, status: 'dismissed', decidedBy: by }) };
      }),
  );
}

const view = (
  lens: string,
  { certId, decidedBy, createdAt, updatedAt, ...candidate }: Candidate,
): z.infer<typeof wire.candidate> => ({
  lens,
  ...candidate,
  cert_id: certId,
  decided_by: decidedBy,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});
