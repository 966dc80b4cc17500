import { readCappedResult } from '../../../adapters/warehouse/capped-rows.ts';
import { createUnreachableProblem } from '../../../adapters/warehouse/faults.ts';
import { type ProfileSyntax, profileFirstRows } from '../../../adapters/warehouse/profile-first-rows.ts';
import {
  createInternalLimits,
  type StatementLimits,
  StatementRunner,
} from '../../../adapters/warehouse/statement-runner.ts';
import { testConnection } from '../../../adapters/warehouse/test-connection.ts';
import { quoteText } from '../../../dialects/foreign/rules.ts';
import type { FetchResult, Warehouse } from '../../../domain/ports.ts';
import { quoteIdentifier } from '../../../guard/literals.ts';
import type { Problem } from '../../../platform/problem.ts';
import { enableRequestIds } from '../../../platform/request-storage.ts';
import type { PostgresOptions } from '../../postgres/warehouse/sessions.ts';
import { readTrinoCatalog, type VisibleCatalog } from './catalog.ts';
import { toCell, toDatatype } from './cells.ts';
import { parseEstimatedRows } from './estimate.ts';
import { toTrinoFault } from './faults.ts';
import { bindTrino, replaceParametersWithNull } from './parameters.ts';
import { connectTrino, type RequestHeaders, type TrinoColumn } from './protocol.ts';

const getCurrentRequestId = enableRequestIds();

export interface TrinoOptions extends Omit<PostgresOptions, 'database'> {
  catalog: string;
  schema?: string | undefined;
  catalogs: string[];
  max_scan_bytes?: number | undefined;
}

const SHORT_TIMEOUT_MS = 5_000;
const INTERNAL_TIMEOUT_MS = 60_000;
const TRANSACTION_HEADER = 'x-trino-transaction-id';

const PROFILE_SYNTAX: ProfileSyntax = {
  quote: (name) => quoteIdentifier('trino', name),
  castToText: (value) => `cast(${value} as varchar)`,
  firstCharacters: (text, count) => `substr(${text}, 1, ${count})`,
};

export async function openTrinoWarehouse(options: TrinoOptions): Promise<Warehouse> {
  const trinoClient = connectTrino(options);
  const runner = new StatementRunner((error, timeoutMs) => toTrinoFault(error, timeoutMs, options.catalog));

  /** Runs a statement in a read-only transaction, which can't write even if the login can. */
  async function* fetchReadOnlyPages(sql: string, headers: RequestHeaders, signal: AbortSignal) {
    let transaction = '';
    const beginning = trinoClient.fetchPages(
      'start transaction read only',
      { ...headers, [TRANSACTION_HEADER]: 'NONE' },
      signal,
      (responseHeaders) => {
        transaction = String(responseHeaders['x-trino-started-transaction-id'] ?? transaction);
      },
    );
    for await (const _ of beginning);
    if (transaction === '') throw createUnreachableProblem('Trino started no transaction');
    const transactionHeaders = { ...headers, [TRANSACTION_HEADER]: transaction };
    try {
      for await (const { columns, data = [] } of trinoClient.fetchPages(sql, transactionHeaders, signal))
        yield { columns, rows: data };
    } finally {
      void endTransaction(transactionHeaders);
    }
  }
  async function endTransaction(transactionHeaders: RequestHeaders): Promise<void> {
    try {
      for await (const _ of trinoClient.fetchPages(
        'rollback',
        transactionHeaders,
        AbortSignal.timeout(SHORT_TIMEOUT_MS),
      ));
    } catch {
      // The server ends the transaction when it has been idle long enough.
    }
  }

  const run = (sql: string, limits: StatementLimits): Promise<FetchResult> =>
    runner.run(limits, (signal) =>
      readCappedResult(
        fetchReadOnlyPages(sql, createHeaders(options, limits.timeoutMs), signal),
        limits,
        (value, { type }) => toCell(value, type),
        toWarehouseColumn,
      ),
    );
  const rowsOf = async (sql: string, signal?: AbortSignal): Promise<unknown[][]> =>
    (await run(sql, createInternalLimits(INTERNAL_TIMEOUT_MS, signal))).rows;

  return {
    dialect: 'trino',
    fetch: async ({ runs, parameters }, fetchOptions) =>
      run(bindTrino(runs, parameters, fetchOptions.parameters), fetchOptions),
    describe: async ({ runs, parameters }, limits) => {
      const withoutRows = (sql: string): string => `select * from (\n${sql}\n) limit 0`;
      const sql = bindTrino(runs, parameters, limits.parameters, withoutRows);
      return (await run(sql, createInternalLimits(limits.timeoutMs, limits.signal))).columns;
    },
    estimate: async ({ runs }) => {
      const explain = `explain (type io, format json)\n${replaceParametersWithNull(runs)}`;
      // The time limit is short, because an estimate isn't worth a long planning time.
      const explained = await run(explain, createInternalLimits(SHORT_TIMEOUT_MS)).catch((fault: Problem) => {
        if (fault.code === 'timeout') return null;
        throw fault;
      });
      return { rows: parseEstimatedRows(String(explained?.rows[0]?.[0] ?? '')), cost: null };
    },
    catalog: async ({ signal, onProgress } = {}) => {
      const visibleCatalogs = listCatalogs(options);
      const tables = [];
      for (const [doneCount, visibleCatalog] of visibleCatalogs.entries()) {
        tables.push(...(await readTrinoCatalog((sql) => rowsOf(sql, signal), visibleCatalog)));
        onProgress?.(doneCount + 1, visibleCatalogs.length);
      }
      return tables;
    },
    profile: (table, columns, limits) =>
      profileFirstRows(PROFILE_SYNTAX, (sql) => rowsOf(sql, limits.signal), table, columns, limits),
    test: () =>
      testConnection(async () => {
        const [firstCatalog] = listCatalogs(options);
        const schemataTable = `${quoteIdentifier('trino', options.catalog)}.information_schema.schemata`;
        const schemaFilter = firstCatalog?.schema
          ? ` where schema_name = ${quoteText("'", firstCatalog.schema.toLowerCase())}`
          : '';
        const versionSql = `select version(), count(*) from ${schemataTable}${schemaFilter}`;
        const { rows } = await run(versionSql, createInternalLimits(SHORT_TIMEOUT_MS));
        if (String(rows[0]?.[1]) === '0') throw createUnreachableProblem('the catalog shows no such schema');
        return { serverVersion: `Trino ${rows[0]?.[0]}` };
      }),
    async close() {
      runner.close();
      trinoClient.close();
    },
  };
}

function listCatalogs({ catalog, schema = '', catalogs }: TrinoOptions): VisibleCatalog[] {
  const otherCatalogs = catalogs.map((catalog) => {
    const [name = '', schemaName = ''] = catalog.split('.');
    return { catalog: name, schema: schemaName || null, isDefault: false };
  });
  return [{ catalog, schema: schema || null, isDefault: true }, ...otherCatalogs];
}

function createHeaders(options: TrinoOptions, timeoutMs: number): RequestHeaders {
  const request = getCurrentRequestId() ?? 'upkeep';
  const session = {
    // svc normally cancels the statement before this limit. The limit applies if the svc process has stopped.
    query_max_run_time: `${Math.ceil(timeoutMs / 1000) + 1}s`,
    ...(options.max_scan_bytes && { query_max_scan_physical_bytes: `${options.max_scan_bytes}B` }),
  };
  return {
    'x-trino-source': `svc ${request}`,
    'x-trino-client-tags': 'svc',
    'x-trino-client-info': `svc ${request}`,
    'x-trino-trace-token': request,
    'x-trino-catalog': options.catalog,
    ...(options.schema && { 'x-trino-schema': options.schema }),
    'x-trino-session': Object.entries(session)
      .map(([name, value]) => `${name}=${value}`)
      .join(','),
    // These headers fix the meaning of timestamps without a zone, of weekday names and of function names.
    'x-trino-time-zone': 'UTC',
    'x-trino-language': 'en',
    'x-trino-path': 'system.builtin',
    'x-trino-client-capabilities': 'PARAMETRIC_DATETIME,PATH',
  };
}

const toWarehouseColumn = ({ name, type }: TrinoColumn) => ({
  name,
  datatype: toDatatype(type) ?? ('string' as const),
});
