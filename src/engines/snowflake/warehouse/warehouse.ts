import { readCappedRows } from '../../../adapters/warehouse/capped-rows.ts';
import { createEngineRefusalProblem } from '../../../adapters/warehouse/faults.ts';
import { type ProfileSyntax, profileFirstRows } from '../../../adapters/warehouse/profile-first-rows.ts';
import {
  createInternalLimits,
  type StatementLimits,
  StatementRunner,
} from '../../../adapters/warehouse/statement-runner.ts';
import { testConnection } from '../../../adapters/warehouse/test-connection.ts';
import { swapCase } from '../../../dialects/fold-name.ts';
import type { Cell, FetchOptions, FetchResult, Warehouse } from '../../../domain/ports.ts';
import { quoteIdentifier } from '../../../guard/literals.ts';
import { enableRequestIds } from '../../../platform/request-storage.ts';
import { snowflakeDialect as dialect } from '../dialect/dialect.ts';
import { readSnowflakeCatalog, type VisibleSchema } from './catalog.ts';
import { type SnowflakeType, toCell, toDatatype } from './cells.ts';
import { toSnowflakeFault } from './faults.ts';
import { type BoundStatement, bindSnowflake } from './parameters.ts';
import { type ExecutionResult, openSession, type ResultColumn, type SnowflakeOptions } from './session.ts';

const getCurrentRequestId = enableRequestIds();

const STEP_TIMEOUT_MS = 10_000;
const INTERNAL_TIMEOUT_MS = 60_000;

const STATEMENT_SETTINGS: Readonly<Record<string, string | number | boolean>> = Object.fromEntries(
  dialect.settings.map((setting) => {
    const [, name = '', text, word = ''] = /^(\w+) = (?:'(.*)'|(\w+))$/.exec(setting)!;
    return [name, text ?? (word === 'true' || word === 'false' ? word === 'true' : Number(word))];
  }),
);

const PROFILE_SYNTAX: ProfileSyntax = {
  quote: (name) => quoteIdentifier('snowflake', name),
  castToText: (value) => `cast(${value} as varchar)`,
};

export async function openSnowflakeWarehouse(options: SnowflakeOptions): Promise<Warehouse> {
  const session = await openSession(options);
  const runner = new StatementRunner(toSnowflakeFault);

  const run = (statement: BoundStatement, limits: StatementLimits): Promise<FetchResult> =>
    runner.run(limits, async (signal) => {
      const result = await session.run(
        { ...statement, parameters: createStatementParameters(limits.timeoutMs) },
        signal,
      );
      return readRows(result, limits, signal);
    });
  const fetchRows = async (sql: string, binds: string[] = [], signal?: AbortSignal): Promise<unknown[][]> =>
    (await run({ sql, binds }, createInternalLimits(INTERNAL_TIMEOUT_MS, signal))).rows;

  return {
    dialect: 'snowflake',
    fetch: async ({ runs, parameters }, fetchOptions) =>
      run(bindSnowflake(runs, parameters, fetchOptions.parameters), fetchOptions),
    describe: async ({ runs, parameters }, limits) =>
      runner.run(limits, async (signal) => {
        const statement = bindSnowflake(runs, parameters, limits.parameters);
        const settings = createStatementParameters(limits.timeoutMs);
        const { columns } = await session.run({ ...statement, parameters: settings, describeOnly: true }, signal);
        return columns.map(toWarehouseColumn);
      }),
    // svc has no estimates, because EXPLAIN reports partitions instead of rows.
    estimate: async () => ({ rows: null, cost: null }),
    catalog: async ({ signal, onProgress } = {}) => {
      const visibleSchemas = listVisibleSchemas(options);
      const tables = [];
      for (const [doneCount, visibleSchema] of visibleSchemas.entries()) {
        tables.push(...(await readSnowflakeCatalog((sql, binds) => fetchRows(sql, binds, signal), visibleSchema)));
        onProgress?.(doneCount + 1, visibleSchemas.length);
      }
      return tables;
    },
    profile: (table, columns, limits) =>
      profileFirstRows(PROFILE_SYNTAX, (sql) => fetchRows(sql, [], limits.signal), table, columns, limits),
    test: () =>
      testConnection(async () => {
        const { rows } = await run(
          { sql: 'select current_version()', binds: [] },
          createInternalLimits(STEP_TIMEOUT_MS),
        );
        return { serverVersion: `Snowflake ${rows[0]?.[0]}` };
      }),
    async close() {
      // Closing a session doesn't end its statements.
      runner.close();
      await session.close();
    },
  };
}

/** Lists the schemas that lenses can use. The configuration contains the names of databases without quotes. */
function listVisibleSchemas({ database, schema = '', databases }: SnowflakeOptions): VisibleSchema[] {
  const otherDatabases = databases.map((database) => {
    const [name = '', schemaName = ''] = database.toLowerCase().split('.');
    return { database: name, schema: schemaName || null, isDefault: false };
  });
  return [
    { database: database.toLowerCase(), schema: schema.toLowerCase() || null, isDefault: true },
    ...otherDatabases,
  ];
}

const createStatementParameters = (timeoutMs: number): Record<string, string | number | boolean> => ({
  ...STATEMENT_SETTINGS,
  // svc normally cancels the statement before this limit. The limit applies if the svc process has stopped.
  STATEMENT_TIMEOUT_IN_SECONDS: Math.ceil(timeoutMs / 1000) + 1,
  STATEMENT_QUEUED_TIMEOUT_IN_SECONDS: Math.ceil(timeoutMs / 1000) + 1,
  QUERY_TAG: `svc ${getCurrentRequestId() ?? 'upkeep'}`,
});

const readColumnType = (column: ResultColumn): SnowflakeType => ({ name: column.getType(), scale: column.getScale() });
const toWarehouseColumn = (column: ResultColumn) => ({
  name: swapCase(column.getName()),
  datatype: toDatatype(readColumnType(column)) ?? ('string' as const),
});

async function readRows(
  result: ExecutionResult,
  caps: Pick<FetchOptions, 'maxRows' | 'maxBytes' | 'beforeLarge'>,
  signal: AbortSignal,
): Promise<FetchResult> {
  if (result.columns.length === 0) throw createEngineRefusalProblem('the statement returns no rows');
  const types = result.columns.map(readColumnType);
  const stream = result.rows();
  const stop = (): unknown => stream.destroy(new Error('stopped'));
  async function* readBatches(): AsyncGenerator<Cell[][]> {
    for await (const values of stream as AsyncIterable<unknown[]>)
      yield [values.map((value, index) => toCell(value, types[index]!))];
  }
  signal.addEventListener('abort', stop, { once: true });
  try {
    return { columns: result.columns.map(toWarehouseColumn), ...(await readCappedRows(readBatches(), caps)) };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
