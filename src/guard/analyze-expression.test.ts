import { describe, expect, it } from 'vitest';
import { analyzeExpression } from './analyze-expression.ts';

describe.each(['duckdb', 'postgres', 'mysql'] as const)('analyzing an expression for %s', (dialect) => {
  it('reports its columns, its aggregates and their arguments', async () => {
    const sql = "sum(case when orders.segment = 'x' then orders.sales end) / count(distinct orders.customer_id)";
    expect(await analyzeExpression(dialect, sql)).toMatchObject({
      columns: [
        ['orders', 'segment'],
        ['orders', 'sales'],
        ['orders', 'customer_id'],
      ],
      aggregates: [
        {
          name: 'sum',
          distinct: false,
          columns: [
            ['orders', 'segment'],
            ['orders', 'sales'],
          ],
        },
        { name: 'count', distinct: true, columns: [['orders', 'customer_id']] },
      ],
      fault: null,
    });
  });

  it('reads metric(name) as a reference to another metric', async () => {
    const analysis = await analyzeExpression(dialect, 'metric(profit) / nullif(metric(revenue), 0)');
    expect(analysis).toMatchObject({ metricCalls: ['profit', 'revenue'], columns: [], aggregates: [], fault: null });
  });

  it('refuses windows and subqueries', async () => {
    expect((await analyzeExpression(dialect, 'sum(sales) over (order by d)')).fault).toContain('window functions');
    expect((await analyzeExpression(dialect, '(select 1)')).fault).toContain('Subqueries');
  });

  it('reports text that isn’t a single expression', async () => {
    for (const sql of [
      '',
      'a, b',
      'a as b',
      '1 from secret',
      'a; b',
      '*',
      'a order by 1',
      'a limit 1',
      '1 union select 2',
    ]) {
      expect((await analyzeExpression(dialect, sql)).fault, sql).not.toBeNull();
    }
    expect((await analyzeExpression(dialect, 'sum(a b c)')).fault).toContain('syntax error');
  });

  it('names every function, type and construct that isn’t allowed', async () => {
    const faultOf = async (sql: string) => (await analyzeExpression(dialect, sql)).fault;
    expect(await faultOf("pg_read_file(x) + nextval('s')")).toMatch(/pg_read_file.*nextval/);
    expect(await faultOf('lower(d)')).toBe(null);
    expect(await faultOf('a = :x')).not.toBe(null);
  });
});
