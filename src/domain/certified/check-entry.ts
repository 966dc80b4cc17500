// Checks one entry: its SQL runs, reads only what the lens lists, and returns a result that keeps its invariants.
import { type Lens, OWNER } from '../../lens/model/lens.ts';
import { Problem } from '../../platform/problem.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { type Actor, audit } from '../audit/audited.ts';
import type { ServedLens } from '../lenses/lens-repository.ts';
import type { Cell, Warehouse } from '../ports.ts';
import { canonicalJson, sha256 } from '../receipts/canonical-json.ts';
import type { CertifiedWatch } from './certified-watch.ts';
import { certifiedFault } from './check-certified.ts';
import { type CertifiedCheck, findEntry, type Invariants, type StoredEntry, saveFindings } from './entry-repository.ts';
import { guardEntry } from './guard-entry.ts';

const FETCH_LIMITS = { maxRows: 5_000, maxBytes: 16_777_216, timeoutMs: 30_000 };
export interface CheckDeps {
  tenancy: Tenancy;
  certifiedWatch: CertifiedWatch;
  clock: { now(): Date };
}

export async function checkEntryNow(
  deps: CheckDeps,
  actor: Actor,
  liveLens: ServedLens,
  entry: StoredEntry,
  warehouse: Warehouse,
) {
  const found = await checkEntry(deps, actor.orgId, { served: liveLens, warehouse }, entry);
  await audit(deps, actor, {
    ...{ action: 'certified.check', objectId: `${liveLens.name}/${entry.certId}` },
    after: { ok: found.ok, status: found.status },
  });
  return found;
}

/** Suspends failing approved entries with a ticket, and restores suspended ones that work again. */
export async function checkEntry(
  deps: CheckDeps,
  orgId: string,
  { served, warehouse }: { served: ServedLens; warehouse: Warehouse },
  entry: StoredEntry,
  signal?: AbortSignal,
) {
  const check = await examine(served.lens, entry, warehouse, deps.clock.now(), signal);
  signal?.throwIfAborted();
  await deps.tenancy.inTenant(orgId, (db) => saveFindings(db, served.lensId, entry.certId, { check }));
  const live = entry.status === 'approved' ? served.certified.get(entry.certId) : undefined;
  if (live && !check.ok)
    await deps.certifiedWatch.suspend(
      orgId,
      served,
      entry.certId,
      check.fault
        ? { kind: 'schema', reason: check.fault }
        : { kind: 'result', reason: `Its result is outside its invariants: ${check.broken.join(' ')}` },
    );
  else if (live) await deps.certifiedWatch.doubt(orgId, served, live, warehouse);
  else if (entry.status === 'suspended' && check.ok) await deps.certifiedWatch.restore(orgId, served, entry, warehouse);
  const now = await deps.tenancy.inTenant(orgId, (db) => findEntry(db, served.lensId, entry.certId));
  return {
    ...check,
    cert_id: entry.certId,
    status: now?.status ?? 'retired',
    suspended: now?.status === 'suspended' && entry.status === 'approved',
    restored: now?.status === 'approved' && entry.status === 'suspended',
  };
}

async function examine(
  lens: Lens,
  entry: StoredEntry,
  warehouse: Warehouse,
  now: Date,
  signal: AbortSignal | undefined,
): Promise<CertifiedCheck> {
  const none = {
    row_count: null,
    value: null,
    result_sha256: null,
    changed: null,
    broken: [],
    checked_at: now.toISOString(),
  };
  const fault = await certifiedFault(lens, entry, warehouse);
  if (fault) return { ...none, ok: false, fault };
  // SQL with parameters can't run without values.
  if (Object.keys(entry.parameters).length > 0) return { ...none, ok: true, fault: null };
  try {
    const { rows, more } = await warehouse.fetch(
      await guardEntry(lens, OWNER, entry, FETCH_LIMITS.maxRows, warehouse),
      {
        ...FETCH_LIMITS,
        signal,
      },
    );
    const value = onlyNumber(rows);
    const result_sha256 = sha256(canonicalJson(rows));
    const before = entry.lastCheck;
    const broken = brokenInvariants(entry.invariants ?? {}, { rows: rows.length, more, value }, before);
    const changed = before?.result_sha256 ? before.result_sha256 !== result_sha256 : null;
    return {
      ...none,
      ok: broken.length === 0,
      fault: null,
      row_count: rows.length,
      value,
      result_sha256,
      changed,
      broken,
    };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'upstream') throw error;
    return { ...none, ok: false, fault: [error.message, error.detail].filter(Boolean).join(' ') };
  }
}

function onlyNumber(rows: Cell[][]): string | null {
  const cell = rows.length === 1 && rows[0]!.length === 1 ? rows[0]![0] : null;
  return cell !== null &&
    cell !== undefined &&
    typeof cell !== 'boolean' &&
    Number.isFinite(Number(cell)) &&
    String(cell).trim() !== ''
    ? String(cell)
    : null;
}

export function brokenInvariants(
  { min_rows, max_rows, min_value, max_value, max_change }: Invariants,
  found: { rows: number; more: boolean; value: string | null },
  before: Pick<CertifiedCheck, 'value'> | null,
): string[] {
  const broken: string[] = [];
  if (min_rows !== undefined && found.rows < min_rows)
    broken.push(`It has ${found.rows} rows; at least ${min_rows} are expected.`);
  if (max_rows !== undefined && (found.rows > max_rows || found.more))
    broken.push(`It has ${found.more ? 'more than ' : ''}${found.rows} rows; at most ${max_rows} are expected.`);
  const bounded = min_value !== undefined || max_value !== undefined || max_change !== undefined;
  if (bounded && found.value === null)
    broken.push('Its result is no longer one number, but the entry has bounds for its value.');
  if (found.value === null) return broken;
  const value = Number(found.value);
  if (min_value !== undefined && value < min_value) broken.push(`Its value is below ${min_value}.`);
  if (max_value !== undefined && value > max_value) broken.push(`Its value is above ${max_value}.`);
  if (max_change !== undefined && before?.value !== null && before?.value !== undefined) {
    const was = Number(before.value);
    const moved = was === value ? 0 : was === 0 ? Number.POSITIVE_INFINITY : Math.abs(value - was) / Math.abs(was);
    if (moved > max_change)
      broken.push(
        `Its value moved by ${Number.isFinite(moved) ? `${(moved * 100).toFixed(1)} %` : 'more than any share'} since the last check; at most ${max_change * 100} % is expected.`,
      );
  }
  return broken;
}
