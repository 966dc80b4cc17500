import type { z } from 'zod';
import type { callerSchema } from '../../contract/mgmt/identity.ts';
import type { StoredObject } from '../../platform/http/to-wire.ts';
import { createId } from '../../platform/ids.ts';
import { addCamelCaseAliases } from '../../platform/tenancy/columns.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';

export interface Caller extends StoredObject<Omit<z.infer<typeof callerSchema>, 'disabled'>> {
  disabledAt: Date | null;
}

const CALLER_COLUMNS = addCamelCaseAliases(
  'id, name, email, groups, attributes, kind, created_at, updated_at, disabled_at',
);

export interface CallerChange {
  name?: string;
  email?: string | null;
  groups?: string[];
  attributes?: Caller['attributes'];
  disabled?: boolean;
}
export interface NewCaller extends Omit<CallerChange, 'disabled'> {
  name: string;
  kind?: Caller['kind'];
  externalSubject?: string;
}

/** A name that is already in use raises the unique violation 23505, which the surface maps to `conflict`. */
export const createCaller = async (db: TenantClient, caller: NewCaller): Promise<Caller> =>
  (await db.first<Caller>(
    `insert into svc.callers (org_id, id, name, email, groups, attributes, kind, external_subject)
     values ($1,$2,$3,$4,$5,$6,$7,$8) returning ${CALLER_COLUMNS}`,
    [
      db.orgId,
      createId(),
      caller.name,
      caller.email ?? null,
      caller.groups ?? [],
      caller.attributes ?? {},
      caller.kind ?? 'api',
      caller.externalSubject ?? null,
    ],
  ))!;

export async function findCaller(
  db: TenantClient,
  callerRef: { id: string } | { name: string } | { externalSubject: string },
): Promise<Caller | null> {
  const [column, value] =
    'id' in callerRef
      ? ['id::text', callerRef.id]
      : 'name' in callerRef
        ? ['name', callerRef.name]
        : ['external_subject', callerRef.externalSubject];
  return db.first<Caller>(`select ${CALLER_COLUMNS} from svc.callers where ${column} = $1`, [value]);
}

export interface CallerFilter {
  /** Null for all callers. */
  id: string | null;
  /** A part of the name or email address. The case of letters doesn't matter. */
  q?: string | undefined;
  group?: string | undefined;
  disabled?: boolean | undefined;
}

export const listCallers = (
  db: TenantClient,
  { id, q, group, disabled }: CallerFilter,
  page: RowPage,
): Promise<Caller[]> =>
  db.rows<Caller>(
    `select ${CALLER_COLUMNS} from svc.callers where ($2::text is null or name > $2)
       and ($3::text is null or strpos(lower(name), lower($3)) > 0 or strpos(lower(email), lower($3)) > 0)
       and ($4::text is null or $4 = any(groups)) and ($5::boolean is null or (disabled_at is not null) = $5)
       and ($6::uuid is null or id = $6)
     order by name limit $1`,
    [page.limit, page.after, q ?? null, group ?? null, disabled ?? null, id],
  );

export const updateCaller = (db: TenantClient, id: string, change: CallerChange): Promise<Caller | null> =>
  db.first<Caller>(
    `update svc.callers set name = coalesce($2, name), email = case when $3 then $4 else email end,
       groups = coalesce($5, groups), attributes = coalesce($6, attributes),
       disabled_at = case when $7::boolean is null then disabled_at when $7 then coalesce(disabled_at, now()) end, updated_at = now()
     where id::text = $1 returning ${CALLER_COLUMNS}`,
    [
      id,
      change.name ?? null,
      change.email !== undefined,
      change.email ?? null,
      change.groups ?? null,
      change.attributes ?? null,
      change.disabled ?? null,
    ],
  );

/** Traces keep the caller's name. Raises the foreign key violation 23503 while a user is linked to the caller. */
export async function deleteCallerRow(db: TenantClient, id: string): Promise<void> {
  await db.run('delete from svc.callers where id = $1', [id]);
}

export interface AssignedAttribute {
  name: string;
  type: 'string' | 'number' | 'boolean';
  callers: number;
}

export const readAssignedAttributes = (db: TenantClient): Promise<AssignedAttribute[]> =>
  db.rows<AssignedAttribute>(
    `select a.key as name, jsonb_typeof(a.value) as type, count(*)::int as callers
     from svc.callers c, jsonb_each(c.attributes) a where c.disabled_at is null group by 1, 2 order by 1, 2`,
  );
