// The first organization, admin token and caller of an installation: what `svc bootstrap`, `svc key create` and the
// embedded start make before anybody can ask for it over HTTP.

import { Problem } from '../../platform/problem.ts';
import type { Tenancy } from '../../platform/tenant.ts';
import { createCaller, findCaller, setCallerGrants } from './caller-repository.ts';
import { mintCredential } from './credential-repository.ts';

export async function findOrganization(
  tenancy: Tenancy,
  nameOrId: string,
): Promise<{ id: string; name: string } | null> {
  const rows = await tenancy.global<{ id: string; name: string }>(
    'select id, name from svc.organizations where name = $1 or id::text = $1',
    [nameOrId],
  );
  return rows[0] ?? null;
}

export async function getOrganization(tenancy: Tenancy, nameOrId: string): Promise<{ id: string; name: string }> {
  const found = await findOrganization(tenancy, nameOrId);
  if (!found)
    throw new Problem(
      'not_found',
      `There is no organization “${nameOrId}”. Make it with: svc bootstrap --org ${nameOrId}`,
    );
  return found;
}

export async function mintAdminToken(tenancy: Tenancy, orgId: string, label: string): Promise<string> {
  const { token } = await tenancy.inTenant(orgId, (db) =>
    mintCredential(db, { kind: 'admin_token', label, createdBy: 'bootstrap' }),
  );
  return token;
}

/** The caller is made when new; `lenses` replace what it was granted by API. */
export async function mintCallerKey(
  tenancy: Tenancy,
  orgId: string,
  name: string,
  lenses: string[] | null,
): Promise<string> {
  return tenancy.inTenant(orgId, async (db) => {
    const caller = (await findCaller(db, { name })) ?? (await createCaller(db, { name }));
    if (lenses) await setCallerGrants(db, name, lenses);
    const { token } = await mintCredential(db, { kind: 'caller_key', callerId: caller.id, createdBy: 'bootstrap' });
    return token;
  });
}

export async function grantLenses(tenancy: Tenancy, orgId: string, caller: string, lenses: string[]): Promise<void> {
  await tenancy.inTenant(orgId, (db) => setCallerGrants(db, caller, lenses));
}
