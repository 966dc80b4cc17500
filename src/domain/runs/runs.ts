// Runs work in the background. Starting a run returns its id. Clients follow the run at GET /mgmt/runs/{id}, and can
// cancel it from any replica. A run sends a heartbeat every second. A run without heartbeats has lost its process and
// counts as failed.
import { isId } from '../../platform/ids.ts';
import { Problem } from '../../platform/problem.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { insertAuditEntry } from '../audit/audit-repository.ts';
import type { Actor } from '../audit/audited.ts';
import { cancelRun, endRun, failSilentRuns, findRun, insertRun, type Run, recordHeartbeat } from './run-repository.ts';

const HEARTBEAT_MS = 1_000;
const MAX_RUN_MS = 3_600_000;
const STOPPED_FAULT = { code: 'internal', message: 'The server stopped during this run. Start it again.' };
/**
 * Kinds of runs that commit all their work at once. Such a run can't be canceled, because its commit may already have
 * happened.
 */
const UNCANCELABLE_KINDS: ReadonlySet<string> = new Set(['project.apply', 'lens.publish']);
const TOO_LONG_FAULT = {
  code: 'timeout',
  message: 'The run took too long and was stopped. Request less work at once.',
};

export interface RunContext {
  id: string;
  /** The work can report progress as often as it likes. svc writes the progress at most once a second. */
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
  /** The time limit. One hour if omitted. */
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
    const { orgId } = actor;
    const id = await this.#tenancy.inTenant(orgId, async (db) => {
      const runId = await insertRun(db, { kind: run.kind, actor: actor.name });
      if (run.about)
        await insertAuditEntry(db, {
          ...{
            actor: actor.name,
            requestId: actor.requestId,
            action: run.kind,
            before: null,
            after: { run_id: runId },
          },
          ...{ objectKind: run.about.kind, objectId: run.about.id },
        });
      return runId;
    });
    void this.#execute(orgId, id, run, work);
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
    const takeProgress = () => {
      const lastProgress = progress;
      progress = null;
      return lastProgress;
    };
    const finishRun = (outcome: Parameters<typeof endRun>[2]) =>
      this.#tenancy
        .inTenant(orgId, (db) => endRun(db, id, { ...outcome, progress: takeProgress() }))
        .catch(() => undefined);
    const heartbeatTimer = setInterval(() => {
      this.#tenancy
        .inTenant(orgId, (db) => recordHeartbeat(db, id, takeProgress()))
        .then((isRunning) => isRunning || cancelController.abort())
        .catch(() => undefined);
    }, HEARTBEAT_MS);
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
      await finishRun({
        state: 'failed',
        error: timeoutSignal.aborted ? TOO_LONG_FAULT : toRunError(fault),
        result: refusal?.(fault),
      });
    } finally {
      clearInterval(heartbeatTimer);
      this.#stopByRunId.delete(id);
    }
  }

  async get(orgId: string, id: string): Promise<Run> {
    const run = isId(id)
      ? await this.#tenancy.inTenant(orgId, async (db) => {
          await failSilentRuns(db, STOPPED_FAULT);
          return findRun(db, id);
        })
      : null;
    if (!run) throw new Problem('not_found', 'There is no run with this id.', { param: 'run_id' });
    return run;
  }

  /**
   * Stops the work immediately on this replica, and within a second on other replicas. A finished run stays as it is.
   */
  async cancel(actor: Actor, id: string): Promise<Run> {
    const runBefore = await this.get(actor.orgId, id);
    if (runBefore.state === 'cancelled') return runBefore;
    if (runBefore.state === 'running' && UNCANCELABLE_KINDS.has(runBefore.kind))
      throw new Problem('conflict', 'A run that publishes a version can’t be canceled. Wait until it ends.');
    const isCancelled = await this.#tenancy.inTenant(actor.orgId, async (db) => {
      if (!(await cancelRun(db, id))) return false;
      await insertAuditEntry(db, {
        ...{ actor: actor.name, requestId: actor.requestId, action: 'run.cancel', objectId: id },
        ...{ before: { state: 'running' }, after: { state: 'cancelled', kind: runBefore.kind } },
      });
      return true;
    });
    const runAfter = await this.get(actor.orgId, id);
    if (!isCancelled && runAfter.state !== 'cancelled')
      throw new Problem('conflict', `This run has already ended: ${runAfter.state}. There is nothing to cancel.`);
    await this.#stopByRunId.get(id)?.(null);
    return runAfter;
  }

  /** Marks runs of stopped processes as failed, in all organizations. */
  async recover(): Promise<void> {
    for (const { id } of await this.#tenancy.queryGlobal<{ id: string }>('select id from svc.organizations'))
      await this.#tenancy.inTenant(id, (db) => failSilentRuns(db, STOPPED_FAULT));
  }

  /** Stops all runs of this process. Call this method before the process ends. */
  async close(): Promise<void> {
    await Promise.all([...this.#stopByRunId.values()].map((stop) => stop(STOPPED_FAULT)));
  }
}

const toRunError = (fault: unknown): Run['error'] =>
  fault instanceof Problem
    ? { code: fault.code, message: fault.message }
    : { code: 'internal', message: 'Internal error in svc.' };
