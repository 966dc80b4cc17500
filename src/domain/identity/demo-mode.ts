// A person who signs in to the public demo becomes a caller with at most one active key. Issuer and subject identify
// the person, and the email address is only the caller's name.
import { createHash } from 'node:crypto';
import { Problem } from '../../platform/problem.ts';
import { countAttempt } from '../../platform/tenancy/attempts.ts';
import type { Tenancy, TenantClient } from '../../platform/tenancy/tenant.ts';
import type { Authenticator } from './authenticate.ts';
import { getOrganization } from './bootstrap.ts';
import { type Caller, createCaller, findCaller } from './caller-repository.ts';
import { mintCredential } from './credential-repository.ts';
import { addGrants, listLensesOfCaller } from './grant-repository.ts';
import type { OidcIdentity, OidcProvider } from './oidc-provider.ts';
import type { Principal } from './principal.ts';

const DEMO_GROUP = 'demo';
const DEMO_KEY_LABEL = 'svc:demo'; // the unique index that limits a caller to one active key uses this label

export const MISSING_DEMO_ORGANIZATION_MESSAGE =
  'SVC_DEMO_ORG_ID names no organization. Create the organization with: npx svc bootstrap --org NAME';

export interface DemoSettings {
  organization: string;
  lenses: string[];
  expiresInDays: number;
  mintsPerHour: number;
}

export class DemoMode {
  readonly #tenancy: Tenancy;
  readonly #settings: DemoSettings;
  readonly provider: OidcProvider | null;
  #org: Promise<{ id: string; name: string }> | null = null;

  constructor(tenancy: Tenancy, settings: DemoSettings, provider: OidcProvider | null) {
    this.#tenancy = tenancy;
    this.#settings = settings;
    this.provider = provider;
  }

  /** Lets the Authenticator accept a verified token of the provider as a bearer token. */
  async authenticate(token: string): Promise<Principal | null> {
    const identity = await this.provider?.verify(token);
    return identity && identity.emailVerified !== false ? this.findPrincipal(identity) : null;
  }

  async findPrincipal(identity: OidcIdentity): Promise<Principal | null> {
    const org = await this.#getOrganization();
    return this.#tenancy.inTenant(org.id, async (db) => {
      const caller = await this.#findOrCreateCaller(db, identity);
      if (caller.disabledAt) return null;
      const lenses = await listLensesOfCaller(db, caller);
      return {
        orgId: org.id,
        orgName: org.name,
        kind: 'caller',
        credentialKind: 'demo',
        credentialId: null,
        callerId: caller.id,
        userId: null,
        name: caller.name,
        role: null,
        groups: caller.groups,
        attributes: caller.attributes,
        lenses,
        demo: true,
      };
    });
  }

  /** Revokes the person's key before creating the next one, so that simultaneous requests leave one key. */
  async mintKey(
    principal: Principal,
    address: string,
    authenticator: Pick<Authenticator, 'forgetAll'>,
  ): Promise<{ key: string; expiresInDays: number }> {
    const { mintsPerHour, expiresInDays } = this.#settings;
    const budget = { kind: 'demo key', source: address, limit: mintsPerHour, windowSeconds: 3_600 };
    await countAttempt(this.#tenancy, [budget], 'Too many keys were created from your network. Try again later.');
    const mintedKey = await this.#tenancy.inTenant(principal.orgId, async (db) => {
      await db.run('select id from svc.callers where id = $1 for update', [principal.callerId]);
      await db.run(
        `update svc.credentials set revoked_at = now() where kind = 'caller_key' and caller_id = $1 and created_by = $2 and revoked_at is null`,
        [principal.callerId, DEMO_KEY_LABEL],
      );
      return mintCredential(db, {
        kind: 'caller_key',
        callerId: principal.callerId,
        label: 'demo',
        createdBy: DEMO_KEY_LABEL,
        lifetimeMs: expiresInDays * 86_400_000,
      });
    });
    authenticator.forgetAll();
    return { key: mintedKey.token, expiresInDays };
  }

  /** The embedded start creates the organization later, so svc looks for it at the first use. */
  #getOrganization(): Promise<{ id: string; name: string }> {
    this.#org ??= getOrganization(this.#tenancy, this.#settings.organization)
      .then(async (org) => {
        const { lenses } = this.#settings;
        await this.#tenancy.inTenant(org.id, async (db) => {
          await db.run(`delete from svc.grants where origin = 'demo' and lens <> all($1)`, [lenses]);
          await addGrants(db, 'demo', lenses, { groups: [DEMO_GROUP] });
        });
        return org;
      })
      .catch((cause: unknown) => {
        this.#org = null;
        if (cause instanceof Problem && cause.code === 'unreachable') throw cause;
        throw new Problem('unreachable', 'The demo is not set up yet. Try again later.', { cause });
      });
    return this.#org;
  }

  async #findOrCreateCaller(db: TenantClient, identity: OidcIdentity): Promise<Caller> {
    const externalSubject = `${identity.issuer} ${identity.subject}`;
    const linkedCaller = await findCaller(db, { externalSubject });
    if (linkedCaller) return linkedCaller;
    const subjectHash = createHash('sha256').update(externalSubject).digest('hex').slice(0, 8);
    const name = identity.email ?? `visitor ${subjectHash}`;
    // If a person signs in twice at once, the lock makes the second sign-in find the caller that the first one created.
    await db.run('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`demo caller ${db.orgId}`]);
    const caller = await findCaller(db, { externalSubject });
    if (caller) return caller;
    const existingCaller = await findCaller(db, { name });
    const callerName = existingCaller ? `${name} (${subjectHash})` : name;
    return createCaller(db, {
      name: callerName,
      email: identity.email,
      groups: [DEMO_GROUP],
      kind: 'demo',
      externalSubject,
    });
  }
}
