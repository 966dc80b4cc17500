// If a code or refresh token is used twice, svc assumes that it was stolen and ends its grant with all tokens.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isId } from '../../platform/ids.ts';
import { insertRows } from '../../platform/tenancy/insert-rows.ts';
import type { Tenancy, TenantClient } from '../../platform/tenancy/tenant.ts';
import { hashToken, parseToken } from '../../platform/tokens.ts';
import { type Actor, recordAudit } from '../audit/audit-log.ts';
import type { Authenticator } from '../identity/authenticate.ts';
import { mintCredential } from '../identity/credential-repository.ts';
import { findAndTouchClient } from './client-repository.ts';
import {
  insertGrant,
  lockGrant,
  lockGrantByCode,
  markCodeUsed,
  type NewOauthGrant,
  type OauthGrantRow,
  revokeGrantRow,
} from './grant-repository.ts';
import { OauthFault } from './oauth-fault.ts';

export const ACCESS_TOKEN_SECONDS = 3_600; // the contract requires one hour
const CODE_PREFIX = 'svcac_';
const REFRESH_TOKEN_PREFIX = 'svcrt_';

export interface TokenDeps {
  tenancy: Tenancy;
  authenticator: Pick<Authenticator, 'forgetAll'>;
}
export interface TokenReply {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  refresh_token: string;
  scope: string;
}

/** Null if this consent form was already submitted. */
export async function issueCode(
  deps: TokenDeps,
  actor: Actor,
  consent: Omit<NewOauthGrant, 'codeHash'>,
): Promise<string | null> {
  const code = mintOpaqueToken(CODE_PREFIX, actor.orgId);
  return deps.tenancy.inTenant(actor.orgId, async (db) => {
    const grantId = await insertGrant(db, { ...consent, codeHash: code.hash });
    if (grantId === null) return null;
    const after = { client_id: consent.clientId, client_name: consent.clientName, scope: consent.scope };
    await recordAudit(db, actor, { action: 'oauth_grant.create', objectId: grantId, after });
    return code.text;
  });
}

const createInvalidGrantFault = (reason: string) => new OauthFault('invalid_grant', reason);

export async function exchangeCode(
  deps: TokenDeps,
  request: {
    code: string;
    clientId: string;
    redirectUri: string | undefined;
    verifier: string;
    resource: string | undefined;
  },
): Promise<TokenReply> {
  const code = parseOpaqueToken(CODE_PREFIX, request.code);
  if (!code) throw createInvalidGrantFault('The code is unknown.');
  const result = await deps.tenancy.inTenant(code.orgId, async (db) => {
    const grant = await lockGrantByCode(db, code.hash);
    if (!grant) return createInvalidGrantFault('The code is unknown.');
    if (grant.isCodeUsed) {
      await revokeGrantRow(db, grant.id, 'its code was used twice');
      return createInvalidGrantFault('The code was already used. All tokens from it are revoked.');
    }
    const fault = findExchangeFault(grant, request);
    if (fault) return fault;
    await markCodeUsed(db, grant.id);
    return issueTokens(db, grant);
  });
  return forgetTokensAndThrowIfFault(deps, result);
}

function findExchangeFault(grant: OauthGrantRow, request: Parameters<typeof exchangeCode>[1]): OauthFault | null {
  if (grant.clientId !== request.clientId) return createInvalidGrantFault('The code belongs to another client.');
  if (!grant.isCodeValid) return createInvalidGrantFault('The code has expired. Start again.');
  if (!grant.isValid) return createInvalidGrantFault('The grant was revoked.');
  if (grant.redirectUri !== request.redirectUri)
    return createInvalidGrantFault('redirect_uri differs from the authorization request.');
  if (request.resource !== undefined && request.resource !== grant.resource)
    return new OauthFault('invalid_target', 'resource differs from the granted resource.');
  const challenge = createHash('sha256').update(request.verifier).digest('base64url');
  const [a, b] = [Buffer.from(challenge), Buffer.from(grant.codeChallenge)];
  return a.length === b.length && timingSafeEqual(a, b)
    ? null
    : createInvalidGrantFault('code_verifier does not match the code_challenge.');
}

export async function refreshTokens(
  deps: TokenDeps,
  request: { refreshToken: string; clientId: string; resource: string | undefined },
): Promise<TokenReply> {
  const token = parseOpaqueToken(REFRESH_TOKEN_PREFIX, request.refreshToken);
  if (!token) throw createInvalidGrantFault('The refresh token is unknown.');
  const result = await deps.tenancy.inTenant(token.orgId, async (db) => {
    const row = await db.first<{ grant_id: string; isUsed: boolean }>(
      'select grant_id, used_at is not null as "isUsed" from svc.oauth_refresh_tokens where token_hash = $1 for update',
      [token.hash],
    );
    const grant = row ? await lockGrant(db, row.grant_id) : null;
    if (!row || !grant || grant.clientId !== request.clientId)
      return createInvalidGrantFault('The refresh token is unknown.');
    if (row.isUsed) {
      await revokeGrantRow(db, grant.id, 'its refresh token was used twice');
      return createInvalidGrantFault(
        'The refresh token was already used. The grant is revoked. Ask for consent again.',
      );
    }
    if (!grant.isValid) return createInvalidGrantFault('The grant was revoked or has expired.');
    if (request.resource !== undefined && request.resource !== grant.resource)
      return new OauthFault('invalid_target', 'resource differs from the granted resource.');
    await db.run('update svc.oauth_refresh_tokens set used_at = now() where token_hash = $1', [token.hash]);
    await db.run('update svc.oauth_grants set last_used_at = now() where id = $1', [grant.id]);
    return issueTokens(db, grant);
  });
  // Marks the client as used, so that its registration doesn't expire.
  await findAndTouchClient(deps.tenancy, request.clientId);
  return forgetTokensAndThrowIfFault(deps, result);
}

/** Ends the whole grant of an access or refresh token (RFC 7009). An unknown token isn't an error. */
export async function revokeToken(deps: TokenDeps, text: string, clientId: string | undefined): Promise<void> {
  const accessToken = parseToken(text);
  const refreshToken = parseOpaqueToken(REFRESH_TOKEN_PREFIX, text);
  const orgId =
    accessToken?.prefix === 'svco_' ? await findOrgOfToken(deps.tenancy, accessToken.hash) : refreshToken?.orgId;
  if (!orgId) return;
  await deps.tenancy.inTenant(orgId, async (db) => {
    const grant = await db.first<{ id: string; client_id: string }>(
      `select id, client_id from svc.oauth_grants where id = (
         select oauth_grant_id from svc.credentials where token_hash = $1 union select grant_id from svc.oauth_refresh_tokens where token_hash = $1)`,
      [refreshToken?.hash ?? accessToken!.hash],
    );
    if (grant && (clientId === undefined || clientId === grant.client_id))
      await revokeGrantRow(db, grant.id, 'the client revoked it');
  });
  deps.authenticator.forgetAll();
}

function findOrgOfToken(tenancy: Tenancy, hash: Buffer): Promise<string | undefined> {
  return tenancy.withPresentedHash(hash.toString('hex'), async (client) => {
    const { rows } = await client.query<{ org_id: string }>(
      'select org_id from svc.credentials where token_hash = $1',
      [hash],
    );
    return rows[0]?.org_id;
  });
}

async function issueTokens(db: TenantClient, grant: OauthGrantRow): Promise<TokenReply> {
  const accessToken = await mintCredential(db, {
    kind: 'oauth',
    callerId: grant.callerId,
    label: grant.clientName,
    createdBy: `oauth:${grant.clientId}`,
    lifetimeMs: ACCESS_TOKEN_SECONDS * 1000,
    oauthGrantId: grant.id,
  });
  const refreshToken = mintOpaqueToken(REFRESH_TOKEN_PREFIX, db.orgId);
  await insertRows(db, 'oauth_refresh_tokens', [
    { token_hash: `\\x${refreshToken.hash.toString('hex')}`, grant_id: grant.id },
  ]);
  return {
    access_token: accessToken.token,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    refresh_token: refreshToken.text,
    scope: grant.scope,
  };
}

/** Throws after the transaction, because an error inside the transaction would roll back the revocation. */
function forgetTokensAndThrowIfFault(deps: TokenDeps, result: TokenReply | OauthFault): TokenReply {
  if (!(result instanceof OauthFault)) return result;
  deps.authenticator.forgetAll();
  throw result;
}

/** A code or refresh token contains the id of the organization and 192 random bits. svc stores only its hash. */
function mintOpaqueToken(prefix: string, orgId: string): { text: string; hash: Buffer } {
  const bytes = Buffer.concat([Buffer.from(orgId.replaceAll('-', ''), 'hex'), randomBytes(24)]);
  const text = prefix + bytes.toString('base64url');
  return { text, hash: hashToken(text) };
}

function parseOpaqueToken(prefix: string, text: string): { orgId: string; hash: Buffer } | null {
  if (!text.startsWith(prefix) || text.length > 100) return null;
  const bytes = Buffer.from(text.slice(prefix.length), 'base64url');
  if (bytes.length !== 40) return null;
  const orgId = bytes
    .subarray(0, 16)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return isId(orgId) ? { orgId, hash: hashToken(text) } : null;
}
