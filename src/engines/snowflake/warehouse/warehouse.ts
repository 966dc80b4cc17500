// The Snowflake warehouse. svc sends one SELECT at a time with its settings and its time limit.

import { readCappedRows } from '../../../adapters/warehouse/capped-rows.ts';
import { startDeadline } from '../../../adapters/warehouse/deadline.ts';
import { cancellationProblem, engineRefusalProblem, unreachableProblem } from '../../../adapters/warehouse/faults.ts';
import { type ProfileSyntax, profileFirstRows } from '../../../adapters/warehouse/profile-first-rows.ts';
import { testConnection } from '../../../adapters/warehouse/test-connection.ts';
import { swapCase } from '../../../dialects/fold-name.ts';
import type { Cell, FetchOptions, FetchResult, Warehouse } from '../../../domain/ports.ts';
import { quoteIdentifier } from '../../../guard/literals.ts';
import { keepRequestIds } from '../../../platform/request-storage.ts';
import { snowflake as dialect } from '../dialect/dialect.ts';
import { readSnowflakeCatalog, type VisibleSchema } from './catalog.ts';
import { cellOf, datatypeOf, type SnowflakeType } from './cells.ts';
import { toSnowflakeFault } from './faults.ts';
import { type BoundStatement, bindSnowflake } from './parameters.ts';
import { type ExecutionResult, openSession, type ResultColumn, type SnowflakeOptions } from './session.ts';

const currentRequestId = keepRequestIds();

type Limits = Pick<FetchOptions, 'timeoutMs' | 'signal' | 'maxRows' | 'maxBytes' | 'beforeLarge'>;

const STEP_TIMEOUT_MS = 10_000;
const INTERNAL_LIMITS = { timeoutMs: 60_000 };
const INTERNAL_CAPS = { maxRows: 1_000_000, maxBytes: 268_435_456 };

const STATEMENT_SETTINGS: Readonly<Record<string, string | number | boolean>> = Object.fromEntries(
  dialect.settings.map((setting) => {
    const [, name = '', text, word = ''] = /^(\w+) = (?:'(.*)'|(\w+))$/.exec(setting)!;
    return [name, text ?? (word === 'true' || word === 'false' ? word === 'true' : Number(word))];
  }),
);

const PROFILE_SYNTAX: ProfileSyntax = {
  quote: (name) => quoteIdentifier('snowflake', name),
  countDistinct: (column) => `count(distinct ${column})`,
  castToText: (value) => `cast(${value} as varchar)`,
  firstCharacters: (text, count) => `left(${text}, ${count})`,
};

export async function openSnowflakeWarehouse(options: SnowflakeOptions): Promise<Warehouse> {
  const session = await openSession(options);
  let isClosed = false;
  const runningControllers = new Set<AbortController>();

  async function runLimited<T>(
    limits: Pick<Limits, 'timeoutMs' | 'signal'>,
    { sql, binds }: BoundStatement,
    describeOnly: boolean,
    readResult: (result: ExecutionResult, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (isClosed) throw unreachableProblem('the warehouse is closed');
    if (limits.signal?.aborted) throw cancellationProblem();
    const abort = new AbortController();
    const deadline = startDeadline(limits, () => abort.abort());
    runningControllers.add(abort);
    try {
      const parameters = parametersFor(limits.timeoutMs);
      const executionResult = await session.run({ sql, binds, parameters, describeOnly }, abort.signal);
      const result = await readResult(executionResult, abort.signal);
      const stopReason = deadline.stopReason();
      if (stopReason) throw stopReason;
      return result;
    } catch (error) {
      throw deadline.stopReason() ?? toSnowflakeFault(error, limits.timeoutMs);
    } finally {
      runningControllers.delete(abort);
      deadline.end();
    }
  }
  const run = (statement: BoundStatement, limits: Limits): Promise<FetchResult> =>
    runLimited(limits, statement, false, (result, signal) => readRows(result, limits, signal));
  const fetchRows = async (sql: string, binds: string[] = [], signal?: AbortSignal): Promise<unknown[][]> =>
    (await run({ sql, binds }, { ...INTERNAL_LIMITS, ...INTERNAL_CAPS, ...(signal && { signal }) })).rows;

  return {
    dialect: 'snowflake',
    fetch: async ({ runs, parameters }, fetchOptions) =>
      run(bindSnowflake(runs, parameters, fetchOptions.parameters), fetchOptions),
    describe: async ({ runs, parameters }, limits) =>
      runLimited(limits, bindSnowflake(runs, parameters, limits.parameters), true, async ({ columns }) =>
        columns.map(columnOf),
      ),
    // EXPLAIN reports partitions instead of rows.
    estimate: async () => ({ rows: null, cost: null }),
    catalog: async ({ signal, onProgress } = {}) => {
      const visibleSchemas = visibleSchemasOf(options);
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
          { timeoutMs: STEP_TIMEOUT_MS, ...INTERNAL_CAPS },
        );
        return { serverVersion: `Snowflake ${rows[0]?.[0]}` };
      }),
    async close() {
      isClosed = true;
      // svc cancels each running statement, because closing a session doesn't end its statements.
      for (const controller of runningControllers) controller.abort();
      await session.close();
    },
  };
}

/** Returns the connection's databases. The configuration holds their names without quotes. */
function visibleSchemasOf({ database, schema = '', databases }: SnowflakeOptions): VisibleSchema[] {
  const otherDatabases = databases.map((database) => {
    const [name = '', schemaName = ''] = database.toLowerCase().split('.');
    return { database: name, schema: schemaName || null, own: false };
  });
  return [{ database: database.toLowerCase(), schema: schema.toLowerCase() || null, own: true }, ...otherDatabases];
}

const parametersFor = (timeoutMs: number): Record<string, string | number | boolean> => ({
  ...STATEMENT_SETTINGS,
  // svc normally cancels the statement before this limit. The limit applies if svc itself has stopped.
  STATEMENT_TIMEOUT_IN_SECONDS: Math.ceil(timeoutMs / 1000) + 1,
  STATEMENT_QUEUED_TIMEOUT_IN_SECONDS: Math.ceil(timeoutMs / 1000) + 1,
  QUERY_TAG: `svc ${currentRequestId() ?? 'upkeep'}`,
});

const typeOf = (column: ResultColumn): SnowflakeType => ({ name: column.getType(), scale: column.getScale() });
const columnOf = (column: ResultColumn) => ({
  name: swapCase(column.getName()),
  datatype: datatypeOf(typeOf(column)) ?? ('string' as const),
});

async function readRows(
  result: ExecutionResult,
  caps: Pick<FetchOptions, 'maxRows' | 'maxBytes' | 'beforeLarge'>,
  signal: AbortSignal,
): Promise<FetchResult> {
  if (result.columns.length === 0) throw engineRefusalProblem('the statement returns no rows');
  const types = result.columns.map(typeOf);
  const stream = result.rows();
  const stop = (): unknown => stream.destroy(new Error('stopped'));
  async function* readBatches(): AsyncGenerator<Cell[][]> {
    for await (const values of stream as AsyncIterable<unknown[]>)
      yield [values.map((value, index) => cellOf(value, types[index]!))];
  }
  signal.addEventListener('abort', stop, { once: true });
  try {
    return { columns: result.columns.map(columnOf), ...(await readCappedRows(readBatches(), caps)) };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
