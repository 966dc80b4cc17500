// A run works in the background, and clients can follow and cancel it from any replica. A run without heartbeats has
// lost its process and counts as failed. A run that has ended doesn't change.
import type { z } from 'zod';
import type { runSchema } from '../../contract/mgmt/shared.ts';
import type { StoredObject } from '../../platform/http/to-wire.ts';
import { createId, isId } from '../../platform/ids.ts';
import { Problem, requireFound } from '../../platform/problem.ts';
import { addCamelCaseAliases } from '../../platform/tenancy/columns.ts';
import { insertRows } from '../../platform/tenancy/insert-rows.ts';
import type { Tenancy, TenantClient } from '../../platform/tenancy/tenant.ts';
import { type Actor, recordAudit } from '../audit/audit-log.ts';

interface Run extends StoredObject<Omit<z.infer<typeof runSchema>, 'run_id'>> {
  id: string;
}
/** Canceled runs have no outcome. */
type RunOutcome = { state: 'succeeded'; result: unknown } | { state: 'failed'; error: Run['error']; result?: unknown };

const HEARTBEAT_INTERVAL_MS = 1_000;
const HEARTBEAT_TIMEOUT_SQL = `interval '30 seconds'`;
const MAX_RUN_MS = 3_600_000;
const STOPPED_FAULT = { code: 'internal', message: 'The server stopped during this run. Start it again.' };
/**
 * Kinds of runs that commit all their work at once. Such a run can't be canceled, because the commit may already have
 * happened.
 */
const UNCANCELABLE_KINDS: ReadonlySet<string> = new Set(['project.apply', 'lens.publish']);
const TOO_LONG_FAULT = {
  code: 'timeout',
  message: 'The run took too long and was stopped. Request less work at once.',
};

export interface RunContext {
  id: string;
  /** The work can report progress at any frequency, because svc stores it at most once a second. */
  report(progress: Record<string, unknown>): void;
  /** Aborts when the run is canceled. Pass this signal to all asynchronous calls. */
  signal: AbortSignal;
}
export interface NewRun {
  kind: string;
  /** The subject of the run for the audit log. Absent if the work writes its own audit entry or changes nothing. */
  about?: { kind: string; id: string | null };
  /** Converts the error of a failed run to the run's result. */
  refusal?: (fault: unknown) => unknown;
  /** The default is one hour. */
  timeoutMs?: number;
}

export class Runs {
  readonly #tenancy: Tenancy;
  readonly #stopByRunId = new Map<string, (error: Run['error']) => Promise<void>>();
  constructor(tenancy: Tenancy) {
    this.#tenancy = tenancy;
  }

  /** Resolves when the run and its audit row are stored. `work` continues in the background. */
  async start(actor: Actor, run: NewRun, work: (context: RunContext) => Promise<unknown>): Promise<string> {
    const id = createId();
    const { kind, about } = run;
    await this.#tenancy.inTenant(actor.orgId, async (db) => {
      await insertRows(db, 'runs', [{ id, kind, state: 'running', actor: actor.name }]);
      if (about)
        await recordAudit(db, actor, {
          ...{ action: kind, objectKind: about.kind, objectId: about.id },
          after: { run_id: id },
        });
    });
    void this.#execute(actor.orgId, id, run, work);
    return id;
  }

  async #execute(
    orgId: string,
    id: string,
    { timeoutMs = MAX_RUN_MS, refusal }: NewRun,
    work: (context: RunContext) => Promise<unknown>,
  ): Promise<void> {
    const cancelController = new AbortController();
    const timeoutSignal = AbortSignal.timeout(timeoutMs);
    let progress: Record<string, unknown> | null = null;
    const write = (assignments: string, values: unknown[]): Promise<boolean> => {
      const newProgress = toJsonText(progress);
      progress = null;
      return this.#tenancy.inTenant(orgId, (db) => updateRunning(db, id, assignments, [newProgress, ...values]));
    };
    const finishRun = ({ state, ...outcome }: RunOutcome) => {
      const error = 'error' in outcome ? outcome.error : null;
      const values = [state, toJsonText(outcome.result), toJsonText(error)];
      return write(', state = $3, result = $4, error = $5', values).catch(() => undefined);
    };
    const heartbeatTimer = setInterval(() => {
      write('', [])
        .then((isRunning) => isRunning || cancelController.abort())
        .catch(() => undefined);
    }, HEARTBEAT_INTERVAL_MS);
    this.#stopByRunId.set(id, async (error) => {
      cancelController.abort();
      if (error) await finishRun({ state: 'failed', error });
    });
    try {
      const result = await work({
        id,
        report: (newProgress) => {
          progress = newProgress;
        },
        signal: AbortSignal.any([cancelController.signal, timeoutSignal]),
      });
      await finishRun({ state: 'succeeded', result });
    } catch (fault) {
      const error = timeoutSignal.aborted ? TOO_LONG_FAULT : toRunError(fault);
      await finishRun({ state: 'failed', error, result: refusal?.(fault) });
    } finally {
      clearInterval(heartbeatTimer);
      this.#stopByRunId.delete(id);
    }
  }

  async get(orgId: string, id: string): Promise<Run> {
    const run = await this.#tenancy.inTenant(orgId, async (db) => {
      await failUnresponsiveRuns(db);
      const columns = addCamelCaseAliases('id, kind, state, progress, result, error, actor, created_at, updated_at');
      return isId(id) ? db.first<Run>(`select ${columns} from svc.runs where id = $1`, [id]) : null;
    });
    return requireFound(run, 'There is no run with this id.', 'run_id');
  }

  /** Stops the work immediately on this replica, and within a second on other replicas. */
  async cancel(actor: Actor, id: string): Promise<Run> {
    const runBefore = await this.get(actor.orgId, id);
    if (runBefore.state === 'cancelled') return runBefore;
    if (runBefore.state === 'running' && UNCANCELABLE_KINDS.has(runBefore.kind))
      throw new Problem('conflict', 'A run that publishes a version can’t be canceled. Wait until it ends.');
    const isCancelled = await this.#tenancy.inTenant(actor.orgId, async (db) => {
      if (!(await updateRunning(db, id, `, state = 'cancelled'`, [null]))) return false;
      await recordAudit(db, actor, {
        ...{ action: 'run.cancel', objectId: id },
        ...{ before: { state: 'running' }, after: { state: 'cancelled', kind: runBefore.kind } },
      });
      return true;
    });
    const currentRun = await this.get(actor.orgId, id);
    if (!isCancelled && currentRun.state !== 'cancelled')
      throw new Problem('conflict', `This run has already ended: ${currentRun.state}. There is nothing to cancel.`);
    await this.#stopByRunId.get(id)?.(null);
    return currentRun;
  }

  /** Marks runs of stopped processes as failed, in all organizations. */
  async recover(): Promise<void> {
    for (const orgId of await this.#tenancy.listTenantIds()) await this.#tenancy.inTenant(orgId, failUnresponsiveRuns);
  }

  /** Call this method before the process ends. */
  async close(): Promise<void> {
    await Promise.all([...this.#stopByRunId.values()].map((stop) => stop(STOPPED_FAULT)));
  }
}

/** $2 is the new progress, or null. `assignments` sets further columns. Returns false if the run has ended. */
const updateRunning = async (db: TenantClient, id: string, assignments: string, values: unknown[]): Promise<boolean> =>
  (await db.run(
    `update svc.runs set progress = coalesce($2, progress), updated_at = clock_timestamp()${assignments}
     where id = $1 and state = 'running'`,
    [id, ...values],
  )) === 1;

async function failUnresponsiveRuns(db: TenantClient): Promise<void> {
  await db.run(
    `update svc.runs set state = 'failed', error = $1
     where state = 'running' and updated_at < clock_timestamp() - ${HEARTBEAT_TIMEOUT_SQL}`,
    [JSON.stringify(STOPPED_FAULT)],
  );
}

const toJsonText = (value: unknown): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value);

const toRunError = (fault: unknown): Run['error'] =>
  fault instanceof Problem
    ? { code: fault.code, message: fault.message }
    : { code: 'internal', message: 'Internal error in svc.' };
