// Schemas of saved asks: answers by link, conversations, and boards. They store questions and plans, but no answers. svc
// computes each answer again for its reader.
import { z } from 'zod';
import { choices, envelope } from './ask.ts';
import { nextCursor, pageQuery } from './lens.ts';
import { PLAN_EXAMPLES, plan } from './plan.ts';

export const answerParams = z.object({ request_id: z.string().min(1).max(100).describe('Request id of an answer') });
export const answerQuery = z.strictObject({
  chart: z.enum(['true', 'false']).optional().describe('Also return a chart'),
  plan: z.enum(['true', 'false']).optional().describe('Include the compiled plan'),
});

export const reopenedAnswer = z.object({
  request_id: z.string(),
  asked_at: z.string(),
  own: z.boolean().describe('True if this caller asked the question or may see every request'),
  question: z.string().nullable(),
  context: z
    .array(z.string())
    .describe('Earlier questions of the conversation, oldest first. Empty unless `own` is true'),
  choices: choices.describe('The choices that answered clarifications. Empty unless `own` is true'),
  plan: plan
    .nullable()
    .describe('The plan, if the request was a plan')
    .meta({ examples: PLAN_EXAMPLES.slice(0, 1) }),
  changed: z.object({
    lens: z.boolean().describe('True if svc now serves another version of the lens'),
    rows: z
      .boolean()
      .nullable()
      .describe(
        'True if the rows differ from the original ones; null if they can’t be compared, for example because this caller sees other rows',
      ),
  }),
  answer: envelope.describe('The current answer, computed for this caller as a new request'),
});
export type ReopenedAnswer = z.infer<typeof reopenedAnswer>;

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

const threadSummary = z.object({
  id: z.string(),
  title: z.string().nullable().describe('Null for everyone but the owner'),
  shared: z.boolean(),
  own: z.boolean(),
  turns: z.int(),
  created_at: time,
  updated_at: time,
});
export const thread = threadSummary.extend({
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
export const threadList = z.object({ items: z.array(threadSummary), next_cursor: nextCursor });
export type ThreadList = z.infer<typeof threadList>;

export const MAX_BOARDS = 200;
export const MAX_TILES = 40;
const boardTitle = z.string().trim().min(1).max(200).describe('Everyone who may open the board sees the title');
const tileId = z.string().min(1).max(100).describe('Id of a tile');

/** svc can't compute a tile in advance, because it doesn't know who will open it. */
export const boardRefresh = z
  .enum(['manual', '5m', '1h', '24h'])
  .describe('How often the app computes the tiles of an open board again');
export type BoardRefresh = z.infer<typeof boardRefresh>;

export const boardParams = z.object({ id: z.string().min(1).max(100).describe('Id of a board') });
export const tileParams = boardParams.extend({ tile: tileId });
export const boardsQuery = pageQuery.extend({ q: z.string().max(200).optional().describe('Part of a title') });
export const newBoard = z.strictObject({ title: boardTitle });
export const newTile = z.strictObject({
  request_id: z.uuid().describe('Request id of your answer to a question or plan'),
});
export const changedBoard = z.strictObject({
  title: boardTitle.optional(),
  shared: z
    .boolean()
    .optional()
    .describe(
      'True if people in your organization may open the board. They need access to the lens of at least one tile',
    ),
  refresh: boardRefresh.optional(),
  tiles: z
    .array(z.strictObject({ id: tileId, wide: z.boolean().describe('Takes the whole width of the board') }))
    .max(MAX_TILES)
    .optional()
    .describe('All tiles to keep, in their new order'),
});
export type ChangedBoard = z.infer<typeof changedBoard>;

const boardSummary = z.object({
  id: z.string(),
  title: z.string(),
  shared: z.boolean(),
  own: z.boolean(),
  origin: z.enum(['file', 'api']).describe('`file`: boards/*.yaml of the project, shared and without an owner'),
  tiles: z.int(),
  created_at: time,
  updated_at: time,
});
const tile = z.object({
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
export const board = boardSummary.extend({ refresh: boardRefresh, tiles: z.array(tile) });
export type Board = z.infer<typeof board>;
export const boardList = z.object({ items: z.array(boardSummary), next_cursor: nextCursor });
export type BoardList = z.infer<typeof boardList>;
export const tileAnswer = z.object({
  id: z.string(),
  answer: envelope.describe('The current answer, computed for this caller as a new request'),
});
export type TileAnswer = z.infer<typeof tileAnswer>;
