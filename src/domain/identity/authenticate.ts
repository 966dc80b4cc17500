// Rights are cached for less than a second. This replica refuses a revoked key at once, and others within a second.

import { Problem } from '../../platform/problem.ts';
import { StaleWhileRevalidate } from '../../platform/stale-while-revalidate.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { parseToken } from '../../platform/tokens.ts';
import type { Principal } from './principal.ts';

const PRINCIPAL_CACHE_MS = 800;
const DENIED_MESSAGE =
  'This credential is missing, unknown, expired or revoked. Send a valid one as Authorization: Bearer <token>.';

/** For a bearer token that svc didn't issue, such as a demo identity's JWT. Returns null for an invalid token. */
export type ExternalAuthenticator = (token: string) => Promise<Principal | null>;

interface PrincipalRow extends Principal {
  credentialId: string;
  usable: boolean;
  /** The credential has been unused for the last minute. */
  isIdle: boolean;
}

// A caller's grants are the union of all grants to the caller and to its groups.
const SELECT_PRINCIPAL = `
  select c.org_id as "orgId", o.name as "orgName", c.kind as "credentialKind", c.id as "credentialId", k.id as "callerId",
    case c.kind when 'admin_token' then 'admin' when 'session' then 'user' else 'caller' end as kind, u.id as "userId", u.role,
    coalesce(u.email, k.name, c.label, 'admin') as name, coalesce(k.groups, '{}') as groups,
    coalesce(k.attributes, '{}') as attributes, coalesce(k.kind = 'demo', false) as demo,
    (c.revoked_at is null and coalesce(c.expires_at > now(), true) and coalesce(c.idle_expires_at > now(), true)
      and k.disabled_at is null and u.disabled_at is null) as usable,
    (c.last_used_at is null or c.last_used_at < now() - interval '1 minute') as "isIdle",
    array(select distinct g.lens from svc.grants g
      where (g.subject_kind = 'caller' and g.subject = k.name) or (g.subject_kind = 'group' and g.subject = any(k.groups))
      order by g.lens) as lenses
  from svc.credentials c
  join svc.organizations o on o.id = c.org_id
  left join svc.users u on u.org_id = c.org_id and u.id = c.user_id
  left join svc.callers k on k.org_id = c.org_id and k.id = coalesce(c.caller_id, u.caller_id)
  where c.org_id = svc.current_org() and c.token_hash = decode($1, 'hex')`;

// Writes at most once a minute for each credential. Otherwise, every request would cause a write.
const UPDATE_LAST_USED = `update svc.credentials set last_used_at = now(),
    idle_expires_at = case when idle_expires_at is null then null else now() + interval '12 hours' end
  where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`;

export class Authenticator {
  readonly #tenancy: Tenancy;
  readonly #externalAuthenticator: ExternalAuthenticator;
  readonly #principals = new StaleWhileRevalidate<string, Principal>({ maxAgeMs: PRINCIPAL_CACHE_MS, max: 10_000 });

  constructor(tenancy: Tenancy, externalAuthenticator: ExternalAuthenticator = async () => null) {
    this.#tenancy = tenancy;
    this.#externalAuthenticator = externalAuthenticator;
  }

  /** Throws Problem `auth` with the same message for every invalid token. */
  authenticate(token: string): Promise<Principal> {
    const parsedToken = parseToken(token);
    if (!parsedToken) return this.#authenticateExternal(token);
    const tokenHash = parsedToken.hash.toString('hex');
    return this.#principals.get(tokenHash, () => this.#read(tokenHash));
  }

  /** Call this method after any change to credentials, callers, users or grants on this replica. */
  forgetAll(): void {
    this.#principals.forgetAll();
  }

  async #authenticateExternal(token: string): Promise<Principal> {
    const principal = token.includes('.') ? await this.#externalAuthenticator(token) : null;
    if (!principal) throw new Problem('auth', DENIED_MESSAGE);
    return principal;
  }

  async #read(hash: string): Promise<Principal> {
    const { rows } = await this.#tenancy.queryByPresentedHash<PrincipalRow>(hash, {
      name: 'principal',
      text: SELECT_PRINCIPAL,
      values: [hash],
    });
    if (!rows[0]?.usable) throw new Problem('auth', DENIED_MESSAGE);
    const { usable: _usable, isIdle, ...principal } = rows[0];
    if (isIdle)
      await this.#tenancy.inTenant(principal.orgId, (db) => db.run(UPDATE_LAST_USED, [principal.credentialId]));
    return principal;
  }
}
