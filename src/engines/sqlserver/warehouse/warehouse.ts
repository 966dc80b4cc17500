import { LRUCache } from 'lru-cache';
import { readCappedRows } from '../../../adapters/warehouse/capped-rows.ts';
import { raceWithAbort } from '../../../adapters/warehouse/deadline.ts';
import { createEngineRefusalProblem } from '../../../adapters/warehouse/faults.ts';
import { profileFirstRows } from '../../../adapters/warehouse/profile-first-rows.ts';
import {
  createInternalLimits,
  type StatementLimits,
  StatementRunner,
} from '../../../adapters/warehouse/statement-runner.ts';
import { testConnection } from '../../../adapters/warehouse/test-connection.ts';
import type { Cell, FetchResult, Warehouse, WarehouseColumn } from '../../../domain/ports.ts';
import { readSqlserverCatalog } from './catalog.ts';
import { parseDatatype, toCell, toDatatype } from './cells.ts';
import type { SqlserverOptions } from './client.ts';
import { toSqlserverFault } from './faults.ts';
import { type BoundStatement, bindSqlserver } from './parameters.ts';
import { loadProfileSyntax } from './profile.ts';
import { type ExecutionResult, openSessions } from './session.ts';

const TEST_TIMEOUT_MS = 10_000;
const INTERNAL_TIMEOUT_MS = 60_000;
const DESCRIBE_SQL = `select name, system_type_name, error_number, error_message
from sys.dm_exec_describe_first_result_set(@p1, @p2, 0) order by column_ordinal`;

export function openSqlserverWarehouse(options: SqlserverOptions): Warehouse {
  const sessions = openSessions(options);
  const describedStatements = new LRUCache<string, WarehouseColumn[]>({ max: 500 });
  const runner = new StatementRunner(toSqlserverFault);
  const runWithLimits = <T>(
    limits: Pick<StatementLimits, 'timeoutMs' | 'signal'>,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> => runner.run(limits, (signal) => raceWithAbort(work(signal), signal));
  const fetch = (statement: BoundStatement, limits: StatementLimits): Promise<FetchResult> =>
    runWithLimits(limits, (signal) => sessions.run(statement, signal, (result) => readRows(result, limits)));
  const rowsOf = async (sql: string, signal?: AbortSignal): Promise<Cell[][]> =>
    (await fetch({ sql, values: [] }, createInternalLimits(INTERNAL_TIMEOUT_MS, signal))).rows;

  return {
    dialect: 'sqlserver',
    fetch: async ({ runs, parameters }, fetchOptions) =>
      fetch(bindSqlserver(runs, parameters, fetchOptions.parameters), fetchOptions),
    describe: async ({ runs, parameters }, limits) => {
      const { sql, values } = bindSqlserver(runs, parameters, limits.parameters);
      const cachedColumns = describedStatements.get(sql);
      if (cachedColumns) return cachedColumns;
      const declarations = values.map((_one, index) => `@p${index + 1} nvarchar(max)`).join(', ');
      const describe = { sql: DESCRIBE_SQL, values: [sql, declarations] };
      const { rows } = await fetch(describe, createInternalLimits(limits.timeoutMs, limits.signal));
      const columns = readDescribedColumns(rows);
      describedStatements.set(sql, columns);
      return columns;
    },
    // svc has no estimates, because they need the SHOWPLAN permission.
    estimate: async () => ({ rows: null, cost: null }),
    catalog: async ({ signal, onProgress } = {}) => {
      const tables = await readSqlserverCatalog((sql) => rowsOf(sql, signal));
      onProgress?.(tables.length, tables.length);
      return tables;
    },
    profile: async (table, columns, limits) => {
      const query = (sql: string): Promise<Cell[][]> => rowsOf(sql, limits.signal);
      return profileFirstRows(await loadProfileSyntax(query, table), query, table, columns, limits);
    },
    test: () =>
      testConnection(async () => {
        await runWithLimits({ timeoutMs: TEST_TIMEOUT_MS }, (signal) => sessions.check(signal));
        return { serverVersion: `SQL Server ${sessions.version()}`, readOnly: true };
      }, false),
    async close() {
      runner.close();
      sessions.close();
    },
  };
}

async function readRows({ columns, rows }: ExecutionResult, limits: StatementLimits): Promise<FetchResult> {
  if (!columns) throw createEngineRefusalProblem('the statement returns no rows');
  const types = columns.map(toDatatype);
  async function* readCellBatches(): AsyncGenerator<Cell[][]> {
    for await (const batch of rows) yield batch.map((row) => row.map((value, index) => toCell(value, types[index]!)));
  }
  return {
    columns: columns.map(({ colName }, index) => ({ name: colName, datatype: types[index] ?? 'string' })),
    ...(await readCappedRows(readCellBatches(), limits)),
  };
}

function readDescribedColumns(rows: Cell[][]): WarehouseColumn[] {
  const [fault] = rows.filter(([, , faultNumber]) => faultNumber !== null);
  if (fault) throw toSqlserverFault(Object.assign(new Error(String(fault[3])), { number: Number(fault[2]) }), 0);
  if (rows.length === 0) throw createEngineRefusalProblem('the statement returns no rows');
  return rows.map(([name, type]) => ({
    name: String(name ?? ''),
    datatype: parseDatatype(String(type)) ?? 'string',
  }));
}
