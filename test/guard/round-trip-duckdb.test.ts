// SQL that svc reads and writes again means the same to DuckDB: DuckDB's own trees of both texts are equal. The test
// uses random texts instead of random trees, because DuckDB's parser converts several forms of SQL to one tree.
import { describe, expect, it } from 'vitest';
import { FaultCollector } from '../../src/dialects/fault-collector.ts';
import { areTreesEqual } from '../../src/dialects/nodes.ts';
import { duckdbTestStatements } from '../../src/engines/duckdb/dialect/cases.ts';
import { duckdbDialect } from '../../src/engines/duckdb/dialect/dialect.ts';
import { parseDuckdb } from '../../src/engines/duckdb/dialect/parse.ts';
import { DuckdbStatements } from '../support/duckdb-statements.ts';
import { meaningOf, treeOf } from '../support/round-trip.ts';

const STATEMENTS = 500;

const duckdbTree = async (sql: string): Promise<string> =>
  JSON.stringify(await parseDuckdb(sql, new FaultCollector()), (key, value: unknown) =>
    key === 'query_location' ? undefined : value,
  );

describe('DuckDB', () => {
  it.each(duckdbTestStatements)('writes SQL that reads as the same tree: %s', async (sql) => {
    const tree = await treeOf(duckdbDialect, sql);
    expect(meaningOf(await treeOf(duckdbDialect, duckdbDialect.write(tree)))).toEqual(meaningOf(tree));
  });

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
