// Checks the results of describe, estimate, catalog and profile against the contents of the tables.
import { DATATYPES, type Datatype } from '../../src/contract/warehouse.ts';
import type { CatalogTable, ColumnProfile } from '../../src/domain/ports.ts';
import { guardSql } from '../../src/guard/guard-sql.ts';
import { quoteIdentifier } from '../../src/guard/literals.ts';
import { assertSame, assertTrue, assertWithin } from './check.ts';
import { ENDLESS_STATEMENT, tableName, unguarded } from './statements.ts';
import { FETCH_LIMITS, type Opened, pickTable, timeoutOf, type WarehouseCheck } from './warehouse-under-test.ts';

const PROFILED: Datatype[] = ['string', 'integer', 'decimal', 'date', 'boolean'];
const MAX_VALUES = 20;

const selectOf = ({ warehouse: { dialect } }: Opened, table: CatalogTable): string =>
  `select ${table.columns.map(({ name }) => quoteIdentifier(dialect, name)).join(', ')} from ${tableName(dialect, table)}`;

async function assertProfile(
  { warehouse: { dialect }, fetch, row }: Opened,
  table: CatalogTable,
  profile: ColumnProfile,
) {
  const [name, from] = [quoteIdentifier(dialect, profile.column), tableName(dialect, table)];
  const columnLabel = `${table.table}.${profile.column}`;
  if (profile.sampled) return;
  const [rows, filled, distinct] = (await row(`count(*), count(${name}), count(distinct ${name}) from ${from}`)).map(
    Number,
  );
  assertSame([profile.rows, profile.nulls], [rows, rows! - filled!], `rows and nulls of ${columnLabel}`);
  if (profile.distinct !== null) assertSame(profile.distinct, distinct, `distinct values of ${columnLabel}`);
  if (profile.values === null) return;
  assertTrue(
    profile.values.length <= MAX_VALUES,
    `${profile.values.length} values of ${columnLabel}, more than requested`,
  );
  const grouped = await fetch(`select ${name}, count(*) from ${from} where ${name} is not null group by ${name}`);
  const counts = profile.values.map((value) => grouped.rows.find(([cell]) => String(cell) === value)?.[1]);
  assertTrue(
    counts.every((count) => count !== undefined),
    `a value of ${columnLabel} is not stored: ${profile.values.join(', ')}`,
  );
  const sorted = [...counts].sort((a, b) => Number(b) - Number(a));
  assertSame(
    counts.map(Number),
    sorted.map(Number),
    `the frequencies of the values of ${columnLabel}, the most frequent first`,
  );
}

export const catalogChecks: Record<string, WarehouseCheck[]> = {
  describe: [
    [
      'describes a statement with the same columns as a fetch',
      async ({ warehouse, fetch }) => {
        const sql = "select 'x' as s, 1 as i, count(*) as n from (select 1 as m) t";
        const described = await warehouse.describe(unguarded(warehouse.dialect, sql), { timeoutMs: 20_000 });
        assertSame(described, (await fetch(sql)).columns, 'described columns');
      },
    ],
    [
      'does so without running the statement',
      async ({ warehouse }, target) => {
        const described = warehouse.describe(unguarded(warehouse.dialect, ENDLESS_STATEMENT), { timeoutMs: 20_000 });
        assertSame(
          (await assertWithin(timeoutOf(target), 'describing an endless statement', described)).length,
          1,
          'columns',
        );
      },
    ],
  ],
  estimate: [
    [
      'estimates without running, or returns null',
      async ({ warehouse }, target) => {
        const estimate = warehouse.estimate(unguarded(warehouse.dialect, ENDLESS_STATEMENT));
        const { rows, cost } = await assertWithin(timeoutOf(target), 'estimating an endless statement', estimate);
        for (const number of [rows, cost]) assertTrue(number === null || number >= 0, `an estimate of ${number}`);
      },
    ],
  ],
  catalog: [
    [
      'lists each table once, with columns, known datatypes, and keys whose columns exist',
      async ({ warehouse }, { table }) => {
        const tables = await warehouse.catalog();
        pickTable(tables, table);
        const names = tables.map((table) => JSON.stringify([table.catalog, table.schema, table.table]));
        assertSame(new Set(names).size, names.length, 'different tables');
        for (const listed of tables) {
          const columns = new Set(listed.columns.map(({ name }) => name));
          assertTrue(
            columns.size > 0 && columns.size === listed.columns.length,
            `the columns of ${listed.table} are missing or repeated`,
          );
          for (const { name, datatype } of listed.columns)
            assertTrue(
              datatype === null || DATATYPES.includes(datatype),
              `${listed.table}.${name} has the unknown datatype ${datatype}`,
            );
          const keys = [
            listed.primaryKey,
            ...listed.uniqueKeys,
            ...listed.foreignKeys.map((key) => key.columns),
          ].flat();
          for (const key of keys)
            assertTrue(columns.has(key), `a key of ${listed.table} names ${key}, which is not one of its columns`);
          assertTrue(
            listed.rowEstimate === null || listed.rowEstimate >= 0,
            `${listed.table} has ${listed.rowEstimate} rows`,
          );
        }
      },
    ],
    [
      'lists the same datatype for a column as a fetch',
      async (opened) => {
        const tables = await opened.warehouse.catalog();
        for (const table of tables.slice(0, 10)) {
          const described = await opened.warehouse.describe(
            unguarded(opened.warehouse.dialect, selectOf(opened, table)),
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
    ],
    [
      'has a table that a guarded statement reads',
      async (opened, { table }) => {
        const { warehouse } = opened;
        const read = pickTable(await warehouse.catalog(), table);
        const columns = read.columns.map(({ name }) => name);
        const source = { catalog: read.catalog, schema: read.schema, table: read.table };
        const body = selectOf(opened, read);
        const statement = await guardSql(`select count(*) as n from ${tableName(warehouse.dialect, read)}`, {
          dialect: warehouse.dialect,
          relations: [{ source, dataset: 'conformance', columns, masked: [], body, policies: [] }],
          mode: 'govern',
          maxRows: 10,
        });
        const [counted, straight] = [
          await warehouse.fetch(statement, FETCH_LIMITS),
          await opened.row(`count(*) from ${tableName(warehouse.dialect, read)}`),
        ];
        assertSame(counted.rows, [straight], 'rows counted through the guard and without it');
        assertTrue(Number(straight[0]) > 0, `${read.table} is empty: name a table with rows`);
      },
    ],
  ],
  profile: [
    [
      'profiles rows, nulls, distinct and frequent values as stored',
      async (opened, { table }) => {
        const read = pickTable(await opened.warehouse.catalog(), table);
        const columns = read.columns
          .filter(({ datatype }) => datatype !== null && PROFILED.includes(datatype))
          .slice(0, 6)
          .map(({ name }) => name);
        const options = { maxValues: MAX_VALUES, sampleRows: 100_000 };
        const profiles = await opened.warehouse.profile(read, columns, options);
        assertSame(
          profiles.map(({ column }) => column),
          columns,
          'profiled columns',
        );
        for (const profile of profiles) await assertProfile(opened, read, profile);
      },
    ],
  ],
};
