import type { z } from 'zod';
import type * as wire from '../../contract/mgmt/reviews.ts';
import type { PatchChange } from '../../contract/mgmt/reviews.ts';
import type { StoredObject } from '../../platform/http/to-wire.ts';
import { createId, isId } from '../../platform/ids.ts';
import { addCamelCaseAliases } from '../../platform/tenancy/columns.ts';
import { insertRows } from '../../platform/tenancy/insert-rows.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';

type StoredPatch = StoredObject<z.infer<typeof wire.patchSchema>>;
export interface Patch extends Omit<StoredPatch, 'kind' | 'change'> {
  kind: PatchChange['kind'];
  change: PatchChange;
}
export type PatchPreview = NonNullable<Patch['preview']>;
export type PatchOutcome = NonNullable<Patch['outcome']>;
export const SELECT_PATCHES = `select ${addCamelCaseAliases(
  'id, lens, kind, change, reason, review_id, eval_id, gap_id, status, preview, outcome, created_by, decided_by, decided_note, decided_at, created_at, updated_at',
)} from svc.patches`;

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
  const id = createId();
  const { reviewId: review_id, evalId: eval_id, gapId: gap_id, createdBy: created_by, ...columns } = patch;
  const row = { id, kind: columns.change.kind, review_id, eval_id, gap_id, created_by, ...columns };
  await insertRows(db, 'patches', [row]);
  return (await findPatch(db, patch.lens, id))!;
}
export const findPatch = async (db: TenantClient, lens: string, id: string): Promise<Patch | null> =>
  isId(id) ? db.first<Patch>(`${SELECT_PATCHES} where lens = $1 and id = $2`, [lens, id]) : null;

export const findPatchOfReview = (db: TenantClient, reviewId: string): Promise<Patch | null> =>
  db.first<Patch>(`${SELECT_PATCHES} where review_id = $1 order by (status = 'draft') desc, id desc limit 1`, [
    reviewId,
  ]);

export async function savePreview(db: TenantClient, id: string, preview: PatchPreview): Promise<void> {
  await db.run('update svc.patches set preview = $2, updated_at = now() where id = $1', [id, JSON.stringify(preview)]);
}
