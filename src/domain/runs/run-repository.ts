// Reads and writes background runs: state, progress, result. A run that has ended doesn't change.

import { newId } from '../../platform/ids.ts';
import { insertRows } from '../../platform/tenancy/insert-rows.ts';
import type { TenantClient } from '../../platform/tenancy/tenant.ts';

export interface Run {
  id: string;
  kind: string;
  state: 'running' | 'succeeded' | 'failed' | 'cancelled';
  progress: Record<string, unknown>;
  result: unknown;
  error: { code: string; message: string } | null;
  actor: string;
  createdAt: Date;
  updatedAt: Date;
}
const MAX_SILENCE = `interval '30 seconds'`;

export async function insertRun(db: TenantClient, run: { kind: string; actor: string }): Promise<string> {
  const id = newId();
  await insertRows(db, 'runs', [{ id, kind: run.kind, state: 'running', actor: run.actor }]);
  return id;
}

/** Returns false if the run was canceled or failed. */
export const recordHeartbeat = async (
  db: TenantClient,
  id: string,
  progress: Run['progress'] | null,
): Promise<boolean> =>
  (await db.run(
    `update svc.runs set progress = coalesce($2, progress), updated_at = clock_timestamp() where id = $1 and state = 'running'`,
    [id, toJsonText(progress)],
  )) === 1;

export async function endRun(
  db: TenantClient,
  id: string,
  outcome: {
    state: 'succeeded' | 'failed';
    result?: unknown;
    error?: Run['error'];
    progress?: Run['progress'] | null;
  },
): Promise<void> {
  await db.run(
    `update svc.runs set state = $2, result = $3, error = $4, progress = coalesce($5, progress), updated_at = clock_timestamp()
     where id = $1 and state = 'running'`,
    [id, outcome.state, toJsonText(outcome.result), toJsonText(outcome.error), toJsonText(outcome.progress)],
  );
}

export const cancelRun = async (db: TenantClient, id: string): Promise<boolean> =>
  (await db.run(
    `update svc.runs set state = 'cancelled', updated_at = clock_timestamp() where id = $1 and state = 'running'`,
    [id],
  )) === 1;

export async function failSilentRuns(db: TenantClient, error: Run['error']): Promise<void> {
  await db.run(
    `update svc.runs set state = 'failed', error = $1 where state = 'running' and updated_at < clock_timestamp() - ${MAX_SILENCE}`,
    [toJsonText(error)],
  );
}

export const findRun = (db: TenantClient, id: string): Promise<Run | null> =>
  db.first<Run>(
    `select id, kind, state, progress, result, error, actor, created_at as "createdAt", updated_at as "updatedAt"
     from svc.runs where id = $1`,
    [id],
  );

const toJsonText = (value: unknown): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value);
