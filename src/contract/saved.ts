// Schemas of threads and boards. They store questions and plans, but no answers. svc computes each answer again for the
// person who opens it.
import { z } from 'zod';
import { choicesSchema, envelopeSchema } from './ask.ts';
import { nextCursorSchema, pageQuerySchema } from './lens.ts';
import { PLAN_EXAMPLES, planSchema } from './plan.ts';

export const answerParamsSchema = z.object({
  request_id: z.string().min(1).max(100).describe('Request ID of an answer'),
});
export const answerQuerySchema = z.strictObject({
  chart: z.enum(['true', 'false']).optional().describe('Also return a chart'),
  plan: z.enum(['true', 'false']).optional().describe('Include the compiled plan'),
});

export const reopenedAnswerSchema = z.object({
  request_id: z.string(),
  asked_at: z.string(),
  own: z.boolean().describe('True if this caller asked the question or may see every request'),
  question: z.string().nullable(),
  context: z
    .array(z.string())
    .describe('Earlier questions of the conversation, oldest first. Empty unless `own` is true'),
  choices: choicesSchema.describe('The choices that answered clarifications. Empty unless `own` is true'),
  plan: planSchema
    .nullable()
    .describe('The plan, if the request was a plan')
    .meta({ examples: PLAN_EXAMPLES.slice(0, 1) }),
  changed: z.object({
    lens: z.boolean().describe('True if svc now serves another version of the lens'),
    rows: z
      .boolean()
      .nullable()
      .describe(
        'True if the rows differ from the original ones. Null if they can’t be compared, for example because this caller sees other rows',
      ),
  }),
  answer: envelopeSchema.describe('The current answer, computed for this caller as a new request'),
});
export type ReopenedAnswer = z.infer<typeof reopenedAnswerSchema>;

const titleSchema = z.string().trim().min(1).max(200);
const requestIdSchema = z.uuid().describe('Request ID of one of your asks');
const timeSchema = z.string().describe('RFC 3339, UTC');

export const threadParamsSchema = z.object({ id: z.string().min(1).max(100).describe('ID of a thread') });
export const threadsQuerySchema = pageQuerySchema.extend({
  q: z.string().max(200).optional().describe('Text to find in titles and questions'),
});
export const newThreadSchema = z.strictObject({
  request_id: requestIdSchema,
  title: titleSchema.optional().describe('Default: the question'),
});
export const changedThreadSchema = z.strictObject({
  title: titleSchema.optional(),
  shared: z
    .boolean()
    .optional()
    .describe('True if people in your organization who have the URL of the conversation may open it'),
});
export const newTurnSchema = z.strictObject({ request_id: requestIdSchema });

const threadSummarySchema = z.object({
  id: z.string(),
  title: z.string().nullable().describe('Null for everyone but the owner'),
  shared: z.boolean(),
  own: z.boolean(),
  turns: z.int(),
  created_at: timeSchema,
  updated_at: timeSchema,
});
export const threadSchema = threadSummarySchema.extend({
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
export type Thread = z.infer<typeof threadSchema>;
export const threadListSchema = z.object({ items: z.array(threadSummarySchema), next_cursor: nextCursorSchema });
export type ThreadList = z.infer<typeof threadListSchema>;

export const MAX_BOARDS = 200;
export const MAX_TILES = 40;
const boardTitleSchema = z.string().trim().min(1).max(200).describe('Everyone who may open the board sees the title');
const tileIdSchema = z.string().min(1).max(100).describe('ID of a tile');

/**
 * The app refreshes the tiles of an open board. svc can't compute a tile in advance, because it doesn't know who will
 * open the board.
 */
export const boardRefreshSchema = z
  .enum(['manual', '5m', '1h', '24h'])
  .describe('How often the app refreshes the tiles of an open board');
export type BoardRefresh = z.infer<typeof boardRefreshSchema>;

export const boardParamsSchema = z.object({ id: z.string().min(1).max(100).describe('ID of a board') });
export const tileParamsSchema = boardParamsSchema.extend({ tile: tileIdSchema });
export const boardsQuerySchema = pageQuerySchema.extend({
  q: z.string().max(200).optional().describe('Part of a title'),
});
export const newBoardSchema = z.strictObject({ title: boardTitleSchema });
export const newTileSchema = z.strictObject({
  request_id: z.uuid().describe('Request ID of your answer to a question or plan'),
});
export const changedBoardSchema = z.strictObject({
  title: boardTitleSchema.optional(),
  shared: z
    .boolean()
    .optional()
    .describe(
      'True if people in your organization may open the board. Each person needs access to the lens of at least one tile',
    ),
  refresh: boardRefreshSchema.optional(),
  tiles: z
    .array(
      z.strictObject({
        id: tileIdSchema,
        wide: z.boolean().describe('If true, the tile takes the whole width of the board'),
      }),
    )
    .max(MAX_TILES)
    .optional()
    .describe('All tiles to keep, in their new order'),
});
export type ChangedBoard = z.infer<typeof changedBoardSchema>;

const boardSummarySchema = z.object({
  id: z.string(),
  title: z.string(),
  shared: z.boolean(),
  own: z.boolean(),
  origin: z.enum(['file', 'api']).describe('`file`: boards/*.yaml of the project, shared and without an owner'),
  tiles: z.int(),
  created_at: timeSchema,
  updated_at: timeSchema,
});
const tileSchema = z.object({
  id: z.string(),
  wide: z.boolean(),
  lens: z.string().nullable().describe('Null if this caller may not use the lens'),
  question: z
    .string()
    .nullable()
    .describe(
      'Null for a plan, and for everyone but the owner. Others find the question in the answer, if they may see it',
    ),
});
export const boardSchema = boardSummarySchema.extend({ refresh: boardRefreshSchema, tiles: z.array(tileSchema) });
export type Board = z.infer<typeof boardSchema>;
export const boardListSchema = z.object({ items: z.array(boardSummarySchema), next_cursor: nextCursorSchema });
export type BoardList = z.infer<typeof boardListSchema>;
export const tileAnswerSchema = z.object({
  id: z.string(),
  answer: envelopeSchema.describe('The current answer, computed for this caller as a new request'),
});
export type TileAnswer = z.infer<typeof tileAnswerSchema>;
