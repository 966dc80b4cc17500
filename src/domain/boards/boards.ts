import { type Board, type BoardList, type ChangedBoard, MAX_BOARDS, MAX_TILES } from '../../contract/saved.ts';
import { toWireObject, type WireObject } from '../../platform/http/to-wire.ts';
import { createId, isId } from '../../platform/ids.ts';
import { Problem, requireFound } from '../../platform/problem.ts';
import { insertRows } from '../../platform/tenancy/insert-rows.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { Tenancy, TenantClient } from '../../platform/tenancy/tenant.ts';
import { canUseLens, getOwnerId, isSuperuser, type Principal } from '../identity/principal.ts';
import { type RepeatableAsk, toRepeatableAsk, withoutProposedQuestion } from '../observe/repeatable-ask.ts';
import type { TraceRepository } from '../observe/trace-repository.ts';
import { getAccessibleTrace } from '../receipts/verify-receipt.ts';

export interface BoardDeps {
  tenancy: Tenancy;
  traces: TraceRepository;
}

type BoardRow = Pick<Board, 'id' | 'title' | 'shared' | 'own' | 'origin' | 'refresh'> & {
  created_at: Date;
  updated_at: Date;
};
interface TileRow {
  id: string;
  wide: boolean;
  lens: string;
  asked: RepeatableAsk;
}

/** `own` is true if the board belongs to the owner $1. Boards from project files have no owner. */
const BOARD_COLUMNS = `id, title, shared, owner is not distinct from $1 as own, refresh, created_at, updated_at,
  case when owner is null then 'file' else 'api' end as origin`;

export const createBoard = (deps: BoardDeps, principal: Principal, title: string): Promise<Board> =>
  deps.tenancy.inTenant(principal.orgId, async (db) => {
    const owner = getOwnerId(principal);
    // Concurrent requests of the owner wait for this lock, so that together they can't exceed the limit of boards.
    await db.run('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`boards ${db.orgId} ${owner}`]);
    if ((await db.run('select from svc.boards where owner = $1', [owner])) >= MAX_BOARDS)
      throw new Problem('conflict', `You have ${MAX_BOARDS} boards, which is the limit. Delete one first.`);
    const id = createId();
    await insertRows(db, 'boards', [{ id, owner, title }]);
    return readBoard(db, principal, id);
  });

export async function pinAnswer(deps: BoardDeps, principal: Principal, id: string, requestId: string): Promise<Board> {
  const { lens, ...pinnedAsk } = await readPinnableAsk(deps, principal, requestId);
  return deps.tenancy.inTenant(principal.orgId, async (db) => {
    const board = await lockOwnBoard(db, principal, id);
    if ((await listTiles(db, board.id)).length >= MAX_TILES)
      throw new Problem(
        'conflict',
        `This board has ${MAX_TILES} tiles, which is the limit. Remove one, or use another board.`,
      );
    await db.run(
      `insert into svc.board_tiles (org_id, board_id, id, position, lens, asked)
       select $1, $2, $3, coalesce(max(position), 0) + 1, $4, $5 from svc.board_tiles where board_id = $2`,
      [db.orgId, board.id, createId(), lens, JSON.stringify({ lens, ...pinnedAsk })],
    );
    return readBoard(db, principal, board.id);
  });
}

/** Also records when the board was opened, because retention deletes boards that no one has opened for a long time. */
export const readAndTouchBoard = (deps: BoardDeps, principal: Principal, id: string): Promise<Board> =>
  deps.tenancy.inTenant(principal.orgId, async (db) => {
    const board = await readBoard(db, principal, id);
    await db.run(`update svc.boards set opened_at = now() where id = $1 and opened_at < now() - interval '1 hour'`, [
      board.id,
    ]);
    return board;
  });

export function changeBoard(
  deps: BoardDeps,
  principal: Principal,
  id: string,
  { title, shared, refresh, tiles }: ChangedBoard,
): Promise<Board> {
  return deps.tenancy.inTenant(principal.orgId, async (db) => {
    const board = await lockOwnBoard(db, principal, id);
    await db.run(
      `update svc.boards set title = coalesce($2, title), shared = coalesce($3, shared), refresh = coalesce($4, refresh)
       where id = $1`,
      [board.id, title, shared, refresh],
    );
    if (tiles) await reorderTiles(db, board.id, tiles);
    return readBoard(db, principal, board.id);
  });
}

/** Also deletes the tiles of the board that `tiles` doesn't list. */
async function reorderTiles(
  db: TenantClient,
  boardId: string,
  tiles: NonNullable<ChangedBoard['tiles']>,
): Promise<void> {
  const remainingIds = new Set((await listTiles(db, boardId)).map((tile) => tile.id));
  if (tiles.some((tile) => !remainingIds.delete(tile.id)))
    throw new Problem(
      'invalid',
      'List only tiles of this board, and each tile only once. GET /v1/boards/{id} lists the tiles.',
      {
        param: 'tiles',
      },
    );
  await db.run('delete from svc.board_tiles where board_id = $1 and id = any($2::uuid[])', [
    boardId,
    [...remainingIds],
  ]);
  await db.run(
    `update svc.board_tiles t set position = r.position, wide = r.wide
     from unnest($2::uuid[], $3::boolean[]) with ordinality as r(id, wide, position)
     where t.board_id = $1 and t.id = r.id`,
    [boardId, tiles.map((tile) => tile.id), tiles.map(({ wide }) => wide)],
  );
}

export const deleteBoard = (deps: BoardDeps, principal: Principal, id: string): Promise<void> =>
  deps.tenancy.inTenant(principal.orgId, async (db) => {
    const board = await lockOwnBoard(db, principal, id);
    await db.run('delete from svc.boards where id = $1', [board.id]);
  });

/**
 * Includes shared boards with a tile for a lens that the principal can use. The most recently changed board comes
 * first.
 */
export async function listVisibleBoards(
  deps: BoardDeps,
  principal: Principal,
  { q, after, limit }: RowPage<{ at: string; id: string }> & { q: string | undefined },
): Promise<BoardList['items']> {
  const lenses = isSuperuser(principal) ? null : principal.lenses;
  const boards = await deps.tenancy.inTenant(principal.orgId, (db) =>
    db.rows<BoardRow & { tiles: number }>(
      `select ${BOARD_COLUMNS},
         (select count(*)::int from svc.board_tiles n where n.org_id = b.org_id and n.board_id = b.id) as tiles
       from svc.boards b
       where (b.owner = $1 or (b.shared and exists (
           select from svc.board_tiles n
           where n.org_id = b.org_id and n.board_id = b.id and ($2::text[] is null or n.lens = any($2)))))
         and ($3::text is null or strpos(lower(b.title), lower($3)) > 0)
         and ($4::timestamptz is null or (date_trunc('milliseconds', b.updated_at), b.id) < ($4, $5::uuid))
       order by date_trunc('milliseconds', b.updated_at) desc, b.id desc limit $6`,
      [getOwnerId(principal), lenses, q, after?.at, after?.id, limit],
    ),
  );
  return boards.map(toWireObject<BoardRow & { tiles: number }>);
}

export function findTile(
  deps: BoardDeps,
  principal: Principal,
  tileRef: { id: string; tile: string },
): Promise<{ own: boolean; asked: RepeatableAsk }> {
  return deps.tenancy.inTenant(principal.orgId, async (db) => {
    const { board, tiles } = await requireVisibleBoard(db, principal, tileRef.id);
    const { asked } = requireFound(
      tiles.find(({ id }) => id === tileRef.tile),
      `There is no such tile on this board. GET /v1/boards/${board.id} lists the tiles.`,
      'tile',
    );
    return { own: board.own, asked };
  });
}

/** A tile can repeat a question or a plan, but not SQL, because only the author of the SQL can run it again. */
async function readPinnableAsk(
  deps: BoardDeps,
  principal: Principal,
  requestId: string,
): Promise<RepeatableAsk & { lens: string }> {
  const trace = await getAccessibleTrace(deps, principal, requestId, 'request_id');
  const { lens, ...asked } = withoutProposedQuestion(toRepeatableAsk(trace));
  if (trace.envelope.status !== 'answered' || trace.route === 'sql' || lens === null)
    throw new Problem('invalid', 'Only answers to questions and plans can be pinned. Ask this as a question or plan.', {
      param: 'request_id',
    });
  return { ...asked, lens };
}

async function findBoard(db: TenantClient, principal: Principal, id: string): Promise<BoardRow> {
  const sql = `select ${BOARD_COLUMNS} from svc.boards where id = $2`;
  const board = isId(id) ? await db.first<BoardRow>(sql, [getOwnerId(principal), id]) : null;
  return requireFound(board, 'There is no board with this id. It may have been deleted.');
}

const listTiles = (db: TenantClient, boardId: string): Promise<TileRow[]> =>
  db.rows<TileRow>('select id, wide, lens, asked from svc.board_tiles where board_id = $1 order by position, id', [
    boardId,
  ]);

async function lockOwnBoard(db: TenantClient, principal: Principal, id: string): Promise<BoardRow> {
  const board = await findBoard(db, principal, id);
  if (board.origin === 'file')
    throw new Problem(
      'forbidden',
      'This board comes from a file of the project. Change the file and apply the project.',
    );
  if (!board.own)
    throw new Problem('forbidden', 'This board belongs to another person. Only that person can change it.');
  await db.run('update svc.boards set updated_at = now() where id = $1', [board.id]);
  return board;
}

async function requireVisibleBoard(
  db: TenantClient,
  principal: Principal,
  id: string,
): Promise<{ board: WireObject<BoardRow>; tiles: TileRow[] }> {
  const board = await findBoard(db, principal, id);
  if (!board.own && !board.shared)
    throw new Problem(
      'forbidden',
      'This board belongs to another person and is not shared. Ask that person to share it.',
    );
  const tiles = await listTiles(db, board.id);
  if (!board.own && !tiles.some(({ lens }) => canUseLens(principal, lens)))
    throw new Problem('forbidden', 'You can’t open this board, because you don’t have access to its data.');
  return { board: toWireObject(board), tiles };
}

async function readBoard(db: TenantClient, principal: Principal, id: string): Promise<Board> {
  const { board, tiles } = await requireVisibleBoard(db, principal, id);
  const shownTiles = tiles.map(({ asked, ...tile }) => ({
    ...tile,
    lens: canUseLens(principal, tile.lens) ? tile.lens : null,
    question: board.own ? asked.question : null,
  }));
  return { ...board, tiles: shownTiles };
}
