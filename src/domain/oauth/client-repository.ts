// Clients belong to no organization, because svc knows the client before the organization.
import type { ClientMetadata, OauthClient } from '../../contract/oauth.ts';
import type { StoredObject } from '../../platform/http/to-wire.ts';
import { addCamelCaseAliases } from '../../platform/tenancy/columns.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';

export interface OauthClientRow extends StoredObject<Pick<OauthClient, 'id' | 'kind' | 'created_at' | 'last_used_at'>> {
  metadata: ClientMetadata;
}
const CLIENT_COLUMNS = addCamelCaseAliases('client_id as id, kind, metadata, created_at, last_used_at');
const UNUSED_CLIENT_CONDITION = "last_used_at < now() - interval '30 days'";

export async function insertClient(tenancy: Tenancy, id: string, metadata: ClientMetadata): Promise<OauthClientRow> {
  await tenancy.queryGlobal(`delete from svc.oauth_clients where ${UNUSED_CLIENT_CONDITION}`);
  const rows = await tenancy.queryGlobal<OauthClientRow>(
    `insert into svc.oauth_clients (client_id, kind, metadata) values ($1, 'registered', $2) returning ${CLIENT_COLUMNS}`,
    [id, JSON.stringify(metadata)],
  );
  return rows[0]!;
}

export async function saveDocument(
  tenancy: Tenancy,
  id: string,
  metadata: ClientMetadata,
  seconds: number,
): Promise<OauthClientRow> {
  const rows = await tenancy.queryGlobal<OauthClientRow>(
    `insert into svc.oauth_clients (client_id, kind, metadata, fresh_until) values ($1, 'document', $2, now() + make_interval(secs => $3))
     on conflict (client_id) do update set metadata = excluded.metadata, fresh_until = excluded.fresh_until, last_used_at = now()
     returning ${CLIENT_COLUMNS}`,
    [id, JSON.stringify(metadata), seconds],
  );
  return rows[0]!;
}

export async function findAndTouchClient(tenancy: Tenancy, id: string): Promise<OauthClientRow | null> {
  const rows = await tenancy.queryGlobal<OauthClientRow>(
    `update svc.oauth_clients set last_used_at = now()
     where client_id = $1 and (kind = 'registered' or fresh_until > now()) and not (${UNUSED_CLIENT_CONDITION}) returning ${CLIENT_COLUMNS}`,
    [id],
  );
  return rows[0] ?? null;
}

export async function listClientRows(
  tenancy: Tenancy,
  page: RowPage & { onlyIds: readonly string[] | null; except?: readonly string[] },
): Promise<OauthClientRow[]> {
  return tenancy.queryGlobal<OauthClientRow>(
    `select ${CLIENT_COLUMNS} from svc.oauth_clients where ($2::text is null or client_id > $2) and ($3::text[] is null or client_id = any($3))
       and client_id <> all($4) order by client_id limit $1`,
    [page.limit, page.after, page.onlyIds, page.except ?? []],
  );
}

export async function deleteClientRow(tenancy: Tenancy, id: string): Promise<void> {
  await tenancy.queryGlobal('delete from svc.oauth_clients where client_id = $1', [id]);
}
