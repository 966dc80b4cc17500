// Long work behind 202 answers: state, progress, result. A run whose process died is told apart by its silence.
import { newId } from '../../platform/ids.ts';
import type { TenantClient } from '../../platform/tenant.ts';

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
const SILENT = `interval '2 minutes'`;
const COLUMNS = `id, kind, progress, result, actor, created_at as "createdAt", updated_at as "updatedAt",
  case when state = 'running' and updated_at < now() - ${SILENT} then 'failed' else state end as state,
  case when state = 'running' and updated_at < now() - ${SILENT}
    then '{"code": "internal", "message": "The server stopped while this was running. Start it again."}'::jsonb else error end as error`;

export async function insertRun(db: TenantClient, run: { kind: string; actor: string }): Promise<string> {
  const id = newId();
  await db.query(`insert into svc.runs (org_id, id, kind, state, actor) values ($1, $2, $3, 'running', $4)`, [
    db.orgId,
    id,
    run.kind,
    run.actor,
  ]);
  return id;
}

export async function updateRun(
  db: TenantClient,
  id: string,
  change: { state?: Run['state']; progress?: Record<string, unknown>; result?: unknown; error?: Run['error'] },
): Promise<void> {
  await db.query(
    `update svc.runs set state = coalesce($2, state), progress = coalesce($3, progress), result = coalesce($4, result),
       error = coalesce($5, error), updated_at = clock_timestamp() where id = $1`,
    [id, change.state ?? null, json(change.progress), json(change.result), json(change.error)],
  );
}
const json = (value: unknown): string | null => (value === undefined || value === null ? null : JSON.stringify(value));

export async function findRun(db: TenantClient, id: string): Promise<Run | null> {
  const { rows } = await db.query<Run>(`select ${COLUMNS} from svc.runs where id = $1`, [id]);
  return rows[0] ?? null;
}
