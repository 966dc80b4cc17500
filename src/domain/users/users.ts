// Disabling an account or changing its password ends its sessions and grants.
import type { ChangeUserBody, NewUserBody, User } from '../../contract/session.ts';
import { Problem } from '../../platform/problem.ts';
import { computeRevision, readForEdit } from '../../platform/tenancy/revision.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { Tenancy, TenantClient } from '../../platform/tenancy/tenant.ts';
import { type Actor, recordAudit, runAudited } from '../audit/audit-log.ts';
import type { Authenticator } from '../identity/authenticate.ts';
import { findCaller } from '../identity/caller-repository.ts';
import { revokeCredentials } from '../identity/credential-repository.ts';
import { revokeGrantsOfUser } from '../oauth/grant-repository.ts';
import { deleteOwnedItems } from '../threads/owned-items.ts';
import { hashPassword, refuseWeakPassword } from './password.ts';
import { deleteUserRow, findUser, insertUser, listUserRows, type UserFilter, updateUser } from './user-repository.ts';

export interface UserDeps {
  tenancy: Tenancy;
  authenticator: Pick<Authenticator, 'forgetAll'>;
}

const createNoSuchUserProblem = () =>
  new Problem('not_found', 'There is no user with this id. GET /mgmt/users lists the users.');

export async function createUser(deps: UserDeps, actor: Actor, body: NewUserBody): Promise<User> {
  refuseWeakPassword(body.password, body.email);
  const passwordHash = await hashPassword(body.password);
  return runAudited(deps, actor, async (db) => {
    const callerId = body.caller ? await findCallerId(db, body.caller) : null;
    const row = { email: body.email, passwordHash, role: body.role, callerId };
    const user = await insertUser(db, row).catch(rethrowAsEmailTaken);
    return { result: user, action: 'user.create', objectId: user.id, after: user };
  });
}

export function listUsers(deps: UserDeps, orgId: string, page: RowPage, filter: UserFilter = {}): Promise<User[]> {
  return deps.tenancy.inTenant(orgId, (db) => listUserRows(db, filter, page));
}

export async function getUser(deps: UserDeps, orgId: string, id: string): Promise<User> {
  const user = await deps.tenancy.inTenant(orgId, (db) => findUser(db, id));
  if (!user) throw createNoSuchUserProblem();
  return user;
}

export async function changeUser(
  deps: UserDeps,
  actor: Actor,
  id: string,
  body: ChangeUserBody,
  ifMatch: string | null = null,
): Promise<User> {
  const changedUser = await runAudited(deps, actor, async (db) => {
    const userBefore = await requireEditableUser(db, id, ifMatch);
    const callerId = typeof body.caller === 'string' ? await findCallerId(db, body.caller) : body.caller;
    const isUpdated = await updateUser(db, id, { ...body, callerId }).catch(rethrowAsEmailTaken);
    if (!isUpdated) throw createNoSuchUserProblem();
    if (body.disabled) await revokeAccess(db, id, 'the account was disabled');
    else if (body.caller !== undefined) await revokeGrantsOfUser(db, id, 'the account now has another caller');
    const userAfter = (await findUser(db, id))!;
    return { result: userAfter, action: 'user.change', objectId: userBefore.id, before: userBefore, after: userAfter };
  });
  deps.authenticator.forgetAll();
  return changedUser;
}

export async function setPassword(deps: UserDeps, actor: Actor, id: string, password: string): Promise<void> {
  const storedUser = await getUser(deps, actor.orgId, id);
  refuseWeakPassword(password, storedUser.email);
  const passwordHash = await hashPassword(password);
  await deps.tenancy.inTenant(actor.orgId, async (db) => {
    if (!(await updateUser(db, id, { passwordHash }))) throw createNoSuchUserProblem();
    await revokeAccess(db, id, 'the password was changed');
    await recordAudit(db, actor, { action: 'user.password', objectId: storedUser.id });
  });
  deps.authenticator.forgetAll();
}

export async function deleteUser(
  deps: UserDeps,
  actor: Actor,
  id: string,
  ifMatch: string | null = null,
): Promise<void> {
  await deps.tenancy.inTenant(actor.orgId, async (db) => {
    const userBefore = await requireEditableUser(db, id, ifMatch);
    await revokeAccess(db, id, 'the account was removed');
    await deleteOwnedItems(db, id);
    await deleteUserRow(db, id);
    await recordAudit(db, actor, { action: 'user.delete', objectId: userBefore.id, before: userBefore });
  });
  deps.authenticator.forgetAll();
}

const requireEditableUser = (db: TenantClient, id: string, ifMatch: string | null): Promise<User> =>
  readForEdit(
    db,
    'user',
    ifMatch,
    async () => {
      const user = await findUser(db, id);
      if (!user) throw createNoSuchUserProblem();
      return user;
    },
    computeRevision,
  );

async function revokeAccess(db: TenantClient, userId: string, reason: string): Promise<void> {
  await revokeCredentials(db, { userId });
  await revokeGrantsOfUser(db, userId, reason);
}

async function findCallerId(db: TenantClient, name: string): Promise<string> {
  const caller = await findCaller(db, { name });
  if (caller) return caller.id;
  const message = 'There is no caller with this name. Create it with POST /mgmt/callers first.';
  throw new Problem('invalid', message, {
    param: 'caller',
    details: [{ path: 'caller', code: 'unknown_name', message }],
  });
}

function rethrowAsEmailTaken(error: unknown): never {
  if ((error as { code?: string }).code !== '23505') throw error;
  throw new Problem('conflict', 'There is already a user with this email. Change that user, or use another email.', {
    param: 'email',
  });
}
