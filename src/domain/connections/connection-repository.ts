// The caller must encrypt the secrets of a connection before storing the connection.
import type { z } from 'zod';
import type { connectionViewSchema } from '../../contract/mgmt/connections.ts';
import type { StoredObject } from '../../platform/http/to-wire.ts';
import { createId, isId } from '../../platform/ids.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';

export interface ConnectionRow extends StoredObject<Omit<z.infer<typeof connectionViewSchema>, 'stuck_statements'>> {
  fromOperator: boolean;
}
const SELECT_CONNECTIONS = `select c.id, c.name, c.kind, c.config, c.origin, c.from_operator as "fromOperator", c.revision, c.created_at as "createdAt",
    c.updated_at as "updatedAt",
    coalesce((select array_agg(l.name order by l.name) from svc.lenses l join svc.lens_versions v on v.lens_id = l.id and v.version = l.active_version
      where v.compiled->>'connection' = c.name), '{}') as "usedBy"
  from svc.connections c where c.active`;

export const findConnection = (db: TenantClient, idOrName: string): Promise<ConnectionRow | null> =>
  db.first<ConnectionRow>(`${SELECT_CONNECTIONS} and ${isId(idOrName) ? 'c.id = $1::uuid' : 'c.name = $1'}`, [
    idOrName,
  ]);

export const listConnections = (db: TenantClient, page: RowPage): Promise<ConnectionRow[]> =>
  db.rows<ConnectionRow>(`${SELECT_CONNECTIONS} and ($2::text is null or c.name > $2) order by c.name limit $1`, [
    page.limit,
    page.after,
  ]);

/** The name of a removed connection can be reused. Returns false if the name is in use. */
export const insertConnection = async (
  db: TenantClient,
  connection: { name: string; kind: string; config: Record<string, unknown> },
): Promise<boolean> =>
  (await db.run(
    `insert into svc.connections (org_id, id, name, kind, config, origin) values ($1, $2, $3, $4, $5, 'api')
     on conflict (org_id, name) do update set kind = excluded.kind, config = excluded.config, origin = 'api', active = true,
       from_operator = false, revision = svc.connections.revision + 1, updated_at = now() where not svc.connections.active`,
    [db.orgId, createId(), connection.name, connection.kind, JSON.stringify(connection.config)],
  )) === 1;

export async function updateConnection(
  db: TenantClient,
  id: string,
  connection: { kind: string; config: Record<string, unknown> },
): Promise<void> {
  await db.run(
    'update svc.connections set kind = $2, config = $3, revision = revision + 1, updated_at = now() where id = $1',
    [id, connection.kind, JSON.stringify(connection.config)],
  );
}

export async function deleteConnection(db: TenantClient, id: string): Promise<void> {
  await db.run('delete from svc.connections where id = $1', [id]);
}
