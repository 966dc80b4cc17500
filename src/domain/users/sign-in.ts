// E-mail and password -> session. The same answer and the same time whether or not the e-mail is known; limits count
// failures for the account from one address, for the address, and (wide) for the account from everywhere. The last does
// not bind an address that signed in before, so that nobody can lock somebody else out.
import type { User } from '../../contract/session.ts';
import { type AttemptLimit, forgiveAttempts, isNoted, note, takeAttempt } from '../../platform/attempts.ts';
import { Problem } from '../../platform/problem.ts';
import type { Tenancy } from '../../platform/tenant.ts';
import { mintCredential, revokeCredential } from '../identity/credential-repository.ts';
import type { Principal } from '../identity/principal.ts';
import { hashPassword, isOutdated, passwordMatches } from './password.ts';
import { accountsOf, findUser, updateUser } from './user-repository.ts';

const WINDOW = 300;
const KNOWN = 'login succeeded at address';
const SESSION_MS = 7 * 24 * 3_600_000;
const IDLE_MS = 12 * 3_600_000;

export interface StartedSession {
  token: string;
  expiresAt: Date;
  user: User;
  orgId: string;
}

export async function signIn(
  tenancy: Tenancy,
  given: { email: string; password: string; address: string },
): Promise<StartedSession> {
  const near: AttemptLimit = {
    what: 'login account at address',
    who: `${given.email} ${given.address}`,
    limit: 10,
    windowSeconds: WINDOW,
  };
  const address: AttemptLimit = { what: 'login address', who: given.address, limit: 60, windowSeconds: WINDOW };
  const account: AttemptLimit = { what: 'login account', who: given.email, limit: 100, windowSeconds: WINDOW };
  const pair = `${given.email} ${given.address}`;
  const limits = (await isNoted(tenancy, KNOWN, pair)) ? [near, address] : [near, address, account];
  await takeAttempt(tenancy, limits, 'Too many sign-ins failed. Wait a little and try again.');
  const accounts = await tenancy.withPresentedEmail(given.email, (client) => accountsOf(client, given.email));
  let match: (typeof accounts)[number] | undefined;
  for (const candidate of accounts.length > 0 ? accounts : [null]) {
    if (await passwordMatches(given.password, candidate?.passwordHash ?? null)) match ??= candidate ?? undefined;
  }
  if (!match) throw new Problem('auth', 'E-mail or password is wrong. Check both and try again.');
  await forgiveAttempts(tenancy, [near]);
  await note(tenancy, KNOWN, pair);
  const { orgId, id } = match;
  const better = isOutdated(match.passwordHash) ? await hashPassword(given.password) : undefined;
  if (better) await tenancy.inTenant(orgId, (db) => updateUser(db, id, { passwordHash: better }));
  return startSession(tenancy, orgId, id);
}

/** For whoever proved by other means who they are: an OIDC provider's verified e-mail. */
export async function signInByEmail(tenancy: Tenancy, email: string): Promise<StartedSession> {
  const [found] = await tenancy.withPresentedEmail(email.toLowerCase(), (client) =>
    accountsOf(client, email.toLowerCase()),
  );
  if (!found)
    throw new Problem('forbidden', 'There is no account for this e-mail here. Ask an administrator to make one.');
  return startSession(tenancy, found.orgId, found.id);
}

function startSession(tenancy: Tenancy, orgId: string, userId: string): Promise<StartedSession> {
  return tenancy.inTenant(orgId, async (db) => {
    const made = await mintCredential(db, { kind: 'session', userId, lifetimeMs: SESSION_MS, idleMs: IDLE_MS });
    return { token: made.token, expiresAt: made.expiresAt!, user: (await findUser(db, userId))!, orgId };
  });
}

export function sessionOf(
  tenancy: Tenancy,
  principal: Principal,
): Promise<{ user: User | null; expiresAt: Date | null }> {
  return tenancy.inTenant(principal.orgId, async (db) => {
    const { rows } = await db.query<{ expires_at: Date | null }>(
      'select expires_at from svc.credentials where id = $1',
      [principal.credentialId],
    );
    return {
      user: principal.userId ? await findUser(db, principal.userId) : null,
      expiresAt: rows[0]?.expires_at ?? null,
    };
  });
}

export async function endSession(tenancy: Tenancy, principal: Principal): Promise<void> {
  await tenancy.inTenant(principal.orgId, (db) => revokeCredential(db, principal.credentialId!, { kind: 'session' }));
}
