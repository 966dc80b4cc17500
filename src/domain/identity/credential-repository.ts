// svc stores a credential only as a hash. Revoking a credential is permanent.
import type { z } from 'zod';
import type { tokenSchema } from '../../contract/mgmt/identity.ts';
import type { StoredObject } from '../../platform/http/to-wire.ts';
import { createId } from '../../platform/ids.ts';
import { addCamelCaseAliases } from '../../platform/tenancy/columns.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';
import { mintToken, type TokenPrefix } from '../../platform/tokens.ts';

export type CredentialKind = 'caller_key' | 'admin_token' | 'oauth' | 'session';
const TOKEN_PREFIXES: Record<CredentialKind, TokenPrefix> = {
  caller_key: 'svc_',
  admin_token: 'svcadm_',
  oauth: 'svco_',
  session: 'svcsess_',
};

export interface NewCredential {
  kind: CredentialKind;
  callerId?: string | null;
  userId?: string | null;
  label?: string | null;
  createdBy?: string | null;
  expiresAt?: Date | null;
  /** The lifetime is measured by the database's clock, which also determines whether a credential has expired. */
  lifetimeMs?: number;
  idleMs?: number;
  oauthGrantId?: string | null;
}

export interface Credential extends StoredObject<z.infer<typeof tokenSchema>> {
  kind: CredentialKind;
  callerId: string | null;
  userId: string | null;
}

const CREDENTIAL_COLUMNS = addCamelCaseAliases(
  'id, kind, caller_id, user_id, prefix, last_four, label, created_by, created_at, expires_at, revoked_at, last_used_at',
);

/** The token is returned only once, because the database stores only its hash. */
export async function mintCredential(
  db: TenantClient,
  credential: NewCredential,
): Promise<Credential & { token: string }> {
  const mintedToken = mintToken(TOKEN_PREFIXES[credential.kind]);
  const row = await db.first<Credential>(
    `insert into svc.credentials (org_id, id, kind, caller_id, user_id, token_hash, prefix, last_four, label, created_by,
       expires_at, idle_expires_at, oauth_grant_id)
     values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10, coalesce($11::timestamptz, now() + $12::float8 * interval '1 ms'),
       now() + $13::float8 * interval '1 ms', $14) returning ${CREDENTIAL_COLUMNS}`,
    [
      db.orgId,
      createId(),
      credential.kind,
      credential.callerId ?? null,
      credential.userId ?? null,
      mintedToken.hash,
      mintedToken.prefix,
      mintedToken.lastFour,
      credential.label ?? null,
      credential.createdBy ?? null,
      credential.expiresAt ?? null,
      credential.lifetimeMs ?? null,
      credential.idleMs ?? null,
      credential.oauthGrantId ?? null,
    ],
  );
  return { ...row!, token: mintedToken.token };
}

export const listCredentials = (
  db: TenantClient,
  kind: CredentialKind,
  callerId: string | null = null,
): Promise<Credential[]> =>
  db.rows<Credential>(
    `select ${CREDENTIAL_COLUMNS} from svc.credentials where kind = $1 and ($2::uuid is null or caller_id = $2) order by created_at, id`,
    [kind, callerId],
  );

/** Null if no active credential matches the id and the filter. */
export const revokeCredential = (
  db: TenantClient,
  id: string,
  filter: { kind: CredentialKind; callerId?: string },
): Promise<Credential | null> =>
  db.first<Credential>(
    `update svc.credentials set revoked_at = now() where id = $1 and kind = $2 and ($3::uuid is null or caller_id = $3)
       and revoked_at is null returning ${CREDENTIAL_COLUMNS}`,
    [id, filter.kind, filter.callerId ?? null],
  );

export const revokeCredentials = (
  db: TenantClient,
  owner: { userId: string } | { oauthGrantIds: string[] },
): Promise<number> => {
  const [condition, value] =
    'userId' in owner
      ? [`kind = 'session' and user_id = $1`, owner.userId]
      : [`kind = 'oauth' and oauth_grant_id = any($1)`, owner.oauthGrantIds];
  return db.run(`update svc.credentials set revoked_at = now() where revoked_at is null and ${condition}`, [value]);
};

export async function expireCredentialWithin(db: TenantClient, id: string, seconds: number): Promise<void> {
  await db.run(
    `update svc.credentials set expires_at = least(expires_at, now() + make_interval(secs => $2)) where id = $1`,
    [id, seconds],
  );
}

/** Returns the ID of the key that the last rotation of `key` created. */
export async function findReplacementKey(db: TenantClient, key: Credential): Promise<string | null> {
  const rotation = await db.first<{ object_id: string }>(
    `select object_id from svc.audit_log
     where action = 'key.rotate' and before->>'key_id' = $1 and at >= $2 order by at desc limit 1`,
    [key.id, key.createdAt],
  );
  return rotation?.object_id ?? null;
}
