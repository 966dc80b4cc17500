// Schemas of the review queue for reviewers.
import { z } from 'zod';
import { pageQuery } from '../lens.ts';
import { REVIEW_STATUSES, reviewTicket } from '../review.ts';
import { patch } from './patches.ts';
import { listSchemaOf } from './shared.ts';

const moment = z.iso.datetime({ offset: true }).or(z.iso.date());
export const reviewQuery = pageQuery.extend({
  status: z.enum(REVIEW_STATUSES).optional(),
  lens: z.string().min(1).max(100).optional(),
  raised_by: z.string().min(1).max(300).optional(),
  claimed_by: z.string().min(1).max(300).optional(),
  request_id: z.string().min(1).max(100).optional(),
  since: moment.optional(),
  until: moment.optional(),
});
export const ticketParams = z.object({ id: z.string().min(1).max(100).describe('Id of a ticket') });
export const ruleBody = z.strictObject({
  ruling: z.enum(['accepted', 'rejected', 'duplicate']),
  note: z
    .string()
    .max(10_000)
    .optional()
    .describe('Shown to the reporter, and to those who verify the receipt and may use the lens'),
});
export const commentBody = z.strictObject({ body: z.string().trim().min(1).max(10_000) });

export const queuedReview = reviewTicket.extend({
  question: z.string().nullable(),
  raised_by: z.string(),
  claimed_by: z.string().nullable(),
  subject: z
    .object({ kind: z.literal('certified'), lens: z.string(), cert_id: z.string() })
    .nullable()
    .describe('The suspended certified entry. A ticket with this member has no request'),
});
export const queuedReviewList = listSchemaOf(queuedReview);
export const queuedReviewDetail = queuedReview.extend({
  answer: z.string().nullable(),
  sql: z.string().nullable(),
  confidence: z.string().nullable(),
  certification: z.string().nullable(),
  patch: patch.nullable().describe('The fix drafted for the ticket'),
});
