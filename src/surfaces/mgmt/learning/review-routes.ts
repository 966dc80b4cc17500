import type { z } from 'zod';
import * as wire from '../../../contract/mgmt/reviews.ts';
import type { Deps } from '../../../deps.ts';
import { getLiveLens } from '../../../domain/lenses/get-live-lens.ts';
import { approvePatch, rejectPatch } from '../../../domain/patches/patches.ts';
import { toTicket } from '../../../domain/reviews/review.ts';
import * as reviews from '../../../domain/reviews/rule-review.ts';
import { createOperationFactory, type OperationCall, type ResultOf } from '../../http/operation.ts';
import { createIdOrder } from '../../http/page.ts';
import { toPatchView } from './patch-routes.ts';

type RouteDeps = Pick<Deps, 'tenancy' | 'traces' | 'clock' | 'lenses' | 'warehouses' | 'project' | 'baseUrl'>;
type Review = ResultOf<typeof reviews.getTicket>;
const defineOperation = createOperationFactory<RouteDeps>('reviews');

const toReviewView = (
  review: Review,
  { deps }: Pick<OperationCall<RouteDeps>, 'deps'>,
): z.infer<typeof wire.queuedReviewSchema> => ({
  ...toTicket(deps, review),
  ...{ question: review.question, raised_by: review.raisedBy, claimed_by: review.claimedBy, subject: review.subject },
});

async function toDetailView(
  review: Review,
  { deps, orgId }: Pick<OperationCall<RouteDeps>, 'deps' | 'orgId'>,
): Promise<z.infer<typeof wire.queuedReviewDetailSchema>> {
  const { trace, patch } = await reviews.readEvidence(deps, orgId, review);
  const { answer = null, confidence = null, certification = null } = trace?.envelope ?? {};
  return {
    ...toReviewView(review, { deps }),
    ...{ answer, confidence, certification, sql: trace?.sql ?? null },
    patch: patch && toPatchView(patch),
  };
}

const reviewReply = { result: wire.queuedReviewSchema, revision: reviews.hashReviewRevision, view: toReviewView };
const reviewDetailReply = {
  result: wire.queuedReviewDetailSchema,
  revision: reviews.hashReviewRevision,
  view: toDetailView,
};

export const reviewRoutes = [
  defineOperation('GET', '/reviews', {
    id: 'listReviewQueue',
    summary: 'Review tickets, newest first',
    description: 'Lists tickets from callers, and tickets for suspended certified entries.',
    query: wire.reviewQuerySchema,
    result: wire.queuedReviewListSchema,
    orderBy: createIdOrder('ticketId'),
    run: ({ deps, orgId, query, page }) => reviews.listTickets(deps, orgId, { ...query, ...page }),
    view: toReviewView,
  }),
  defineOperation('GET', '/reviews/:id', {
    id: 'getQueuedReview',
    summary: 'One ticket, with its answer and its drafted fix',
    description:
      'The full trace is at GET /mgmt/observe/requests/{request_id}. Send the ETag as If-Match to change the ticket.',
    params: wire.ticketParamsSchema,
    ...reviewDetailReply,
    run: ({ deps, orgId, params }) => reviews.getTicket(deps, orgId, params.id),
  }),
  defineOperation('POST', '/reviews/:id/claim', {
    id: 'claimReview',
    access: 'curator',
    summary: 'Claim a ticket',
    description: 'Sets the status to in_review. A ticket belongs to the last person who claimed it.',
    params: wire.ticketParamsSchema,
    ...reviewReply,
    ifMatch: true,
    run: ({ deps, actor, params, ifMatch }) => reviews.claimTicket(deps, actor, params.id, ifMatch),
  }),
  defineOperation('POST', '/reviews/:id/rule', {
    id: 'ruleReview',
    access: 'curator',
    summary: 'Rule on a ticket',
    description:
      'You can rule on a ticket only once. The reporter sees the ruling. The trace and verify-receipt include it. svc drafts a fix from an accepted correction. Corrected SQL becomes a certified entry, a meaning becomes a definition, and a number becomes an eval.',
    params: wire.ticketParamsSchema,
    body: wire.rulingBodySchema.meta({ examples: [{ ruling: 'accepted', note: 'Returns were not subtracted.' }] }),
    ...reviewDetailReply,
    ifMatch: true,
    run: ({ deps, actor, params, body: { ruling, note = null }, ifMatch }) =>
      reviews.saveRuling(deps, actor, params.id, { ruling, note }, ifMatch),
  }),
  defineOperation('POST', '/reviews/:id/comments', {
    id: 'commentReview',
    access: 'curator',
    summary: 'Comment on a ticket',
    description: 'The reporter sees the comments.',
    params: wire.ticketParamsSchema,
    body: wire.commentBodySchema.meta({ examples: [{ body: 'Which returns do you mean?' }] }),
    status: 201,
    result: wire.queuedReviewSchema,
    run: ({ deps, actor, params, body }) => reviews.addComment(deps, actor, params.id, body.body),
    view: toReviewView,
  }),
  defineOperation('POST', '/reviews/:id/patch/approve', {
    id: 'approveReviewPatch',
    access: 'curator',
    summary: 'Approve the proposed fix for a ticket',
    description:
      'Approves the fix as POST /mgmt/lenses/{name}/patches/{id}/approve does, and adds an eval with the corrected answer.',
    params: wire.ticketParamsSchema,
    body: wire.decidePatchBodySchema.meta({ examples: [{ note: 'Checked with finance' }] }),
    result: wire.patchSchema,
    fails: ['upstream', 'timeout'],
    run: async ({ deps, orgId, actor, params, body }) => {
      const patch = await reviews.findPatchOfTicket(deps, orgId, params.id);
      return approvePatch(deps, actor, await getLiveLens(deps.lenses, orgId, patch.lens), patch, body);
    },
    view: toPatchView,
  }),
  defineOperation('POST', '/reviews/:id/patch/reject', {
    id: 'rejectReviewPatch',
    access: 'curator',
    summary: 'Reject the proposed fix for a ticket',
    description: 'The ruling stays.',
    params: wire.ticketParamsSchema,
    body: wire.rejectPatchBodySchema.meta({ examples: [{ note: 'Revenue is meant to exclude returns' }] }),
    result: wire.patchSchema,
    run: async ({ deps, orgId, actor, params, body }) =>
      rejectPatch(deps, actor, await reviews.findPatchOfTicket(deps, orgId, params.id), body),
    view: toPatchView,
  }),
];
