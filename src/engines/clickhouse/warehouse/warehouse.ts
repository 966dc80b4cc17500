// Runs statements on ClickHouse. Each statement has its own read-only session. The server cancels the statement when
// svc disconnects.
import { isIPv6 } from 'node:net';
import { readCappedResult } from '../../../adapters/warehouse/capped-rows.ts';
import { createEngineRefusalProblem } from '../../../adapters/warehouse/faults.ts';
import { loadClient } from '../../../adapters/warehouse/optional-client.ts';
import { createPinnedAgent } from '../../../adapters/warehouse/pinned-agent.ts';
import { type ProfileSyntax, profileFirstRows } from '../../../adapters/warehouse/profile-first-rows.ts';
import {
  createInternalLimits,
  type StatementLimits,
  StatementRunner,
} from '../../../adapters/warehouse/statement-runner.ts';
import { testConnection } from '../../../adapters/warehouse/test-connection.ts';
import type { FetchResult, Warehouse } from '../../../domain/ports.ts';
import { quoteIdentifier } from '../../../guard/literals.ts';
import { enableRequestIds } from '../../../platform/request-storage.ts';
import { DEFAULT_SERVER_CONCURRENCY } from '../../limits.ts';
import type { PostgresOptions } from '../../postgres/warehouse/sessions.ts';
import { clickhouseDialect as dialect } from '../dialect/dialect.ts';
import { readClickhouseCatalog } from './catalog.ts';
import { parseType, toCell, toDatatype } from './cells.ts';
import { toClickhouseFault } from './faults.ts';
import { bindClickhouse } from './parameters.ts';

const getCurrentRequestId = enableRequestIds();

export interface ClickhouseOptions extends PostgresOptions {
  max_rows_to_read?: number | undefined;
  max_bytes_to_read?: number | undefined;
  projectFolder?: string | undefined;
}

interface QueryRequest {
  query: string;
  format: typeof RESULT_FORMAT;
  query_params?: Record<string, string | null>;
  clickhouse_settings: Record<string, string | number>;
  abort_signal: AbortSignal;
}
interface Client {
  query(request: QueryRequest): Promise<{ stream(): AsyncIterable<{ text: string }[]>; close(): void }>;
  close(): Promise<void>;
}
interface ClientModule {
  createClient(options: object): Client;
  ClickHouseLogLevel: { OFF: number };
}

const RESULT_FORMAT = 'JSONCompactEachRowWithNamesAndTypes';
const STEP_TIMEOUT_MS = 5_000;
const INTERNAL_TIMEOUT_MS = 30_000;

/** Must be the last setting, because it locks all settings. */
const READ_ONLY_SETTING = { readonly: 2 };
const SESSION_SETTINGS: Record<string, string | number> = {
  ...Object.fromEntries(
    dialect.settings.map((setting) => {
      const [, name = '', text, number] = /^(\w+) = (?:'(.*)'|(\d+))$/.exec(setting)!;
      return [name, text ?? Number(number)];
    }),
  ),
  // With these settings, ClickHouse keeps every digit, returns instants in UTC, and reports errors in the HTTP status.
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_decimals: 1,
  output_format_json_quote_denormals: 1,
  date_time_output_format: 'iso',
  wait_end_of_query: 1,
  cancel_http_readonly_queries_on_client_close: 1,
};

export async function openClickhouseWarehouse(options: ClickhouseOptions): Promise<Warehouse> {
  const { createClient, ClickHouseLogLevel } = await loadClient<ClientModule>(
    'clickhouse',
    '@clickhouse/client@1',
    options.projectFolder,
  );
  const agent = createPinnedAgent(options, DEFAULT_SERVER_CONCURRENCY + 2);
  const client = createClient({
    url: `http${options.ssl ? 's' : ''}://${isIPv6(options.host) ? `[${options.host}]` : options.host}:${options.port}`,
    username: options.user,
    password: options.password,
    database: options.database,
    application: 'svc',
    http_agent: agent,
    request_timeout: 3_600_000, // svc sets a shorter timeout for each statement
    compression: { request: false, response: false },
    log: { level: ClickHouseLogLevel.OFF },
  });
  const runner = new StatementRunner((error, timeoutMs) => toClickhouseFault(error, timeoutMs, options.database));

  const run = (
    sql: string,
    limits: StatementLimits,
    values: Record<string, string | null> = {},
  ): Promise<FetchResult> =>
    runner.run(limits, async (signal) => {
      const response = await client.query({
        query: sql,
        format: RESULT_FORMAT,
        query_params: values,
        clickhouse_settings: createSettings(options, limits.timeoutMs),
        abort_signal: signal,
      });
      try {
        return await readCappedResult(
          readPages(response.stream()),
          limits,
          (value, { type }) => toCell(value, type),
          toWarehouseColumn,
        );
      } finally {
        response.close();
      }
    });
  const fetchRows = async (sql: string, values?: Record<string, string>, signal?: AbortSignal): Promise<unknown[][]> =>
    (await run(sql, createInternalLimits(INTERNAL_TIMEOUT_MS, signal), values)).rows;

  return {
    dialect: 'clickhouse',
    fetch: async ({ runs, parameters }, fetchOptions) => {
      const { sql, values } = bindClickhouse(runs, parameters, fetchOptions.parameters);
      return run(sql, fetchOptions, values);
    },
    describe: async ({ runs, parameters }, limits) => {
      const { sql, values } = bindClickhouse(runs, parameters, limits.parameters);
      const { rows } = await run(
        `describe (\n${sql}\n)`,
        createInternalLimits(limits.timeoutMs, limits.signal),
        values,
      );
      return rows.map(([name, type]) => toWarehouseColumn(createClickhouseColumn(name, type)));
    },
    estimate: async ({ runs, parameters }) => {
      const { sql, values } = bindClickhouse(runs, parameters);
      const { columns, rows } = await run(
        `explain estimate\n${sql}`,
        createInternalLimits(INTERNAL_TIMEOUT_MS),
        values,
      );
      const columnIndex = columns.findIndex(({ name }) => name === 'rows');
      return {
        rows: rows.length === 0 ? null : rows.reduce((sum, row) => sum + Number(row[columnIndex]), 0),
        cost: null,
      };
    },
    catalog: async ({ signal, onProgress } = {}) => {
      const tables = await readClickhouseCatalog((sql, values) => fetchRows(sql, values, signal), options.database);
      onProgress?.(tables.length, tables.length);
      return tables;
    },
    profile: (table, columns, limits) =>
      profileFirstRows(PROFILE_SYNTAX, (sql) => fetchRows(sql, {}, limits.signal), table, columns, limits),
    test: () =>
      testConnection(async () => {
        const { rows } = await run('select version()', createInternalLimits(STEP_TIMEOUT_MS));
        return { serverVersion: `ClickHouse ${rows[0]?.[0]}` };
      }),
    async close() {
      runner.close();
      await client.close();
      agent.destroy();
    },
  };
}

const createSettings = (options: ClickhouseOptions, timeoutMs: number): Record<string, string | number> => ({
  ...SESSION_SETTINGS,
  // svc normally cancels the statement before this limit. The limit applies if the svc process has stopped.
  max_execution_time: Math.ceil(timeoutMs / 1000) + 1,
  ...(options.max_rows_to_read && { max_rows_to_read: options.max_rows_to_read }),
  ...(options.max_bytes_to_read && { max_bytes_to_read: options.max_bytes_to_read }),
  log_comment: `svc ${getCurrentRequestId() ?? 'upkeep'}`,
  ...READ_ONLY_SETTING,
});

const PROFILE_SYNTAX: ProfileSyntax = {
  quote: (name) => quoteIdentifier('clickhouse', name),
  countDistinct: (column) => `uniqExact(${column})`,
  castToText: (value) => `toString(${value})`,
};

interface ClickhouseColumn {
  name: string;
  type: string;
}
const createClickhouseColumn = (name: unknown, type: unknown): ClickhouseColumn => ({
  name: String(name),
  type: parseType(String(type)).name,
});
const toWarehouseColumn = ({ name, type }: ClickhouseColumn) => ({
  name,
  datatype: toDatatype(type) ?? ('string' as const),
});

async function* readPages(chunks: AsyncIterable<{ text: string }[]>) {
  let names: unknown[] | undefined;
  let columns: ClickhouseColumn[] | undefined;
  for await (const chunk of chunks) {
    const lines = chunk.map(({ text }) => parseLine(text));
    names ??= lines.shift();
    columns ??= lines.shift()?.map((type, index) => createClickhouseColumn(names![index], type));
    yield { columns, rows: lines };
  }
}

/** A line that isn't a row is an error message from the server. */
function parseLine(text: string): unknown[] {
  try {
    const values = JSON.parse(text) as unknown;
    if (Array.isArray(values)) return values;
  } catch {
    // The code below reports the line.
  }
  throw text.includes('DB::Exception')
    ? Object.assign(new Error(text), { code: parseErrorCode(text) })
    : createEngineRefusalProblem(text);
}
const parseErrorCode = (text: string): string => /Code: (\d+)/.exec(text)?.[1] ?? '1000';
