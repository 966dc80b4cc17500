// The audit log: every change to the control plane, its author, and the previous values. Entries are only added, and
// contain no secrets.

import { newId } from '../../platform/ids.ts';
import { insertRows } from '../../platform/tenancy/insert-rows.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';

export interface AuditEntry {
  actor: string;
  action: string;
  /** The kind of object. If omitted, svc uses the noun of the action, such as `caller` for `caller.create`. */
  objectKind?: string;
  objectId: string | null;
  before: unknown;
  after: unknown;
  requestId: string | null;
}
export interface StoredAuditEntry extends Required<AuditEntry> {
  id: string;
  at: Date;
}

export async function insertAuditEntry(db: TenantClient, entry: AuditEntry): Promise<void> {
  const { actor, action, objectId: object_id, requestId: request_id } = entry;
  const object_kind = entry.objectKind ?? action.split('.')[0];
  const { before, after } = entry;
  await insertRows(db, 'audit_log', [
    { id: newId(), actor, action, object_kind, object_id, before, after, request_id },
  ]);
}

export interface AuditFilter {
  actor?: string | undefined;
  action?: string | undefined;
  objectKind?: string | undefined;
  objectId?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** Lists the newest entries first. `before` is the id of the last entry of the previous page. */
export const listAudit = (db: TenantClient, filter: AuditFilter, page: RowPage): Promise<StoredAuditEntry[]> =>
  db.rows<StoredAuditEntry>(
    `select id, at, actor, action, object_kind as "objectKind", object_id as "objectId", before, after, request_id as "requestId"
     from svc.audit_log
     where ($2::text is null or actor = $2) and ($3::text is null or action = $3) and ($4::text is null or object_kind = $4)
       and ($5::text is null or object_id = $5) and ($6::timestamptz is null or at >= $6) and ($7::timestamptz is null or at < $7)
       and ($8::uuid is null or (at, id) < (select at, id from svc.audit_log where id = $8))
     order by at desc, id desc limit $1`,
    [
      page.limit,
      filter.actor ?? null,
      filter.action ?? null,
      filter.objectKind ?? null,
      filter.objectId ?? null,
      filter.since ?? null,
      filter.until ?? null,
      page.after,
    ],
  );
