import { z } from 'zod';
import { nextCursorSchema } from './lens.ts';

export const correctionSchema = z.strictObject({
  sql: z.string().min(1).max(100_000).optional(),
  answer: z.string().min(1).max(10_000).optional(),
  definition: z.string().min(1).max(10_000).optional(),
  term: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The term that `definition` defines. Default: the term that svc asked about or cited'),
});
export const reviewBodySchema = z.strictObject({
  request_id: z.string().min(1).max(100).describe('Request ID of an answer that svc served to you'),
  note: z.string().max(10_000).optional().describe('What looks wrong, in your own words'),
  correction: correctionSchema.optional(),
});
export type ReviewBody = z.infer<typeof reviewBodySchema>;

export const REVIEW_STATUSES = ['open', 'in_review', 'accepted', 'rejected', 'duplicate'] as const;
export const reviewTicketSchema = z.object({
  ticket_id: z.string(),
  status: z.enum(REVIEW_STATUSES),
  tracking_url: z.string(),
  request_id: z.string().nullable().describe('Null on tickets that svc opened'),
  lens: z.string().nullable(),
  note: z.string().nullable(),
  correction: correctionSchema.nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  ruling: z
    .object({
      ruling: z.enum(['accepted', 'rejected', 'duplicate']),
      note: z.string().nullable(),
      ruled_by: z.string().nullable(),
      ruled_at: z.string(),
    })
    .nullable(),
  comments: z.array(z.object({ author: z.string(), body: z.string(), created_at: z.string() })),
});
export type ReviewTicket = z.infer<typeof reviewTicketSchema>;
export const reviewListSchema = z.object({ items: z.array(reviewTicketSchema), next_cursor: nextCursorSchema });
