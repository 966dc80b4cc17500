// Runs governed statements on DuckDB, which must return exactly the rows that the policy and the masks allow.
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { caseRows } from '../../test/support/case-rows.ts';
import { SHOP_TABLES, shopScope } from '../../test/support/guard-scopes.ts';
import { guardSql } from './guard-sql.ts';

const scope = shopScope('duckdb', { policy: '"region" = \'West\'' });
const instance = await DuckDBInstance.create(':memory:');
const connection: DuckDBConnection = await instance.connect();
for (const sql of SHOP_TABLES) await connection.run(sql);

async function fetchRows(sql: string): Promise<unknown[][]> {
  const { runs } = await guardSql(sql, scope);
  return (await connection.runAndReadAll(runs)).getRowsJson();
}

describe('a governed statement answers', () => {
  // The expected rows were computed by hand from the rows of region West (row_id 1, 2, 4 and 6).
  it.each(caseRows<[string, unknown[][]]>(import.meta.dirname, 'governed-rows.test.jsonl'))(
    '%s',
    async (sql, expected) => {
      expect(await fetchRows(sql)).toEqual(expected);
    },
  );

  it('without any value of a masked field', async () => {
    const foundRows = await fetchRows('select * from orders o join orders p using (row_id)');
    expect(foundRows.length).toBe(4);
    expect(JSON.stringify(foundRows)).not.toMatch(/Ann|Bo Ek|4111/);
    const { report, runs } = await guardSql('select count(distinct customer_name) / 2 from orders', scope);
    expect((await connection.runAndReadAll(runs)).columnNames().join()).not.toContain('svc_raw');
    expect(report.masks).toEqual([]);
    expect((await guardSql('select * from orders', scope)).report.masks).toEqual(['orders.customer_name']);
  });
});

describe('a masked field', () => {
  it('is not used by an ORDER BY of an output column with the name of the table', async () => {
    const countedRows = await fetchRows(
      'select region, count(*) as orders from orders group by region order by orders desc limit 1',
    );
    expect(countedRows).toEqual([['West', '4']]);
  });

  it('is read on PostgreSQL only for its distinct count', async () => {
    const { runs } = await guardSql('select count(distinct o.customer_name) from orders o', shopScope('postgres'));
    expect(runs).toContain('count(DISTINCT o.svc_raw_customer_name)');
  });
});

describe('a name in WITH', () => {
  it('differs from another name if only the case of a non-ASCII letter differs, as in DuckDB', async () => {
    await connection.run('create table "ämter" (id integer)');
    await expect(guardSql('with "Ämter" as (select 1 as id) select id from "ämter"', scope)).rejects.toMatchObject({
      code: 'guard_refused',
    });
    expect(await fetchRows('with AEMTER as (select 1 as id) select id from "aemter"')).toEqual([[1]]);
  });
});
