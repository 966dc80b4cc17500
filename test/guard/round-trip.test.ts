// Reading and writing SQL loses nothing: a text that is read, written and read again has the same tree, and so does any
// generated tree.
import { describe, expect, it } from 'vitest';
import { FaultCollector } from '../../src/dialects/fault-collector.ts';
import { areTreesEqual } from '../../src/dialects/nodes.ts';
import { duckdbTestStatements } from '../../src/engines/duckdb/dialect/cases.ts';
import { duckdbDialect } from '../../src/engines/duckdb/dialect/dialect.ts';
import { parseDuckdb } from '../../src/engines/duckdb/dialect/parse.ts';
import { mysqlTestStatements } from '../../src/engines/mysql/dialect/cases.ts';
import { mysqlDialect } from '../../src/engines/mysql/dialect/dialect.ts';
import { postgresTestStatements } from '../../src/engines/postgres/dialect/cases.ts';
import { postgresDialect } from '../../src/engines/postgres/dialect/dialect.ts';
import { parsePostgres } from '../../src/engines/postgres/dialect/native.ts';
import { DuckdbStatements } from '../support/duckdb-statements.ts';
import { meaningOf, treeOf } from '../support/round-trip.ts';
import { TreeGenerator } from '../support/tree-generator.ts';
import { mysqlProfile, postgresProfile } from '../support/tree-profiles.ts';

const TREES = 500;

describe.each([
  { dialect: postgresDialect, cases: postgresTestStatements },
  { dialect: mysqlDialect, cases: mysqlTestStatements },
  { dialect: duckdbDialect, cases: duckdbTestStatements },
])('$dialect.name', ({ dialect, cases }) => {
  it.each(cases)('writes SQL that reads as the same tree: %s', async (sql) => {
    const tree = await treeOf(dialect, sql);
    expect(meaningOf(await treeOf(dialect, dialect.write(tree)))).toEqual(meaningOf(tree));
  });
});

it.each([
  [postgresDialect, postgresProfile],
  [mysqlDialect, mysqlProfile],
])(
  `writes ${TREES} random trees as SQL that reads as the same trees: $0.name`,
  async (dialect, profile) => {
    for (let seed = 1; seed <= TREES; seed++) {
      const tree = new TreeGenerator(profile, seed).query(1 + (seed % 5));
      const text = dialect.write(tree);
      expect(meaningOf(await treeOf(dialect, text)), `seed ${seed}: ${text}`).toEqual(meaningOf(tree));
    }
  },
  120_000,
);

const STATEMENTS = 500;

const duckdbTree = async (sql: string): Promise<string> =>
  JSON.stringify(await parseDuckdb(sql, new FaultCollector()), (key, value: unknown) =>
    key === 'query_location' ? undefined : value,
  );

describe('DuckDB', () => {
  it(`writes ${STATEMENTS} random statements so that DuckDB reads them the same`, async () => {
    let read = 0;
    for (let seed = 1; read < STATEMENTS; seed++) {
      const sql = new DuckdbStatements(seed).query(1 + (seed % 4));
      const faults = new FaultCollector();
      const tree = await duckdbDialect.read(sql, faults);
      if (!tree || faults.list.length > 0) {
        // For example, chained comparisons without parentheses.
        expect(faults.list[0], sql).toMatchObject({ code: expect.stringMatching(/^(?:syntax|operator)$/) });
        expect(seed, 'most of what is made is SQL').toBeLessThan(2 * STATEMENTS);
        continue;
      }
      read++;
      const text = duckdbDialect.write(tree);
      expect(await duckdbTree(text), `seed ${seed}: ${sql}`).toBe(await duckdbTree(sql));
      expect(areTreesEqual(await treeOf(duckdbDialect, text), tree), `seed ${seed}: ${sql}`).toBe(true);
    }
  }, 120_000);
});

const UNMEANT = new Set(
  'location list_start list_end rexpr_list_start rexpr_list_end funcformat is_rowsfrom'.split(' '),
);

async function postgresTree(sql: string): Promise<unknown> {
  const faults = new FaultCollector();
  const tree = await parsePostgres(sql, faults);
  expect(faults.list, sql).toEqual([]);
  return JSON.parse(JSON.stringify(tree, (key, value: unknown) => (UNMEANT.has(key) ? undefined : value)));
}

describe('PostgreSQL', () => {
  it.each(postgresTestStatements)('parses the written SQL like the original: %s', async (sql) => {
    const faults = new FaultCollector();
    const query = await postgresDialect.read(sql, faults);
    expect(faults.list).toEqual([]);
    expect(await postgresTree(postgresDialect.write(query!))).toEqual(await postgresTree(sql));
  });

  it.each([
    ['a function named like a keyword', 'select "coalesce"(1), "grouping"(1), "current_date"()', 'function'],
    ['a subscript of a parenthesized subscript', 'select (a[1])[2] from t', 'construct'],
    ['XML', 'select xmlelement(name a)', 'construct'],
    ['rows with ties', 'select a from t order by a fetch first 3 rows with ties', 'limit'],
    ['a field of a value', 'select (a).b from t', 'field_access'],
    [
      'SEARCH in a recursive query',
      'with recursive r as (select 1 as n union all select n + 1 from r where n < 3) search depth first by n set o select * from r',
      'construct',
    ],
    ['ONLY before a table', 'select a from only t', 'construct'],
  ])('refuses syntax without a node in the tree: %s', async (_, sql, code) => {
    const faults = new FaultCollector();
    await postgresDialect.read(sql, faults);
    expect(faults.list.map((fault) => fault.code)).toContain(code);
  });
});
