// The gap map, refreshed from recent asks. A person resolves a gap, and the gap opens again if it recurs.
import { isId, newId } from '../../platform/ids.ts';
import { Problem } from '../../platform/problem.ts';
import { upsertRows } from '../../platform/tenancy/insert-rows.ts';
import type { Tenancy, TenantClient } from '../../platform/tenancy/tenant.ts';
import { type Actor, runAudited } from '../audit/audited.ts';
import type { ServedLenses } from '../lenses/lens-repository.ts';
import { listRecentQuestions } from '../observe/question-repository.ts';
import { findGaps, type Gap } from './find-gaps.ts';

export interface StoredGap extends Omit<Gap, 'place'> {
  id: string;
  status: 'open' | 'resolved';
  resolution: { how: string; note: string | null; by: string; at: string; patch_id?: string | null } | null;
  refreshedAt: Date;
}
export interface GapDeps {
  tenancy: Tenancy;
  lenses: ServedLenses;
  clock: { now(): Date };
}
const STALE_MS = 10_000;
const SELECT = `select id, lens, kind, missing, questions, asks, callers, last_at as "lastAt", suggestion, status, resolution, refreshed_at as "refreshedAt" from svc.gaps`;

export async function refreshGaps(deps: GapDeps, orgId: string): Promise<number> {
  const recentAsks = await deps.tenancy.inTenant(orgId, (db) => listRecentQuestions(db, { answered: false }));
  const lenses = (await deps.lenses.list(orgId, null)).map(({ lens }) => lens);
  const gaps = await findGaps(recentAsks, lenses, deps.clock.now());
  await deps.tenancy.inTenant(orgId, async (db) => {
    const rows = gaps.map(({ lastAt: last_at, ...gap }) => ({ id: newId(), ...gap, last_at }));
    const reopenSql = `, refreshed_at = clock_timestamp(),
      status = case when excluded.last_at > (gaps.resolution ->> 'at')::timestamptz then 'open' else gaps.status end`;
    await upsertRows(db, 'gaps', ['place'], rows, reopenSql);
    // Deletes gaps that the lenses can answer now, and gaps without recent asks.
    await db.run(`delete from svc.gaps where status = 'open' and not place = any($1)`, [
      gaps.map(({ place }) => place),
    ]);
  });
  return gaps.length;
}

export interface GapFilter {
  lens?: string | undefined;
  status?: string | undefined;
  kind?: string | undefined;
}
/** Refreshes the gaps first if the request is for the first page and the gaps are older than ten seconds. */
export async function listGaps(
  deps: GapDeps,
  orgId: string,
  filter: GapFilter,
  page: { limit: number; offset: number },
): Promise<StoredGap[]> {
  const readGaps = () => deps.tenancy.inTenant(orgId, (db) => readStoredGaps(db, filter, page));
  const rows = await readGaps();
  if (page.offset > 0 || rows.some(({ refreshedAt }) => Date.now() - refreshedAt.getTime() < STALE_MS)) return rows;
  await refreshGaps(deps, orgId);
  return readGaps();
}

/** Lists the most frequent gaps first. */
const readStoredGaps = (
  db: TenantClient,
  filter: GapFilter,
  page: { limit: number; offset: number },
): Promise<StoredGap[]> =>
  db.rows<StoredGap>(
    `${SELECT} where ($1::text is null or lens = $1) and ($2::text is null or status = $2) and ($3::text is null or kind = $3)
     order by status, asks desc, last_at desc, id limit $4 offset $5`,
    [filter.lens ?? null, filter.status ?? null, filter.kind ?? null, page.limit, page.offset],
  );

export const readGapQuestions = async (db: TenantClient, id: string): Promise<Gap['questions']> =>
  (await db.first<Pick<Gap, 'questions'>>('select questions from svc.gaps where id = $1', [id]))?.questions ?? [];

export async function getGap(deps: { tenancy: Tenancy }, orgId: string, id: string): Promise<StoredGap> {
  const gap = isId(id) ? await deps.tenancy.inTenant(orgId, (db) => findGap(db, id)) : null;
  if (!gap)
    throw new Problem('not_found', 'There is no gap with this id. GET /mgmt/gap-map lists them.', { param: 'id' });
  return gap;
}

const findGap = (db: TenantClient, id: string) => db.first<StoredGap>(`${SELECT} where id = $1`, [id]);

export async function markResolved(
  deps: GapDeps,
  actor: Actor,
  id: string,
  input: { how: string; note: string | null; patchId: string | null },
): Promise<StoredGap> {
  const previousGap = await getGap(deps, actor.orgId, id);
  if (previousGap.status === 'resolved')
    throw new Problem('conflict', 'This gap is already resolved. It opens again if its question comes up again.');
  return runAudited(deps, actor, async (db) => {
    const resolution = {
      how: input.how,
      note: input.note,
      by: actor.name,
      at: deps.clock.now().toISOString(),
      patch_id: input.patchId,
    };
    await db.run(`update svc.gaps set status = 'resolved', resolution = $2 where id = $1`, [
      id,
      JSON.stringify(resolution),
    ]);
    const row = await db.first<StoredGap>(`${SELECT} where id = $1`, [id]);
    return {
      result: row!,
      action: 'gap.resolve',
      objectId: id,
      before: { status: previousGap.status },
      after: resolution,
    };
  });
}
