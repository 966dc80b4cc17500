import { type Lens, SVC_CALLER } from '../../lens/model/lens.ts';
import { Problem } from '../../platform/problem.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { type Actor, recordAuditSeparately } from '../audit/audit-log.ts';
import type { LiveLens } from '../lenses/lens-repository.ts';
import type { Cell, Warehouse } from '../ports.ts';
import { computeSha256, toCanonicalJson } from '../receipts/canonical-json.ts';
import type { RunContext } from '../runs/runs.ts';
import type { CertifiedWatch } from './certified-watch.ts';
import {
  type CertifiedCheck,
  findEntry,
  type Invariants,
  listEntries,
  type StoredEntry,
  saveCheckFindings,
} from './entry-repository.ts';
import { findCertifiedFault, guardEntry } from './guard-entry.ts';

const CHECK_FETCH_LIMITS = { maxRows: 5_000, maxBytes: 16_777_216, timeoutMs: 30_000 };
export interface CheckDeps {
  tenancy: Tenancy;
  certifiedWatch: CertifiedWatch;
  clock: { now(): Date };
}

export async function checkAndAuditEntry(
  deps: CheckDeps,
  actor: Actor,
  liveLens: LiveLens,
  entry: StoredEntry,
  warehouse: Warehouse,
) {
  const checkResult = await checkEntry(deps, actor.orgId, { liveLens, warehouse }, entry);
  await recordAuditSeparately(deps, actor, {
    ...{ action: 'certified.check', objectId: `${liveLens.name}/${entry.certId}` },
    after: { ok: checkResult.ok, status: checkResult.status },
  });
  return checkResult;
}

export async function checkEntries(
  deps: CheckDeps,
  orgId: string,
  liveLens: LiveLens,
  warehouse: Warehouse,
  { report, signal }: Pick<RunContext, 'report' | 'signal'>,
) {
  const page = { limit: null, after: null };
  const entries = await deps.tenancy.inTenant(orgId, (db) => listEntries(db, liveLens.lensId, {}, page));
  const dueEntries = entries.filter(({ status }) => status !== 'retired');
  const items = [];
  for (const entry of dueEntries) {
    signal.throwIfAborted();
    report({ done: items.length, total: dueEntries.length });
    items.push(await checkEntry(deps, orgId, { liveLens, warehouse }, entry, signal));
  }
  report({ done: items.length, total: dueEntries.length });
  return {
    lens: liveLens.name,
    checked: items.length,
    failed: items.filter((item) => !item.ok).length,
    suspended: items.filter((item) => item.suspended).length,
    restored: items.filter((item) => item.restored).length,
    items,
  };
}

/** Suspends an approved entry that fails, and opens a ticket. Restores a suspended entry that passes again. */
export async function checkEntry(
  deps: CheckDeps,
  orgId: string,
  { liveLens, warehouse }: { liveLens: LiveLens; warehouse: Warehouse },
  entry: StoredEntry,
  signal?: AbortSignal,
) {
  const check = await runEntryCheck(liveLens.lens, entry, warehouse, deps.clock.now(), signal);
  signal?.throwIfAborted();
  await deps.tenancy.inTenant(orgId, (db) => saveCheckFindings(db, liveLens.lensId, entry.certId, { check }));
  const servedEntry = entry.status === 'approved' ? liveLens.certified.get(entry.certId) : undefined;
  if (servedEntry && !check.ok) {
    const violation = `Its result violates its invariants: ${check.broken.join(' ')}`;
    const kind = check.fault ? 'schema' : 'result';
    await deps.certifiedWatch.suspend(orgId, liveLens, entry.certId, { kind, reason: check.fault ?? violation });
  } else if (servedEntry) await deps.certifiedWatch.suspendIfChanged(orgId, liveLens, servedEntry, warehouse);
  else if (entry.status === 'suspended' && check.ok)
    await deps.certifiedWatch.restore(orgId, liveLens, entry, warehouse);
  const currentEntry = await deps.tenancy.inTenant(orgId, (db) => findEntry(db, liveLens.lensId, entry.certId));
  return {
    ...check,
    cert_id: entry.certId,
    status: currentEntry?.status ?? 'retired',
    suspended: currentEntry?.status === 'suspended' && entry.status === 'approved',
    restored: currentEntry?.status === 'approved' && entry.status === 'suspended',
  };
}

async function runEntryCheck(
  lens: Lens,
  entry: StoredEntry,
  warehouse: Warehouse,
  now: Date,
  signal: AbortSignal | undefined,
): Promise<CertifiedCheck> {
  const emptyResult = {
    row_count: null,
    value: null,
    result_sha256: null,
    changed: null,
    broken: [],
    checked_at: now.toISOString(),
  };
  const fault = await findCertifiedFault(lens, entry, warehouse);
  if (fault) return { ...emptyResult, ok: false, fault };
  // SQL with parameters can't run without values.
  if (Object.keys(entry.parameters).length > 0) return { ...emptyResult, ok: true, fault: null };
  try {
    const statement = await guardEntry(lens, SVC_CALLER, entry, CHECK_FETCH_LIMITS.maxRows, warehouse);
    const { rows, more } = await warehouse.fetch(statement, { ...CHECK_FETCH_LIMITS, signal });
    const value = readSingleNumber(rows);
    const result_sha256 = computeSha256(toCanonicalJson(rows));
    const { lastCheck } = entry;
    const broken = findBrokenInvariants(entry.invariants ?? {}, { rows: rows.length, hasMore: more, value }, lastCheck);
    const changed = lastCheck?.result_sha256 ? lastCheck.result_sha256 !== result_sha256 : null;
    const result = { row_count: rows.length, value, result_sha256, changed, broken };
    return { ...emptyResult, ...result, ok: broken.length === 0, fault: null };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'upstream') throw error;
    return { ...emptyResult, ok: false, fault: [error.message, error.detail].filter(Boolean).join(' ') };
  }
}

function readSingleNumber(rows: Cell[][]): string | null {
  const cell = rows.length === 1 && rows[0]!.length === 1 ? rows[0]![0] : null;
  return cell !== null &&
    cell !== undefined &&
    typeof cell !== 'boolean' &&
    Number.isFinite(Number(cell)) &&
    String(cell).trim() !== ''
    ? String(cell)
    : null;
}

export function findBrokenInvariants(
  { min_rows, max_rows, min_value, max_value, max_change }: Invariants,
  result: { rows: number; hasMore: boolean; value: string | null },
  previousCheck: Pick<CertifiedCheck, 'value'> | null,
): string[] {
  const brokenRules: string[] = [];
  if (min_rows !== undefined && result.rows < min_rows)
    brokenRules.push(
      `The result has ${result.rows} ${result.rows === 1 ? 'row' : 'rows'}, but at least ${min_rows} are expected.`,
    );
  if (max_rows !== undefined && (result.rows > max_rows || result.hasMore))
    brokenRules.push(
      `The result has ${result.hasMore ? 'more than ' : ''}${result.rows} ${result.rows === 1 ? 'row' : 'rows'}, but at most ${max_rows} ${max_rows === 1 ? 'is' : 'are'} expected.`,
    );
  const hasBounds = min_value !== undefined || max_value !== undefined || max_change !== undefined;
  if (hasBounds && result.value === null)
    brokenRules.push('Its result is no longer a single number, so svc can’t check the bounds on its value.');
  if (result.value === null) return brokenRules;
  const value = Number(result.value);
  if (min_value !== undefined && value < min_value) brokenRules.push(`Its value is below ${min_value}.`);
  if (max_value !== undefined && value > max_value) brokenRules.push(`Its value is above ${max_value}.`);
  if (max_change !== undefined && previousCheck?.value !== null && previousCheck?.value !== undefined) {
    const previousValue = Number(previousCheck.value);
    const relativeChange =
      previousValue === value
        ? 0
        : previousValue === 0
          ? Number.POSITIVE_INFINITY
          : Math.abs(value - previousValue) / Math.abs(previousValue);
    if (relativeChange > max_change)
      brokenRules.push(
        `Its value changed ${Number.isFinite(relativeChange) ? `by ${(relativeChange * 100).toFixed(1)}%` : `from 0 to ${result.value}`} since the last check, but at most ${max_change * 100}% is expected.`,
      );
  }
  return brokenRules;
}
