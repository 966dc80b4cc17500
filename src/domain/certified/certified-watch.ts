// Checks an approved entry before svc serves it. The warehouse must return the same columns, and the words of the
// question must have the same meaning in the lens. Otherwise, svc suspends the entry and opens a ticket.
import { type CertifiedEntry, type Lens, SVC_CALLER } from '../../lens/model/lens.ts';
import { memoizeAsync } from '../../platform/memoize.ts';
import { Problem } from '../../platform/problem.ts';
import { StaleWhileRevalidate } from '../../platform/stale-while-revalidate.ts';
import type { Tenancy, TenantClient } from '../../platform/tenancy/tenant.ts';
import { recordAudit } from '../audit/audit-log.ts';
import type { LiveLens } from '../lenses/lens-repository.ts';
import type { Warehouse } from '../ports.ts';
import { insertReview } from '../reviews/review-repository.ts';
import { findChangedMeanings, hashDependencies } from './dependencies.ts';
import {
  type Dependencies,
  findEntry,
  type StoredEntry,
  saveCheckFindings,
  setEntryStatus,
} from './entry-repository.ts';
import { describeEntry, getGuardReport } from './guard-entry.ts';

export interface SuspensionCause {
  /** `result` means that the rows violate an invariant of the entry. */
  kind: 'schema' | 'meaning' | 'result';
  reason: string;
}
type WatchedLens = Pick<LiveLens, 'lensId' | 'name' | 'lens'>;
const PROBE_TIMEOUT_MS = 2_000;
const CAUSE_CACHE_MS = 1_000;
const MAX_CACHED_ENTRIES = 10_000;

export class CertifiedWatch {
  readonly #tenancy: Tenancy;
  /**
   * The reasons for suspension that svc finds without the warehouse, by cert_id. A change of an entry reloads the lens,
   * so the cached reasons stay current.
   */
  readonly #meaningCauses = memoizeAsync<Lens, { cause: SuspensionCause | null; output: Dependencies['output'] }>(
    MAX_CACHED_ENTRIES,
  );
  /** An outdated verdict does no harm: the entry's statement runs next, and fails if svc can't serve the entry. */
  readonly #schemaCauses = new StaleWhileRevalidate<CertifiedEntry, SuspensionCause | null>({
    maxAgeMs: CAUSE_CACHE_MS,
    max: MAX_CACHED_ENTRIES,
  });
  constructor(tenancy: Tenancy) {
    this.#tenancy = tenancy;
  }

  /** Suspends the entry and returns the reason if svc can't serve it. An unreachable warehouse isn't such a reason. */
  async suspendIfChanged(
    orgId: string,
    liveLens: WatchedLens,
    entry: CertifiedEntry,
    warehouse: Warehouse,
  ): Promise<SuspensionCause | null> {
    const compareMeanings = () => this.#compareMeanings(orgId, liveLens, entry, warehouse);
    const { cause, output } = await this.#meaningCauses(liveLens.lens, entry.certId, compareMeanings);
    const readSchemaChange = () => findSchemaChange(liveLens.lens, entry, warehouse, output).catch(() => null);
    const currentCause = cause ?? (await this.#schemaCauses.get(entry, readSchemaChange));
    if (currentCause) this.#schemaCauses.forget(entry);
    if (currentCause) await this.suspend(orgId, liveLens, entry.certId, currentCause);
    return currentCause;
  }

  /** Ignores the cached verdict, because the entry's statement has just failed. */
  async recheckAfterFailure(
    orgId: string,
    liveLens: WatchedLens,
    entry: CertifiedEntry,
    warehouse: Warehouse,
  ): Promise<SuspensionCause | null> {
    if (entry.status !== 'approved') return null;
    this.#schemaCauses.forget(entry);
    return this.suspendIfChanged(orgId, liveLens, entry, warehouse);
  }

  /** Returns whether svc can serve the entry now. Throws if the warehouse is unreachable. */
  async restoreById(orgId: string, liveLens: WatchedLens, certId: string, warehouse: Warehouse): Promise<boolean> {
    const storedEntry = await this.#tenancy.inTenant(orgId, (db) => findEntry(db, liveLens.lensId, certId));
    return (
      storedEntry?.status === 'approved' || (!!storedEntry && this.restore(orgId, liveLens, storedEntry, warehouse))
    );
  }

  async #compareMeanings(orgId: string, liveLens: WatchedLens, entry: CertifiedEntry, warehouse: Warehouse) {
    const storedDependencies = await this.readDependencies(orgId, liveLens, entry.certId, warehouse);
    if (!storedDependencies) return { cause: null, output: null };
    const { meanings, columns, output } = storedDependencies;
    const changedNames = findChangedMeanings(meanings, hashDependencies(liveLens.lens, entry, columns));
    const reason = `These parts of the lens have changed since the entry was approved: ${changedNames.join(', ')}.`;
    return { cause: changedNames.length > 0 ? { kind: 'meaning' as const, reason } : null, output };
  }

  /**
   * Returns the entry's dependencies in the lens version that was served at the approval. svc reads them from the lens
   * once for each revision of the entry.
   */
  async readDependencies(
    orgId: string,
    liveLens: WatchedLens,
    certId: string,
    warehouse: Warehouse | null,
  ): Promise<Dependencies | null> {
    const { stored, lens } = await this.#tenancy.inTenant(orgId, async (db) => {
      const storedEntry = await findEntry(db, liveLens.lensId, certId);
      return {
        stored: storedEntry,
        lens: storedEntry && (await findLensVersionAt(db, liveLens.lensId, storedEntry.updatedAt)),
      };
    });
    if (!stored) return null;
    // A suspended entry keeps the dependencies stored at its approval.
    if (stored.dependencies?.revision === stored.revision || stored.status === 'suspended') return stored.dependencies;
    const currentDependencies = await findDependencies(lens ?? liveLens.lens, stored, warehouse);
    if (currentDependencies)
      await this.#tenancy.inTenant(orgId, (db) =>
        saveCheckFindings(db, liveLens.lensId, certId, { dependencies: currentDependencies }),
      );
    return currentDependencies;
  }

  /** If the columns or meanings have changed since the approval, a person must approve the entry again. */
  async restore(orgId: string, liveLens: WatchedLens, entry: StoredEntry, warehouse: Warehouse): Promise<boolean> {
    if (entry.status !== 'suspended' || entry.suspendedFor !== 'schema' || !entry.dependencies) return false;
    const { meanings, columns, output } = entry.dependencies;
    if (findChangedMeanings(meanings, hashDependencies(liveLens.lens, entry, columns)).length > 0) return false;
    if (await findSchemaChange(liveLens.lens, entry, warehouse, output)) return false;
    return this.#tenancy.inTenant(orgId, async (db) => {
      const currentEntry = await findEntry(db, liveLens.lensId, entry.certId);
      if (currentEntry?.status !== 'suspended' || currentEntry.revision !== entry.revision)
        return currentEntry?.status === 'approved';
      await setEntryStatus(db, liveLens.lensId, entry.certId, { status: 'approved', reason: null });
      await recordAudit(db, SYSTEM_ACTOR, {
        ...{ action: 'certified.restore', objectId: `${liveLens.name}/${entry.certId}` },
        before: { status: 'suspended', reason: entry.statusReason },
        after: { status: 'approved' },
      });
      return true;
    });
  }

  async suspend(
    orgId: string,
    liveLens: WatchedLens,
    certId: string,
    { kind, reason }: SuspensionCause,
  ): Promise<void> {
    await this.#tenancy.inTenant(orgId, async (db) => {
      const previousEntry = await findEntry(db, liveLens.lensId, certId);
      if (previousEntry?.status !== 'approved') return;
      const newStatus = { status: 'suspended', reason, suspendedFor: kind } as const;
      if (!(await setEntryStatus(db, liveLens.lensId, certId, newStatus))) return;
      await insertReview(db, {
        lens: liveLens.name,
        subject: { kind: 'certified', lens: liveLens.name, cert_id: certId },
        note: `svc suspended the certified entry ${certId}. ${reason}`,
        raisedBy: 'svc',
      });
      await recordAudit(db, SYSTEM_ACTOR, {
        ...{ action: 'certified.suspend', objectId: `${liveLens.name}/${certId}` },
        before: { status: previousEntry.status },
        after: { status: 'suspended', reason },
      });
    });
  }
}

const SYSTEM_ACTOR = { name: 'svc', requestId: null };

async function findLensVersionAt(db: TenantClient, lensId: string, time: Date): Promise<Lens | null> {
  const version = await db.first<{ compiled: Lens }>(
    `select compiled from svc.lens_versions where lens_id = $1 and created_at < $2::timestamptz + interval '1 millisecond' order by version desc limit 1`,
    [lensId, time],
  );
  return version?.compiled ?? null;
}

async function findDependencies(
  lens: Lens,
  entry: StoredEntry,
  warehouse: Warehouse | null,
): Promise<Dependencies | null> {
  try {
    const report = await getGuardReport(lens, SVC_CALLER, entry);
    const description = warehouse && (await describeEntry(lens, entry, warehouse, PROBE_TIMEOUT_MS).catch(() => null));
    return {
      revision: entry.revision,
      tables: report.relations,
      columns: report.columns,
      output: description && 'columns' in description ? description.columns : null,
      meanings: hashDependencies(lens, entry, report.columns),
    };
  } catch (fault) {
    if (fault instanceof Problem) return null;
    throw fault;
  }
}

/** Throws if the warehouse is unreachable, because then the columns are unknown. */
async function findSchemaChange(
  lens: Lens,
  entry: CertifiedEntry,
  warehouse: Warehouse,
  storedOutput: Dependencies['output'],
): Promise<SuspensionCause | null> {
  const description = await describeEntry(lens, entry, warehouse, PROBE_TIMEOUT_MS);
  if ('fault' in description) return { kind: 'schema', reason: `Its SQL no longer runs: ${description.fault}` };
  const changedColumns = (storedOutput ?? []).filter(
    ({ datatype }, index) => description.columns[index]?.datatype !== datatype,
  );
  if (changedColumns.length === 0) return null;
  const names = changedColumns.map(({ name }) => name).join(', ');
  const reason = `The data types of these result columns have changed since the approval: ${names}.`;
  return { kind: 'schema', reason };
}
