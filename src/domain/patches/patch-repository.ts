// Rows of drafted fixes.
import type { PatchChange } from '../../contract/mgmt/patches.ts';
import { newId } from '../../platform/ids.ts';
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
export interface PatchPreview {
  problems: { path: string; line: number; column: number; code: string; message: string }[];
  warnings: string[];
  compared: number;
  answer_changes: {
    lens: string;
    kind: 'review' | 'eval' | 'certified' | 'request';
    id: string;
    question: string;
    before?: unknown;
    after?: unknown;
  }[];
  previewed_at: string;
}
export interface PatchOutcome {
  applied: boolean;
  how: string;
  diff: string | null;
  files: Record<string, string> | null;
  eval_id: string | null;
}
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
export async function insertPatch(db: TenantClient, made: NewPatch): Promise<Patch> {
  const id = newId();
  await db.query(
    'insert into svc.patches (org_id, id, lens, kind, change, reason, review_id, eval_id, gap_id, created_by) values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10)',
    [
      ...[db.orgId, id, made.lens, made.change.kind, JSON.stringify(made.change), made.reason ?? null],
      ...[made.reviewId ?? null, made.evalId ?? null, made.gapId ?? null, made.createdBy],
    ],
  );
  return (await findPatch(db, made.lens, id))!;
}
export async function findPatch(db: TenantClient, lens: string, id: string): Promise<Patch | null> {
  const { rows } = await db.query<Patch>(`${SELECT} where lens = $1 and id = $2`, [lens, id]);
  return rows[0] ?? null;
}
/** The newest fix drafted for a ticket. */
export async function findPatchOfReview(db: TenantClient, reviewId: string): Promise<Patch | null> {
  const { rows } = await db.query<Patch>(
    `${SELECT} where review_id = $1 order by (status = 'draft') desc, id desc limit 1`,
    [reviewId],
  );
  return rows[0] ?? null;
}
export async function listPatches(
  db: TenantClient,
  lens: string,
  filter: { status?: string | undefined },
  page: { limit: number; after: string | null },
): Promise<Patch[]> {
  const { rows } = await db.query<Patch>(
    `${SELECT} where lens = $1 and ($2::text is null or status = $2) and ($3::uuid is null or id < $3) order by id desc limit $4`,
    [lens, filter.status ?? null, page.after, page.limit],
  );
  return rows;
}
export async function keepPreview(db: TenantClient, id: string, preview: PatchPreview): Promise<void> {
  await db.query('update svc.patches set preview = $2, updated_at = now() where id = $1', [
    id,
    JSON.stringify(preview),
  ]);
}
/** False: another person decided first. */
export async function decidePatch(
  db: TenantClient,
  id: string,
  decision: { status: 'approved' | 'rejected'; by: string; note: string | null; outcome: PatchOutcome | null },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update svc.patches set status = $2, decided_by = $3, decided_note = $4, outcome = $5, decided_at = now(), updated_at = now() where id = $1 and status = 'draft'`,
    [id, decision.status, decision.by, decision.note, decision.outcome && JSON.stringify(decision.outcome)],
  );
  return rowCount === 1;
}
