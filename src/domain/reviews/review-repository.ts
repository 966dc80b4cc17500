import type { z } from 'zod';
import type { queuedReviewSchema } from '../../contract/mgmt/reviews.ts';
import type { StoredObject } from '../../platform/http/to-wire.ts';
import { createId, isId } from '../../platform/ids.ts';
import { addCamelCaseAliases } from '../../platform/tenancy/columns.ts';
import { insertRows } from '../../platform/tenancy/insert-rows.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';
import type { Principal } from '../identity/principal.ts';
import { ASKING_CALLER_SQL } from '../observe/trace-repository.ts';

export interface Review extends StoredObject<Omit<z.infer<typeof queuedReviewSchema>, 'tracking_url'>> {
  raisedByCaller: string | null;
  /** The caller of the request. Null for requests of admins and curators. */
  servedTo: string | null;
}

const REVIEW_COLUMNS = addCamelCaseAliases(
  'r.ticket_id, r.request_id, r.subject, r.lens, r.status, r.note, r.correction, r.raised_by, r.raised_by_caller, r.claimed_by, r.ruling, r.created_at, r.updated_at',
);
const SELECT_REVIEWS = `select ${REVIEW_COLUMNS}, ${ASKING_CALLER_SQL} as "servedTo", t.question,
    (select coalesce(jsonb_agg(jsonb_build_object('author', c.author, 'body', c.body,
       'created_at', to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by c.created_at, c.id), '[]')
     from svc.review_comments c where c.org_id = r.org_id and c.ticket_id = r.ticket_id) as comments
  from svc.reviews r left join svc.traces t on t.org_id = r.org_id and t.request_id = r.request_id`;

type NewReview = Pick<Review, 'lens' | 'raisedBy'> &
  Partial<Pick<Review, 'requestId' | 'subject' | 'note' | 'correction' | 'raisedByCaller'>>;

export async function insertReview(db: TenantClient, review: NewReview): Promise<string> {
  const { requestId: request_id, raisedBy: raised_by, raisedByCaller: raised_by_caller, ...columns } = review;
  const ticket_id = createId();
  await insertRows(db, 'reviews', [{ ticket_id, request_id, raised_by, raised_by_caller, ...columns }]);
  return ticket_id;
}

export const findReview = async (db: TenantClient, ticketId: string): Promise<Review | null> =>
  isId(ticketId) ? db.first<Review>(`${SELECT_REVIEWS} where r.ticket_id = $1`, [ticketId]) : null;

export interface ReviewFilter {
  status?: Review['status'] | undefined;
  lens?: string | undefined;
  raised_by?: string | undefined;
  claimed_by?: string | undefined;
  request_id?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/**
 * The newest tickets come first, because ids sort by time. `reader` limits the list to the requests that this caller can
 * access.
 */
export const listReviews = (
  db: TenantClient,
  {
    limit,
    after,
    reader = null,
    ...filter
  }: RowPage & ReviewFilter & { reader?: Pick<Principal, 'callerId' | 'lenses'> | null },
): Promise<Review[]> =>
  db.rows<Review>(
    `${SELECT_REVIEWS} where ($2::boolean or (${ASKING_CALLER_SQL} = $3 and (r.lens is null or r.lens = any($12)))) and ($4::uuid is null or r.ticket_id < $4)
       and ($5::text is null or r.status = $5) and ($6::text is null or r.lens = $6) and ($7::text is null or r.raised_by = $7)
       and ($8::text is null or r.claimed_by = $8) and ($9::text is null or r.request_id::text = $9)
       and ($10::timestamptz is null or r.created_at >= $10) and ($11::timestamptz is null or r.created_at < $11)
     order by r.ticket_id desc limit $1`,
    [
      ...[limit, reader === null, reader?.callerId, after, filter.status, filter.lens, filter.raised_by],
      ...[filter.claimed_by, filter.request_id, filter.since, filter.until, reader?.lenses],
    ],
  );

export const listReviewsOfRequest = (db: TenantClient, requestId: string): Promise<Review[]> =>
  db.rows<Review>(`${SELECT_REVIEWS} where r.request_id = $1 order by r.ticket_id`, [requestId]);
