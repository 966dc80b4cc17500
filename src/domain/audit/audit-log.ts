// svc writes a change and its audit entry in one transaction. svc never changes or deletes an entry, and entries
// contain no secrets.

import { createId } from '../../platform/ids.ts';
import { addCamelCaseAliases } from '../../platform/tenancy/columns.ts';
import { insertRows } from '../../platform/tenancy/insert-rows.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import { type Tenancy, type TenantClient, withOwnTransaction } from '../../platform/tenancy/tenant.ts';

export interface Actor {
  orgId: string;
  name: string;
  requestId: string | null;
  /** True for a curator's file edits, which must not change who can read which data (require-unchanged-access.ts). */
  keepsAccess?: true;
}
export interface AuditEntry {
  action: string;
  /** The default is the noun of the action, such as `caller` for `caller.create`. */
  objectKind?: string;
  objectId: string | null;
  before?: unknown;
  after?: unknown;
}

export function runAudited<T>(
  deps: { tenancy: Tenancy },
  actor: Actor,
  work: (db: TenantClient) => Promise<AuditEntry & { result: T }>,
): Promise<T> {
  return deps.tenancy.inTenant(actor.orgId, async (db) => {
    const { result, ...entry } = await work(db);
    await recordAudit(db, actor, entry);
    return result;
  });
}

export async function recordAudit(
  db: TenantClient,
  { name: actor, requestId: request_id }: Pick<Actor, 'name' | 'requestId'>,
  { action, objectKind, objectId: object_id, before = null, after = null }: AuditEntry,
): Promise<void> {
  const object_kind = objectKind ?? action.split('.')[0];
  const row = { id: createId(), actor, action, object_kind, object_id, before, after, request_id };
  await insertRows(db, 'audit_log', [row]);
}

/** Use this function only if the change already has a transaction of its own. */
export const recordAuditSeparately = (deps: { tenancy: Tenancy }, actor: Actor, entry: AuditEntry): Promise<void> =>
  deps.tenancy.inTenant(actor.orgId, (db) => recordAudit(db, actor, entry));

interface StoredAuditEntry extends Required<AuditEntry> {
  id: string;
  at: Date;
  actor: string;
  requestId: string | null;
}
interface AuditFilter {
  actor?: string | undefined;
  action?: string | undefined;
  object_kind?: string | undefined;
  object_id?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

export const readAuditEntries = withOwnTransaction((db, filter: AuditFilter, page: RowPage) =>
  db.rows<StoredAuditEntry>(
    `select ${addCamelCaseAliases('id, at, actor, action, object_kind, object_id, before, after, request_id')}
     from svc.audit_log
     where ($2::text is null or actor = $2) and ($3::text is null or action = $3) and ($4::text is null or object_kind = $4)
       and ($5::text is null or object_id = $5) and ($6::timestamptz is null or at >= $6) and ($7::timestamptz is null or at < $7)
       and ($8::uuid is null or (at, id) < (select at, id from svc.audit_log where id = $8))
     order by at desc, id desc limit $1`,
    [
      ...[page.limit, filter.actor, filter.action, filter.object_kind, filter.object_id],
      ...[filter.since, filter.until, page.after],
    ],
  ),
);
