// Opens a connection for one check, and chooses the table that the checks read.

import type { ConnectionConfig } from '../../src/contract/files/connection-settings.ts';
import { loadDialect } from '../../src/dialects/dialects.ts';
import type { Cell, FetchOptions, FetchResult, Warehouse } from '../../src/domain/ports.ts';
import type { Engine, OpenContext } from '../../src/engines/engine.ts';
import { assertSame, assertTrue } from './check.ts';
import { unguardedSql } from './statements.ts';

export interface WarehouseUnderTest {
  adapter: Engine;
  /** The connection as under `connections` in svc.config.yaml, with variables replaced. */
  connection: ConnectionConfig;
  context: OpenContext;
  /** A non-empty table in the catalog, as `schema.table` or `table`. Default: the first. */
  table?: string | undefined;
  /** The time that a statement can run beyond its deadline. Default: ten seconds. */
  patienceMs?: number | undefined;
}

export type FetchStatement = (sql: string, more?: Partial<FetchOptions>, parameters?: string[]) => Promise<FetchResult>;
export interface WarehouseSession {
  warehouse: Warehouse;
  fetch: FetchStatement;
  /** Runs `select …` and returns the cells of its only row. */
  row(expressions: string): Promise<Cell[]>;
}
/** For each requirement, a function that checks it on an open warehouse. */
export type FamilyChecks = Record<string, (session: WarehouseSession, target: WarehouseUnderTest) => Promise<void>>;

export const FETCH_LIMITS: FetchOptions = { maxRows: 5_000, maxBytes: 16_777_216, timeoutMs: 60_000 };

export const timeoutOf = ({ patienceMs }: WarehouseUnderTest): number => patienceMs ?? 10_000;

export async function withOpen(
  target: WarehouseUnderTest,
  work: (session: WarehouseSession) => Promise<void>,
): Promise<void> {
  const warehouse = await target.adapter.open(target.connection, target.context);
  const { dialect } = target.adapter;
  await loadDialect(dialect);
  const fetch: FetchStatement = (sql, overrides, parameters) =>
    warehouse.fetch(unguardedSql(dialect, sql, parameters), { ...FETCH_LIMITS, ...overrides });
  const row = async (expressions: string) => {
    const { rows } = await fetch(`select ${expressions}`);
    assertSame(rows.length, 1, `rows of select ${expressions}`);
    return rows[0]!;
  };
  try {
    await work({ warehouse, fetch, row });
  } finally {
    await warehouse.close();
  }
}

export function pickTable<T extends { schema: string | null; table: string }>(tables: T[], requestedTable?: string): T {
  const pickedTable = requestedTable
    ? tables.find(({ schema, table }) => requestedTable === table || requestedTable === `${schema}.${table}`)
    : tables[0];
  assertTrue(
    pickedTable !== undefined,
    requestedTable
      ? `the catalog names no table ${requestedTable}`
      : 'the catalog is empty: use a connection with a table that has rows',
  );
  return pickedTable;
}
