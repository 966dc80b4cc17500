// Checks the results of describe, estimate, catalog and profile against the contents of the tables.
import { DATATYPES, type Datatype } from '../../src/contract/warehouse.ts';
import type { CatalogTable, ColumnProfile } from '../../src/domain/ports.ts';
import { guardSql } from '../../src/guard/guard-sql.ts';
import { quoteIdentifier } from '../../src/guard/literals.ts';
import { assertSame, assertTrue, assertWithin } from './check.ts';
import { ENDLESS_STATEMENT, tableName, unguardedSql } from './statements.ts';
import {
  type FamilyChecks,
  FETCH_LIMITS,
  pickTable,
  timeoutOf,
  type WarehouseSession,
} from './warehouse-under-test.ts';

const PROFILED: Datatype[] = ['string', 'integer', 'decimal', 'date', 'boolean'];
const MAX_VALUES = 20;

const selectOf = ({ warehouse: { dialect } }: WarehouseSession, table: CatalogTable): string =>
  `select ${table.columns.map(({ name }) => quoteIdentifier(dialect, name)).join(', ')} from ${tableName(dialect, table)}`;

async function assertProfile(
  { warehouse: { dialect }, fetch, row }: WarehouseSession,
  table: CatalogTable,
  profile: ColumnProfile,
) {
  const [name, source] = [quoteIdentifier(dialect, profile.column), tableName(dialect, table)];
  const columnLabel = `${table.table}.${profile.column}`;
  if (profile.sampled) return;
  const [rows, nonNullCount, distinct] = (
    await row(`count(*), count(${name}), count(distinct ${name}) from ${source}`)
  ).map(Number);
  assertSame([profile.rows, profile.nulls], [rows, rows! - nonNullCount!], `rows and nulls of ${columnLabel}`);
  if (profile.distinct !== null) assertSame(profile.distinct, distinct, `distinct values of ${columnLabel}`);
  if (profile.values === null) return;
  assertTrue(
    profile.values.length <= MAX_VALUES,
    `${profile.values.length} values of ${columnLabel}, more than requested`,
  );
  const groupedResult = await fetch(
    `select ${name}, count(*) from ${source} where ${name} is not null group by ${name}`,
  );
  const counts = profile.values.map((value) => groupedResult.rows.find(([cell]) => String(cell) === value)?.[1]);
  assertTrue(
    counts.every((count) => count !== undefined),
    `a value of ${columnLabel} is not stored: ${profile.values.join(', ')}`,
  );
  const sortedCounts = [...counts].sort((a, b) => Number(b) - Number(a));
  assertSame(
    counts.map(Number),
    sortedCounts.map(Number),
    `the frequencies of the values of ${columnLabel}, the most frequent first`,
  );
}

export const catalogChecks: Record<string, FamilyChecks> = {
  describe: {
    'describes a statement with the same columns as a fetch': async ({ warehouse, fetch }) => {
      const sql = "select 'x' as s, 1 as i, count(*) as n from (select 1 as m) t";
      const described = await warehouse.describe(unguardedSql(warehouse.dialect, sql), { timeoutMs: 20_000 });
      assertSame(described, (await fetch(sql)).columns, 'described columns');
    },
    'describes a statement without running it': async ({ warehouse }, target) => {
      const described = warehouse.describe(unguardedSql(warehouse.dialect, ENDLESS_STATEMENT), { timeoutMs: 20_000 });
      assertSame(
        (await assertWithin(timeoutOf(target), 'describing an endless statement', described)).length,
        1,
        'columns',
      );
    },
  },
  estimate: {
    'estimates rows and cost without running the statement, or returns null': async ({ warehouse }, target) => {
      const estimate = warehouse.estimate(unguardedSql(warehouse.dialect, ENDLESS_STATEMENT));
      const { rows, cost } = await assertWithin(timeoutOf(target), 'estimating an endless statement', estimate);
      for (const number of [rows, cost]) assertTrue(number === null || number >= 0, `an estimate of ${number}`);
    },
  },
  catalog: {
    'lists each table once, with columns, known datatypes, and keys whose columns exist': async (
      { warehouse },
      { table },
    ) => {
      const tables = await warehouse.catalog();
      pickTable(tables, table);
      const names = tables.map((table) => JSON.stringify([table.catalog, table.schema, table.table]));
      assertSame(new Set(names).size, names.length, 'different tables');
      for (const listedTable of tables) {
        const columns = new Set(listedTable.columns.map(({ name }) => name));
        assertTrue(
          columns.size > 0 && columns.size === listedTable.columns.length,
          `the columns of ${listedTable.table} are missing or repeated`,
        );
        for (const { name, datatype } of listedTable.columns)
          assertTrue(
            datatype === null || DATATYPES.includes(datatype),
            `${listedTable.table}.${name} has the unknown datatype ${datatype}`,
          );
        const keys = [
          listedTable.primaryKey,
          ...listedTable.uniqueKeys,
          ...listedTable.foreignKeys.map((key) => key.columns),
        ].flat();
        for (const key of keys)
          assertTrue(columns.has(key), `a key of ${listedTable.table} names ${key}, which is not one of its columns`);
        assertTrue(
          listedTable.rowEstimate === null || listedTable.rowEstimate >= 0,
          `${listedTable.table} has ${listedTable.rowEstimate} rows`,
        );
      }
    },
    'lists the same datatype for a column as a fetch': async (session) => {
      const tables = await session.warehouse.catalog();
      for (const table of tables.slice(0, 10)) {
        const described = await session.warehouse.describe(
          unguardedSql(session.warehouse.dialect, selectOf(session, table)),
          {
            timeoutMs: 20_000,
          },
        );
        assertSame(
          table.columns.map(({ name, datatype }, index) => ({
            name,
            datatype: datatype ?? described[index]?.datatype,
          })),
          described,
          `columns of ${table.table}, by catalog and by describe`,
        );
      }
    },
    'has a table that a guarded statement reads': async (session, { table }) => {
      const { warehouse } = session;
      const readTable = pickTable(await warehouse.catalog(), table);
      const columns = readTable.columns.map(({ name }) => name);
      const source = { catalog: readTable.catalog, schema: readTable.schema, table: readTable.table };
      const body = selectOf(session, readTable);
      const statement = await guardSql(`select count(*) as n from ${tableName(warehouse.dialect, readTable)}`, {
        dialect: warehouse.dialect,
        relations: [{ source, dataset: 'conformance', columns, masked: [], body, policies: [] }],
        mode: 'govern',
        maxRows: 10,
      });
      const [countedRows, straight] = [
        await warehouse.fetch(statement, FETCH_LIMITS),
        await session.row(`count(*) from ${tableName(warehouse.dialect, readTable)}`),
      ];
      assertSame(countedRows.rows, [straight], 'rows counted through the guard and without it');
      assertTrue(Number(straight[0]) > 0, `${readTable.table} is empty: name a table with rows`);
    },
  },
  profile: {
    'profiles rows, nulls, distinct and frequent values as stored': async (session, { table }) => {
      const readTable = pickTable(await session.warehouse.catalog(), table);
      const columns = readTable.columns
        .filter(({ datatype }) => datatype !== null && PROFILED.includes(datatype))
        .slice(0, 6)
        .map(({ name }) => name);
      const options = { maxValues: MAX_VALUES, sampleRows: 100_000 };
      const profiles = await session.warehouse.profile(readTable, columns, options);
      assertSame(
        profiles.map(({ column }) => column),
        columns,
        'profiled columns',
      );
      for (const profile of profiles) await assertProfile(session, readTable, profile);
    },
  },
};
