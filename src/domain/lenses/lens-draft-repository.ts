// Reads and writes lenses, their drafts and versions, and their sample queries.

import type { Lens } from '../../lens/model/lens.ts';
import { isId, newId } from '../../platform/ids.ts';
import { insertRows } from '../../platform/tenancy/insert-rows.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';
import { type ReadDictionary, toDictionaryRows } from '../project/read-dictionaries.ts';

export interface Draft {
  id: string;
  lens: string;
  baseVersion: number | null;
  files: Record<string, string>;
  status: 'open' | 'published';
  publishedVersion: number | null;
  message: string | null;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  revision: number;
}
const DRAFT_COLUMNS = `id, lens, base_version as "baseVersion", files, status, published_version as "publishedVersion", message,
  created_by as "createdBy", created_at as "createdAt", updated_at as "updatedAt", revision`;

export const insertDraft = async (
  db: TenantClient,
  draft: {
    lens: string;
    baseVersion: number | null;
    files: Record<string, string>;
    message: string | null;
    actor: string;
  },
): Promise<Draft> =>
  (await db.first<Draft>(
    `insert into svc.lens_drafts (org_id, id, lens, base_version, files, message, created_by) values ($1,$2,$3,$4,$5,$6,$7) returning ${DRAFT_COLUMNS}`,
    [db.orgId, newId(), draft.lens, draft.baseVersion, JSON.stringify(draft.files), draft.message, draft.actor],
  ))!;

export async function findDraft(db: TenantClient, lens: string, id: string): Promise<Draft | null> {
  if (!isId(id)) return null;
  return db.first<Draft>(`select ${DRAFT_COLUMNS} from svc.lens_drafts where lens = $1 and id = $2`, [lens, id]);
}
export const listDrafts = (db: TenantClient, lens: string, page: RowPage): Promise<Draft[]> =>
  db.rows<Draft>(
    `select ${DRAFT_COLUMNS} from svc.lens_drafts where lens = $1 and ($3::uuid is null or id < $3) order by id desc limit $2`,
    [lens, page.limit, page.after],
  );

export const updateDraft = async (
  db: TenantClient,
  id: string,
  change: { files?: Record<string, string>; message?: string | null; publishedVersion?: number },
): Promise<Draft> =>
  (await db.first<Draft>(
    `update svc.lens_drafts set files = coalesce($2, files), message = coalesce($3, message), published_version = coalesce($4, published_version),
       status = case when $4::int is null then status else 'published' end, revision = revision + 1, updated_at = now() where id = $1 returning ${DRAFT_COLUMNS}`,
    [id, change.files ? JSON.stringify(change.files) : null, change.message ?? null, change.publishedVersion ?? null],
  ))!;

export async function deleteDraft(db: TenantClient, id: string): Promise<void> {
  await db.run('delete from svc.lens_drafts where id = $1', [id]);
}

export interface LensRow {
  id: string;
  name: string;
  origin: 'file' | 'api';
  activeVersion: number | null;
  lastVersion: number;
  title: string | null;
  connection: string | null;
  certifiedCount: number;
  createdAt: Date;
  updatedAt: Date;
}
const SELECT_LENS = `select l.id, l.name, l.origin, l.active_version as "activeVersion", l.created_at as "createdAt", l.updated_at as "updatedAt",
    coalesce((select max(version) from svc.lens_versions v where v.lens_id = l.id), 0) as "lastVersion",
    a.compiled->>'title' as title, a.compiled->>'connection' as connection,
    (select count(*)::int from svc.certified_entries c where c.lens_id = l.id and c.status = 'approved') as "certifiedCount"
  from svc.lenses l left join svc.lens_versions a on a.lens_id = l.id and a.version = l.active_version`;

export const findLensRow = async (db: TenantClient, name: string): Promise<LensRow | null> =>
  (await db.rows<LensRow>(`${SELECT_LENS} where l.name = $1`, [name]))[0] ?? null;

export const listLensRows = async (
  db: TenantClient,
  page: RowPage,
  lensNames: readonly string[] | null,
): Promise<LensRow[]> =>
  await db.rows<LensRow>(
    `${SELECT_LENS} where ($2::text is null or l.name > $2) and ($3::text[] is null or l.name = any($3)) order by l.name limit $1`,
    [page.limit, page.after, lensNames],
  );

/** Returns null if a served lens already has this name. */
export async function insertLensRow(db: TenantClient, name: string): Promise<LensRow | null> {
  const insertedCount = await db.run(
    `insert into svc.lenses (org_id, id, name, origin) values ($1, $2, $3, 'api')
     on conflict (org_id, name) do update set origin = 'api', source_sha256 = null where svc.lenses.active_version is null`,
    [db.orgId, newId(), name],
  );
  return insertedCount === 1 ? findLensRow(db, name) : null;
}

export interface VersionRow {
  version: number;
  createdBy: string;
  createdAt: Date;
  deploymentId: string | null;
  active: boolean;
  files: Record<string, string>;
  compiled: Lens;
}
const VERSION_COLUMNS = `v.version, v.created_by as "createdBy", v.created_at as "createdAt", v.deployment_id as "deploymentId", coalesce(l.active_version = v.version, false) as active`;
export const listVersions = (
  db: TenantClient,
  lens: string,
  page: RowPage<number>,
): Promise<Omit<VersionRow, 'files' | 'compiled'>[]> =>
  db.rows<VersionRow>(
    `select ${VERSION_COLUMNS} from svc.lens_versions v join svc.lenses l on l.id = v.lens_id where l.name = $1 and ($3::int is null or v.version < $3)
     order by v.version desc limit $2`,
    [lens, page.limit, page.after],
  );

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
export async function takeOutOfService(db: TenantClient, lensId: string): Promise<void> {
  await db.run('update svc.lenses set active_version = null, updated_at = clock_timestamp() where id = $1', [lensId]);
}

export interface SampleQuery {
  id: string;
  question: string;
  note: string | null;
  createdBy: string;
  createdAt: Date;
  /**
   * Null if svc hasn't tested the sample query. svc hides an untested sample query until someone adds the query again.
   */
  triedAt: Date | null;
}
const SAMPLE_COLUMNS = `id, question, note, created_by as "createdBy", created_at as "createdAt", tried_at as "triedAt"`;
export const listSampleQueries = async (db: TenantClient, lens: string): Promise<SampleQuery[]> =>
  await db.rows<SampleQuery>(
    `select ${SAMPLE_COLUMNS} from svc.sample_queries where lens = $1 order by created_at, id`,
    [lens],
  );

export const insertSampleQuery = (
  db: TenantClient,
  lens: string,
  sample: { question: string; note: string | null; actor: string },
): Promise<SampleQuery | null> =>
  db.first<SampleQuery>(
    `insert into svc.sample_queries as s (org_id, id, lens, question, note, created_by, tried_at) values ($1,$2,$3,$4,$5,$6,now())
     on conflict (org_id, lens, question) do update set tried_at = now() where s.tried_at is null returning ${SAMPLE_COLUMNS}`,
    [db.orgId, newId(), lens, sample.question, sample.note, sample.actor],
  );

export async function deleteSampleQuery(db: TenantClient, lens: string, id: string): Promise<boolean> {
  return isId(id) && (await db.run('delete from svc.sample_queries where lens = $1 and id = $2', [lens, id])) === 1;
}
