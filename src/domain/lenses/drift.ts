// Finds names that no longer exist in the warehouse, and facts that the data contradicts.

import type { z } from 'zod';
import type { driftFindingSchema } from '../../contract/mgmt/connections.ts';
import { checkAgainstWarehouse } from '../../lens/compile/check-against-warehouse.ts';
import type { Lens } from '../../lens/model/lens.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import type { Actor } from '../audit/audit-log.ts';
import { findCertifiedFault } from '../certified/guard-entry.ts';
import type { Warehouse } from '../ports.ts';
import { findSnapshot, saveSnapshot } from '../profiling/snapshot-repository.ts';
import { withAbortSignal } from '../with-abort-signal.ts';
import { auditFacts, type FactAuditDeps } from './audit-facts.ts';
import type { LiveLens, LiveLenses } from './lens-repository.ts';

export type DriftFinding = z.infer<typeof driftFindingSchema>;
export type DriftDeps = FactAuditDeps & { lenses: LiveLenses };
const toDriftSubject = (lens: string): string => `lens:${lens}`;

export async function auditDrift(
  deps: DriftDeps,
  actor: Actor,
  lenses: string[],
  report: (progress: { done: number; total: number }) => void = () => undefined,
  signal: AbortSignal = new AbortController().signal,
): Promise<DriftFinding[]> {
  const { orgId } = actor;
  const allFindings: DriftFinding[] = [];
  const liveLenses = await deps.lenses.list(orgId, lenses);
  for (const [index, liveLens] of liveLenses.entries()) {
    signal.throwIfAborted();
    const warehouse = withAbortSignal(await deps.warehouses.get(orgId, liveLens.lens.connection), signal);
    const lensFindings = await findDrift(liveLens, warehouse);
    // Facts are checked only if svc can read all tables and columns.
    const isReadable = lensFindings.every(({ code }) => code === 'fan_out' || code === 'certified_sql');
    const contradictions = isReadable ? await auditFacts(deps, actor, liveLens.lens, warehouse, signal) : [];
    const findings = [
      ...lensFindings,
      ...contradictions.map((item) => ({ ...item, lens: liveLens.name, code: 'contradicted_fact', breaks: [] })),
    ];
    await saveSnapshot(deps, orgId, toDriftSubject(liveLens.name), 'drift', findings);
    allFindings.push(...findings);
    report({ done: index + 1, total: liveLenses.length });
  }
  return allFindings;
}

/** `takenAt` is the time of the oldest report, or null if a report is missing. */
export async function readDrift(
  deps: { tenancy: Tenancy },
  orgId: string,
  lenses: string[],
): Promise<{ takenAt: Date | null; findings: DriftFinding[] }> {
  const reports = await Promise.all(
    lenses.map((lens) => findSnapshot<DriftFinding[]>(deps, orgId, toDriftSubject(lens), 'drift')),
  );
  const times = reports.map((report) => report?.takenAt.getTime() ?? null);
  const takenAt =
    times.length > 0 && times.every((time) => time !== null) ? new Date(Math.min(...(times as number[]))) : null;
  return { takenAt, findings: reports.flatMap((report) => report?.body ?? []) };
}

async function findDrift({ lens, certified }: LiveLens, warehouse: Warehouse): Promise<DriftFinding[]> {
  const problems = await checkAgainstWarehouse(lens, warehouse, (path, code, message, extra) => ({
    ...{ path: '', line: 1, column: 1, code, message, severity: extra?.severity ?? 'error' },
    pointer: path.map((part) => `/${String(part)}`).join(''),
  }));
  const brokenEntries: string[] = [];
  const findings: DriftFinding[] = [];
  for (const entry of certified.values()) {
    const fault = await findCertifiedFault(lens, entry, warehouse);
    if (fault === null) continue;
    brokenEntries.push(`certified ${entry.certId}`);
    findings.push({
      lens: lens.name,
      code: 'certified_sql',
      pointer: `/certified/${entry.certId}`,
      message: fault,
      breaks: [`certified ${entry.certId}`],
    });
  }
  const schemaFindings = problems.map(({ code, pointer, message }) => ({
    lens: lens.name,
    code,
    pointer,
    message,
    breaks: [...findMetricsUsing(lens, pointer), ...brokenEntries],
  }));
  return [...schemaFindings, ...findings];
}

function findMetricsUsing(lens: Lens, pointer: string): string[] {
  const [, pointerKind, dataset, , field] = pointer.split('/');
  if (pointerKind === 'metrics') return [`metric ${dataset}`];
  if (pointerKind !== 'datasets') return [];
  const directMetrics = lens.metrics
    .filter(({ references }) =>
      references.fields.some((item) => item.dataset === dataset && (!field || item.field === field)),
    )
    .map(({ name }) => name);
  const derivedMetrics = lens.metrics
    .filter(({ references }) => references.metrics.some((name) => directMetrics.includes(name)))
    .map(({ name }) => name);
  return [...new Set([...directMetrics, ...derivedMetrics])].map((name) => `metric ${name}`);
}
