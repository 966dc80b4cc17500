// PostgreSQL as a warehouse (SECURITY L4): a read-only transaction runs the statement over the extended protocol
// through a portal, with limits on rows and received bytes. svc cancels it on the server and always rolls back.
import { AsyncLocalStorage } from 'node:async_hooks';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { startDeadline } from '../../../adapters/warehouse/deadline.ts';
import { cancelledByClient } from '../../../adapters/warehouse/faults.ts';
import {
  type Cell,
  type Fetched,
  type FetchOptions,
  LARGE_BYTES,
  type Warehouse,
  type WarehouseColumn,
} from '../../../domain/ports.ts';
import { connectionTestMessage } from '../../../domain/statement-fault.ts';
import { nextTurn } from '../../../platform/schedule/in-turns.ts';
import { SERVER_CONCURRENCY } from '../../limits.ts';
import { cellOfText, datatypeOfOid } from './cells.ts';
import { postgresFault } from './faults.ts';
import { POSTGRES, type PostgresEngine } from './postgres-engine.ts';
import { PreparedStatements, preparedName, staleness } from './prepared-statements.ts';
import { type Field, readInTransaction } from './read.ts';
import { StuckBackends } from './stuck-backends.ts';

export interface PostgresOptions {
  host: string;
  /** The checked address of `host`. svc connects only to it. */
  address?: string;
  port: number;
  database: string;
  user: string;
  password: string;
  /** False: no TLS. Otherwise TLS is required, and verified unless `verify` is false. */
  ssl: false | { ca?: string; verify: boolean };
  maxConnections?: number;
}

interface Session {
  client: pg.PoolClient & pg.Client;
  statements: PreparedStatements;
  /** Marks the connection as unusable. */
  abandon(): void;
  /** True if it is out of the transaction and holds nothing. */
  tidy: boolean;
}
interface Statement {
  runs: string;
  parameters: readonly string[];
}
interface Limits {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

const CANCEL_MS = 900;
const STEP_MS = 5_000; // for svc's own short statements around the caller's
const INTERNAL: Limits = { timeoutMs: 30_000 };
const SLACK_BYTES = 65_536; // protocol overhead in addition to the cells
/**
 * Bytes to read and parse before a pause. A full socket delivers thirty times as much in one round of the event loop.
 */
const PAUSE_AFTER_BYTES = 65_536;
export async function openPostgresWarehouse(
  options: PostgresOptions,
  engine: PostgresEngine = POSTGRES,
): Promise<Warehouse> {
  const config: pg.ClientConfig = {
    host: options.address ?? options.host,
    port: options.port,
    database: options.database,
    user: options.user,
    // A function, because pg would replace an empty password with PGPASSWORD or ~/.pgpass. An empty password
    // becomes a blank, because pg would leave the socket open; the server then refuses it.
    password: () => options.password || ' ',
    ssl: options.ssl && {
      servername: options.host,
      rejectUnauthorized: options.ssl.verify,
      ...(options.ssl.ca && { ca: options.ssl.ca }),
    },
    connectionTimeoutMillis: STEP_MS,
    application_name: 'svc',
    keepAlive: true,
  };
  const pool = new pg.Pool({ ...config, max: options.maxConnections ?? SERVER_CONCURRENCY, idleTimeoutMillis: 60_000 });
  pool.on('error', () => undefined); // a broken idle connection is replaced at its next use
  const prepared = new WeakMap<pg.PoolClient, PreparedStatements>();
  /** Texts that were described, with their statement names. The name is empty if the text must be parsed each time. */
  const givesRows = new LRUCache<string, string>({ max: 500 });
  let { keeps } = engine;
  const { begin } = engine;
  const faultOf = (error: unknown, timeoutMs: number) => postgresFault(error, timeoutMs, engine.reasonOf);
  let checked: Promise<void> | undefined;
  let closing: Promise<void> | undefined;

  /** False if that backend no longer works on the statement. */
  async function cancelAgain(pid: number): Promise<boolean> {
    const client = new pg.Client({ ...config, connectionTimeoutMillis: CANCEL_MS });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rowCount } = await client.query({
        text: `select pg_cancel_backend(pid) from pg_stat_activity where pid = $1 and usename = current_user`,
        values: [pid],
        query_timeout: CANCEL_MS,
      } as pg.QueryConfig);
      return rowCount! > 0;
    } finally {
      client.end().catch(() => undefined);
    }
  }
  // If the message can't be sent, the socket is destroyed next and client_connection_check_interval ends the statement.
  const cancelBackend = (pid: number): Promise<unknown> => cancelAgain(pid).catch(() => undefined);
  const stuck = new StuckBackends(cancelAgain);

  /** Opens a session within the statement's time. One that arrives too late returns to the pool. */
  async function connected(limits: Limits): Promise<pg.PoolClient & pg.Client> {
    const idle = pool.idleCount > pool.waitingCount;
    const connecting = pool.connect() as Promise<pg.PoolClient & pg.Client>;
    let giveUp = () => {};
    try {
      if (idle) return await connecting;
      const tooLate = new Promise<never>((_, reject) => {
        const late = startDeadline(limits, () => reject(late.stopped()));
        giveUp = () => late.end();
      });
      return await Promise.race([connecting, tooLate]);
    } catch (error) {
      connecting.then((client) => client.release()).catch(() => undefined);
      throw faultOf(error, limits.timeoutMs);
    } finally {
      giveUp();
    }
  }

  /** Runs `work` on a session with a time limit. The session returns to the pool only outside a transaction. */
  async function onSession<T>(limits: Limits, work: (session: Session) => Promise<T>): Promise<T> {
    if (limits.signal?.aborted) throw cancelledByClient();
    const client = await connected(limits);
    let broken = false;
    let unanswered = false;
    let cancelling: Promise<unknown> | undefined;
    const session: Session = {
      client,
      statements: prepared.get(client) ?? new PreparedStatements(),
      tidy: true,
      abandon() {
        broken = true;
        cancelling ??= cancelBackend((client as unknown as { processID: number }).processID);
        client.connection.stream.destroy();
      },
    };
    let stops = 0;
    const deadline = startDeadline(limits, () => {
      broken = true;
      cancelling ??= cancelBackend((client as unknown as { processID: number }).processID);
      if (++stops > CANCEL_MS / 100) client.connection.stream.destroy();
    });
    const onError = () => {
      broken = true;
    };
    client.on('error', onError);
    try {
      if (!prepared.has(client)) await runOwnStatement(client, engine.session);
      checked ??= engine.check(client, STEP_MS);
      await checked;
      prepared.set(client, session.statements);
      session.tidy = false;
      const result = await work(session);
      const stop = deadline.stopped();
      if (stop) throw stop;
      return result;
    } catch (error) {
      unanswered = !(error as { severity?: string }).severity;
      if (unanswered) broken = true;
      if (!prepared.has(client)) checked = undefined;
      throw deadline.stopped() ?? faultOf(error, limits.timeoutMs);
    } finally {
      deadline.end();
      await cancelling;
      if (!broken && !session.tidy) await runOwnStatement(client, engine.after.join(';')).catch(onError);
      client.off('error', onError);
      if (broken) client.on('error', () => undefined);
      const { processID } = client as unknown as { processID: number | null };
      if (cancelling && unanswered && processID) void stuck.untilStopped(processID).finally(() => client.release(true));
      else client.release(broken);
    }
  }

  /** Runs `work` inside the read-only transaction. */
  const inReadOnly = <T>(limits: Limits, work: (client: pg.PoolClient & pg.Client) => Promise<T>): Promise<T> =>
    onSession(limits, async ({ client }) => {
      await runOwnStatement(client, begin(limits.timeoutMs).join(';'));
      return work(client);
    });

  async function fetch(statement: Statement, fetching: FetchOptions): Promise<Fetched> {
    const name = (keeps && givesRows.get(statement.runs)) || null;
    try {
      return await fetchAs(name, statement, fetching);
    } catch (fault) {
      const stale = name && staleness((fault as Error).cause);
      if (!stale) throw fault;
      if (stale === 'elsewhere') keeps = false;
      return fetchAs(null, statement, fetching);
    }
  }

  function fetchAs(name: string | null, { runs, parameters }: Statement, fetching: FetchOptions): Promise<Fetched> {
    // The socket's events run in the async context of the request that opened it, so bind this one.
    const breathe = AsyncLocalStorage.bind(nextTurn);
    const beforeLarge = fetching.beforeLarge && AsyncLocalStorage.bind(fetching.beforeLarge);
    return onSession(fetching, async (session) => {
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
        holdWhile(breathe());
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
        wait.then(go, go); // a caller that waited in vain was stopped by its signal
      };
      let large = false;
      stream.on('data', onData);
      try {
        await readInTransaction(client, {
          before: begin(fetching.timeoutMs),
          after: engine.after,
          text: runs,
          values: valuesOf(parameters, fetching.parameters),
          maxRows: fetching.maxRows + 1,
          known: givesRows.has(runs),
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
        if (!givesRows.has(runs)) givesRows.set(runs, preparedName(runs) ?? '');
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

  const query =
    (client: pg.ClientBase) =>
    async <Row>(text: string, values: unknown[] = []) =>
      (await client.query<Row & pg.QueryResultRow>({ text, values, queryMode: 'extended' } as pg.QueryConfig)).rows;

  const rowsOf = (client: pg.ClientBase) => async (text: string) =>
    (await client.query({ text, rowMode: 'array', queryMode: 'extended' } as pg.QueryArrayConfig)).rows as unknown[][];

  return {
    dialect: engine.dialect,
    fetch,
    describe: ({ runs, parameters }, limits) =>
      onSession(limits, async (session) => {
        const values = valuesOf(parameters, limits.parameters);
        const before = begin(limits.timeoutMs);
        const described = { before, after: engine.after, text: runs, values, maxRows: null, known: false };
        const fields = await readInTransaction(session.client, described);
        session.tidy = true;
        return columnsOf(fields);
      }),
    async estimate(statement) {
      const { rows } = await fetch(
        { runs: `${engine.explain} ${statement.runs}`, parameters: statement.parameters },
        { ...INTERNAL, maxRows: 1_000, maxBytes: 4_194_304 },
      );
      return engine.estimated(rows.map(([line]) => String(line)));
    },
    catalog: ({ signal, onProgress } = {}) =>
      inReadOnly({ ...INTERNAL, signal }, async (client) => {
        const tables = await engine.catalog(query(client));
        onProgress?.(tables.length, tables.length);
        return tables;
      }),
    profile: (table, columns, limits) =>
      inReadOnly({ ...INTERNAL, signal: limits.signal }, (client) =>
        engine.profile(query(client), rowsOf(client), table, columns, limits),
      ),
    async test() {
      const started = performance.now();
      const latency = () => Math.round((performance.now() - started) * 10) / 10;
      try {
        const [found] = await inReadOnly({ timeoutMs: STEP_MS }, (client) =>
          query(client)<{ version: string; ro: string }>(engine.version),
        );
        return {
          ok: true,
          latencyMs: latency(),
          serverVersion: engine.called(found!.version),
          readOnly: found!.ro === 'on',
        };
      } catch (error) {
        return {
          ok: false,
          latencyMs: latency(),
          serverVersion: null,
          readOnly: true,
          error: connectionTestMessage(error as Error),
        };
      }
    },
    stuck: () => stuck.count,
    close: () => {
      stuck.close();
      closing ??= pool.end();
      return closing;
    },
  };
}

const runOwnStatement = (client: pg.ClientBase, text: string) =>
  client.query({ text, query_timeout: STEP_MS } as pg.QueryConfig);

function valuesOf(names: readonly string[], given: FetchOptions['parameters'] = []): (string | null)[] {
  return names.map((name) => {
    const value = given.find((one) => one.name === name)?.value ?? null;
    return value === null ? null : typeof value === 'object' ? JSON.stringify(value) : String(value);
  });
}

function columnsOf(fields: Field[]): WarehouseColumn[] {
  return fields.map((field) => ({ name: field.name, datatype: datatypeOfOid(field.dataTypeID) }));
}
