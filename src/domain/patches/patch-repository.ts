// Reads and writes drafted fixes.

import type { z } from 'zod';
import type * as wire from '../../contract/mgmt/patches.ts';
import type { PatchChange } from '../../contract/mgmt/patches.ts';
import { newId } from '../../platform/ids.ts';
import { insertRows } from '../../platform/tenancy/insert-rows.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';

export interface Patch {
  id: string;
  lens: string;
  kind: PatchChange['kind'];
  change: PatchChange;
  reason: string | null;
  reviewId: string | null;
  evalId: string | null;
  gapId: string | null;
  status: 'draft' | 'approved' | 'rejected';
  preview: PatchPreview | null;
  outcome: PatchOutcome | null;
  createdBy: string;
  decidedBy: string | null;
  decidedNote: string | null;
  decidedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}
export type PatchPreview = z.infer<typeof wire.preview>;
export type PatchOutcome = NonNullable<z.infer<typeof wire.patch>['outcome']>;
const SELECT = `select id, lens, kind, change, reason, review_id as "reviewId", eval_id as "evalId", gap_id as "gapId", status, preview, outcome,
  created_by as "createdBy", decided_by as "decidedBy", decided_note as "decidedNote", decided_at as "decidedAt",
  created_at as "createdAt", updated_at as "updatedAt" from svc.patches`;

export interface NewPatch {
  lens: string;
  change: PatchChange;
  reason?: string | null | undefined;
  reviewId?: string | null | undefined;
  evalId?: string | null | undefined;
  gapId?: string | null | undefined;
  createdBy: string;
}
export async function insertPatch(db: TenantClient, patch: NewPatch): Promise<Patch> {
  const id = newId();
  const { lens, change, reason, reviewId: review_id, evalId: eval_id, gapId: gap_id, createdBy: created_by } = patch;
  const row = { id, lens, kind: change.kind, change, reason, review_id, eval_id, gap_id, created_by };
  await insertRows(db, 'patches', [row]);
  return (await findPatch(db, patch.lens, id))!;
}
export const findPatch = (db: TenantClient, lens: string, id: string): Promise<Patch | null> =>
  db.first<Patch>(`${SELECT} where lens = $1 and id = $2`, [lens, id]);

export const findPatchOfReview = (db: TenantClient, reviewId: string): Promise<Patch | null> =>
  db.first<Patch>(`${SELECT} where review_id = $1 order by (status = 'draft') desc, id desc limit 1`, [reviewId]);

export const listPatches = (
  db: TenantClient,
  lens: string,
  filter: { status?: string | undefined },
  page: RowPage,
): Promise<Patch[]> =>
  db.rows<Patch>(
    `${SELECT} where lens = $1 and ($2::text is null or status = $2) and ($3::uuid is null or id < $3) order by id desc limit $4`,
    [lens, filter.status ?? null, page.after, page.limit],
  );

export async function savePreview(db: TenantClient, id: string, preview: PatchPreview): Promise<void> {
  await db.run('update svc.patches set preview = $2, updated_at = now() where id = $1', [id, JSON.stringify(preview)]);
}
/** Returns false if another person has already decided. */
export const decidePatch = async (
  db: TenantClient,
  id: string,
  decision: { status: 'approved' | 'rejected'; by: string; note: string | null; outcome: PatchOutcome | null },
): Promise<boolean> =>
  (await db.run(
    `update svc.patches set status = $2, decided_by = $3, decided_note = $4, outcome = $5, decided_at = now(), updated_at = now() where id = $1 and status = 'draft'`,
    [id, decision.status, decision.by, decision.note, decision.outcome && JSON.stringify(decision.outcome)],
  )) === 1;
