// Creates the first organization, admin token and caller, for `svc bootstrap`, `svc key create` and the embedded start.

import { systemClock } from '../../platform/clock.ts';
import { Problem } from '../../platform/problem.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { type Actor, recordAudit } from '../audit/audit-log.ts';
import { createCaller, findCaller } from './caller-repository.ts';
import { listApiGrants } from './callers.ts';
import { createKey, createToken, refuseDisabledCaller } from './credentials.ts';
import { addGrants, listGrantsOfCaller, listLensNames } from './grant-repository.ts';

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

const createBootstrapActor = (orgId: string): Actor => ({ orgId, name: 'bootstrap', requestId: null });

export async function mintAdminToken(tenancy: Tenancy, orgId: string, label: string): Promise<string> {
  const options = { label, expiresAt: null };
  return (await createToken({ tenancy, clock: systemClock }, createBootstrapActor(orgId), options)).token;
}

/** Creates the caller if it doesn't exist. Adds `lenses` to the caller's API grants. */
export async function mintCallerKey(
  tenancy: Tenancy,
  orgId: string,
  name: string,
  lenses: string[],
): Promise<{ key: string; unknownLenses: string[]; lensNames: string[] }> {
  const actor = createBootstrapActor(orgId);
  const { id, lensNames } = await tenancy.inTenant(orgId, async (db) => {
    const caller = (await findCaller(db, { name })) ?? (await createCaller(db, { name }));
    refuseDisabledCaller(caller);
    if (lenses.length > 0) {
      const before = listApiGrants(await listGrantsOfCaller(db, caller));
      await addGrants(db, 'caller_api', lenses, { callers: [name] });
      const after = listApiGrants(await listGrantsOfCaller(db, caller));
      await recordAudit(db, actor, { action: 'caller.grants', objectId: caller.id, before, after });
    }
    return { id: caller.id, lensNames: await listLensNames(db) };
  });
  const key = await createKey({ tenancy, clock: systemClock }, actor, id, { label: null, expiresAt: null });
  return { key: key.token, unknownLenses: lenses.filter((lens) => !lensNames.includes(lens)), lensNames };
}

export const grantLenses = (tenancy: Tenancy, orgId: string, caller: string, lenses: string[]): Promise<void> =>
  tenancy.inTenant(orgId, (db) => addGrants(db, 'caller_api', lenses, { callers: [caller] }));
