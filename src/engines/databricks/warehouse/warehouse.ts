import { LRUCache } from 'lru-cache';
import { readCappedRows } from '../../../adapters/warehouse/capped-rows.ts';
import { raceWithAbort } from '../../../adapters/warehouse/deadline.ts';
import { createEngineRefusalProblem } from '../../../adapters/warehouse/faults.ts';
import { type ProfileSyntax, profileFirstRows } from '../../../adapters/warehouse/profile-first-rows.ts';
import {
  createInternalLimits,
  type StatementLimits,
  StatementRunner,
} from '../../../adapters/warehouse/statement-runner.ts';
import { testConnection } from '../../../adapters/warehouse/test-connection.ts';
import type { Cell, FetchResult, Warehouse } from '../../../domain/ports.ts';
import { quoteIdentifier } from '../../../guard/literals.ts';
import { enableRequestIds } from '../../../platform/request-storage.ts';
import { readDatabricksCatalog } from './catalog.ts';
import { toCell, toDatatype } from './cells.ts';
import { connectDatabricks, type DatabricksOptions, type Operation, type Session } from './client.ts';
import { toDatabricksFault } from './faults.ts';
import { bindDatabricks } from './parameters.ts';

const getCurrentRequestId = enableRequestIds();

interface DescribedColumn {
  name: string;
  type: string;
}

const STEP_TIMEOUT_MS = 10_000; // gives a stopped warehouse time to start
const INTERNAL_TIMEOUT_MS = 120_000;
const ROWS_PER_CHUNK = 5_000;

const PROFILE_SYNTAX: ProfileSyntax = {
  quote: (name) => quoteIdentifier('databricks', name),
  castToText: (value) => `cast(${value} as string)`,
};

export async function openDatabricksWarehouse(options: DatabricksOptions): Promise<Warehouse> {
  const connection = await connectDatabricks(options);
  const describedStatements = new LRUCache<string, DescribedColumn[]>({ max: 500 });
  const runner = new StatementRunner(toDatabricksFault);

  /**
   * Runs `work` in a session. At the time limit, svc stops waiting and cancels the operations that `work` has started.
   */
  const withSession = <T>(
    limits: Pick<StatementLimits, 'timeoutMs' | 'signal'>,
    work: (ask: (sql: string, values: object[]) => Promise<Operation>) => Promise<T>,
  ): Promise<T> =>
    runner.run(limits, (signal) => {
      let session: Session | undefined;
      let runningOperation: Operation | undefined;
      signal.addEventListener('abort', () => void runningOperation?.cancel().catch(() => undefined), { once: true });
      const runStatement = async (sql: string, ordinalParameters: object[]): Promise<Operation> => {
        runningOperation = await session!.executeStatement(sql, {
          maxRows: ROWS_PER_CHUNK,
          useCloudFetch: false,
          ...(ordinalParameters.length > 0 && { ordinalParameters }),
          queryTags: { svc: getCurrentRequestId() ?? 'upkeep' },
        });
        // The signal may have aborted before the operation started.
        if (signal.aborted) await runningOperation.cancel().catch(() => undefined);
        signal.throwIfAborted();
        return runningOperation;
      };
      const runWork = async (): Promise<T> => {
        session = await connection.openSession({
          initialCatalog: options.catalog,
          ...(options.schema && { initialSchema: options.schema }),
          configuration: {
            TIMEZONE: 'UTC',
            ANSI_MODE: 'true',
            // svc normally cancels the statement before this limit. The limit applies if the svc process has stopped.
            STATEMENT_TIMEOUT: String(Math.ceil(limits.timeoutMs / 1000) + 1),
          },
        });
        return work(runStatement);
      };
      return raceWithAbort(
        runWork().finally(() => session?.close().catch(() => undefined)),
        signal,
      );
    });

  /**
   * Returns the columns of a statement. DESCRIBE QUERY doesn't run the statement, and refuses statements that aren't
   * queries.
   */
  async function describe(ask: (sql: string, values: object[]) => Promise<Operation>, sql: string, values: object[]) {
    const cachedColumns = describedStatements.get(sql);
    if (cachedColumns) return cachedColumns;
    const operation = await ask(`describe query\n${sql}`, values);
    const describedColumns: DescribedColumn[] = [];
    for await (const chunk of operation.iterateChunks({ maxRows: ROWS_PER_CHUNK, autoClose: true }))
      for (const { col_name, data_type } of chunk)
        describedColumns.push({ name: String(col_name), type: String(data_type) });
    if (describedColumns.length === 0) throw createEngineRefusalProblem('the statement returns no rows');
    describedStatements.set(sql, describedColumns);
    return describedColumns;
  }

  const fetch = (sql: string, values: object[], limits: StatementLimits): Promise<FetchResult> =>
    withSession(limits, async (ask) => {
      const columns = await describe(ask, sql, values);
      // The client returns rows as objects, which can't hold two columns with the same name.
      const hasDuplicates = new Set(columns.map(({ name }) => name)).size < columns.length;
      const keys = columns.map(({ name }, index) => (hasDuplicates ? `c${index}` : name));
      const operation = await ask(
        hasDuplicates ? `select * from (\n${sql}\n) as svc (${keys.join(', ')})` : sql,
        values,
      );
      async function* readBatches(): AsyncGenerator<Cell[][]> {
        for await (const chunk of operation.iterateChunks({ maxRows: ROWS_PER_CHUNK, autoClose: true }))
          yield chunk.map((row) => columns.map(({ type }, index) => toCell(row[keys[index]!], type)));
      }
      return { columns: columns.map(toWarehouseColumn), ...(await readCappedRows(readBatches(), limits)) };
    });
  const fetchRows = async (sql: string, signal?: AbortSignal): Promise<unknown[][]> =>
    (await fetch(sql, [], createInternalLimits(INTERNAL_TIMEOUT_MS, signal))).rows;

  return {
    dialect: 'databricks',
    fetch: async ({ runs, parameters }, fetchOptions) =>
      fetch(runs, bindDatabricks(connection, parameters, fetchOptions.parameters), fetchOptions),
    describe: ({ runs, parameters }, limits) =>
      withSession(limits, async (ask) =>
        (await describe(ask, runs, bindDatabricks(connection, parameters, limits.parameters))).map(toWarehouseColumn),
      ),
    estimate: async () => ({ rows: null, cost: null }),
    catalog: async ({ signal, onProgress } = {}) => {
      const tables = await readDatabricksCatalog((sql) => fetchRows(sql, signal), options);
      onProgress?.(tables.length, tables.length);
      return tables;
    },
    profile: (table, columns, limits) =>
      profileFirstRows(PROFILE_SYNTAX, (sql) => fetchRows(sql, limits.signal), table, columns, limits),
    test: () =>
      testConnection(async () => {
        const { rows } = await fetch('select version() as v', [], createInternalLimits(STEP_TIMEOUT_MS));
        return { serverVersion: `Spark ${rows[0]?.[0]}` };
      }),
    async close() {
      runner.close();
      await connection.close();
    },
  };
}

const toWarehouseColumn = ({ name, type }: DescribedColumn) => ({
  name,
  datatype: toDatatype(type) ?? ('string' as const),
});
