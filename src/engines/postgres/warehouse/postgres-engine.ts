import type pg from 'pg';
import type { CatalogTable, Warehouse } from '../../../domain/ports.ts';
import type { FaultClass } from '../../../domain/statement-fault.ts';
import { postgresDialect } from '../dialect/dialect.ts';
import { type QueryRunner, readPostgresCatalog } from './catalog.ts';
import { refuseOverloads } from './overloads.ts';
import { profilePostgresTable } from './profile.ts';

type TableProfiler = Warehouse['profile'];
export type RowFetcher = (text: string) => Promise<unknown[][]>;

export interface PostgresEngine {
  dialect: string;
  sessionSql: string;
  beginStatements(timeoutMs: number): string[];
  endStatements: readonly string[];
  /** Refuses a database where a name that svc allows could have another meaning. */
  refuseAmbiguousNames(client: pg.ClientBase, timeoutMs: number): Promise<void>;
  /** True if sessions can keep named prepared statements. */
  keepsPrepared: boolean;
  explain: string;
  readEstimate(lines: string[]): { rows: number | null; cost: number | null };
  /** Returns the fault class of an error whose SQLSTATE isn't specific enough. */
  findFaultClass(message: string): FaultClass | undefined;
  catalog(query: QueryRunner): Promise<CatalogTable[]>;
  profile(query: QueryRunner, rowsOf: RowFetcher, ...profileArgs: Parameters<TableProfiler>): ReturnType<TableProfiler>;
  /** A query that returns the server's version, and whether the transaction is read-only. */
  versionSql: string;
  productName(version: string): string;
}

const DIALECT_SETTINGS = postgresDialect.settings.map((setting) => `('${setting.replace(' = ', "', ")})`).join(', ');

export const POSTGRES_ENGINE: PostgresEngine = {
  dialect: 'postgres',
  sessionSql: `
  select set_config(s.name, s.value, false) from (values
    ('search_path', 'pg_catalog, public, pg_temp'), ${DIALECT_SETTINGS},
    ('datestyle', 'ISO, MDY'), ('intervalstyle', 'iso_8601'), ('bytea_output', 'hex'), ('extra_float_digits', '1'),
    ('default_transaction_read_only', 'on'), ('client_connection_check_interval', '1s')) s(name, value)
  where exists (select from pg_settings p where p.name = s.name)`,
  beginStatements(timeoutMs) {
    const ms = Math.max(1, Math.trunc(timeoutMs));
    return [
      'begin transaction isolation level repeatable read read only',
      `select set_config('statement_timeout', '${ms}', true), set_config('lock_timeout', '${Math.min(ms, 5_000)}', true),
      set_config('idle_in_transaction_session_timeout', '${ms + 10_000}', true)`,
    ];
  },
  // A rollback doesn't release session-level advisory locks.
  endStatements: ['rollback', 'select pg_advisory_unlock_all()'],
  refuseAmbiguousNames: refuseOverloads,
  keepsPrepared: true,
  explain: 'explain (format json)',
  readEstimate: (lines) => {
    const plan = (JSON.parse(lines.join('\n')) as [{ Plan: Record<string, number> }])[0].Plan;
    return { rows: plan['Plan Rows'] ?? null, cost: plan['Total Cost'] ?? null };
  },
  findFaultClass: () => undefined,
  catalog: readPostgresCatalog,
  profile: (query, _, ...profileArgs) => profilePostgresTable(query, ...profileArgs),
  versionSql:
    "select current_setting('server_version') as version, current_setting('transaction_read_only') as read_only",
  productName: (version) => `PostgreSQL ${version}`,
};
