// Reads the rows of a statement, with limits on rows and received bytes. Keeps statements prepared.
import { AsyncLocalStorage } from 'node:async_hooks';
import { LRUCache } from 'lru-cache';
import {
  type Cell,
  type Fetched,
  type FetchOptions,
  LARGE_BYTES,
  type WarehouseColumn,
} from '../../../domain/ports.ts';
import { nextTurn } from '../../../platform/schedule/in-turns.ts';
import { cellOfText, datatypeOfOid } from './cells.ts';
import type { PostgresEngine } from './postgres-engine.ts';
import { preparedName, staleness } from './prepared-statements.ts';
import { type Field, readInTransaction } from './read.ts';
import type { PostgresSessions } from './sessions.ts';

interface Statement {
  runs: string;
  parameters: readonly string[];
}
const SLACK_BYTES = 65_536; // protocol overhead in addition to the cells
/** Bytes to parse before a pause. A full socket delivers thirty times as much in one round of the event loop. */
const PAUSE_AFTER_BYTES = 65_536;

export class RowReader {
  readonly #sessions: PostgresSessions;
  readonly #engine: PostgresEngine;
  /** Described SQL, with the names of its prepared statements. Empty if the server must parse the SQL each time. */
  readonly #givesRows = new LRUCache<string, string>({ max: 500 });
  #keeps: boolean;

  constructor(sessions: PostgresSessions, engine: PostgresEngine) {
    this.#sessions = sessions;
    this.#engine = engine;
    this.#keeps = engine.keeps;
  }

  async fetch(statement: Statement, fetching: FetchOptions): Promise<Fetched> {
    const name = (this.#keeps && this.#givesRows.get(statement.runs)) || null;
    try {
      return await this.#fetchAs(name, statement, fetching);
    } catch (fault) {
      const stale = name && staleness((fault as Error).cause);
      if (!stale) throw fault;
      if (stale === 'elsewhere') this.#keeps = false;
      return this.#fetchAs(null, statement, fetching);
    }
  }

  #fetchAs(name: string | null, { runs, parameters }: Statement, fetching: FetchOptions): Promise<Fetched> {
    // Socket events run in the context of the request that opened the socket, so svc binds this request's.
    const yieldTurn = AsyncLocalStorage.bind(nextTurn);
    const beforeLarge = fetching.beforeLarge && AsyncLocalStorage.bind(fetching.beforeLarge);
    return this.#sessions.onSession(fetching, async (session) => {
      const { client, statements, abandon } = session;
      let readers: ReturnType<typeof cellOfText>[] = [];
      const rows: Cell[][] = [];
      let fields: Field[] = [];
      let bytes = 0;
      let wire = 0;
      let unbroken = 0;
      let bytesCut = false;
      const cut = () => {
        bytesCut = true;
        abandon();
      };
      const onData = (data: Buffer) => {
        wire += data.length;
        if (!bytesCut && wire > fetching.maxBytes * 2 + SLACK_BYTES) cut();
        unbroken += data.length;
        if (unbroken < PAUSE_AFTER_BYTES) return;
        unbroken = 0;
        holdWhile(yieldTurn());
      };
      const { stream } = client.connection;
      let over = false;
      let holds = 0;
      const holdWhile = (wait: Promise<void>) => {
        holds++;
        stream.pause();
        const go = () => {
          if (--holds === 0 && !over) stream.resume();
        };
        wait.then(go, go); // the signal has already stopped a caller that waited in vain
      };
      let large = false;
      stream.on('data', onData);
      try {
        await readInTransaction(client, {
          before: this.#engine.begin(fetching.timeoutMs),
          after: this.#engine.after,
          text: runs,
          values: valuesOf(parameters, fetching.parameters),
          maxRows: fetching.maxRows + 1,
          known: this.#givesRows.has(runs),
          kept: name ? { statements, name } : undefined,
          onFields(found) {
            fields = found;
            readers = found.map((field) => cellOfText(field.dataTypeID));
          },
          onRow(row) {
            if (bytesCut || rows.length > fetching.maxRows) return;
            for (const text of row) bytes += 8 + (text?.length ?? 0);
            if (!large && bytes > LARGE_BYTES) {
              large = true;
              if (beforeLarge) holdWhile(beforeLarge());
            }
            if (bytes > fetching.maxBytes) cut();
            else rows.push(row.map((text, column) => readers[column]!(text)));
          },
        });
        session.tidy = true;
        if (!this.#givesRows.has(runs)) this.#givesRows.set(runs, preparedName(runs) ?? '');
      } catch (error) {
        if (name && staleness(error)) statements.forget(name);
        if (!bytesCut) throw error;
      } finally {
        over = true;
        stream.off('data', onData);
        stream.resume();
      }
      const more = rows.length > fetching.maxRows;
      if (more) rows.pop();
      return { columns: columnsOf(fields), rows, more, bytesCut };
    });
  }
}

export function valuesOf(names: readonly string[], parameters: FetchOptions['parameters'] = []): (string | null)[] {
  return names.map((name) => {
    const value = parameters.find((item) => item.name === name)?.value ?? null;
    return value === null ? null : typeof value === 'object' ? JSON.stringify(value) : String(value);
  });
}

export function columnsOf(fields: Field[]): WarehouseColumn[] {
  return fields.map((field) => ({ name: field.name, datatype: datatypeOfOid(field.dataTypeID) }));
}
