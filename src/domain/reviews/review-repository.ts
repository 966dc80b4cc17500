// Reads and writes review tickets. Callers report requests, and admins rule on them.

import type { ReviewBody } from '../../contract/review.ts';
import { newId } from '../../platform/ids.ts';
import { camelCaseColumns } from '../../platform/tenancy/columns.ts';
import { insertRows } from '../../platform/tenancy/insert-rows.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';

export type ReviewStatus = 'open' | 'in_review' | 'accepted' | 'rejected' | 'duplicate';
export interface ReviewRuling {
  ruling: 'accepted' | 'rejected' | 'duplicate';
  note: string | null;
  ruled_by: string | null;
  ruled_at: string;
}
export interface ReviewSubject {
  kind: 'certified';
  lens: string;
  cert_id: string;
}
export interface Review {
  ticketId: string;
  /** Null if the ticket is about `subject`, not about a request. */
  requestId: string | null;
  subject: ReviewSubject | null;
  lens: string | null;
  status: ReviewStatus;
  note: string | null;
  correction: NonNullable<ReviewBody['correction']> | null;
  raisedBy: string;
  raisedByCaller: string | null;
  claimedBy: string | null;
  ruling: ReviewRuling | null;
  createdAt: Date;
  updatedAt: Date;
  question: string | null;
  /** The caller of the request. Null for an admin's own request. */
  servedTo: string | null;
  comments: { author: string; body: string; created_at: string }[];
}

const COLUMNS = camelCaseColumns(
  'r.ticket_id, r.request_id, r.subject, r.lens, r.status, r.note, r.correction, r.raised_by, r.raised_by_caller, r.claimed_by, r.ruling, r.created_at, r.updated_at',
);
const SELECT = `select ${COLUMNS}, t.caller_id as "servedTo", t.question,
    (select coalesce(jsonb_agg(jsonb_build_object('author', c.author, 'body', c.body,
       'created_at', to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by c.created_at, c.id), '[]')
     from svc.review_comments c where c.org_id = r.org_id and c.ticket_id = r.ticket_id) as comments
  from svc.reviews r left join svc.traces t on t.org_id = r.org_id and t.request_id = r.request_id`;

export async function insertReview(
  db: TenantClient,
  review: { requestId: string; lens: string | null; raisedBy: string; raisedByCaller: string | null } & Pick<
    ReviewBody,
    'note' | 'correction'
  >,
): Promise<Review> {
  const id = newId();
  const {
    requestId: request_id,
    lens,
    note,
    correction,
    raisedBy: raised_by,
    raisedByCaller: raised_by_caller,
  } = review;
  await insertRows(db, 'reviews', [{ ticket_id: id, request_id, lens, note, correction, raised_by, raised_by_caller }]);
  return (await findReview(db, id))!;
}

/** Inserts a ticket that svc opens itself. */
export async function insertTicket(
  db: TenantClient,
  request: { lens: string; subject: ReviewSubject; note: string; raisedBy: string },
): Promise<string> {
  const id = newId();
  const { raisedBy: raised_by, ...ticket } = request;
  await insertRows(db, 'reviews', [{ ticket_id: id, ...ticket, raised_by }]);
  return id;
}

export async function findReview(db: TenantClient, ticketId: string): Promise<Review | null> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(ticketId)) return null;
  return db.first<Review>(`${SELECT} where r.ticket_id = $1`, [ticketId]);
}

export interface ReviewFilter {
  status?: ReviewStatus | undefined;
  lens?: string | undefined;
  raisedBy?: string | undefined;
  claimedBy?: string | undefined;
  requestId?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/**
 * Lists the newest tickets first, because ids sort by time. If `servedTo` is set, lists only tickets on requests of
 * this caller. Otherwise lists all tickets of the organization.
 */
export const listReviews = (
  db: TenantClient,
  page: { limit: number; after: string | null; servedTo?: string | null } & ReviewFilter,
): Promise<Review[]> =>
  db.rows<Review>(
    `${SELECT} where ($2::boolean or t.caller_id = $3) and ($4::uuid is null or r.ticket_id < $4)
       and ($5::text is null or r.status = $5) and ($6::text is null or r.lens = $6) and ($7::text is null or r.raised_by = $7)
       and ($8::text is null or r.claimed_by = $8) and ($9::text is null or r.request_id::text = $9)
       and ($10::timestamptz is null or r.created_at >= $10) and ($11::timestamptz is null or r.created_at < $11)
     order by r.ticket_id desc limit $1`,
    [
      page.limit,
      page.servedTo === undefined,
      page.servedTo ?? null,
      page.after,
      page.status ?? null,
      page.lens ?? null,
      page.raisedBy ?? null,
      page.claimedBy ?? null,
      page.requestId ?? null,
      page.since ?? null,
      page.until ?? null,
    ],
  );

/** Returns false if the ticket already has a ruling. */
export const claimReview = async (db: TenantClient, ticketId: string, by: string): Promise<boolean> =>
  (await db.run(
    `update svc.reviews set status = 'in_review', claimed_by = $2, updated_at = now() where ticket_id = $1 and ruling is null`,
    [ticketId, by],
  )) === 1;

export const ruleReview = async (db: TenantClient, ticketId: string, ruling: ReviewRuling): Promise<boolean> =>
  (await db.run(
    `update svc.reviews set status = $2, ruling = $3, claimed_by = coalesce(claimed_by, $4), updated_at = now()
     where ticket_id = $1 and ruling is null`,
    [ticketId, ruling.ruling, JSON.stringify(ruling), ruling.ruled_by],
  )) === 1;

export async function insertComment(db: TenantClient, ticketId: string, author: string, body: string): Promise<void> {
  await insertRows(db, 'review_comments', [{ id: newId(), ticket_id: ticketId, author, body }]);
  await db.run('update svc.reviews set updated_at = now() where ticket_id = $1', [ticketId]);
}

export const listReviewsOfRequest = (db: TenantClient, requestId: string): Promise<Review[]> =>
  db.rows<Review>(`${SELECT} where r.request_id = $1 order by r.ticket_id`, [requestId]);
