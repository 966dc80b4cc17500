// Runs statements on MySQL and MariaDB. Each statement runs as a prepared statement in a read-only session, with limits
// on rows and received bytes.

import { createEngineRefusalProblem } from '../../../adapters/warehouse/faults.ts';
import { type ProfileSyntax, profileFirstRows } from '../../../adapters/warehouse/profile-first-rows.ts';
import { testConnection } from '../../../adapters/warehouse/test-connection.ts';
import {
  type Cell,
  type FetchOptions,
  type FetchResult,
  LARGE_RESULT_BYTES,
  type Warehouse,
} from '../../../domain/ports.ts';
import { quoteIdentifier } from '../../../guard/literals.ts';
import { readMysqlCatalog } from './catalog.ts';
import { type MysqlField, toCell, toWarehouseColumn } from './cells.ts';
import {
  type Connection,
  fetchRows,
  MysqlConnections,
  type MysqlOptions,
  STEP_TIMEOUT_MS,
  type StatementLimits,
} from './connections.ts';
import { parseMysqlEstimate } from './estimate.ts';
import { bindMysql } from './parameters.ts';

const INTERNAL_LIMITS: StatementLimits = { timeoutMs: 30_000 };
const MAX_PROTOCOL_OVERHEAD_BYTES = 65_536;

const PROFILE_SYNTAX: ProfileSyntax = {
  quote: (name) => quoteIdentifier('mysql', name),
  castToText: (value) => `cast(${value} as char)`,
};

export async function openMysqlWarehouse(options: MysqlOptions): Promise<Warehouse> {
  const connections = new MysqlConnections(options);
  async function fetch(
    statement: { runs: string; parameters: readonly string[] },
    fetchOptions: FetchOptions,
  ): Promise<FetchResult> {
    const values = bindMysql(statement.parameters, fetchOptions.parameters);
    return connections.inReadOnlyTransaction(fetchOptions, (connection, abandon, { hasTimeZones }) => {
      if (!hasTimeZones && /\bconvert_tz\s*\(/i.test(statement.runs)) {
        throw createEngineRefusalProblem(
          'no time zones',
          'The server has no time zone tables. Load them with mysql_tzinfo_to_sql.',
          'no_time_zones',
        );
      }
      return readRows(connection, abandon, statement.runs, values, fetchOptions);
    });
  }

  return {
    dialect: 'mysql',
    fetch,
    describe: (statement, limits) =>
      connections.inReadOnlyTransaction(limits, async (connection) => {
        const { columns, close } = await prepareStatement(connection, statement.runs);
        close();
        return columns.map(toWarehouseColumn);
      }),
    estimate: (statement) =>
      connections.inReadOnlyTransaction(INTERNAL_LIMITS, async (connection) => {
        const values = statement.parameters.map(() => null);
        const [row] = await fetchRows(connection, { sql: `explain format=json ${statement.runs}`, values });
        return parseMysqlEstimate(String(row?.[0]));
      }),
    catalog: ({ signal, onProgress } = {}) =>
      connections.inReadOnlyTransaction({ ...INTERNAL_LIMITS, signal }, async (connection) => {
        const tables = await readMysqlCatalog(
          (sql, values) => fetchRows(connection, { sql, values }),
          options.database,
        );
        onProgress?.(tables.length, tables.length);
        return tables;
      }),
    profile: (table, columns, limits) =>
      connections.inReadOnlyTransaction({ ...INTERNAL_LIMITS, signal: limits.signal }, (connection) =>
        profileFirstRows(PROFILE_SYNTAX, (sql) => fetchRows(connection, { sql }), table, columns, limits),
      ),
    test: () =>
      testConnection(async () => ({
        serverVersion: await connections.inReadOnlyTransaction(
          { timeoutMs: STEP_TIMEOUT_MS },
          async (_connection, _abandon, { version }) => version,
        ),
      })),
    close: () => connections.close(),
  };
}

function readRows(
  connection: Connection,
  abandon: () => void,
  sql: string,
  values: unknown[],
  { maxRows, maxBytes, beforeLarge }: FetchOptions,
): Promise<FetchResult> {
  return new Promise((resolve, reject) => {
    let fields: MysqlField[] = [];
    const rows: Cell[][] = [];
    let bytes = 0;
    let receivedBytes = 0;
    let isStopped = false;
    let isLarge = false;
    const pauseReading = () => {
      isLarge = true;
      if (!beforeLarge) return;
      connection.pause();
      const resumeReading = () => connection.resume();
      // svc also resumes reading if `beforeLarge` fails, because the signal has then stopped the statement.
      beforeLarge().then(resumeReading, resumeReading);
    };
    const finish = (bytesCut: boolean) => {
      connection.stream.off('data', onData);
      const hasMore = rows.length > maxRows;
      if (hasMore) rows.pop();
      resolve({ columns: fields.map(toWarehouseColumn), rows, more: hasMore, bytesCut });
    };
    const stop = (bytesCut: boolean) => {
      if (isStopped) return;
      isStopped = true;
      finish(bytesCut);
      abandon();
    };
    const onData = (data: Buffer) => {
      receivedBytes += data.length;
      if (receivedBytes > maxBytes * 2 + MAX_PROTOCOL_OVERHEAD_BYTES) stop(true);
    };
    connection.stream.on('data', onData);
    const command = connection.execute({ sql, values: values as never, rowsAsArray: true });
    command.on('error', (error) => {
      connection.stream.off('data', onData);
      if (!isStopped) reject(error);
    });
    command.on('fields', (fieldPackets: unknown) => {
      fields = (fieldPackets as MysqlField[] | undefined) ?? [];
    });
    command.on('result', (row: unknown) => {
      if (isStopped || !Array.isArray(row)) return;
      const cells = row.map((value, index) => toCell(value, fields[index]!));
      for (const cell of cells) bytes += 8 + (typeof cell === 'string' ? cell.length : 0);
      if (bytes > maxBytes) return stop(true);
      if (!isLarge && bytes > LARGE_RESULT_BYTES) pauseReading();
      rows.push(cells);
      if (rows.length > maxRows) stop(false);
    });
    command.on('end', () => {
      // COMMIT, SET and similar statements return no columns. After such a statement, svc discards the session.
      if (!isStopped && fields.length === 0) reject(createEngineRefusalProblem('the statement returns no rows'));
      else if (!isStopped) finish(false);
      isStopped = true;
    });
  });
}

function prepareStatement(connection: Connection, sql: string): Promise<{ columns: MysqlField[]; close(): void }> {
  return new Promise((resolve, reject) =>
    connection.prepare(sql, (error, statement) =>
      error
        ? reject(error)
        : resolve({
            columns: (statement as unknown as { columns: MysqlField[] }).columns,
            close: () => statement.close(),
          }),
    ),
  );
}
