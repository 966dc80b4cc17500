// The review queue: look, claim, comment, rule, and decide on the fix that came of it.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { decidePatch, patch as patchShape, rejectPatch as rejectBody } from '../../../contract/mgmt/patches.ts';
import * as wire from '../../../contract/mgmt/reviews.ts';
import type { Deps } from '../../../deps.ts';
import { getServedLens } from '../../../domain/lenses/get-served-lens.ts';
import { approvePatch, rejectPatch } from '../../../domain/patches/keep-patches.ts';
import { findPatchOfReview, type Patch } from '../../../domain/patches/patch-repository.ts';
import { ticketOf } from '../../../domain/reviews/review.ts';
import { listReviews, type Review } from '../../../domain/reviews/review-repository.ts';
import { claim, comment, getTicket, reviewRevision, rule } from '../../../domain/reviews/rule-review.ts';
import { Problem } from '../../../platform/problem.ts';
import { runOnce } from '../../http/run-once.ts';
import { pageAfter } from '../page-after.ts';
import { actorOf, changing, ifMatch, reading, tagged } from '../route-parts.ts';
import { patchView } from './patch-views.ts';

export function reviewRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const tag = 'reviews';
  const view = (review: Review): z.infer<typeof wire.queuedReview> => ({
    ...ticketOf(deps, review),
    ...{ question: review.question, raised_by: review.raisedBy, claimed_by: review.claimedBy, subject: review.subject },
  });
  const detail = async (orgId: string, review: Review): Promise<z.infer<typeof wire.queuedReviewDetail>> => {
    const trace = review.requestId ? await deps.traces.find(orgId, review.requestId) : null;
    const patch = await deps.tenancy.inTenant(orgId, (db) => findPatchOfReview(db, review.ticketId));
    const { answer = null, confidence = null, certification = null } = trace?.envelope ?? {};
    return {
      ...view(review),
      answer,
      confidence,
      certification,
      sql: trace?.sql ?? null,
      patch: patch && patchView(patch),
    };
  };
  const patchOf = async (orgId: string, ticketId: string): Promise<Patch> => {
    await getTicket(deps, orgId, ticketId);
    const patch = await deps.tenancy.inTenant(orgId, (db) => findPatchOfReview(db, ticketId));
    if (!patch)
      throw new Problem(
        'not_found',
        'This ticket has no fix. Draft one with POST /mgmt/lenses/{name}/patches with its review_id.',
      );
    return patch;
  };

  app.get(
    '/reviews',
    {
      schema: {
        ...reading(tag, wire.queuedReviewList, 'invalid'),
        operationId: 'listReviewQueue',
        summary: 'Review tickets, newest first',
        description: 'Tickets from callers, and tickets for suspended certified entries.',
        querystring: wire.reviewQuery,
      },
    },
    ({ principal, query: { raised_by, claimed_by, request_id, status, lens, since, until, ...page } }) => {
      const filter = { status, lens, since, until, raisedBy: raised_by, claimedBy: claimed_by, requestId: request_id };
      return pageAfter(
        page,
        (at) => deps.tenancy.inTenant(principal.orgId, (db) => listReviews(db, { ...at, ...filter })),
        ({ ticketId }) => ticketId,
        view,
      );
    },
  );

  app.get(
    '/reviews/:id',
    {
      schema: {
        ...reading(tag, wire.queuedReviewDetail, 'not_found'),
        operationId: 'getQueuedReview',
        summary: 'One ticket, with its answer and its drafted fix',
        description:
          'The full trace is at GET /mgmt/observe/requests/{request_id}. Send the ETag as If-Match to change the ticket.',
        params: wire.ticketParams,
      },
    },
    async ({ principal, params }, reply) => {
      const found = await getTicket(deps, principal.orgId, params.id);
      tagged(reply, reviewRevision(found));
      return detail(principal.orgId, found);
    },
  );

  app.post(
    '/reviews/:id/claim',
    {
      schema: {
        ...changing(tag, 200, wire.queuedReview, 'not_found', 'precondition_failed'),
        operationId: 'claimReview',
        summary: 'Claim a ticket',
        description: 'Sets the status to in_review. The last person to claim a ticket has it.',
        params: wire.ticketParams,
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const claimed = await claim(deps, actorOf(request), request.params.id, ifMatch(request));
        tagged(reply, reviewRevision(claimed));
        return { status: 200, body: view(claimed) };
      }),
  );

  app.post(
    '/reviews/:id/rule',
    {
      schema: {
        ...changing(tag, 200, wire.queuedReviewDetail, 'not_found', 'precondition_failed'),
        operationId: 'ruleReview',
        summary: 'Rule on a ticket',
        description:
          'Possible once. The reporter sees the ruling, also in the trace and in verify-receipt. An accepted correction drafts a fix: a certified entry from SQL, a definition from a meaning, an eval from a number.',
        params: wire.ticketParams,
        body: wire.ruleBody.meta({ examples: [{ ruling: 'accepted', note: 'Returns were not subtracted.' }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const { ruling, note } = request.body;
        const given = { ruling, note: note ?? null };
        const ruled = await rule(deps, actorOf(request), request.params.id, given, ifMatch(request));
        tagged(reply, reviewRevision(ruled));
        return { status: 200, body: await detail(request.principal.orgId, ruled) };
      }),
  );

  app.post(
    '/reviews/:id/comments',
    {
      schema: {
        ...changing(tag, 201, wire.queuedReview, 'not_found'),
        operationId: 'commentReview',
        summary: 'Comment on a ticket',
        description: 'The reporter sees the comments.',
        params: wire.ticketParams,
        body: wire.commentBody.meta({ examples: [{ body: 'Which returns do you mean?' }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => ({
        status: 201,
        body: view(await comment(deps, actorOf(request), request.params.id, request.body.body)),
      })),
  );

  app.post(
    '/reviews/:id/patch/approve',
    {
      schema: {
        ...changing(tag, 200, patchShape, 'not_found', 'upstream', 'timeout'),
        operationId: 'approveReviewPatch',
        summary: 'Approve the fix of a ticket',
        description:
          'Like POST /mgmt/lenses/{name}/patches/{id}/approve. svc also adds an eval with the corrected answer.',
        params: wire.ticketParams,
        body: decidePatch.meta({ examples: [{ note: 'Checked with finance' }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const patch = await patchOf(request.principal.orgId, request.params.id);
        const served = await getServedLens(deps.lenses, request.principal.orgId, patch.lens);
        const approved = await approvePatch(deps, actorOf(request), served, patch, request.body);
        return { status: 200, body: patchView(approved) };
      }),
  );

  app.post(
    '/reviews/:id/patch/reject',
    {
      schema: {
        ...changing(tag, 200, patchShape, 'not_found'),
        operationId: 'rejectReviewPatch',
        summary: 'Reject the fix of a ticket',
        description: 'The ruling stays.',
        params: wire.ticketParams,
        body: rejectBody.meta({ examples: [{ note: 'Revenue is meant to exclude returns' }] }),
      },
    },
    (request, reply) =>
      runOnce(deps, request, reply, async () => {
        const patch = await patchOf(request.principal.orgId, request.params.id);
        const rejected = await rejectPatch(deps, actorOf(request), patch, request.body);
        return { status: 200, body: patchView(rejected) };
      }),
  );
}
