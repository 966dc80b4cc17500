// Writes a change and its audit row in one transaction, so that neither exists without the other.

import type { RowPage } from '../../platform/tenancy/row-page.ts';
import type { Tenancy, TenantClient } from '../../platform/tenancy/tenant.ts';
import { type AuditFilter, insertAuditEntry, listAudit, type StoredAuditEntry } from './audit-repository.ts';

export interface Actor {
  orgId: string;
  name: string;
  requestId: string | null;
  /**
   * Set for curators. A curator's file edit must not change which tables a lens can read or who can see which data
   * (require-access-kept.ts).
   */
  keepsAccess?: true;
}
export interface AuditedChange<T> {
  result: T;
  action: string;
  objectKind?: string;
  objectId: string | null;
  before?: unknown;
  after?: unknown;
}

export function runAudited<T>(
  deps: { tenancy: Tenancy },
  actor: Actor,
  work: (db: TenantClient) => Promise<AuditedChange<T>>,
): Promise<T> {
  return deps.tenancy.inTenant(actor.orgId, async (db) => {
    const { result, ...entry } = await work(db);
    await recordAudit(db, actor, entry);
    return result;
  });
}

/** Writes an audit row in an open transaction, for transactions that make several changes. */
export const recordAudit = (
  db: TenantClient,
  actor: Actor,
  entry: Omit<AuditedChange<unknown>, 'result'>,
): Promise<void> =>
  insertAuditEntry(db, { before: null, after: null, ...entry, actor: actor.name, requestId: actor.requestId });

/** Writes an audit row right after a change that had its own transaction. */
export function recordAuditSeparately(
  deps: { tenancy: Tenancy },
  actor: Actor,
  entry: Omit<AuditedChange<null>, 'result'>,
): Promise<void> {
  return deps.tenancy.inTenant(actor.orgId, (db) => recordAudit(db, actor, entry));
}

export const readAudit = (
  deps: { tenancy: Tenancy },
  orgId: string,
  filter: AuditFilter,
  page: RowPage,
): Promise<StoredAuditEntry[]> => deps.tenancy.inTenant(orgId, (db) => listAudit(db, filter, page));
