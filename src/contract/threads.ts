// Schemas of stored conversations. A conversation stores its questions in order, but no answers. /v1/answers computes
// each answer for its reader.
import { z } from 'zod';
import { nextCursor, pageQuery } from './lens.ts';

const title = z.string().trim().min(1).max(200);
const requestId = z.uuid().describe('Request id of one of your asks');
const time = z.string().describe('RFC 3339, UTC');

export const threadParams = z.object({ id: z.string().min(1).max(100).describe('Id of a thread') });
export const threadsQuery = pageQuery.extend({
  q: z.string().max(200).optional().describe('Part of a title or of a question'),
});
export const newThread = z.strictObject({
  request_id: requestId,
  title: title.optional().describe('Default: the question'),
});
export const changedThread = z.strictObject({
  title: title.optional(),
  shared: z
    .boolean()
    .optional()
    .describe('True if people in your organization who have the URL of the conversation may open it'),
});
export const newTurn = z.strictObject({ request_id: requestId });

const summary = z.object({
  id: z.string(),
  title: z.string().nullable().describe('Null for everyone but the owner'),
  shared: z.boolean(),
  own: z.boolean(),
  turns: z.int(),
  created_at: time,
  updated_at: time,
});
export const thread = summary.extend({
  turns: z.array(
    z.object({
      request_id: z.string().describe('GET /v1/answers/{request_id} computes the answer for this caller'),
      question: z
        .string()
        .nullable()
        .describe(
          'Null for everyone but the owner. Other people see the question in the answer, if they may see that answer',
        ),
      lens: z.string().nullable(),
    }),
  ),
  withheld: z.int().describe('Number of turns omitted because this caller may not use their lenses'),
});
export type Thread = z.infer<typeof thread>;
export const threadList = z.object({ items: z.array(summary), next_cursor: nextCursor });
export type ThreadList = z.infer<typeof threadList>;
