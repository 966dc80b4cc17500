// Email addresses are stored in lowercase.

import type { ChangeUserBody, Role, User } from '../../contract/session.ts';
import { type StoredObject, toWireObject } from '../../platform/http/to-wire.ts';
import { createId } from '../../platform/ids.ts';
import { insertRows } from '../../platform/tenancy/insert-rows.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { PresentedClient, TenantClient } from '../../platform/tenancy/tenant.ts';

type UserRow = StoredObject<User>;
const SELECT_USERS = `select u.id, u.email, u.role, c.name as caller, u.created_at as "createdAt", u.updated_at as "updatedAt", u.disabled_at is not null as disabled
  from svc.users u left join svc.callers c on c.org_id = u.org_id and c.id = u.caller_id`;

/** Raises the unique violation 23505 if the email address is taken. */
export async function insertUser(
  db: TenantClient,
  user: { email: string; passwordHash: string; role: Role; callerId: string | null },
): Promise<User> {
  const id = createId();
  const { email, passwordHash: password_hash, role, callerId: caller_id } = user;
  await insertRows(db, 'users', [{ id, email, password_hash, role, caller_id }]);
  return (await findUser(db, id))!;
}

export async function findUser(db: TenantClient, id: string): Promise<User | null> {
  const row = await db.first<UserRow>(`${SELECT_USERS} where u.id::text = $1`, [id]);
  return row ? toWireObject(row) : null;
}

export interface UserFilter {
  /** A part of the email address or of the caller's name. */
  q?: string | undefined;
  role?: User['role'] | undefined;
}

export async function listUserRows(db: TenantClient, { q, role }: UserFilter, page: RowPage): Promise<User[]> {
  const rows = await db.rows<UserRow>(
    `${SELECT_USERS} where ($2::text is null or u.email > $2) and ($4::text is null or u.role = $4)
       and ($3::text is null or strpos(u.email, lower($3)) > 0 or strpos(lower(c.name), lower($3)) > 0)
     order by u.email limit $1`,
    [page.limit, page.after, q ?? null, role ?? null],
  );
  return rows.map(toWireObject);
}

export const updateUser = async (
  db: TenantClient,
  id: string,
  change: Omit<ChangeUserBody, 'caller'> & { callerId?: string | null; passwordHash?: string },
): Promise<boolean> =>
  (await db.run(
    `update svc.users set email = coalesce($2, email), role = coalesce($3, role),
       caller_id = case when $4 then $5::uuid else caller_id end,
       disabled_at = case when $6::boolean is null then disabled_at when $6 then coalesce(disabled_at, now()) end,
       password_hash = coalesce($7, password_hash), updated_at = now() where id::text = $1`,
    [
      id,
      change.email ?? null,
      change.role ?? null,
      change.callerId !== undefined,
      change.callerId ?? null,
      change.disabled ?? null,
      change.passwordHash ?? null,
    ],
  )) === 1;

export async function recordSignIn(db: TenantClient, id: string): Promise<void> {
  await db.run('update svc.users set signed_in_at = now() where id = $1', [id]);
}

export const deleteUserRow = async (db: TenantClient, id: string): Promise<boolean> =>
  (await db.run('delete from svc.users where id::text = $1', [id])) === 1;

/** svc compares a password with at most this many accounts, because one comparison takes a third of a second. */
const MAX_COMPARED_ACCOUNTS = 5;

/** Without an organization, returns accounts of any organization. The most recently used account comes first. */
export async function listAccountsByEmail(
  client: PresentedClient,
  email: string,
  organization: string | null,
): Promise<{ orgId: string; id: string; passwordHash: string }[]> {
  const { rows } = await client.query<{ orgId: string; id: string; passwordHash: string }>(
    `select org_id as "orgId", id, password_hash as "passwordHash" from svc.users where email = $1 and disabled_at is null
       and ($2::text is null or org_id = (select id from svc.organizations where name = $2))
     order by signed_in_at desc nulls last, created_at limit ${MAX_COMPARED_ACCOUNTS}`,
    [email, organization],
  );
  return rows;
}

export interface PersonAccount {
  orgId: string;
  id: string;
  /** True if the person has signed in to this account before. Otherwise, only the email address is the same. */
  linked: boolean;
  disabled: boolean;
}

export async function listAccountsOfPerson(
  client: PresentedClient,
  { issuer, subject, email }: ProviderIdentity & { email: string },
): Promise<PersonAccount[]> {
  const { rows } = await client.query<PersonAccount>(
    `select org_id as "orgId", id, identity_subject is not null as linked, disabled_at is not null as disabled from svc.users
     where (identity_issuer = $1 and identity_subject = $2) or (identity_subject is null and email = $3)
     order by created_at limit 100`,
    [issuer, subject, email],
  );
  return rows;
}

export interface ProviderIdentity {
  issuer: string;
  subject: string;
}

/** Returns false if the account is linked to another identity or disabled. */
export const linkUser = async (db: TenantClient, id: string, { issuer, subject }: ProviderIdentity): Promise<boolean> =>
  (await db.run(
    `update svc.users set identity_issuer = $2, identity_subject = $3 where id = $1 and disabled_at is null
       and (identity_subject is null or (identity_issuer = $2 and identity_subject = $3))`,
    [id, issuer, subject],
  )) === 1;
