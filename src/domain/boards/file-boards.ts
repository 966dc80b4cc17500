import type { BoardFile } from '../../contract/files/board-file.ts';
import type { BoardRefresh } from '../../contract/saved.ts';
import { createId } from '../../platform/ids.ts';
import { insertRows } from '../../platform/tenancy/insert-rows.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';
import type { RepeatableAsk } from '../observe/repeatable-ask.ts';

export interface FileBoard {
  path: string;
  title: string;
  refresh: BoardRefresh;
  tiles: { lens: string; wide: boolean; asked: RepeatableAsk }[];
}

export const toFileBoard = (path: string, { title, refresh, tiles }: BoardFile): FileBoard => ({
  path,
  title,
  refresh,
  tiles: tiles.map((tile) => ({ lens: tile.lens, wide: tile.wide, asked: toTileAsk(tile) })),
});

function toTileAsk(tile: BoardFile['tiles'][number]): RepeatableAsk {
  const { lens } = tile;
  const emptyAsk = { lens, question: null, certified_id: null, parameters: null, asked: {}, context: [] };
  if ('plan' in tile) return { ...emptyAsk, route: 'metrics', asked: { ...tile.plan } };
  if ('certified' in tile)
    return { ...emptyAsk, route: 'certified', certified_id: tile.certified, parameters: tile.parameters ?? null };
  const body = tile.choices ? { choices: tile.choices } : {};
  return { ...emptyAsk, route: 'query', question: tile.question, asked: body };
}

export const readFileBoards = (db: TenantClient): Promise<FileBoard[]> =>
  db.rows<FileBoard>(
    `select b.path, b.title, b.refresh, coalesce((
         select jsonb_agg(jsonb_build_object('lens', t.lens, 'wide', t.wide, 'asked', t.asked) order by t.position)
         from svc.board_tiles t where t.org_id = b.org_id and t.board_id = b.id), '[]') as tiles
     from svc.boards b where b.path is not null order by b.path`,
  );

/** Assigns new ids to all tiles. The board keeps its id, so its URL stays valid. */
export async function writeFileBoards(
  db: TenantClient,
  changedBoards: FileBoard[],
  removedPaths: string[],
): Promise<void> {
  await db.run('delete from svc.boards where path = any($1)', [removedPaths]);
  for (const { path, title, refresh, tiles } of changedBoards) {
    const row = await db.first<{ id: string }>(
      `insert into svc.boards (org_id, id, path, title, refresh, shared) values ($1, $2, $3, $4, $5, true)
       on conflict (org_id, path) do update set title = excluded.title, refresh = excluded.refresh, updated_at = now()
       returning id`,
      [db.orgId, createId(), path, title, refresh],
    );
    const { id } = row!;
    await db.run('delete from svc.board_tiles where board_id = $1', [id]);
    const newTiles = tiles.map((tile, position) => ({ board_id: id, id: createId(), position, ...tile }));
    await insertRows(db, 'board_tiles', newTiles);
  }
}
