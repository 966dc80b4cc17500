// Schemas of boards: questions and plans on a page. svc computes each tile for the person who opens it.
import { z } from 'zod';
import { envelope } from './ask.ts';
import { nextCursor, pageQuery } from './lens.ts';

export const MAX_BOARDS = 200;
export const MAX_TILES = 40;
const title = z.string().trim().min(1).max(200).describe('Everyone who may open the board sees the title');
const time = z.string().describe('RFC 3339, UTC');
const tileId = z.string().min(1).max(100).describe('Id of a tile');

/** svc can't compute a tile in advance, because it doesn't know who will open it. */
export const boardRefresh = z
  .enum(['manual', '5m', '1h', '24h'])
  .describe('How often the app computes the tiles of an open board again');
export type BoardRefresh = z.infer<typeof boardRefresh>;

export const boardParams = z.object({ id: z.string().min(1).max(100).describe('Id of a board') });
export const tileParams = boardParams.extend({ tile: tileId });
export const boardsQuery = pageQuery.extend({ q: z.string().max(200).optional().describe('Part of a title') });
export const newBoard = z.strictObject({ title });
export const newTile = z.strictObject({
  request_id: z.uuid().describe('Request id of your answer to a question or plan'),
});
export const changedBoard = z.strictObject({
  title: title.optional(),
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

const summary = z.object({
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
export const board = summary.extend({ refresh: boardRefresh, tiles: z.array(tile) });
export type Board = z.infer<typeof board>;
export const boardList = z.object({ items: z.array(summary), next_cursor: nextCursor });
export type BoardList = z.infer<typeof boardList>;
export const tileAnswer = z.object({
  id: z.string(),
  answer: envelope.describe('The current answer, computed for this caller as a new request'),
});
export type TileAnswer = z.infer<typeof tileAnswer>;
