// Creates the first organization, admin token and caller of an installation, for `svc bootstrap`, `svc key create` and
// the embedded start.

import { Problem } from '../../platform/problem.ts';
import type { Tenancy, TenantClient } from '../../platform/tenancy/tenant.ts';
import { recordAudit } from '../audit/audited.ts';
import { addCallerGrants, createCaller, findCaller } from './caller-repository.ts';
import { mintCredential } from './credential-repository.ts';
import { listLensNames } from './grant-repository.ts';

export async function findOrganization(
  tenancy: Tenancy,
  nameOrId: string,
): Promise<{ id: string; name: string } | null> {
  const rows = await tenancy.queryGlobal<{ id: string; name: string }>(
    'select id, name from svc.organizations where name = $1 or id::text = $1',
    [nameOrId],
  );
  return rows[0] ?? null;
}

export async function getOrganization(tenancy: Tenancy, nameOrId: string): Promise<{ id: string; name: string }> {
  const organization = await findOrganization(tenancy, nameOrId);
  if (!organization)
    throw new Problem(
      'not_found',
      `There is no organization “${nameOrId}”. Create it with: npx svc bootstrap --org ${nameOrId}`,
    );
  return organization;
}

export function mintAdminToken(tenancy: Tenancy, orgId: string, label: string): Promise<string> {
  return tenancy.inTenant(orgId, async (db) => {
    const { id, token, lastFour } = await mintCredential(db, {
      kind: 'admin_token',
      label,
      createdBy: BOOTSTRAP_ACTOR,
    });
    await auditMintedCredential(db, 'token.create', { id, after: { label, last_four: lastFour } });
    return token;
  });
}

/** Creates the caller if it doesn't exist. Adds `lenses` to the caller's API grants. */
export function mintCallerKey(
  tenancy: Tenancy,
  orgId: string,
  name: string,
  lenses: string[],
): Promise<{ key: string; unknownLenses: string[]; lensNames: string[] }> {
  return tenancy.inTenant(orgId, async (db) => {
    const caller = (await findCaller(db, { name })) ?? (await createCaller(db, { name }));
    if (caller.disabledAt)
      throw new Problem('conflict', `Caller "${name}" is disabled. Enable it before you create a key.`);
    await addCallerGrants(db, name, lenses);
    const { id, token, lastFour } = await mintCredential(db, {
      ...{ kind: 'caller_key', callerId: caller.id, createdBy: BOOTSTRAP_ACTOR },
    });
    await auditMintedCredential(db, 'key.create', { id, after: { caller: name, lenses, last_four: lastFour } });
    const lensNames = await listLensNames(db);
    return { key: token, unknownLenses: lenses.filter((lens) => !lensNames.includes(lens)), lensNames };
  });
}
const BOOTSTRAP_ACTOR = 'bootstrap';
const auditMintedCredential = (
  db: TenantClient,
  action: 'token.create' | 'key.create',
  { id, after }: { id: string; after: object },
) => recordAudit(db, { name: BOOTSTRAP_ACTOR, requestId: null }, { action, objectId: id, after });

export async function grantLenses(tenancy: Tenancy, orgId: string, caller: string, lenses: string[]): Promise<void> {
  await tenancy.inTenant(orgId, (db) => addCallerGrants(db, caller, lenses));
}
