import { AsyncLocalStorage } from 'node:async_hooks';
import { LRUCache } from 'lru-cache';
import {
  type Cell,
  type FetchOptions,
  type FetchResult,
  LARGE_RESULT_BYTES,
  type WarehouseColumn,
} from '../../../domain/ports.ts';
import { waitForTurn } from '../../../platform/schedule/in-turns.ts';
import { createCellReader, toDatatype } from './cells.ts';
import type { PostgresEngine } from './postgres-engine.ts';
import { createStatementName, findStaleness } from './prepared-statements.ts';
import { type ResultField, readInTransaction } from './read.ts';
import type { PostgresSessions } from './sessions.ts';

interface Statement {
  runs: string;
  parameters: readonly string[];
}
const PROTOCOL_OVERHEAD_BYTES = 65_536;
/** Without pauses, svc would parse about thirty times as many bytes of a full socket in one turn of the event loop. */
const PAUSE_AFTER_BYTES = 65_536;

export class RowReader {
  readonly #sessions: PostgresSessions;
  readonly #engine: PostgresEngine;
  /** Names of prepared statements, by SQL. An empty name means that the server must parse the SQL each time. */
  readonly #statementNames = new LRUCache<string, string>({ max: 500 });
  #keepsPrepared: boolean;

  constructor(sessions: PostgresSessions, engine: PostgresEngine) {
    this.#sessions = sessions;
    this.#engine = engine;
    this.#keepsPrepared = engine.keepsPrepared;
  }

  async fetch(statement: Statement, fetchOptions: FetchOptions): Promise<FetchResult> {
    const name = (this.#keepsPrepared && this.#statementNames.get(statement.runs)) || null;
    try {
      return await this.#fetchAs(name, statement, fetchOptions);
    } catch (fault) {
      const stale = name && findStaleness((fault as Error).cause);
      if (!stale) throw fault;
      if (stale === 'elsewhere') this.#keepsPrepared = false;
      return this.#fetchAs(null, statement, fetchOptions);
    }
  }

  #fetchAs(name: string | null, { runs, parameters }: Statement, fetchOptions: FetchOptions): Promise<FetchResult> {
    // svc binds these callbacks to the context of this request, because socket events run in the context of the request
    // that opened the socket.
    const yieldTurn = AsyncLocalStorage.bind(waitForTurn);
    const beforeLarge = fetchOptions.beforeLarge && AsyncLocalStorage.bind(fetchOptions.beforeLarge);
    return this.#sessions.withSession(fetchOptions, async (session) => {
      const { client, statements, abandon } = session;
      let readers: ReturnType<typeof createCellReader>[] = [];
      const rows: Cell[][] = [];
      let fields: ResultField[] = [];
      let bytes = 0;
      let receivedBytes = 0;
      let bytesSincePause = 0;
      let bytesCut = false;
      const cutResult = () => {
        bytesCut = true;
        abandon();
      };
      const onData = (data: Buffer) => {
        receivedBytes += data.length;
        if (!bytesCut && receivedBytes > fetchOptions.maxBytes * 2 + PROTOCOL_OVERHEAD_BYTES) cutResult();
        bytesSincePause += data.length;
        if (bytesSincePause < PAUSE_AFTER_BYTES) return;
        bytesSincePause = 0;
        pauseDuring(yieldTurn());
      };
      const { stream } = client.connection;
      let isFinished = false;
      let pauseCount = 0;
      const pauseDuring = (wait: Promise<void>) => {
        pauseCount++;
        stream.pause();
        const resumeReading = () => {
          if (--pauseCount === 0 && !isFinished) stream.resume();
        };
        // svc also resumes reading after a failed wait, because by then the signal has stopped the statement.
        wait.then(resumeReading, resumeReading);
      };
      let isLarge = false;
      stream.on('data', onData);
      try {
        await readInTransaction(client, {
          before: this.#engine.beginStatements(fetchOptions.timeoutMs),
          after: this.#engine.endStatements,
          text: runs,
          values: toValues(parameters, fetchOptions.parameters),
          maxRows: fetchOptions.maxRows + 1,
          returnsRows: this.#statementNames.has(runs),
          prepared: name ? { statements, name } : undefined,
          onFields(resultFields) {
            fields = resultFields;
            readers = resultFields.map((field) => createCellReader(field.dataTypeID));
          },
          onRow(row) {
            if (bytesCut || rows.length > fetchOptions.maxRows) return;
            for (const text of row) bytes += 8 + (text?.length ?? 0);
            if (!isLarge && bytes > LARGE_RESULT_BYTES) {
              isLarge = true;
              if (beforeLarge) pauseDuring(beforeLarge());
            }
            if (bytes > fetchOptions.maxBytes) cutResult();
            else rows.push(row.map((text, column) => readers[column]!(text)));
          },
        });
        session.isOutsideTransaction = true;
        if (!this.#statementNames.has(runs)) this.#statementNames.set(runs, createStatementName(runs) ?? '');
      } catch (error) {
        if (name && findStaleness(error)) statements.forget(name);
        if (!bytesCut) throw error;
      } finally {
        isFinished = true;
        stream.off('data', onData);
        stream.resume();
      }
      const hasMore = rows.length > fetchOptions.maxRows;
      if (hasMore) rows.pop();
      return { columns: toColumns(fields), rows, more: hasMore, bytesCut };
    });
  }
}

export function toValues(names: readonly string[], parameters: FetchOptions['parameters'] = []): (string | null)[] {
  return names.map((name) => {
    const value = parameters.find((item) => item.name === name)?.value ?? null;
    return value === null ? null : typeof value === 'object' ? JSON.stringify(value) : String(value);
  });
}

export function toColumns(fields: ResultField[]): WarehouseColumn[] {
  return fields.map((field) => ({ name: field.name, datatype: toDatatype(field.dataTypeID) }));
}
