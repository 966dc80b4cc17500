// svc refreshes the gap map from recent asks. A resolved gap opens again if callers ask such questions again.
import type { z } from 'zod';
import type { gapQuerySchema, gapSchema, resolveGapBodySchema } from '../../contract/mgmt/cockpit.ts';
import { createId, isId } from '../../platform/ids.ts';
import { Problem, requireFound } from '../../platform/problem.ts';
import { addCamelCaseAliases } from '../../platform/tenancy/columns.ts';
import { upsertRows } from '../../platform/tenancy/insert-rows.ts';
import { type Tenancy, type TenantClient, withOwnTransaction } from '../../platform/tenancy/tenant.ts';
import { type Actor, runAudited } from '../audit/audit-log.ts';
import { getLiveLens } from '../lenses/get-live-lens.ts';
import type { LiveLenses } from '../lenses/lens-repository.ts';
import { listRecentQuestions } from '../observe/question-repository.ts';
import type { Patch } from '../patches/patch-repository.ts';
import { draftPatch, type PatchDeps } from '../patches/patches.ts';
import { findGaps, type Gap } from './find-gaps.ts';

export interface StoredGap extends Omit<Gap, 'key'> {
  id: string;
  status: 'open' | 'resolved';
  resolution: z.infer<typeof gapSchema>['resolution'];
  refreshedAt: Date;
}
export interface GapDeps {
  tenancy: Tenancy;
  lenses: LiveLenses;
  clock: { now(): Date };
}
const MAX_GAP_AGE_MS = 10_000;
const SELECT_GAPS = `select ${addCamelCaseAliases('id, lens, kind, missing, questions, asks, callers, last_at, suggestion, status, resolution, refreshed_at')} from svc.gaps`;

export async function refreshGaps(deps: GapDeps, orgId: string): Promise<number> {
  const recentAsks = await deps.tenancy.inTenant(orgId, (db) => listRecentQuestions(db, { answered: false }));
  const lenses = (await deps.lenses.list(orgId, null)).map(({ lens }) => lens);
  const gaps = await findGaps(recentAsks, lenses, deps.clock.now());
  await deps.tenancy.inTenant(orgId, async (db) => {
    const rows = gaps.map(({ key: place, lastAt: last_at, ...gap }) => ({ id: createId(), ...gap, place, last_at }));
    const reopenSql = `, refreshed_at = clock_timestamp(),
      status = case when excluded.last_at > (gaps.resolution ->> 'at')::timestamptz then 'open' else gaps.status end`;
    await upsertRows(db, 'gaps', ['place'], rows, reopenSql);
    // Deletes gaps that the lenses can answer now, and gaps without recent asks.
    await db.run(`delete from svc.gaps where status = 'open' and not place = any($1)`, [gaps.map(({ key }) => key)]);
  });
  return gaps.length;
}

type GapFilter = Omit<z.infer<typeof gapQuerySchema>, 'limit' | 'cursor'>;

/** Refreshes the gaps first if the request is for the first page and the gaps are older than ten seconds. */
export async function listGaps(
  deps: GapDeps,
  orgId: string,
  filter: GapFilter,
  page: { limit: number; offset: number },
): Promise<StoredGap[]> {
  const rows = await readStoredGaps(deps, orgId, filter, page);
  if (page.offset > 0 || rows.some(({ refreshedAt }) => Date.now() - refreshedAt.getTime() < MAX_GAP_AGE_MS))
    return rows;
  await refreshGaps(deps, orgId);
  return readStoredGaps(deps, orgId, filter, page);
}

const readStoredGaps = withOwnTransaction((db, filter: GapFilter, page: { limit: number; offset: number }) =>
  db.rows<StoredGap>(
    `${SELECT_GAPS} where ($1::text is null or lens = $1) and ($2::text is null or status = $2) and ($3::text is null or kind = $3)
     order by status, asks desc, last_at desc, id limit $4 offset $5`,
    [filter.lens, filter.status, filter.kind, page.limit, page.offset],
  ),
);

export const readGapQuestions = async (db: TenantClient, id: string): Promise<Gap['questions']> =>
  (await db.first<Pick<Gap, 'questions'>>('select questions from svc.gaps where id = $1', [id]))?.questions ?? [];

/** A gap is resolved with a drafted change to its lens, or by a person's decision. */
export async function resolveGap(
  deps: GapDeps & Pick<PatchDeps, 'warehouses'>,
  actor: Actor,
  id: string,
  { how: decision, note, change }: z.infer<typeof resolveGapBodySchema>,
): Promise<{ gap: StoredGap; patch: Patch | null }> {
  const findGap = (db: TenantClient) => db.first<StoredGap>(`${SELECT_GAPS} where id = $1`, [id]);
  const { status, lens } = requireFound(
    isId(id) ? await deps.tenancy.inTenant(actor.orgId, findGap) : null,
    'There is no gap with this id. GET /mgmt/gap-map lists the gaps.',
    'id',
  );
  if (status === 'resolved')
    throw new Problem(
      'conflict',
      'This gap is already resolved. svc opens it again if callers ask its question again.',
    );
  let patch: Patch | null = null;
  if (change) {
    if (!lens)
      throw new Problem(
        'invalid',
        'No lens is similar enough to this gap, so svc can’t draft a fix. Draft a new lens instead.',
        { param: 'change' },
      );
    const liveLens = await getLiveLens(deps.lenses, actor.orgId, lens);
    patch = await draftPatch(deps, actor, liveLens, { change, gapId: id, reason: note });
  }
  const how = change ? 'patched' : decision;
  const at = deps.clock.now().toISOString();
  const resolution = { how, note: note ?? null, by: actor.name, at, patch_id: patch?.id ?? null };
  const gap = await runAudited(deps, actor, async (db) => {
    const sql = `update svc.gaps set status = 'resolved', resolution = $2 where id = $1`;
    await db.run(sql, [id, JSON.stringify(resolution)]);
    const result = (await findGap(db))!;
    return { result, action: 'gap.resolve', objectId: id, before: { status }, after: resolution };
  });
  return { gap, patch };
}
