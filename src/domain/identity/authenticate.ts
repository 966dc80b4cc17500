// Authenticates a bearer token and returns its principal. One query reads the credential and its rights. svc caches the
// result for less than a second (CONTRACT 3: this replica refuses a revoked key at once, other replicas within a
// second).

import type { Role } from '../../contract/session.ts';
import { Problem } from '../../platform/problem.ts';
import { StaleWhileRevalidate } from '../../platform/stale-while-revalidate.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { parseToken } from '../../platform/tokens.ts';
import type { CredentialKind } from './credential-repository.ts';
import type { Principal } from './principal.ts';

const CACHE_MS = 800;
const DENIED_MESSAGE =
  'This credential is missing, unknown, expired or revoked. Send a valid one as Authorization: Bearer <token>.';

/**
 * Authenticates a bearer token that svc didn't issue, such as a demo identity's JWT. Returns null for an invalid token.
 */
export type ExternalAuthenticator = (token: string) => Promise<Principal | null>;

interface CredentialRow {
  id: string;
  kind: CredentialKind;
  org_id: string;
  org_name: string;
  label: string | null;
  caller_id: string | null;
  caller_name: string | null;
  groups: string[] | null;
  attributes: Record<string, string | number | boolean> | null;
  caller_kind: string | null;
  user_id: string | null;
  user_email: string | null;
  role: Role | null;
  usable: boolean;
  /** Whether the credential was unused for the last minute. */
  is_idle: boolean;
  lenses: string[] | null;
}

// A caller's grants are the union of all grants to the caller and to its groups.
const SELECT_PRINCIPAL = `
  select c.id, c.kind, c.org_id, o.name as org_name, c.label, k.id as caller_id, k.name as caller_name, k.groups, k.attributes,
    k.kind as caller_kind, u.id as user_id, u.email as user_email, u.role,
    (c.revoked_at is null and coalesce(c.expires_at > now(), true) and coalesce(c.idle_expires_at > now(), true)
      and k.disabled_at is null and u.disabled_at is null) as usable,
    (c.last_used_at is null or c.last_used_at < now() - interval '1 minute') as is_idle,
    (select array_agg(distinct g.lens order by g.lens) from svc.grants g
      where (g.subject_kind = 'caller' and g.subject = k.name) or (g.subject_kind = 'group' and g.subject = any(k.groups))) as lenses
  from svc.credentials c
  join svc.organizations o on o.id = c.org_id
  left join svc.users u on u.org_id = c.org_id and u.id = c.user_id
  left join svc.callers k on k.org_id = c.org_id and k.id = coalesce(c.caller_id, u.caller_id)
  where c.org_id = svc.current_org() and c.token_hash = decode($1, 'hex')`;

// Writes at most once a minute for each credential, because otherwise every request would cause a write.
const UPDATE_LAST_USED = `update svc.credentials set last_used_at = now(),
    idle_expires_at = case when idle_expires_at is null then null else now() + interval '12 hours' end
  where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`;

export class Authenticator {
  readonly #tenancy: Tenancy;
  readonly #foreignAuthenticator: ExternalAuthenticator;
  readonly #principals = new StaleWhileRevalidate<string, Principal>({ maxAgeMs: CACHE_MS, max: 10_000 });

  constructor(tenancy: Tenancy, foreign: ExternalAuthenticator = async () => null) {
    this.#tenancy = tenancy;
    this.#foreignAuthenticator = foreign;
  }

  /** Throws Problem `auth` with the same message for every fault of the token. */
  authenticate(token: string): Promise<Principal> {
    const parsedToken = parseToken(token);
    if (!parsedToken) return this.#authenticateForeign(token);
    const tokenHash = parsedToken.hash.toString('hex');
    return this.#principals.get(tokenHash, () => this.#read(tokenHash));
  }

  /** Call this method after any change to credentials, callers, users or grants on this replica. */
  forgetAll(): void {
    this.#principals.forgetAll();
  }

  async #authenticateForeign(token: string): Promise<Principal> {
    const principal = token.includes('.') ? await this.#foreignAuthenticator(token) : null;
    if (!principal) throw new Problem('auth', DENIED_MESSAGE);
    return principal;
  }

  async #read(hash: string): Promise<Principal> {
    const { rows } = await this.#tenancy.queryByPresentedHash<CredentialRow>(hash, {
      name: 'principal',
      text: SELECT_PRINCIPAL,
      values: [hash],
    });
    const row = rows[0];
    if (!row?.usable) throw new Problem('auth', DENIED_MESSAGE);
    if (row.is_idle) await this.#tenancy.inTenant(row.org_id, (db) => db.run(UPDATE_LAST_USED, [row.id]));
    return principalOf(row);
  }
}

function principalOf(row: CredentialRow): Principal {
  const principalKind = row.kind === 'admin_token' ? 'admin' : row.kind === 'session' ? 'user' : 'caller';
  return {
    orgId: row.org_id,
    orgName: row.org_name,
    kind: principalKind,
    credentialKind: row.kind,
    credentialId: row.id,
    callerId: row.caller_id,
    userId: row.user_id,
    name: row.user_email ?? row.caller_name ?? row.label ?? 'admin',
    role: row.role,
    groups: row.groups ?? [],
    attributes: row.attributes ?? {},
    lenses: row.lenses ?? [],
    demo: row.caller_kind === 'demo',
  };
}
