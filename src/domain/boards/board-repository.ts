// Reads and writes the boards of one organization and their tiles.

import type { BoardRefresh, ChangedBoard } from '../../contract/boards.ts';
import { isId, newId } from '../../platform/ids.ts';
import { insertRows } from '../../platform/tenancy/insert-rows.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';
import type { RepeatableAsk } from '../observe/repeatable-ask.ts';

export interface BoardRow {
  id: string;
  /** Null if the board comes from a project file. */
  owner: string | null;
  title: string;
  shared: boolean;
  refresh: BoardRefresh;
  created_at: Date;
  updated_at: Date;
}
export interface TileRow {
  id: string;
  wide: boolean;
  lens: string;
  asked: RepeatableAsk;
}

const COLUMNS = 'id, owner, title, shared, refresh, created_at, updated_at';

export async function insertBoard(db: TenantClient, board: { owner: string; title: string }): Promise<string> {
  const id = newId();
  await insertRows(db, 'boards', [{ id, owner: board.owner, title: board.title }]);
  return id;
}

/** Counts and locks the owner's boards, so that no other request changes their number during the transaction. */
export async function countBoards(db: TenantClient, owner: string): Promise<number> {
  await db.run('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`boards ${db.orgId} ${owner}`]);
  return (await db.first<{ n: number }>('select count(*)::int as n from svc.boards where owner = $1', [owner]))!.n;
}

export async function findBoard(db: TenantClient, id: string): Promise<BoardRow | null> {
  if (!isId(id)) return null;
  return db.first<BoardRow>(`select ${COLUMNS} from svc.boards where id = $1`, [id]);
}

/** Locks the board, so that simultaneous changes run one after the other. */
export async function lockBoard(db: TenantClient, id: string): Promise<void> {
  await db.run('update svc.boards set updated_at = now() where id = $1', [id]);
}

/** Records that someone opened the board, at most once an hour. */
export async function markOpened(db: TenantClient, id: string): Promise<void> {
  await db.run(`update svc.boards set opened_at = now() where id = $1 and opened_at < now() - interval '1 hour'`, [id]);
}

export const listTiles = (db: TenantClient, boardId: string): Promise<TileRow[]> =>
  db.rows<TileRow>('select id, wide, lens, asked from svc.board_tiles where board_id = $1 order by position, id', [
    boardId,
  ]);

export async function addTile(
  db: TenantClient,
  boardId: string,
  lens: string,
  pinnedAsk: RepeatableAsk,
): Promise<void> {
  await db.run(
    `insert into svc.board_tiles (org_id, board_id, id, position, lens, asked)
     select $1, $2, $3, coalesce(max(position), 0) + 1, $4, $5 from svc.board_tiles where board_id = $2`,
    [db.orgId, boardId, newId(), lens, JSON.stringify(pinnedAsk)],
  );
}

/** Sets the order and width of the listed tiles, and deletes the board's other tiles. */
export async function arrangeTiles(
  db: TenantClient,
  boardId: string,
  tiles: readonly { id: string; wide: boolean }[],
): Promise<void> {
  const ids = tiles.map(({ id }) => id);
  await db.run('delete from svc.board_tiles where board_id = $1 and id <> all($2::uuid[])', [boardId, ids]);
  await db.run(
    `update svc.board_tiles t set position = r.position, wide = r.wide
     from unnest($2::uuid[], $3::boolean[]) with ordinality as r(id, wide, position)
     where t.board_id = $1 and t.id = r.id`,
    [boardId, ids, tiles.map(({ wide }) => wide)],
  );
}

/**
 * Lists the owner's boards, and the shared boards that have a tile for one of `lenses` (null: any lens). The most
 * recently changed board comes first.
 */
export const listBoards = (
  db: TenantClient,
  page: {
    owner: string;
    lenses: string[] | null;
    q: string | undefined;
    limit: number;
    after: { at: string; id: string } | null;
  },
): Promise<(BoardRow & { tiles: number })[]> =>
  db.rows<BoardRow & { tiles: number }>(
    `select ${COLUMNS},
       (select count(*)::int from svc.board_tiles n where n.org_id = b.org_id and n.board_id = b.id) as tiles
     from svc.boards b
     where (b.owner = $1 or (b.shared and exists (
         select from svc.board_tiles n
         where n.org_id = b.org_id and n.board_id = b.id and ($2::text[] is null or n.lens = any($2)))))
       and ($3::text is null or strpos(lower(b.title), lower($3)) > 0)
       and ($4::timestamptz is null or (date_trunc('milliseconds', b.updated_at), b.id) < ($4, $5::uuid))
     order by date_trunc('milliseconds', b.updated_at) desc, b.id desc limit $6`,
    [page.owner, page.lenses, page.q ?? null, page.after?.at ?? null, page.after?.id ?? null, page.limit],
  );

export async function updateBoard(
  db: TenantClient,
  id: string,
  change: Pick<ChangedBoard, 'title' | 'shared' | 'refresh'>,
): Promise<void> {
  await db.run(
    `update svc.boards set title = coalesce($2, title), shared = coalesce($3, shared), refresh = coalesce($4, refresh)
     where id = $1`,
    [id, change.title ?? null, change.shared ?? null, change.refresh ?? null],
  );
}

export async function deleteBoard(db: TenantClient, id: string): Promise<void> {
  await db.run('delete from svc.boards where id = $1', [id]);
}

export async function deleteBoardsOf(db: TenantClient, owner: string): Promise<void> {
  await db.run('delete from svc.boards where owner = $1', [owner]);
}

export async function deleteBoardsBefore(db: TenantClient, cutoff: Date): Promise<void> {
  await db.run('delete from svc.boards where opened_at < $1 and path is null', [cutoff]);
}
