// After a key or token is revoked, this replica refuses its next request. Other replicas refuse it within a second.
import { isId } from '../../platform/ids.ts';
import { Problem } from '../../platform/problem.ts';
import { type Actor, runAudited } from '../audit/audit-log.ts';
import { deleteOwnedItems } from '../threads/owned-items.ts';
import type { Caller } from './caller-repository.ts';
import { type IdentityDeps, requireCaller } from './callers.ts';
import {
  type Credential,
  expireCredentialWithin,
  findReplacementKey,
  listCredentials,
  mintCredential,
  revokeCredential,
} from './credential-repository.ts';

export type MintedCredential = Credential & { token: string };

const createNoSuchKeyProblem = () =>
  new Problem('not_found', 'This caller has no active key with this id. GET /mgmt/callers/{id}/keys lists its keys.');

export const listKeys = (deps: IdentityDeps, orgId: string, idOrName: string): Promise<Credential[]> =>
  deps.tenancy.inTenant(orgId, async (db) => listCredentials(db, 'caller_key', (await requireCaller(db, idOrName)).id));

type MintDeps = Pick<IdentityDeps, 'tenancy' | 'clock'>;

export function createKey(
  deps: MintDeps,
  actor: Actor,
  idOrName: string,
  key: { expiresAt: Date | null; label: string | null },
): Promise<MintedCredential> {
  refusePastExpiry(deps, key.expiresAt);
  return runAudited(deps, actor, async (db) => {
    const caller = await requireCaller(db, idOrName);
    refuseDisabledCaller(caller);
    const result = await mintCredential(db, {
      kind: 'caller_key',
      callerId: caller.id,
      createdBy: actor.name,
      ...key,
    });
    return {
      result,
      action: 'key.create',
      objectId: result.id,
      after: { caller: caller.name, last_four: result.lastFour, expires_at: result.expiresAt },
    };
  });
}

export function refuseDisabledCaller({ name, disabledAt }: Pick<Caller, 'name' | 'disabledAt'>): void {
  if (disabledAt) throw new Problem('conflict', `Caller "${name}" is disabled. Enable it before you create a key.`);
}

export async function revokeKey(deps: IdentityDeps, actor: Actor, idOrName: string, keyId: string): Promise<void> {
  await runAudited(deps, actor, async (db) => {
    const caller = await requireCaller(db, idOrName);
    const revokedKey = isId(keyId)
      ? await revokeCredential(db, keyId, { kind: 'caller_key', callerId: caller.id })
      : null;
    if (!revokedKey) throw createNoSuchKeyProblem();
    return {
      result: null,
      action: 'key.revoke',
      objectId: keyId,
      before: { caller: caller.name, last_four: revokedKey.lastFour },
    };
  });
  deps.authenticator.forgetAll();
}

/**
 * The old key stays valid for `overlapSeconds`, so that clients can switch without an interruption. If `expiresAt` is
 * undefined, the new key has the same lifetime as the old key.
 */
export async function rotateKey(
  deps: IdentityDeps,
  actor: Actor,
  idOrName: string,
  keyId: string,
  replacement: { overlapSeconds: number; expiresAt: Date | null | undefined; label: string | undefined },
): Promise<MintedCredential> {
  refusePastExpiry(deps, replacement.expiresAt ?? null);
  const newKey = await runAudited(deps, actor, async (db) => {
    const caller = await requireCaller(db, idOrName);
    const oldKey = (await listCredentials(db, 'caller_key', caller.id)).find(({ id }) => id === keyId.toLowerCase());
    if (!oldKey || oldKey.revokedAt || (oldKey.expiresAt && oldKey.expiresAt <= deps.clock.now()))
      throw createNoSuchKeyProblem();
    // The first rotation of a key replaced its lifetime with the overlap.
    const replacementId = replacement.expiresAt === undefined ? await findReplacementKey(db, oldKey) : null;
    if (replacementId)
      throw new Problem(
        'conflict',
        `This key was already rotated. Rotate its replacement, the key ${replacementId}, or send "expires_at".`,
      );
    if (replacement.overlapSeconds > 0) await expireCredentialWithin(db, oldKey.id, replacement.overlapSeconds);
    else await revokeCredential(db, oldKey.id, { kind: 'caller_key', callerId: caller.id });
    const result = await mintCredential(db, {
      ...{ kind: 'caller_key', callerId: caller.id, createdBy: actor.name, label: replacement.label ?? oldKey.label },
      ...(replacement.expiresAt === undefined && oldKey.expiresAt
        ? { lifetimeMs: oldKey.expiresAt.getTime() - oldKey.createdAt.getTime() }
        : { expiresAt: replacement.expiresAt ?? null }),
    });
    return {
      result,
      action: 'key.rotate',
      objectId: result.id,
      before: { key_id: oldKey.id, last_four: oldKey.lastFour },
      after: { last_four: result.lastFour, overlap_seconds: replacement.overlapSeconds },
    };
  });
  deps.authenticator.forgetAll();
  return newKey;
}

export const listTokens = (deps: IdentityDeps, orgId: string): Promise<Credential[]> =>
  deps.tenancy.inTenant(orgId, (db) => listCredentials(db, 'admin_token'));

export function createToken(
  deps: MintDeps,
  actor: Actor,
  tokenOptions: { expiresAt: Date | null; label: string | null },
): Promise<MintedCredential> {
  refusePastExpiry(deps, tokenOptions.expiresAt);
  return runAudited(deps, actor, async (db) => {
    const result = await mintCredential(db, { kind: 'admin_token', createdBy: actor.name, ...tokenOptions });
    return {
      result,
      action: 'token.create',
      objectId: result.id,
      after: { label: result.label, last_four: result.lastFour, expires_at: result.expiresAt },
    };
  });
}

export async function revokeToken(deps: IdentityDeps, actor: Actor, id: string): Promise<void> {
  await runAudited(deps, actor, async (db) => {
    const revokedToken = isId(id) ? await revokeCredential(db, id, { kind: 'admin_token' }) : null;
    if (!revokedToken)
      throw new Problem('not_found', 'There is no active token with this id. GET /mgmt/tokens lists the tokens.');
    await deleteOwnedItems(db, id);
    return {
      result: null,
      action: 'token.revoke',
      objectId: id,
      before: { label: revokedToken.label, last_four: revokedToken.lastFour },
    };
  });
  deps.authenticator.forgetAll();
}

function refusePastExpiry({ clock }: MintDeps, expiresAt: Date | null): void {
  if (!expiresAt || expiresAt > clock.now()) return;
  const message = 'expires_at is in the past. Give a future time, or leave it out for no expiry.';
  throw new Problem('invalid', message, {
    param: 'expires_at',
    details: [{ path: 'expires_at', code: 'past', message }],
  });
}
