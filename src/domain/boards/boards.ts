import { type Board, type BoardList, type ChangedBoard, MAX_BOARDS, MAX_TILES } from '../../contract/boards.ts';
import { Problem } from '../../platform/problem.ts';
import type { Tenancy, TenantClient } from '../../platform/tenancy/tenant.ts';
import { isSuperuser, mayUseLens, ownerIdOf, type Principal } from '../identity/principal.ts';
import { type RepeatableAsk, toRepeatableAsk, withoutProposedQuestion } from '../observe/repeatable-ask.ts';
import type { TraceRepository } from '../observe/trace-repository.ts';
import { getOwnTrace } from '../receipts/verify-receipt.ts';
import * as rows from './board-repository.ts';

export interface BoardDeps {
  tenancy: Tenancy;
  traces: TraceRepository;
}

export const createBoard = (deps: BoardDeps, principal: Principal, title: string): Promise<Board> =>
  deps.tenancy.inTenant(principal.orgId, async (db) => {
    const owner = ownerIdOf(principal);
    if ((await rows.countBoards(db, owner)) >= MAX_BOARDS)
      throw new Problem('conflict', `You have ${MAX_BOARDS} boards, which is the limit. Delete one first.`);
    return readBoard(db, principal, await rows.insertBoard(db, { owner, title }));
  });

export async function pinAnswer(deps: BoardDeps, principal: Principal, id: string, requestId: string): Promise<Board> {
  const pinnedAsk = await readPinnableAsk(deps, principal, requestId);
  return deps.tenancy.inTenant(principal.orgId, async (db) => {
    const board = await requireOwnBoard(db, principal, id);
    await rows.lockBoard(db, board.id);
    if ((await rows.listTiles(db, board.id)).length >= MAX_TILES)
      throw new Problem(
        'conflict',
        `This board has ${MAX_TILES} tiles, which is the limit. Remove one, or use another board.`,
      );
    await rows.addTile(db, board.id, pinnedAsk.lens, pinnedAsk);
    return readBoard(db, principal, board.id);
  });
}

export const openBoard = (deps: BoardDeps, principal: Principal, id: string): Promise<Board> =>
  deps.tenancy.inTenant(principal.orgId, async (db) => {
    const board = await readBoard(db, principal, id);
    await rows.markOpened(db, board.id);
    return board;
  });

export function changeBoard(
  deps: BoardDeps,
  principal: Principal,
  id: string,
  { tiles, ...change }: ChangedBoard,
): Promise<Board> {
  return deps.tenancy.inTenant(principal.orgId, async (db) => {
    const board = await requireOwnBoard(db, principal, id);
    await rows.lockBoard(db, board.id);
    await rows.updateBoard(db, board.id, change);
    if (tiles) {
      const remainingIds = new Set((await rows.listTiles(db, board.id)).map((tile) => tile.id));
      if (tiles.some((tile) => !remainingIds.delete(tile.id)))
        throw new Problem('invalid', 'Name only tiles of this board, each once. GET /v1/boards/{id} lists them.', {
          param: 'tiles',
        });
      await rows.arrangeTiles(db, board.id, tiles);
    }
    return readBoard(db, principal, board.id);
  });
}

export const removeBoard = (deps: BoardDeps, principal: Principal, id: string): Promise<void> =>
  deps.tenancy.inTenant(principal.orgId, async (db) =>
    rows.deleteBoard(db, (await requireOwnBoard(db, principal, id)).id),
  );

export async function listVisibleBoards(
  deps: BoardDeps,
  principal: Principal,
  page: Omit<Parameters<typeof rows.listBoards>[1], 'owner' | 'lenses'>,
): Promise<BoardList['items']> {
  const owner = ownerIdOf(principal);
  const lenses = isSuperuser(principal) ? null : principal.lenses;
  const boardRows = await deps.tenancy.inTenant(principal.orgId, (db) =>
    rows.listBoards(db, { owner, lenses, ...page }),
  );
  return boardRows.map((row) => ({ ...boardSummary(row, row.owner === owner), tiles: row.tiles }));
}

/** Finds a tile of a board that the principal can open, and whether the principal owns the board. */
export function findTile(
  deps: BoardDeps,
  principal: Principal,
  tileRef: { id: string; tile: string },
): Promise<{ own: boolean; asked: RepeatableAsk }> {
  return deps.tenancy.inTenant(principal.orgId, async (db) => {
    const { board, tiles, isOwn } = await requireVisibleBoard(db, principal, tileRef.id);
    const tile = tiles.find(({ id }) => id === tileRef.tile);
    if (!tile)
      throw new Problem('not_found', `There is no such tile on this board. GET /v1/boards/${board.id} lists them.`, {
        param: 'tile',
      });
    return { own: isOwn, asked: tile.asked };
  });
}

/**
 * Reads an ask that a tile can repeat: a question or a plan. SQL can't become a tile, because only its author can run
 * it again.
 */
async function readPinnableAsk(
  deps: BoardDeps,
  principal: Principal,
  requestId: string,
): Promise<RepeatableAsk & { lens: string }> {
  const trace = await getOwnTrace(deps, principal, requestId, 'request_id');
  const { lens, ...asked } = withoutProposedQuestion(toRepeatableAsk(trace));
  if (trace.envelope.status !== 'answered' || trace.route === 'sql' || lens === null)
    throw new Problem('invalid', 'Only answers to questions and plans can be pinned. Ask this as a question or plan.', {
      param: 'request_id',
    });
  return { ...asked, lens };
}

async function requireOwnBoard(db: TenantClient, principal: Principal, id: string): Promise<rows.BoardRow> {
  const board = await rows.findBoard(db, id);
  if (!board) throw boardNotFoundProblem();
  if (board.owner === null)
    throw new Problem(
      'forbidden',
      'This board comes from a file of the project. Change the file and apply the project.',
    );
  if (board.owner !== ownerIdOf(principal))
    throw new Problem('forbidden', 'This board belongs to another person. Only they can change it.');
  return board;
}

async function requireVisibleBoard(db: TenantClient, principal: Principal, id: string) {
  const board = await rows.findBoard(db, id);
  if (!board) throw boardNotFoundProblem();
  const isOwn = board.owner === ownerIdOf(principal);
  if (!isOwn && !board.shared)
    throw new Problem('forbidden', 'This board belongs to another person and is not shared. Ask them to share it.');
  const tiles = await rows.listTiles(db, board.id);
  if (!isOwn && !tiles.some(({ lens }) => mayUseLens(principal, lens)))
    throw new Problem('forbidden', 'You can’t open this board, because you don’t have access to its data.');
  return { board, tiles, isOwn };
}

async function readBoard(db: TenantClient, principal: Principal, id: string): Promise<Board> {
  const { board, tiles, isOwn } = await requireVisibleBoard(db, principal, id);
  return {
    ...boardSummary(board, isOwn),
    refresh: board.refresh,
    tiles: tiles.map(({ id: tile, wide, lens, asked }) => ({
      id: tile,
      wide,
      lens: mayUseLens(principal, lens) ? lens : null,
      question: isOwn ? asked.question : null,
    })),
  };
}

const boardSummary = (row: rows.BoardRow, isOwn: boolean) => ({
  id: row.id,
  title: row.title,
  shared: row.shared,
  own: isOwn,
  origin: row.owner === null ? ('file' as const) : ('api' as const),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

const boardNotFoundProblem = (): Problem =>
  new Problem('not_found', 'There is no board with this id. It may have been deleted.');
