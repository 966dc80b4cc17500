// A grant records what one person allowed one client to do. Ending a grant also ends its codes and tokens.
import type { OauthGrant } from '../../contract/oauth.ts';
import type { StoredObject } from '../../platform/http/to-wire.ts';
import { createId } from '../../platform/ids.ts';
import { addCamelCaseAliases } from '../../platform/tenancy/columns.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';
import { revokeCredentials } from '../identity/credential-repository.ts';

export interface OauthGrantRow extends StoredObject<Omit<OauthGrant, 'status'>> {
  callerId: string;
  userId: string | null;
  redirectUri: string;
  codeChallenge: string;
  isCodeValid: boolean;
  isCodeUsed: boolean;
  revokedAt: Date | null;
  /** Whether the grant, the caller and the account are all still valid. */
  isValid: boolean;
}

const GRANT_COLUMNS = addCamelCaseAliases(
  'g.id, g.client_id, g.client_name, g.caller_id, g.user_id, g.scope, g.resource, g.redirect_uri, g.code_challenge, g.created_at, g.expires_at, g.last_used_at, g.revoked_at, g.revoked_because',
);
const SELECT_GRANTS = `select ${GRANT_COLUMNS}, c.name as caller, u.email as "user",
    g.code_expires_at > now() as "isCodeValid", g.code_used_at is not null as "isCodeUsed",
    (g.revoked_at is null and g.expires_at > now() and c.disabled_at is null and u.disabled_at is null) as "isValid"
  from svc.oauth_grants g join svc.callers c on c.org_id = g.org_id and c.id = g.caller_id
  left join svc.users u on u.org_id = g.org_id and u.id = g.user_id`;

export interface NewOauthGrant
  extends Pick<
    OauthGrantRow,
    'clientId' | 'clientName' | 'callerId' | 'userId' | 'scope' | 'resource' | 'redirectUri' | 'codeChallenge'
  > {
  codeHash: Buffer;
  ticket: string;
}

/** Null if this consent form was already submitted. */
export const insertGrant = async (db: TenantClient, grant: NewOauthGrant): Promise<string | null> => {
  const id = createId();
  const insertedCount = await db.run(
    `insert into svc.oauth_grants (org_id, id, client_id, client_name, caller_id, user_id, scope, resource, redirect_uri,
       code_challenge, code_hash, ticket, code_expires_at, expires_at)
     values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12, now() + interval '60 seconds', now() + interval '90 days')
     on conflict (org_id, ticket) do nothing`,
    [
      db.orgId,
      id,
      grant.clientId,
      grant.clientName,
      grant.callerId,
      grant.userId,
      grant.scope,
      grant.resource,
      grant.redirectUri,
      grant.codeChallenge,
      grant.codeHash,
      grant.ticket,
    ],
  );
  return insertedCount === 1 ? id : null;
};

/** Locks the grant until the transaction ends, so that only one of several simultaneous exchanges succeeds. */
export const lockGrantByCode = (db: TenantClient, codeHash: Buffer): Promise<OauthGrantRow | null> =>
  db.first<OauthGrantRow>(`${SELECT_GRANTS} where g.code_hash = $1 for update of g`, [codeHash]);

export const lockGrant = (db: TenantClient, id: string): Promise<OauthGrantRow | null> =>
  db.first<OauthGrantRow>(`${SELECT_GRANTS} where g.id = $1 for update of g`, [id]);

export async function markCodeUsed(db: TenantClient, id: string): Promise<void> {
  await db.run('update svc.oauth_grants set code_used_at = now(), last_used_at = now() where id = $1', [id]);
}

export const listGrantRows = (db: TenantClient, page: RowPage): Promise<OauthGrantRow[]> =>
  db.rows<OauthGrantRow>(
    `${SELECT_GRANTS} where g.code_used_at is not null and ($2::uuid is null or g.id < $2) order by g.id desc limit $1`,
    [page.limit, page.after],
  );

/** The person who consented: a local account, or a visitor of the public demo, identified by the visitor's caller. */
export interface GrantOwner {
  userId: string | null;
  callerId: string | null;
}

/** The newest grant comes first. */
export const listOwnGrants = (db: TenantClient, { userId, callerId }: GrantOwner): Promise<OauthGrantRow[]> =>
  db.rows<OauthGrantRow>(
    `${SELECT_GRANTS} where g.code_used_at is not null and g.revoked_at is null and g.expires_at > now()
       and case when $1::uuid is null then g.user_id is null and g.caller_id = $2 else g.user_id = $1 end
     order by g.id desc limit 500`,
    [userId, callerId],
  );

/** Returns false if no such grant exists or it was already revoked. */
export const revokeGrantRow = async (db: TenantClient, id: string, reason: string): Promise<boolean> =>
  (await revokeGrantsWhere(db, 'id::text = $1', id, reason)) === 1;

export const revokeGrantsOfUser = (db: TenantClient, userId: string, reason: string): Promise<number> =>
  revokeGrantsWhere(db, 'user_id::text = $1', userId, reason);

export const revokeGrantsOfClient = (db: TenantClient, clientId: string, reason: string): Promise<number> =>
  revokeGrantsWhere(db, 'client_id = $1', clientId, reason);

/** Locks the grants in a fixed order, so that simultaneous revocations can't deadlock. */
async function revokeGrantsWhere(db: TenantClient, condition: string, value: string, reason: string): Promise<number> {
  const rows = await db.rows<{ id: string }>(
    `update svc.oauth_grants set revoked_at = now(), revoked_because = $2 where id in
       (select id from svc.oauth_grants where ${condition} and revoked_at is null order by id for update) returning id`,
    [value, reason],
  );
  await revokeCredentials(db, { oauthGrantIds: rows.map(({ id }) => id) });
  return rows.length;
}
