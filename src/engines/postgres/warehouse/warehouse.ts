// Runs statements on PostgreSQL. Each statement runs through a portal in a read-only transaction, which svc always
// rolls back.
import type pg from 'pg';
import { testConnection } from '../../../adapters/warehouse/test-connection.ts';
import type { Warehouse } from '../../../domain/ports.ts';
import { POSTGRES_ENGINE, type PostgresEngine } from './postgres-engine.ts';
import { readInTransaction } from './read.ts';
import { RowReader, toColumns, toValues } from './row-reader.ts';
import { type PostgresOptions, PostgresSessions, STEP_TIMEOUT_MS, type StatementLimits } from './sessions.ts';

const INTERNAL_LIMITS: StatementLimits = { timeoutMs: 30_000 };

export async function openPostgresWarehouse(
  options: PostgresOptions,
  engine: PostgresEngine = POSTGRES_ENGINE,
): Promise<Warehouse> {
  const sessions = new PostgresSessions(options, engine);
  const reader = new RowReader(sessions, engine);
  return {
    dialect: engine.dialect,
    fetch: (statement, fetchOptions) => reader.fetch(statement, fetchOptions),
    describe: ({ runs, parameters }, limits) =>
      sessions.withSession(limits, async (session) => {
        const values = toValues(parameters, limits.parameters);
        const beginStatements = engine.beginStatements(limits.timeoutMs);
        const describedStatement = {
          before: beginStatements,
          after: engine.endStatements,
          text: runs,
          values,
          maxRows: null,
          returnsRows: false,
        };
        const fields = await readInTransaction(session.client, describedStatement);
        session.isOutsideTransaction = true;
        return toColumns(fields);
      }),
    async estimate(statement) {
      const { rows } = await reader.fetch(
        { runs: `${engine.explain} ${statement.runs}`, parameters: statement.parameters },
        { ...INTERNAL_LIMITS, maxRows: 1_000, maxBytes: 4_194_304 },
      );
      return engine.readEstimate(rows.map(([line]) => String(line)));
    },
    catalog: ({ signal, onProgress } = {}) =>
      sessions.inReadOnlyTransaction({ ...INTERNAL_LIMITS, signal }, async (client) => {
        const tables = await engine.catalog(createQueryRunner(client));
        onProgress?.(tables.length, tables.length);
        return tables;
      }),
    profile: (table, columns, limits) =>
      sessions.inReadOnlyTransaction({ ...INTERNAL_LIMITS, signal: limits.signal }, (client) =>
        engine.profile(createQueryRunner(client), createRowFetcher(client), table, columns, limits),
      ),
    test: () =>
      testConnection(async () => {
        const [versionRow] = await sessions.inReadOnlyTransaction({ timeoutMs: STEP_TIMEOUT_MS }, (client) =>
          createQueryRunner(client)<{ version: string; read_only: string }>(engine.versionSql),
        );
        return { serverVersion: engine.productName(versionRow!.version), readOnly: versionRow!.read_only === 'on' };
      }),
    stuck: () => sessions.stuckBackends.count,
    close: () => sessions.close(),
  };
}

const createQueryRunner =
  (client: pg.ClientBase) =>
  async <Row>(text: string, values: unknown[] = []) =>
    (await client.query<Row & pg.QueryResultRow>({ text, values, queryMode: 'extended' } as pg.QueryConfig)).rows;

const createRowFetcher = (client: pg.ClientBase) => async (text: string) =>
  (await client.query({ text, rowMode: 'array', queryMode: 'extended' } as pg.QueryArrayConfig)).rows as unknown[][];
