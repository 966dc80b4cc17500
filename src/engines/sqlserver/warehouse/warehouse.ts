// The SQL Server warehouse, with tedious. svc runs one SELECT at a time with separate parameters, limits rows, bytes
// and time while rows arrive, and cancels the statement at the server. The login can only read.
import { LRUCache } from 'lru-cache';
import { readCapped } from '../../../adapters/warehouse/capped-rows.ts';
import { startDeadline } from '../../../adapters/warehouse/deadline.ts';
import { cancelledByClient, refusedByEngine, unreachable } from '../../../adapters/warehouse/faults.ts';
import { profileFirstRows } from '../../../adapters/warehouse/profile-first-rows.ts';
import { testConnection } from '../../../adapters/warehouse/test-connection.ts';
import type { Cell, Fetched, FetchOptions, Warehouse, WarehouseColumn } from '../../../domain/ports.ts';
import { readSqlserverCatalog } from './catalog.ts';
import { cellOf, datatypeOf, datatypeWritten } from './cells.ts';
import type { SqlserverOptions } from './client.ts';
import { sqlserverFault } from './faults.ts';
import { type Bound, bindSqlserver } from './parameters.ts';
import { profileWords } from './profile.ts';
import { type ExecutionResult, openSessions } from './session.ts';

type Limits = Pick<FetchOptions, 'timeoutMs' | 'signal' | 'maxRows' | 'maxBytes' | 'beforeLarge'>;

const STEP_MS = 10_000;
const INTERNAL_LIMITS = { timeoutMs: 60_000 };
const INTERNAL_CAPS = { maxRows: 1_000_000, maxBytes: 268_435_456 };
/** Describes the columns of a statement without running it. */
const DESCRIBED = `select name, system_type_name, error_number, error_message
from sys.dm_exec_describe_first_result_set(@p1, @p2, 0) order by column_ordinal`;

export function openSqlserverWarehouse(options: SqlserverOptions): Warehouse {
  const sessions = openSessions(options);
  const described = new LRUCache<string, WarehouseColumn[]>({ max: 500 });
  let closed = false;

  async function runWithLimits<T>(
    limits: Pick<Limits, 'timeoutMs' | 'signal'>,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (closed) throw unreachable('the warehouse is closed');
    if (limits.signal?.aborted) throw cancelledByClient();
    const abort = new AbortController();
    let leave: (why: Error) => void = () => undefined;
    const left = new Promise<never>((_, reject) => {
      leave = reject;
    });
    const deadline = startDeadline(limits, () => {
      abort.abort();
      leave(deadline.stopped()!);
    });
    const working = work(abort.signal);
    try {
      return await Promise.race([working, left]);
    } catch (error) {
      working.catch(() => undefined);
      throw deadline.stopped() ?? sqlserverFault(error, limits.timeoutMs);
    } finally {
      deadline.end();
    }
  }
  const fetch = (bound: Bound, limits: Limits): Promise<Fetched> =>
    runWithLimits(limits, (signal) => sessions.run(bound, signal, (ran) => readRows(ran, limits)));
  const rowsOf = async (sql: string, signal?: AbortSignal): Promise<Cell[][]> =>
    (await fetch({ sql, values: [] }, { ...INTERNAL_LIMITS, ...INTERNAL_CAPS, ...(signal && { signal }) })).rows;

  return {
    dialect: 'sqlserver',
    fetch: async ({ runs, parameters }, fetching) =>
      fetch(bindSqlserver(runs, parameters, fetching.parameters), fetching),
    describe: async ({ runs, parameters }, limits) => {
      const { sql, values } = bindSqlserver(runs, parameters, limits.parameters);
      const cachedColumns = described.get(sql);
      if (cachedColumns) return cachedColumns;
      const declared = values.map((_one, index) => `@p${index + 1} nvarchar(max)`).join(', ');
      const { rows } = await fetch({ sql: DESCRIBED, values: [sql, declared] }, { ...limits, ...INTERNAL_CAPS });
      const columns = describedBy(rows);
      described.set(sql, columns);
      return columns;
    },
    // Estimates need the SHOWPLAN permission.
    estimate: async () => ({ rows: null, cost: null }),
    catalog: async ({ signal, onProgress } = {}) => {
      const tables = await readSqlserverCatalog((sql) => rowsOf(sql, signal));
      onProgress?.(tables.length, tables.length);
      return tables;
    },
    profile: async (table, columns, limits) => {
      const query = (sql: string): Promise<Cell[][]> => rowsOf(sql, limits.signal);
      return profileFirstRows(await profileWords(query, table), query, table, columns, limits);
    },
    test: () =>
      testConnection(async () => {
        await runWithLimits({ timeoutMs: STEP_MS }, (signal) => sessions.check(signal));
        return { serverVersion: `SQL Server ${sessions.version()}`, readOnly: true };
      }, false),
    async close() {
      closed = true;
      sessions.close();
    },
  };
}

async function readRows({ columns, rows }: ExecutionResult, limits: Limits): Promise<Fetched> {
  if (!columns) throw refusedByEngine('the statement returns no rows');
  const types = columns.map(datatypeOf);
  async function* cells(): AsyncGenerator<Cell[][]> {
    for await (const batch of rows) yield batch.map((row) => row.map((value, index) => cellOf(value, types[index]!)));
  }
  return {
    columns: columns.map(({ colName }, index) => ({ name: colName, datatype: types[index] ?? 'string' })),
    ...(await readCapped(cells(), limits)),
  };
}

function describedBy(rows: Cell[][]): WarehouseColumn[] {
  const [fault] = rows.filter(([, , number]) => number !== null);
  if (fault) throw sqlserverFault(Object.assign(new Error(String(fault[3])), { number: Number(fault[2]) }), 0);
  if (rows.length === 0) throw refusedByEngine('the statement returns no rows');
  return rows.map(([name, type]) => ({
    name: String(name ?? ''),
    datatype: datatypeWritten(String(type)) ?? 'string',
  }));
}
