// A library can have 100,000 entries, so svc reads only the entries that changed since the last read.
import type { CertifiedEntry } from '../../lens/model/lens.ts';
import { addCamelCaseAliases } from '../../platform/tenancy/columns.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';

export interface SuspendedEntry extends CertifiedEntry {
  suspendedFor: 'schema' | 'meaning' | 'result';
  suspendedAt: Date;
  reason: string | null;
}
export interface EntryLibrary {
  /** The approved entries, by cert_id. */
  certified: ReadonlyMap<string, CertifiedEntry>;
  suspended: ReadonlyMap<string, SuspendedEntry>;
  readAt: LibrarySnapshot;
}
interface LibrarySnapshot {
  /**
   * The oldest transaction that was open during the read. Every row version that the read missed comes from this
   * transaction or a later one.
   */
  oldestTransaction: string;
  /** Transaction numbers are comparable only within one table of one running server. */
  table: string;
}
/** Row versions have 32-bit transaction numbers, which are no longer comparable after this many transactions. */
const MAX_COMPARABLE_TRANSACTIONS = 1_000_000_000n;
interface LibraryRow extends SuspendedEntry {
  status: CertifiedEntry['status'];
}

const IN_SERVICE_CONDITION = `(status = 'approved' or (status = 'suspended' and suspended_for is not null))`;
const LIBRARY_SNAPSHOT_SQL = `select pg_snapshot_xmin(pg_current_snapshot())::text as "oldestTransaction",
    concat_ws('/', 'svc.certified_entries'::regclass::oid, pg_postmaster_start_time()) as table,
    (select count(*)::int from svc.certified_entries where lens_id = $1 and ${IN_SERVICE_CONDITION}) as total`;
const SELECT_ENTRIES = `select ${addCamelCaseAliases('cert_id, question, also_asked, sql, parameters, approved_by, approved_at, status, notes, suspended_for')},
    coalesce(suspended_at, updated_at) as "suspendedAt", status_reason as reason
  from svc.certified_entries where lens_id = $1`;

/** Unchanged entries are the same objects as in `previousLibrary`, an earlier read of this library. */
export async function readLibrary(
  db: TenantClient,
  lensId: string,
  previousLibrary: EntryLibrary | null,
): Promise<EntryLibrary> {
  return (previousLibrary && (await readChanges(db, lensId, previousLibrary))) ?? (await readWholeLibrary(db, lensId));
}

async function readWholeLibrary(db: TenantClient, lensId: string): Promise<EntryLibrary> {
  // Reads the transaction numbers before the rows. A change in between is then read twice instead of missed.
  const point = await db.first<LibrarySnapshot>(LIBRARY_SNAPSHOT_SQL, [lensId]);
  const rows = await db.rows<LibraryRow>(`${SELECT_ENTRIES} and ${IN_SERVICE_CONDITION} order by cert_id`, [lensId]);
  return createLibrary(new Map(), new Map(), rows, point!);
}

/** Returns null if an entry was deleted, or if svc can't compare the rows with the last read. */
async function readChanges(db: TenantClient, lensId: string, { certified, suspended, readAt }: EntryLibrary) {
  const row = await db.first<LibrarySnapshot & { total: number; changed: LibraryRow[] }>(
    `with point as (${LIBRARY_SNAPSHOT_SQL}), changed as (${SELECT_ENTRIES} and age(xmin) <= age($2::xid8::xid))
     select point.*, (select coalesce(json_agg(changed order by "certId"), '[]') from changed) as changed from point`,
    [lensId, readAt.oldestTransaction],
  );
  const { changed, total, ...point } = row!;
  const passedTransactions = BigInt(point.oldestTransaction) - BigInt(readAt.oldestTransaction);
  if (point.table !== readAt.table || passedTransactions > MAX_COMPARABLE_TRANSACTIONS) return null;
  const rows = changed.map((entry) => ({ ...entry, suspendedAt: new Date(entry.suspendedAt) }));
  const library =
    rows.length === 0 ? { certified, suspended, readAt: point } : createLibrary(certified, suspended, rows, point);
  return library.certified.size + library.suspended.size === total ? library : null;
}

function createLibrary(
  earlierEntries: EntryLibrary['certified'],
  earlierSuspended: EntryLibrary['suspended'],
  rows: readonly LibraryRow[],
  { oldestTransaction, table }: LibrarySnapshot,
): EntryLibrary {
  const [certified, suspended] = [new Map(earlierEntries), new Map(earlierSuspended)];
  for (const row of rows) {
    certified.delete(row.certId);
    suspended.delete(row.certId);
    const { suspendedFor, suspendedAt: _at, reason: _reason, ...entry } = row;
    if (row.status === 'approved') certified.set(row.certId, entry);
    else if (row.status === 'suspended' && suspendedFor !== null) suspended.set(row.certId, row);
  }
  return { certified, suspended, readAt: { oldestTransaction, table } };
}
