import { describe, expect, it } from 'vitest';
import { analyseExpression, expressionFaults } from './analyse-expression.ts';

describe.each(['duckdb', 'postgres'] as const)('analyzing an expression for %s', (dialect) => {
  it('reports its columns, its aggregates and their arguments', async () => {
    const sql = "sum(case when orders.segment = 'x' then orders.sales end) / count(distinct orders.customer_id)";
    expect(await analyseExpression(dialect, sql)).toMatchObject({
      columns: [
        ['orders', 'segment'],
        ['orders', 'sales'],
        ['orders', 'customer_id'],
      ],
      aggregates: ['sum', 'count'],
      aggregateArguments: [
        {
          fn: 'sum',
          distinct: false,
          columns: [
            ['orders', 'segment'],
            ['orders', 'sales'],
          ],
        },
        { fn: 'count', distinct: true, columns: [['orders', 'customer_id']] },
      ],
      windows: false,
      subqueries: false,
      fault: null,
      faults: [],
    });
  });

  it('reads metric(name) as another metric', async () => {
    const found = await analyseExpression(dialect, 'metric(profit) / nullif(metric(revenue), 0)');
    expect(found).toMatchObject({ metricCalls: ['profit', 'revenue'], columns: [], aggregates: [], faults: [] });
  });

  it('reports windows and subqueries', async () => {
    expect((await analyseExpression(dialect, 'sum(sales) over (order by d)')).windows).toBe(true);
    expect((await analyseExpression(dialect, '(select 1)')).subqueries).toBe(true);
  });

  it('reports text that isn’t a single expression, with the place of a syntax error', async () => {
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
      expect((await analyseExpression(dialect, sql)).fault, sql).not.toBeNull();
    }
    const { fault } = await analyseExpression(dialect, 'sum(a b c)');
    expect(fault).toMatchObject({ offset: expect.any(Number) });
    expect(fault!.message).toContain('syntax error');
  });

  it('names every function, type and construct that isn’t allowed', async () => {
    const faults = await expressionFaults(dialect, "pg_read_file(x) || nextval('s')");
    expect(faults.join(' ')).toMatch(/pg_read_file.*nextval/);
    expect(await expressionFaults(dialect, "date_trunc('month', d)")).toEqual([]);
    expect(await expressionFaults(dialect, 'a = :x')).not.toEqual([]);
  });
});
