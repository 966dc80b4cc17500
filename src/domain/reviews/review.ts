// Opens and shows tickets. Callers can report only their own requests, and admins any request. Reporting another
// caller's request in the same organization results in `forbidden`. Reporting a request of another organization results
// in `not_found` (CONTRACT 3, SECURITY MCP-15).
import type { ReviewBody, ReviewTicket } from '../../contract/review.ts';
import { Problem } from '../../platform/problem.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { isSuperuser, type Principal } from '../identity/principal.ts';
import type { TraceRepository } from '../observe/trace-repository.ts';
import { findReview, insertReview, listReviews, type Review } from './review-repository.ts';

export interface ReviewDeps {
  tenancy: Tenancy;
  traces: TraceRepository;
  baseUrl: () => string;
}

export async function raiseReview(deps: ReviewDeps, principal: Principal, body: ReviewBody): Promise<ReviewTicket> {
  const trace = await deps.traces.find(principal.orgId, body.request_id);
  if (!trace) {
    throw new Problem('not_found', 'No request with this id was served. Use the request_id of an answer.', {
      param: 'request_id',
    });
  }
  if (!isOwnReview(principal, trace.callerId)) {
    throw new Problem(
      'forbidden',
      'This request was served to another caller. Only that caller, an admin or a curator can report it.',
    );
  }
  const review = await deps.tenancy.inTenant(principal.orgId, (db) =>
    insertReview(db, {
      requestId: trace.requestId,
      lens: trace.envelope.lens,
      raisedBy: principal.name,
      raisedByCaller: principal.callerId,
      note: body.note,
      correction: body.correction,
    }),
  );
  return ticketOf(deps, review);
}

export async function getReview(deps: ReviewDeps, principal: Principal, ticketId: string): Promise<ReviewTicket> {
  const review = await deps.tenancy.inTenant(principal.orgId, (db) => findReview(db, ticketId));
  if (!review)
    throw new Problem('not_found', 'There is no review ticket with this id. GET /v1/reviews lists yours.', {
      param: 'ticket_id',
    });
  if (!isOwnReview(principal, review.servedTo)) {
    throw new Problem(
      'forbidden',
      'This ticket is about a request of another caller. Only that caller, an admin or a curator can see it.',
    );
  }
  return ticketOf(deps, review);
}

export async function listOwnReviews(deps: ReviewDeps, principal: Principal, page: RowPage): Promise<ReviewTicket[]> {
  const servedTo = isSuperuser(principal) ? undefined : principal.callerId;
  const ownReviews = await deps.tenancy.inTenant(principal.orgId, (db) => listReviews(db, { ...page, servedTo }));
  return ownReviews.map((review) => ticketOf(deps, review));
}

export const ticketOf = (deps: Pick<ReviewDeps, 'baseUrl'>, review: Review): ReviewTicket => ({
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

const isOwnReview = (principal: Principal, servedTo: string | null): boolean =>
  isSuperuser(principal) || (servedTo !== null && servedTo === principal.callerId);
