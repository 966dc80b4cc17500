// The tree of a statement has everything that PostgreSQL's own parser finds, except positions and parentheses.
import { describe, expect, it } from 'vitest';
import { FaultCollector } from '../../src/dialects/fault-collector.ts';
import { postgresTestStatements } from '../../src/engines/postgres/dialect/cases.ts';
import { postgresDialect } from '../../src/engines/postgres/dialect/dialect.ts';
import { parsePostgres } from '../../src/engines/postgres/dialect/native.ts';

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
