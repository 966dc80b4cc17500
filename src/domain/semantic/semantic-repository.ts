import type { z } from 'zod';
import type { entitySchema } from '../../contract/mgmt/semantic.ts';
import type { StoredObject } from '../../platform/http/to-wire.ts';
import { createId, isId } from '../../platform/ids.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';

export interface SemanticRow extends StoredObject<Omit<z.infer<typeof entitySchema>, 'entity' | 'used_by' | 'etag'>> {
  kind: 'entity' | 'definition';
  body: Record<string, unknown>;
}
const SEMANTIC_COLUMNS = `id, kind, name, body, origin, created_at as "createdAt", updated_at as "updatedAt"`;

export const listSemanticObjects = (
  db: TenantClient,
  kind: SemanticRow['kind'],
  page: RowPage,
): Promise<SemanticRow[]> =>
  db.rows<SemanticRow>(
    `select ${SEMANTIC_COLUMNS} from svc.semantic_objects where kind = $1 and ($3::text is null or name > $3) order by name limit $2`,
    [kind, page.limit, page.after],
  );

export const findSemanticObject = (
  db: TenantClient,
  kind: SemanticRow['kind'],
  idOrName: string,
): Promise<SemanticRow | null> =>
  db.first<SemanticRow>(
    `select ${SEMANTIC_COLUMNS} from svc.semantic_objects where kind = $1 and ${isId(idOrName) ? 'id = $2::uuid' : 'name = $2'}`,
    [kind, idOrName],
  );

export const insertSemanticObject = (
  db: TenantClient,
  kind: SemanticRow['kind'],
  name: string,
  body: object,
): Promise<SemanticRow | null> =>
  db.first<SemanticRow>(
    `insert into svc.semantic_objects (org_id, id, kind, name, body, origin) values ($1,$2,$3,$4,$5,'api') on conflict do nothing returning ${SEMANTIC_COLUMNS}`,
    [db.orgId, createId(), kind, name, JSON.stringify(body)],
  );

export const updateSemanticObject = async (db: TenantClient, id: string, body: object): Promise<SemanticRow> =>
  (await db.first<SemanticRow>(
    `update svc.semantic_objects set body = $2, updated_at = now() where id = $1 returning ${SEMANTIC_COLUMNS}`,
    [id, JSON.stringify(body)],
  ))!;

export async function deleteSemanticObject(db: TenantClient, id: string): Promise<void> {
  await db.run('delete from svc.semantic_objects where id = $1', [id]);
}
/** Older versions of svc stored definitions without their term. */
export async function listAllSemanticObjects(db: TenantClient): Promise<SemanticRow[]> {
  const rows = await db.rows<SemanticRow>(`select ${SEMANTIC_COLUMNS} from svc.semantic_objects order by kind, name`);
  return rows.map((row) => (row.kind === 'definition' ? { ...row, body: { term: row.name, ...row.body } } : row));
}
export interface LensText {
  name: string;
  origin: 'file' | 'api';
  text: string;
  terms: string[];
}
export const readLiveLensFiles = (db: TenantClient): Promise<LensText[]> =>
  db.rows<LensText>(
    `select l.name, l.origin, coalesce(v.files->>'lens.yaml', '') as text,
       coalesce((select array_agg(d->>'term') from jsonb_array_elements(v.compiled->'definitions') d), '{}') as terms
     from svc.lenses l join svc.lens_versions v on v.lens_id = l.id and v.version = l.active_version order by l.name`,
  );
