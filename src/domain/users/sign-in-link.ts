// The link signs in the first admin. Anyone who can start the process or run `svc sign-in-link` can create a link.
import { randomBytes } from 'node:crypto';
import { createId } from '../../platform/ids.ts';
import { Problem } from '../../platform/problem.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { hashToken } from '../../platform/tokens.ts';
import { recordAudit } from '../audit/audit-log.ts';
import { type StartedSession, startSession } from './sign-in.ts';
import { findUser, insertUser } from './user-repository.ts';

const FIRST_ADMIN_EMAIL = 'admin@localhost';
const LINK_LIFETIME = '15 minutes';
/** A hash that matches no password, so the account has no password until an admin sets one. */
const NO_PASSWORD_HASH = 'none';

/** A token that signs in the first admin. Returns null if the account is disabled or no longer an admin: another person then manages the installation. */
export function mintFirstAdminToken(tenancy: Tenancy, orgId: string): Promise<{ token: string } | null> {
  const token = randomBytes(32).toString('base64url');
  return tenancy.inTenant(orgId, async (db) => {
    const row = await db.first<{ id: string }>('select id from svc.users where email = $1', [FIRST_ADMIN_EMAIL]);
    const firstAdmin = {
      email: FIRST_ADMIN_EMAIL,
      passwordHash: NO_PASSWORD_HASH,
      role: 'admin' as const,
      callerId: null,
    };
    const user = row ? (await findUser(db, row.id))! : await insertUser(db, firstAdmin);
    const actor = { name: 'bootstrap', requestId: null };
    const { id: objectId, email, role } = user;
    if (!row) await recordAudit(db, actor, { action: 'user.create', objectId, after: { email, role } });
    if (user.disabled || user.role !== 'admin') return null;
    await db.run("delete from svc.sign_in_links where expires_at < now() - interval '1 day'");
    await db.run(
      'insert into svc.sign_in_links (org_id, id, user_id, token_hash, expires_at) values ($1, $2, $3, $4, now() + $5::interval)',
      [orgId, createId(), user.id, hashToken(token), LINK_LIFETIME],
    );
    await recordAudit(db, actor, { action: 'user.sign_in_link', objectId });
    return { token };
  });
}

export async function redeemSignInLink(tenancy: Tenancy, token: string, requestId: string): Promise<StartedSession> {
  const hash = hashToken(token);
  const { rows } = await tenancy.withPresentedHash(hash.toString('hex'), (client) =>
    client.query<{ org_id: string }>('select org_id from svc.sign_in_links where token_hash = $1', [hash]),
  );
  const orgId = rows[0]?.org_id;
  const redeemedLink =
    orgId && (await tenancy.inTenant(orgId, (db) => db.first<{ user_id: string }>(REDEEM_LINK, [hash])));
  if (!orgId || !redeemedLink)
    throw new Problem(
      'auth',
      'This link was already used or has expired. Print another link on the machine that runs svc: npx svc sign-in-link',
    );
  return startSession(tenancy, { orgId, userId: redeemedLink.user_id, requestId });
}

const REDEEM_LINK = `update svc.sign_in_links l set used_at = now() from svc.users u
  where l.token_hash = $1 and l.used_at is null and l.expires_at > now()
    and u.org_id = l.org_id and u.id = l.user_id and u.disabled_at is null and u.role = 'admin'
  returning l.user_id`;
