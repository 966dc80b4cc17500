import type { z } from 'zod';
import type * as wire from '../../contract/mgmt/lenses.ts';
import type { Lens } from '../../lens/model/lens.ts';
import type { StoredObject } from '../../platform/http/to-wire.ts';
import { createId, isId } from '../../platform/ids.ts';
import { addCamelCaseAliases } from '../../platform/tenancy/columns.ts';
import { insertRows } from '../../platform/tenancy/insert-rows.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';
import { type ReadDictionary, toDictionaryRows } from '../project/read-dictionaries.ts';

export type LensDraft = StoredObject<z.infer<typeof wire.draftSchema>>;
export const DRAFT_COLUMNS = addCamelCaseAliases(
  'id, lens, base_version, files, status, published_version, message, created_by, created_at, updated_at, revision',
);

export async function insertDraft(
  db: TenantClient,
  draft: Pick<LensDraft, 'lens' | 'baseVersion' | 'files' | 'message' | 'createdBy'>,
): Promise<LensDraft> {
  const { baseVersion: base_version, createdBy: created_by, ...columns } = draft;
  const id = createId();
  await insertRows(db, 'lens_drafts', [{ id, base_version, created_by, ...columns }]);
  return (await findDraft(db, draft.lens, id))!;
}

export async function findDraft(db: TenantClient, lens: string, id: string): Promise<LensDraft | null> {
  if (!isId(id)) return null;
  return db.first<LensDraft>(`select ${DRAFT_COLUMNS} from svc.lens_drafts where lens = $1 and id = $2`, [lens, id]);
}

export const updateDraft = async (
  db: TenantClient,
  id: string,
  change: { files?: Record<string, string>; message?: string | null; publishedVersion?: number },
): Promise<LensDraft> =>
  (await db.first<LensDraft>(
    `update svc.lens_drafts set files = coalesce($2, files), message = coalesce($3, message), published_version = coalesce($4, published_version),
       status = case when $4::int is null then status else 'published' end, revision = revision + 1, updated_at = now() where id = $1 returning ${DRAFT_COLUMNS}`,
    [id, change.files ? JSON.stringify(change.files) : null, change.message ?? null, change.publishedVersion ?? null],
  ))!;

export interface LensRow extends StoredObject<Omit<z.infer<typeof wire.lensRowSchema>, 'version'>> {
  id: string;
  activeVersion: number | null;
}
export const SELECT_LENS = `select l.id, l.name, l.origin, l.active_version as "activeVersion", l.created_at as "createdAt", l.updated_at as "updatedAt",
    coalesce((select max(version) from svc.lens_versions v where v.lens_id = l.id), 0) as "lastVersion",
    a.compiled->>'title' as title, a.compiled->>'connection' as connection,
    (select count(*)::int from svc.certified_entries c where c.lens_id = l.id and c.status = 'approved') as "certifiedCount"
  from svc.lenses l left join svc.lens_versions a on a.lens_id = l.id and a.version = l.active_version`;

export const findLensRow = async (db: TenantClient, name: string): Promise<LensRow | null> =>
  (await db.rows<LensRow>(`${SELECT_LENS} where l.name = $1`, [name]))[0] ?? null;

export interface VersionRow extends StoredObject<z.infer<typeof wire.versionRowSchema>> {
  files: Record<string, string>;
  compiled: Lens;
}
export const VERSION_COLUMNS = `${addCamelCaseAliases('v.version, v.created_by, v.created_at, v.deployment_id')}, coalesce(l.active_version = v.version, false) as active`;

/** A null version means the served version. */
export const findVersion = (db: TenantClient, lens: string, version: number | null): Promise<VersionRow | null> =>
  db.first<VersionRow>(
    `select ${VERSION_COLUMNS}, v.files, v.compiled from svc.lens_versions v join svc.lenses l on l.id = v.lens_id
     where l.name = $1 and v.version = coalesce($2, l.active_version)`,
    [lens, version],
  );

export async function publishVersion(
  db: TenantClient,
  row: LensRow,
  publication: {
    files: Record<string, string>;
    lens: Lens;
    contentSha256: string;
    dictionaries: ReadDictionary[];
    actor: string;
  },
): Promise<number> {
  const version = row.lastVersion + 1;
  const { contentSha256: content_sha256, files, lens: compiledLens, actor: created_by } = publication;
  await insertRows(db, 'lens_versions', [
    { lens_id: row.id, version, content_sha256, files, compiled: compiledLens, created_by },
  ]);
  await db.run('delete from svc.value_dictionaries where lens_id = $1', [row.id]);
  await insertRows(db, 'value_dictionaries', toDictionaryRows(row.id, publication.dictionaries));
  await db.run('update svc.lenses set active_version = $2, updated_at = clock_timestamp() where id = $1', [
    row.id,
    version,
  ]);
  return version;
}
