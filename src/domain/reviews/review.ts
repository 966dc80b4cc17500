// Callers can report only their own requests, and admins any request. Reporting another caller's request results in
// `forbidden`. Reporting a request of another organization results in `not_found`.
import type { ReviewBody, ReviewTicket } from '../../contract/review.ts';
import { Problem, requireFound } from '../../platform/problem.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { canAccessRequest, isSuperuser, type Principal } from '../identity/principal.ts';
import type { TraceRepository } from '../observe/trace-repository.ts';
import { getAccessibleTrace } from '../receipts/verify-receipt.ts';
import { findReview, insertReview, listReviews, type Review } from './review-repository.ts';

export interface ReviewDeps {
  tenancy: Tenancy;
  traces: TraceRepository;
  baseUrl: () => string;
}

export async function raiseReview(deps: ReviewDeps, principal: Principal, body: ReviewBody): Promise<ReviewTicket> {
  const trace = await getAccessibleTrace(deps, principal, body.request_id, 'request_id');
  const { note = null, correction = null } = body;
  const review = await deps.tenancy.inTenant(principal.orgId, async (db) => {
    const request = { requestId: trace.requestId, lens: trace.envelope.lens };
    const reporter = { raisedBy: principal.name, raisedByCaller: principal.callerId };
    return findReview(db, await insertReview(db, { ...request, ...reporter, note, correction }));
  });
  return toTicket(deps, review!);
}

export interface MeaningProposal {
  requestId: string;
  lens: string;
  term: string;
  meaning: string;
}

/** If a reviewer accepts the ticket, the meaning becomes a patch. A repeated proposal opens no second ticket. */
export async function proposeDefinition(
  tenancy: Tenancy,
  { orgId, name, callerId, demo }: Principal,
  { requestId, lens, term, meaning }: MeaningProposal,
): Promise<void> {
  if (demo) return;
  await tenancy.inTenant(orgId, async (db) => {
    const isKnown = await db.run(
      `select 1 from svc.reviews where lens = $1 and status in ('open', 'in_review')
         and correction ->> 'term' = $2 and correction ->> 'definition' = $3 limit 1`,
      [lens, term, meaning],
    );
    if (isKnown > 0) return;
    const note = `The caller answered the clarification about “${term}”.`;
    const correction = { term, definition: meaning };
    await insertReview(db, { requestId, lens, raisedBy: name, raisedByCaller: callerId, note, correction });
  });
}

export async function getReviewTicket(deps: ReviewDeps, principal: Principal, ticketId: string): Promise<ReviewTicket> {
  const review = requireFound(
    await deps.tenancy.inTenant(principal.orgId, (db) => findReview(db, ticketId)),
    'There is no review ticket with this id. GET /v1/reviews lists your tickets.',
    'ticket_id',
  );
  if (!canAccessRequest(principal, { callerId: review.servedTo, lens: review.lens }))
    throw new Problem(
      'forbidden',
      'This ticket is about a request of another caller, or you have no access to its lens. Ask an admin or a curator.',
    );
  return toTicket(deps, review);
}

export async function listOwnReviews(deps: ReviewDeps, principal: Principal, page: RowPage): Promise<ReviewTicket[]> {
  const reader = isSuperuser(principal) ? null : principal;
  const ownReviews = await deps.tenancy.inTenant(principal.orgId, (db) => listReviews(db, { ...page, reader }));
  return ownReviews.map((review) => toTicket(deps, review));
}

export const toTicket = (deps: Pick<ReviewDeps, 'baseUrl'>, review: Review): ReviewTicket => ({
  ticket_id: review.ticketId,
  status: review.status,
  tracking_url: `${deps.baseUrl()}/app/reviews/${review.ticketId}`,
  request_id: review.requestId,
  lens: review.lens,
  note: review.note,
  correction: review.correction,
  created_at: review.createdAt.toISOString(),
  updated_at: review.updatedAt.toISOString(),
  ruling: review.ruling && {
    ruling: review.ruling.ruling,
    note: review.ruling.note ?? null,
    ruled_by: review.ruling.ruled_by ?? null,
    ruled_at: review.ruling.ruled_at,
  },
  comments: review.comments,
});
