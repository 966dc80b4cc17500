// Admins manage the OAuth clients and grants of their organization. Other people can list and end their own grants.

import type { OauthClient, OauthGrant } from '../../contract/oauth.ts';
import { toWireObject } from '../../platform/http/to-wire.ts';
import { Problem } from '../../platform/problem.ts';
import { insertRows } from '../../platform/tenancy/insert-rows.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { Tenancy, TenantClient } from '../../platform/tenancy/tenant.ts';
import { type Actor, recordAudit } from '../audit/audit-log.ts';
import type { Authenticator } from '../identity/authenticate.ts';
import { deleteClientRow, listClientRows, type OauthClientRow } from './client-repository.ts';
import { getClientName } from './clients.ts';
import {
  type GrantOwner,
  listGrantRows,
  listOwnGrants,
  type OauthGrantRow,
  revokeGrantRow,
  revokeGrantsOfClient,
} from './grant-repository.ts';

export interface GrantManagementDeps {
  tenancy: Tenancy;
  authenticator: Pick<Authenticator, 'forgetAll'>;
}

/** If there are several organizations, lists only clients with an active grant in this organization. */
export async function listOauthClients(
  deps: GrantManagementDeps,
  orgId: string,
  page: RowPage,
): Promise<OauthClient[]> {
  const counts = await deps.tenancy.inTenant(orgId, countActiveGrants);
  const clientIds = (await hasOneOrganization(deps.tenancy)) ? null : [...counts.keys()];
  const blockedIds = await deps.tenancy.inTenant(orgId, listBlockedClients);
  const clients = await listClientRows(deps.tenancy, { ...page, onlyIds: clientIds, except: [...blockedIds] });
  return clients.map((client) => toClientView(client, counts.get(client.id) ?? 0));
}

/** Deletes the registration of the client only if no other organization could use it. */
export async function deleteOauthClient(deps: GrantManagementDeps, actor: Actor, clientId: string): Promise<void> {
  const isSingleOrganization = await hasOneOrganization(deps.tenancy);
  const clientRows = await listClientRows(deps.tenancy, { limit: 1, after: null, onlyIds: [clientId] });
  const isRemoved = await deps.tenancy.inTenant(actor.orgId, async (db) => {
    const isUsedHere = (await countActiveGrants(db)).has(clientId);
    if (!isUsedHere && !(isSingleOrganization && clientRows.length > 0)) return false;
    await revokeGrantsOfClient(db, clientId, 'an admin removed the client');
    const blockedClient = { client_id: clientId, blocked_by: actor.name };
    await insertRows(db, 'oauth_blocked_clients', [blockedClient], 'on conflict do nothing');
    await recordAudit(db, actor, { action: 'oauth_client.remove', objectId: clientId });
    return true;
  });
  if (!isRemoved)
    throw new Problem('not_found', 'There is no OAuth client with this id. GET /mgmt/oauth/clients lists the clients.');
  if (isSingleOrganization) await deleteClientRow(deps.tenancy, clientId);
  deps.authenticator.forgetAll();
}

export function isClientBlocked(tenancy: Tenancy, orgId: string, clientId: string): Promise<boolean> {
  return tenancy.inTenant(orgId, async (db) => (await listBlockedClients(db)).has(clientId));
}

export async function listOauthGrants(deps: GrantManagementDeps, orgId: string, page: RowPage): Promise<OauthGrant[]> {
  const grants = await deps.tenancy.inTenant(orgId, (db) => listGrantRows(db, page));
  return grants.map(toGrantView);
}

export async function revokeOauthGrant(deps: GrantManagementDeps, actor: Actor, grantId: string): Promise<void> {
  await deps.tenancy.inTenant(actor.orgId, async (db) => {
    if (!(await revokeGrantRow(db, grantId, 'an admin revoked it')))
      throw new Problem('not_found', 'There is no active grant with this id. GET /mgmt/oauth/grants lists the grants.');
    await recordAudit(db, actor, { action: 'oauth_grant.revoke', objectId: grantId });
  });
  deps.authenticator.forgetAll();
}

type GrantOwnerInOrg = GrantOwner & { orgId: string };

export async function listGrantsOfOwner(deps: GrantManagementDeps, person: GrantOwnerInOrg): Promise<OauthGrant[]> {
  return (await deps.tenancy.inTenant(person.orgId, (db) => listOwnGrants(db, person))).map(toGrantView);
}

/** Returns false if this person has no such grant, even if another person has it. */
export async function revokeGrantOfOwner(
  deps: GrantManagementDeps,
  person: GrantOwnerInOrg,
  grantId: string,
): Promise<boolean> {
  const isEnded = await deps.tenancy.inTenant(person.orgId, async (db) => {
    const ownsGrant = (await listOwnGrants(db, person)).some(({ id }) => id === grantId);
    return ownsGrant && (await revokeGrantRow(db, grantId, 'the person who granted access revoked it'));
  });
  if (isEnded) deps.authenticator.forgetAll();
  return isEnded;
}

async function hasOneOrganization(tenancy: Tenancy): Promise<boolean> {
  const [row] = await tenancy.queryGlobal<{ n: number }>('select count(*)::int as n from svc.organizations');
  return row!.n === 1;
}

async function countActiveGrants(db: TenantClient): Promise<Map<string, number>> {
  const rows = await db.rows<{ client_id: string; live: number }>(
    `select client_id, count(*) filter (where revoked_at is null and expires_at > now() and code_used_at is not null)::int as live
     from svc.oauth_grants group by client_id`,
  );
  return new Map(rows.map((row) => [row.client_id, row.live]));
}

async function listBlockedClients(db: TenantClient): Promise<Set<string>> {
  const rows = await db.rows<{ client_id: string }>('select client_id from svc.oauth_blocked_clients');
  return new Set(rows.map((row) => row.client_id));
}

const toClientView = (client: OauthClientRow, live: number): OauthClient => ({
  ...toWireObject(client),
  client_name: getClientName(client),
  redirect_uris: client.metadata.redirect_uris,
  live_grants: live,
});

const toGrantView = (grant: OauthGrantRow): OauthGrant => ({
  ...toWireObject(grant),
  status: grant.isValid ? 'live' : grant.revokedAt ? 'revoked' : 'expired',
});
