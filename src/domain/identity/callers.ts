// Operations on callers, their keys and their grants. Whatever takes access away holds from the next request on.
import { unknownName } from '../../lens/project-problem.ts';
import type { Clock } from '../../platform/clock.ts';
import { isId } from '../../platform/ids.ts';
import { Problem } from '../../platform/problem.ts';
import { readForEdit, revisionOf } from '../../platform/revision.ts';
import type { Tenancy, TenantClient } from '../../platform/tenant.ts';
import { type Actor, audited } from '../audit/audited.ts';
import type { Authenticator } from './authenticate.ts';
import {
  type Caller,
  type CallerFilter,
  findCaller,
  createCaller as insertCaller,
  listCallers as listRows,
  type NewCaller,
  setCallerGrants,
  updateCaller,
} from './caller-repository.ts';
import { deleteCallerRow, endCredentialBy } from './caller-upkeep-repository.ts';
import { type Credential, listCredentials, mintCredential, revokeCredential } from './credential-repository.ts';
import { dropApiGrants, type EffectiveGrant, grantsOfCaller, namesOfLenses, renameGrants } from './grant-repository.ts';

export interface IdentityDeps {
  tenancy: Tenancy;
  authenticator: Pick<Authenticator, 'forgetAll'>;
  clock: Clock;
}
export type MintedCredential = Credential & { token: string };

const noCaller = () => new Problem('not_found', 'There is no such caller. GET /mgmt/callers lists them.');
const noKey = () =>
  new Problem('not_found', 'This caller has no such live key. GET /mgmt/callers/{id}/keys lists its keys.');

/** By id, or by name. */
export async function requireCaller(db: TenantClient, idOrName: string): Promise<Caller> {
  const found = await findCaller(db, isId(idOrName) ? { id: idOrName.toLowerCase() } : { name: idOrName });
  if (!found) throw noCaller();
  return found;
}

const editable = (db: TenantClient, idOrName: string, ifMatch: string | null): Promise<Caller> =>
  readForEdit(
    db,
    'caller',
    ifMatch,
    () => requireCaller(db, idOrName),
    ({ updatedAt }) => updatedAt,
  );

export const getCaller = (deps: IdentityDeps, orgId: string, idOrName: string): Promise<Caller> =>
  deps.tenancy.inTenant(orgId, (db) => requireCaller(db, idOrName));

export const listCallers = (
  deps: IdentityDeps,
  orgId: string,
  filter: CallerFilter,
  page: { limit: number; after: string | null },
): Promise<Caller[]> => deps.tenancy.inTenant(orgId, (db) => listRows(db, filter, page));

export function createCaller(deps: IdentityDeps, actor: Actor, made: NewCaller): Promise<Caller> {
  return audited(deps, actor, async (db) => {
    const result = await insertCaller(db, made).catch(nameTaken);
    return { result, action: 'caller.create', objectKind: 'caller', objectId: result.id, after: visible(result) };
  });
}

export async function changeCaller(
  deps: IdentityDeps,
  actor: Actor,
  idOrName: string,
  change: {
    name?: string;
    email?: string | null;
    groups?: string[];
    attributes?: Caller['attributes'];
    disabled?: boolean;
  },
  ifMatch: string | null,
): Promise<Caller> {
  const changed = await audited(deps, actor, async (db) => {
    const before = await editable(db, idOrName, ifMatch);
    if (change.name !== undefined && change.name !== before.name)
      await renameGrants(db, before.name, change.name).catch(nameTaken);
    const result = (await updateCaller(db, before.id, change).catch(nameTaken))!;
    return {
      result,
      action: 'caller.change',
      objectKind: 'caller',
      objectId: result.id,
      before: visible(before),
      after: visible(result),
    };
  });
  deps.authenticator.forgetAll();
  return changed;
}

export async function deleteCaller(
  deps: IdentityDeps,
  actor: Actor,
  idOrName: string,
  ifMatch: string | null,
): Promise<void> {
  await audited(deps, actor, async (db) => {
    const before = await editable(db, idOrName, ifMatch);
    await dropApiGrants(db, before.name);
    await deleteCallerRow(db, before.id).catch((error: unknown) => {
      if ((error as { code?: string }).code !== '23503') throw error;
      throw new Problem(
        'conflict',
        `A user asks as caller "${before.name}". Give that user another caller first, or disable this one.`,
      );
    });
    return {
      result: null,
      action: 'caller.delete',
      objectKind: 'caller',
      objectId: before.id,
      before: visible(before),
    };
  });
  deps.authenticator.forgetAll();
}

export const listKeys = (deps: IdentityDeps, orgId: string, idOrName: string): Promise<Credential[]> =>
  deps.tenancy.inTenant(orgId, async (db) =>
    listCredentials(db, { kind: 'caller_key', callerId: (await requireCaller(db, idOrName)).id }),
  );

export function createKey(
  deps: IdentityDeps,
  actor: Actor,
  idOrName: string,
  made: { expiresAt: Date | null; label: string | null },
): Promise<MintedCredential> {
  refusePast(deps, made.expiresAt);
  return audited(deps, actor, async (db) => {
    const caller = await requireCaller(db, idOrName);
    if (caller.disabledAt)
      throw new Problem('conflict', `Caller "${caller.name}" is disabled. Enable it before giving it a key.`);
    const result = await mintCredential(db, {
      kind: 'caller_key',
      callerId: caller.id,
      createdBy: actor.name,
      ...made,
    });
    return {
      result,
      action: 'key.create',
      objectKind: 'key',
      objectId: result.id,
      after: { caller: caller.name, last_four: result.lastFour, expires_at: result.expiresAt },
    };
  });
}

export async function revokeKey(deps: IdentityDeps, actor: Actor, idOrName: string, keyId: string): Promise<void> {
  await audited(deps, actor, async (db) => {
    const caller = await requireCaller(db, idOrName);
    const revoked = isId(keyId) ? await revokeCredential(db, keyId, { kind: 'caller_key', callerId: caller.id }) : null;
    if (!revoked) throw noKey();
    return {
      result: null,
      action: 'key.revoke',
      objectKind: 'key',
      objectId: keyId,
      before: { caller: caller.name, last_four: revoked.lastFour },
    };
  });
  deps.authenticator.forgetAll();
}

/** A new key beside the old one, which goes on for `overlapSeconds`: clients change over without a gap. */
export async function rotateKey(
  deps: IdentityDeps,
  actor: Actor,
  idOrName: string,
  keyId: string,
  made: { overlapSeconds: number; expiresAt: Date | null | undefined; label: string | undefined },
): Promise<MintedCredential> {
  refusePast(deps, made.expiresAt ?? null);
  const minted = await audited(deps, actor, async (db) => {
    const caller = await requireCaller(db, idOrName);
    const old = (await listCredentials(db, { kind: 'caller_key', callerId: caller.id })).find(
      ({ id }) => id === keyId.toLowerCase(),
    );
    if (!old || old.revokedAt || (old.expiresAt && old.expiresAt <= deps.clock.now())) throw noKey();
    if (made.overlapSeconds > 0) await endCredentialBy(db, old.id, made.overlapSeconds);
    else await revokeCredential(db, old.id, { kind: 'caller_key', callerId: caller.id });
    const result = await mintCredential(db, {
      ...{ kind: 'caller_key', callerId: caller.id, createdBy: actor.name, label: made.label ?? old.label },
      expiresAt: made.expiresAt === undefined ? null : made.expiresAt,
    });
    return {
      result,
      action: 'key.rotate',
      objectKind: 'key',
      objectId: result.id,
      before: { key_id: old.id, last_four: old.lastFour },
      after: { last_four: result.lastFour, overlap_seconds: made.overlapSeconds },
    };
  });
  deps.authenticator.forgetAll();
  return minted;
}

export const callerGrants = (deps: IdentityDeps, orgId: string, idOrName: string): Promise<EffectiveGrant[]> =>
  deps.tenancy.inTenant(orgId, async (db) => grantsOfCaller(db, await requireCaller(db, idOrName)));

export async function grantToCaller(
  deps: IdentityDeps,
  actor: Actor,
  idOrName: string,
  lenses: string[],
  ifMatch: string | null = null,
): Promise<EffectiveGrant[]> {
  const granted = await audited(deps, actor, async (db) => {
    const caller = await requireCaller(db, idOrName);
    const known = await namesOfLenses(db);
    const unknown = lenses.map((lens, index) => ({ lens, index })).filter(({ lens }) => !known.includes(lens));
    if (unknown.length > 0)
      throw new Problem('invalid', unknown.map(({ lens }) => unknownName('lens', lens, known)).join(' '), {
        param: 'lenses',
        details: unknown.map(({ lens, index }) => ({
          path: `lenses[${index}]`,
          code: 'unknown_name',
          message: unknownName('lens', lens, known),
        })),
      });
    const before = await readForEdit(db, 'grants', ifMatch, () => grantsOfCaller(db, caller), callerGrantsRevision);
    await setCallerGrants(db, caller.name, lenses);
    const result = await grantsOfCaller(db, caller);
    return {
      result,
      action: 'caller.grants',
      objectKind: 'caller',
      objectId: caller.id,
      before: own(before),
      after: own(result),
    };
  });
  deps.authenticator.forgetAll();
  return granted;
}
const own = (grants: EffectiveGrant[]): string[] =>
  grants.filter(({ origin }) => origin === 'caller_api').map(({ lens }) => lens);
/** Of what this route edits: grants of files, groups and lenses come and go beside it. */
export const callerGrantsRevision = (grants: EffectiveGrant[]): string => revisionOf(own(grants));

export const listTokens = (deps: IdentityDeps, orgId: string): Promise<Credential[]> =>
  deps.tenancy.inTenant(orgId, (db) => listCredentials(db, { kind: 'admin_token' }));

export function createToken(
  deps: IdentityDeps,
  actor: Actor,
  made: { expiresAt: Date | null; label: string | null },
): Promise<MintedCredential> {
  refusePast(deps, made.expiresAt);
  return audited(deps, actor, async (db) => {
    const result = await mintCredential(db, { kind: 'admin_token', createdBy: actor.name, ...made });
    return {
      result,
      action: 'token.create',
      objectKind: 'token',
      objectId: result.id,
      after: { label: result.label, last_four: result.lastFour, expires_at: result.expiresAt },
    };
  });
}

export async function revokeToken(deps: IdentityDeps, actor: Actor, id: string): Promise<void> {
  await audited(deps, actor, async (db) => {
    const revoked = isId(id) ? await revokeCredential(db, id, { kind: 'admin_token' }) : null;
    if (!revoked) throw new Problem('not_found', 'There is no such live token. GET /mgmt/tokens lists them.');
    return {
      result: null,
      action: 'token.revoke',
      objectKind: 'token',
      objectId: id,
      before: { label: revoked.label, last_four: revoked.lastFour },
    };
  });
  deps.authenticator.forgetAll();
}

function refusePast({ clock }: IdentityDeps, expiresAt: Date | null): void {
  if (!expiresAt || expiresAt > clock.now()) return;
  const message =
    'expires_at lies in the past. Name a time to come, or leave it out for a credential that does not expire.';
  throw new Problem('invalid', message, {
    param: 'expires_at',
    details: [{ path: 'expires_at', code: 'past', message }],
  });
}

function nameTaken(error: unknown): never {
  if ((error as { code?: string }).code !== '23505') throw error;
  throw new Problem('conflict', 'There is already a caller with this name. Change that one, or use another name.', {
    param: 'name',
  });
}
const visible = ({ name, email, groups, attributes, disabledAt }: Caller) => ({
  name,
  email,
  groups,
  attributes,
  disabled: disabledAt !== null,
});
