// Runs work in DuckDB sessions. svc reuses a session and its prepared statements only if it has read the previous
// result to the end.
import type * as DuckDB from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';
import { type Deadline, startDeadline } from '../../../adapters/warehouse/deadline.ts';
import { createEngineRefusalProblem } from '../../../adapters/warehouse/faults.ts';
import { Problem } from '../../../platform/problem.ts';
import { WorkLimiter } from '../../../platform/schedule/work-limiter.ts';
import { toDuckDbFault } from './faults.ts';

interface Session {
  connection: DuckDB.DuckDBConnection;
  preparedStatements: LRUCache<string, DuckDB.DuckDBPreparedStatement>;
}
/** The work calls `markComplete` after it has read the result to the end. */
interface SessionContext {
  session: Session;
  connection: DuckDB.DuckDBConnection;
  stopReason: () => Error | null;
  markComplete: () => void;
}

const SELECT_STATEMENT_TYPE = 1;
/** If a statement is still running this long after its interrupt, svc abandons it together with its thread. */
const ABANDON_AFTER_MS = 1_000;
const MAX_IDLE_SESSIONS = 4;
const MAX_PREPARED_STATEMENTS = 100;

/** libuv has 16 threads (see svc.cjs). Two of them stay free for file access, DNS lookups and hashes. */
const threadLimiter = new WorkLimiter({ overall: 14, perTenant: 8, waitMs: 10_000 });

export class DuckDbSessions {
  readonly #instance: DuckDB.DuckDBInstance;
  readonly #tenant: string;
  readonly #idleSessions: Session[] = [];
  #runningCount = 0;
  #isClosed = false;

  constructor(instance: DuckDB.DuckDBInstance, tenant: string) {
    this.#instance = instance;
    this.#tenant = tenant;
  }

  /** Runs `work` in a session, and interrupts it at the time limit. */
  async withConnection<T>(
    limits: { timeoutMs: number; signal?: AbortSignal | undefined },
    work: (context: SessionContext) => Promise<T>,
  ): Promise<T> {
    let interrupt = () => {};
    let giveUpTimer: NodeJS.Timeout | undefined;
    let rejectWork: (reason: Error) => void = () => undefined;
    const interruption = new Promise<never>((_, reject) => {
      rejectWork = reject;
    });
    const deadline = startDeadline(limits, () => {
      interrupt();
      giveUpTimer ??= setTimeout(() => rejectWork(deadline.stopReason()!), ABANDON_AFTER_MS);
    });
    this.#runningCount++;
    const pendingWork = threadLimiter
      .run({ tenant: this.#tenant, caller: '' }, () =>
        this.#onSession(deadline, (interruptQuery) => (interrupt = interruptQuery), work),
      )
      .finally(() => {
        this.#runningCount--;
        deadline.end();
        clearTimeout(giveUpTimer);
        if (this.#isClosed) this.#closeInstance();
      });
    return Promise.race([pendingWork, interruption]);
  }

  async prepare(session: Session, sql: string): Promise<DuckDB.DuckDBPreparedStatement> {
    const cachedStatement = session.preparedStatements.get(sql);
    if (cachedStatement) return cachedStatement;
    const preparedStatement = await session.connection.prepare(sql);
    if (preparedStatement.statementType !== SELECT_STATEMENT_TYPE) throw createEngineRefusalProblem('not a SELECT');
    session.preparedStatements.set(sql, preparedStatement);
    return preparedStatement;
  }

  close(): void {
    this.#isClosed = true;
    this.#closeInstance();
  }

  async #onSession<T>(
    deadline: Deadline,
    setInterrupt: (interrupt: () => void) => void,
    work: (context: SessionContext) => Promise<T>,
  ): Promise<T> {
    const stopFault = deadline.stopReason();
    if (stopFault) throw stopFault;
    const session = this.#idleSessions.pop() ?? (await this.#openSession());
    const { connection } = session;
    let isReadToEnd = false;
    setInterrupt(() => connection.interrupt());
    try {
      return await work({
        session,
        connection,
        stopReason: deadline.stopReason,
        markComplete: () => (isReadToEnd = true),
      });
    } catch (error) {
      isReadToEnd = false;
      throw deadline.stopReason() ?? (error instanceof Problem ? error : toDuckDbFault(error));
    } finally {
      setInterrupt(() => {});
      if (isReadToEnd && !deadline.stopReason() && this.#idleSessions.length < MAX_IDLE_SESSIONS)
        this.#idleSessions.push(session);
      else {
        // Another statement frees the buffers of a partly read result.
        if (!isReadToEnd) await connection.run('select 1').catch(() => undefined);
        connection.disconnectSync();
      }
    }
  }

  async #openSession(): Promise<Session> {
    const dispose = (statement: DuckDB.DuckDBPreparedStatement) => statement.destroySync();
    return {
      connection: await this.#instance.connect(),
      preparedStatements: new LRUCache({ max: MAX_PREPARED_STATEMENTS, dispose }),
    };
  }

  /** Closes the instance unless a statement is running, because closing it would then block the process. */
  #closeInstance(): void {
    if (this.#runningCount > 0) return;
    for (const { connection } of this.#idleSessions.splice(0)) connection.disconnectSync();
    this.#instance.closeSync();
  }
}
