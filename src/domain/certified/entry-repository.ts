import type { z } from 'zod';
import type * as wire from '../../contract/mgmt/certified.ts';
import type { CertifiedEntry } from '../../lens/model/lens.ts';
import type { StoredObject } from '../../platform/http/to-wire.ts';
import { addCamelCaseAliases } from '../../platform/tenancy/columns.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';

export type Invariants = NonNullable<z.infer<typeof wire.entrySchema>['invariants']>;
/** Dependencies at the approval: `output` has the result's columns, and `meanings` has a hash for each lens name. */
export interface Dependencies {
  revision: number;
  tables: string[];
  columns: string[];
  output: { name: string; datatype: string }[] | null;
  meanings: Record<string, string>;
}
export type CertifiedCheck = z.infer<typeof wire.entryCheckSchema>;
type EntryView = z.infer<typeof wire.entrySchema>;
type StoredMembers = 'status_reason' | 'origin' | 'path' | 'invariants' | 'last_check' | 'created_at' | 'updated_at';
export interface StoredEntry extends CertifiedEntry, StoredObject<Pick<EntryView, StoredMembers>> {
  lensId: string;
  /** Null unless the entry is suspended. Also null if an older version of svc suspended it. */
  suspendedFor: 'schema' | 'meaning' | 'result' | null;
  dependencies: Dependencies | null;
  revision: number;
}

const SELECT_ENTRIES = `select ${addCamelCaseAliases(
  'cert_id, question, also_asked, sql, parameters, approved_by, approved_at, status, notes, lens_id, status_reason, suspended_for, origin, path, dependencies, invariants, last_check, revision, created_at, updated_at',
)} from svc.certified_entries`;

export const findEntry = (db: TenantClient, lensId: string, certId: string): Promise<StoredEntry | null> =>
  db.first<StoredEntry>(`${SELECT_ENTRIES} where lens_id = $1 and cert_id = $2`, [lensId, certId]);

export const listEntries = (
  db: TenantClient,
  lensId: string,
  filter: { status?: string | undefined },
  page: { limit: number | null; after: string | null },
): Promise<StoredEntry[]> =>
  db.rows<StoredEntry>(
    `${SELECT_ENTRIES} where lens_id = $1 and ($2::text is null or status = $2) and ($3::text is null or cert_id > $3) order by cert_id limit $4`,
    [lensId, filter.status ?? null, page.after, page.limit],
  );

/** `names` contains names such as `metric revenue`. */
export const listEntriesThatUse = (
  db: TenantClient,
  lensId: string,
  names: readonly string[],
  limit: number,
): Promise<StoredEntry[]> =>
  db.rows<StoredEntry>(
    `${SELECT_ENTRIES} where lens_id = $1 and status = 'approved' and (dependencies ->> 'revision')::int = revision
       and dependencies -> 'meanings' ?| $2 order by cert_id limit $3`,
    [lensId, names, limit],
  );

export const setEntryStatus = async (
  db: TenantClient,
  lensId: string,
  certId: string,
  change: {
    status: StoredEntry['status'];
    reason: string | null;
    suspendedFor?: StoredEntry['suspendedFor'];
    approvedBy?: string;
    approvedAt?: string;
  },
): Promise<boolean> =>
  (await db.run(
    `update svc.certified_entries set status = $3, status_reason = $4, approved_by = coalesce($5, approved_by),
       approved_at = coalesce($6, approved_at), suspended_for = $7,
       suspended_at = case when $3 = 'suspended' then now() end, revision = revision + 1, updated_at = now()
     where lens_id = $1 and cert_id = $2 and status <> $3`,
    [lensId, certId, change.status, change.reason, change.approvedBy, change.approvedAt, change.suspendedFor],
  )) === 1;

/** Doesn't change the revision or the update time of the entry. */
export async function saveCheckFindings(
  db: TenantClient,
  lensId: string,
  certId: string,
  findings: { dependencies?: Dependencies; check?: CertifiedCheck },
): Promise<void> {
  await db.run(
    `update svc.certified_entries set dependencies = coalesce($3, dependencies), last_check = coalesce($4, last_check) where lens_id = $1 and cert_id = $2`,
    [lensId, certId, toJsonText(findings.dependencies), toJsonText(findings.check)],
  );
}

const toJsonText = (value: object | undefined): string | null => (value ? JSON.stringify(value) : null);

export const countApprovedEntries = async (
  db: TenantClient,
  lens: string,
  origins: readonly string[],
): Promise<number> =>
  (await db.first<{ count: number }>(
    `select count(*)::int as count from svc.certified_entries c join svc.lenses l on l.id = c.lens_id
     where l.name = $1 and c.origin = any($2) and c.status = 'approved'`,
    [lens, origins],
  ))!.count;
