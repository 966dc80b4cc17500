// Each ticket gets one ruling. An accepted correction becomes a drafted fix in the same transaction.

import { createId } from '../../platform/ids.ts';
import { Problem, requireFound } from '../../platform/problem.ts';
import { insertRows } from '../../platform/tenancy/insert-rows.ts';
import { computeRevision, readForEdit } from '../../platform/tenancy/revision.ts';
import { type Tenancy, type TenantClient, withOwnTransaction } from '../../platform/tenancy/tenant.ts';
import { type Actor, runAudited } from '../audit/audit-log.ts';
import type { StoredTrace, TraceRepository } from '../observe/trace-repository.ts';
import { patchFromReview } from '../patches/patch-from-review.ts';
import { findPatchOfReview, insertPatch, type Patch } from '../patches/patch-repository.ts';
import { findReview, listReviews, type Review } from './review-repository.ts';

export interface ReviewQueueDeps {
  tenancy: Tenancy;
  traces: TraceRepository;
  clock: { now(): Date };
}

export const listTickets = withOwnTransaction(listReviews);

export async function readEvidence(
  deps: Pick<ReviewQueueDeps, 'tenancy' | 'traces'>,
  orgId: string,
  { requestId, ticketId }: Review,
): Promise<{ trace: StoredTrace | null; patch: Patch | null }> {
  const trace = requestId ? await deps.traces.find(orgId, requestId) : null;
  return { trace, patch: await deps.tenancy.inTenant(orgId, (db) => findPatchOfReview(db, ticketId)) };
}

async function requireTicket(db: TenantClient, ticketId: string): Promise<Review> {
  const noSuchTicket = 'There is no review ticket with this id. GET /mgmt/reviews lists the tickets.';
  return requireFound(await findReview(db, ticketId), noSuchTicket, 'id');
}
export const getTicket = withOwnTransaction(requireTicket);

export const findPatchOfTicket = withOwnTransaction(async (db, ticketId: string): Promise<Patch> => {
  await requireTicket(db, ticketId);
  const noFix =
    'This ticket has no fix. Draft a fix with POST /mgmt/lenses/{name}/patches and the review_id of this ticket.';
  return requireFound(await findPatchOfReview(db, ticketId), noFix);
});

export const hashReviewRevision = (review: Review): string => computeRevision(review);

/** Throws `conflict` if the ticket already has a ruling. */
async function requireOpenTicket(db: TenantClient, ticketId: string, ifMatch: string | null): Promise<Review> {
  const review = await readForEdit(db, 'review', ifMatch, () => requireTicket(db, ticketId), hashReviewRevision);
  if (review.ruling)
    throw new Problem(
      'conflict',
      `This ticket already has a ruling: ${review.status}. If the ruling is wrong, open a new ticket on the request.`,
    );
  return review;
}

export function claimTicket(
  deps: ReviewQueueDeps,
  actor: Actor,
  ticketId: string,
  ifMatch: string | null = null,
): Promise<Review> {
  return runAudited(deps, actor, async (db) => {
    const before = await requireOpenTicket(db, ticketId, ifMatch);
    await db.run(
      `update svc.reviews set status = 'in_review', claimed_by = $2, updated_at = now() where ticket_id = $1`,
      [before.ticketId, actor.name],
    );
    const result = await requireTicket(db, ticketId);
    const audited = { before: toAuditedState(before), after: toAuditedState(result) };
    return { result, action: 'review.claim', objectId: ticketId, ...audited };
  });
}

export function addComment(deps: ReviewQueueDeps, actor: Actor, ticketId: string, body: string): Promise<Review> {
  return runAudited(deps, actor, async (db) => {
    await requireTicket(db, ticketId);
    await insertRows(db, 'review_comments', [{ id: createId(), ticket_id: ticketId, author: actor.name, body }]);
    await db.run('update svc.reviews set updated_at = now() where ticket_id = $1', [ticketId]);
    const result = await requireTicket(db, ticketId);
    return { result, action: 'review.comment', objectId: ticketId, after: { body } };
  });
}

export async function saveRuling(
  deps: ReviewQueueDeps,
  actor: Actor,
  ticketId: string,
  input: Pick<NonNullable<Review['ruling']>, 'ruling' | 'note'>,
  ifMatch: string | null = null,
): Promise<Review> {
  const { requestId } = await getTicket(deps, actor.orgId, ticketId);
  const trace = requestId ? await deps.traces.find(actor.orgId, requestId) : null;
  return runAudited(deps, actor, async (db) => {
    const before = await requireOpenTicket(db, ticketId, ifMatch);
    const { lens, note: reason } = before;
    const ruling = { ...input, ruled_by: actor.name, ruled_at: deps.clock.now().toISOString() };
    await db.run(
      `update svc.reviews set status = $2, ruling = $3, claimed_by = coalesce(claimed_by, $4), updated_at = now()
       where ticket_id = $1`,
      [ticketId, ruling.ruling, JSON.stringify(ruling), actor.name],
    );
    const change = input.ruling === 'accepted' && lens ? patchFromReview(before, trace) : null;
    const patch =
      change && (await insertPatch(db, { lens: lens!, change, reason, reviewId: ticketId, createdBy: actor.name }));
    const result = await requireTicket(db, ticketId);
    const after = { ...toAuditedState(result), ruling, patch_id: patch?.id ?? null };
    return { result, action: 'review.rule', objectId: ticketId, before: toAuditedState(before), after };
  });
}

const toAuditedState = ({ status, claimedBy }: Review) => ({ status, claimed_by: claimedBy });
