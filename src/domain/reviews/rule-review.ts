// The review queue: admins claim tickets, comment on tickets, and rule once on each ticket. An accepted correction
// becomes a drafted fix in the same transaction.
import { Problem } from '../../platform/problem.ts';
import { readForEdit, revisionOf } from '../../platform/tenancy/revision.ts';
import type { Tenancy, TenantClient } from '../../platform/tenancy/tenant.ts';
import { type Actor, runAudited } from '../audit/audited.ts';
import type { StoredTrace, TraceRepository } from '../observe/trace-repository.ts';
import { patchFromReview } from '../patches/patch-from-review.ts';
import { findPatchOfReview, insertPatch, type Patch } from '../patches/patch-repository.ts';
import {
  claimReview,
  findReview,
  insertComment,
  listReviews,
  type Review,
  type ReviewRuling,
  ruleReview,
} from './review-repository.ts';

export interface QueueDeps {
  tenancy: Tenancy;
  traces: TraceRepository;
  clock: { now(): Date };
}

export const listTickets = (
  deps: Pick<QueueDeps, 'tenancy'>,
  orgId: string,
  page: Parameters<typeof listReviews>[1],
): Promise<Review[]> => deps.tenancy.inTenant(orgId, (db) => listReviews(db, page));

/** The evidence for a ruling: the answer, and the drafted fix. */
export async function readEvidence(
  deps: Pick<QueueDeps, 'tenancy' | 'traces'>,
  orgId: string,
  { requestId, ticketId }: Review,
): Promise<{ trace: StoredTrace | null; patch: Patch | null }> {
  const trace = requestId ? await deps.traces.find(orgId, requestId) : null;
  return { trace, patch: await deps.tenancy.inTenant(orgId, (db) => findPatchOfReview(db, ticketId)) };
}

export async function getTicket(deps: Pick<QueueDeps, 'tenancy'>, orgId: string, ticketId: string): Promise<Review> {
  const review = await deps.tenancy.inTenant(orgId, (db) => findReview(db, ticketId));
  if (!review)
    throw new Problem('not_found', 'There is no review ticket with this id. GET /mgmt/reviews lists them.', {
      param: 'id',
    });
  return review;
}

export async function findPatchOfTicket(
  deps: Pick<QueueDeps, 'tenancy'>,
  orgId: string,
  ticketId: string,
): Promise<Patch> {
  await getTicket(deps, orgId, ticketId);
  const patch = await deps.tenancy.inTenant(orgId, (db) => findPatchOfReview(db, ticketId));
  if (patch) return patch;
  throw new Problem(
    'not_found',
    'This ticket has no fix. Draft one with POST /mgmt/lenses/{name}/patches with its review_id.',
  );
}

const alreadyRuledProblem = (status: string) =>
  new Problem(
    'conflict',
    `This ticket already has a ruling: ${status}. If the ruling is wrong, open a new ticket on the request.`,
  );

export const reviewRevision = (review: Review): string => revisionOf(review);
const requireUnchanged = (db: TenantClient, ticketId: string, ifMatch: string | null): Promise<Review> =>
  readForEdit(db, 'review', ifMatch, async () => (await findReview(db, ticketId))!, reviewRevision);

export async function claimTicket(
  deps: QueueDeps,
  actor: Actor,
  ticketId: string,
  ifMatch: string | null = null,
): Promise<Review> {
  const reviewBefore = await getTicket(deps, actor.orgId, ticketId);
  return runAudited(deps, actor, async (db) => {
    await requireUnchanged(db, ticketId, ifMatch);
    if (!(await claimReview(db, ticketId, actor.name))) throw alreadyRuledProblem(reviewBefore.status);
    const reviewAfter = (await findReview(db, ticketId))!;
    return {
      result: reviewAfter,
      action: 'review.claim',
      objectId: ticketId,
      before: auditedState(reviewBefore),
      after: auditedState(reviewAfter),
    };
  });
}

export async function addComment(deps: QueueDeps, actor: Actor, ticketId: string, body: string): Promise<Review> {
  await getTicket(deps, actor.orgId, ticketId);
  return runAudited(deps, actor, async (db) => {
    await insertComment(db, ticketId, actor.name, body);
    return { result: (await findReview(db, ticketId))!, action: 'review.comment', objectId: ticketId, after: { body } };
  });
}

export async function ruleTicket(
  deps: QueueDeps,
  actor: Actor,
  ticketId: string,
  input: { ruling: ReviewRuling['ruling']; note: string | null },
  ifMatch: string | null = null,
): Promise<Review> {
  const reviewBefore = await getTicket(deps, actor.orgId, ticketId);
  const trace = reviewBefore.requestId ? await deps.traces.find(actor.orgId, reviewBefore.requestId) : null;
  const change = input.ruling === 'accepted' && reviewBefore.lens ? patchFromReview(reviewBefore, trace) : null;
  return runAudited(deps, actor, async (db) => {
    await requireUnchanged(db, ticketId, ifMatch);
    const ruling = { ...input, ruled_by: actor.name, ruled_at: deps.clock.now().toISOString() };
    if (!(await ruleReview(db, ticketId, ruling))) throw alreadyRuledProblem(reviewBefore.status);
    const patch =
      change &&
      (await insertPatch(db, {
        lens: reviewBefore.lens!,
        change,
        reason: reviewBefore.note,
        reviewId: ticketId,
        createdBy: actor.name,
      }));
    const reviewAfter = (await findReview(db, ticketId))!;
    return {
      result: reviewAfter,
      action: 'review.rule',
      objectId: ticketId,
      before: auditedState(reviewBefore),
      after: { ...auditedState(reviewAfter), ruling, patch_id: patch?.id ?? null },
    };
  });
}

const auditedState = ({ status, claimedBy }: Review) => ({ status, claimed_by: claimedBy });
