// Neither the response nor its duration depends on whether the email address is known.
// Three limits count failures: for an account from one client address, for a client address, and for an account from
// all client addresses. The third limit exempts client addresses from which this account has signed in before, so that
// an attacker can't lock the owner out.
import type { User } from '../../contract/session.ts';
import { Problem } from '../../platform/problem.ts';
import {
  type AttemptLimit,
  countAttempt,
  recordAction,
  resetAttempts,
  wasActionRecorded,
} from '../../platform/tenancy/attempts.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { recordAudit } from '../audit/audit-log.ts';
import { mintCredential, revokeCredential } from '../identity/credential-repository.ts';
import type { Principal } from '../identity/principal.ts';
import { hashPassword, isOutdatedHash, isPasswordCorrect } from './password.ts';
import {
  findUser,
  linkUser,
  listAccountsByEmail,
  listAccountsOfPerson,
  type PersonAccount,
  type ProviderIdentity,
  recordSignIn,
  updateUser,
} from './user-repository.ts';

const FAILURE_WINDOW_SECONDS = 300;
const SUCCESSFUL_LOGIN_ACTION = 'login succeeded at address';
const SESSION_LIFETIME_MS = 7 * 24 * 3_600_000;
const IDLE_TIMEOUT_MS = 12 * 3_600_000;

export interface StartedSession {
  token: string;
  expiresAt: Date;
  user: User;
  orgId: string;
}

export async function signIn(
  tenancy: Tenancy,
  credentials: {
    email: string;
    password: string;
    address: string;
    organization?: string | undefined;
    requestId: string;
  },
): Promise<StartedSession> {
  const accountAtAddress = `${credentials.email} ${credentials.address}`;
  const window = { windowSeconds: FAILURE_WINDOW_SECONDS };
  const pairLimit: AttemptLimit = { kind: 'login account at address', source: accountAtAddress, limit: 10, ...window };
  const addressLimit: AttemptLimit = { kind: 'login address', source: credentials.address, limit: 60, ...window };
  const accountLimit: AttemptLimit = { kind: 'login account', source: credentials.email, limit: 100, ...window };
  const limits = (await wasActionRecorded(tenancy, SUCCESSFUL_LOGIN_ACTION, accountAtAddress))
    ? [pairLimit, addressLimit]
    : [pairLimit, addressLimit, accountLimit];
  await countAttempt(tenancy, limits, 'Too many failed sign-ins. Wait a few minutes and try again.');
  const accounts = await tenancy.withPresentedEmail(credentials.email, (client) =>
    listAccountsByEmail(client, credentials.email, credentials.organization ?? null),
  );
  let match: (typeof accounts)[number] | null = null;
  for (const candidate of accounts.length > 0 ? accounts : [null])
    if (await isPasswordCorrect(credentials.password, candidate?.passwordHash ?? null)) match ??= candidate;
  if (!match)
    throw new Problem(
      'auth',
      'The email or password is wrong. If you have accounts in several organizations, give the organization too.',
    );
  await resetAttempts(tenancy, [pairLimit]);
  await recordAction(tenancy, SUCCESSFUL_LOGIN_ACTION, accountAtAddress);
  const { orgId, id } = match;
  const newHash = isOutdatedHash(match.passwordHash) ? await hashPassword(credentials.password) : undefined;
  if (newHash) await tenancy.inTenant(orgId, (db) => updateUser(db, id, { passwordHash: newHash }));
  return startSession(tenancy, { orgId, userId: id, requestId: credentials.requestId });
}

/** `email` is null unless the provider has verified it. */
export interface VerifiedPerson extends ProviderIdentity {
  email: string | null;
}
export interface AccountChoice {
  userId: string;
  organization: string;
}

/**
 * Issuer and subject identify a person. The first sign-in links the person to an account with the same email address.
 * Later sign-ins use that account even if an admin changes its address.
 */
export async function signInWithProvider(
  tenancy: Tenancy,
  person: VerifiedPerson,
  choice: { mayChoose: boolean; chosen?: string; requestId: string },
): Promise<{ session: StartedSession } | { choices: AccountChoice[] }> {
  const email = person.email ?? '';
  const identity = { issuer: person.issuer, subject: person.subject, email };
  const accounts = await tenancy.withPresentedPerson(identity, (client) => listAccountsOfPerson(client, identity));
  const linkedAccounts = accounts.filter((account) => account.linked);
  const linkedOrgIds = new Set(linkedAccounts.map(({ orgId }) => orgId));
  const offeredAccounts = accounts.filter(
    (account) =>
      !account.disabled &&
      (account.linked || linkedOrgIds.size === 0 || (choice.mayChoose && !linkedOrgIds.has(account.orgId))),
  );
  if (offeredAccounts.length === 0 && linkedAccounts.length > 0)
    throw new Problem('forbidden', 'Your account here is disabled. Ask an admin.');
  if (offeredAccounts.length === 0 && !person.email)
    throw new Problem('auth', 'The provider has not verified this email address. Verify it there first.');
  if (offeredAccounts.length === 0)
    throw new Problem('forbidden', 'There is no account with this email. Ask an admin to create one.');
  const onlyAccount =
    offeredAccounts.length === 1 && (offeredAccounts[0]!.linked || linkedOrgIds.size === 0)
      ? offeredAccounts[0]
      : undefined;
  const account = choice.chosen === undefined ? onlyAccount : offeredAccounts.find(({ id }) => id === choice.chosen);
  if (account) return { session: await linkAccountAndStartSession(tenancy, account, identity, choice.requestId) };
  if (choice.chosen !== undefined) throw new Problem('forbidden', 'This account is not available. Sign in again.');
  const names = await tenancy.queryGlobal<{ id: string; name: string }>(
    'select id, name from svc.organizations where id = any($1::uuid[])',
    [offeredAccounts.map(({ orgId }) => orgId)],
  );
  const nameOf = new Map(names.map(({ id, name }) => [id, name]));
  return { choices: offeredAccounts.map(({ id, orgId }) => ({ userId: id, organization: nameOf.get(orgId)! })) };
}

async function linkAccountAndStartSession(
  tenancy: Tenancy,
  { orgId, id, linked }: PersonAccount,
  person: ProviderIdentity,
  requestId: string,
): Promise<StartedSession> {
  await tenancy.inTenant(orgId, async (db) => {
    if (!(await linkUser(db, id, person)))
      throw new Problem('forbidden', 'Another person signs in with this account. Ask an admin.');
    if (linked) return;
    const { email } = (await findUser(db, id))!;
    const entry = { action: 'user.link', objectId: id, after: { issuer: person.issuer } };
    await recordAudit(db, { name: email, requestId }, entry);
  });
  return startSession(tenancy, { orgId, userId: id, requestId });
}

export function startSession(
  tenancy: Tenancy,
  { orgId, userId, requestId }: { orgId: string; userId: string; requestId: string },
): Promise<StartedSession> {
  return tenancy.inTenant(orgId, async (db) => {
    const session = await mintCredential(db, {
      kind: 'session',
      userId,
      lifetimeMs: SESSION_LIFETIME_MS,
      idleMs: IDLE_TIMEOUT_MS,
    });
    await recordSignIn(db, userId);
    const user = (await findUser(db, userId))!;
    await recordAudit(db, { name: user.email, requestId }, { action: 'user.sign_in', objectId: userId });
    return { token: session.token, expiresAt: session.expiresAt!, user, orgId };
  });
}

export function readSessionState(
  tenancy: Tenancy,
  principal: Principal,
): Promise<{ user: User | null; expiresAt: Date | null }> {
  return tenancy.inTenant(principal.orgId, async (db) => {
    const row = await db.first<{ expires_at: Date | null }>('select expires_at from svc.credentials where id = $1', [
      principal.credentialId,
    ]);
    return {
      user: principal.userId ? await findUser(db, principal.userId) : null,
      expiresAt: row?.expires_at ?? null,
    };
  });
}

export async function endSession(tenancy: Tenancy, principal: Principal, requestId: string): Promise<void> {
  await tenancy.inTenant(principal.orgId, async (db) => {
    // Another request may have already ended the session.
    if (!(await revokeCredential(db, principal.credentialId!, { kind: 'session' }))) return;
    await recordAudit(db, { name: principal.name, requestId }, { action: 'user.sign_out', objectId: principal.userId });
  });
}
