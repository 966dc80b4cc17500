import { describe, expect, it } from 'vitest';
import type { Column } from '../../../contract/ask.ts';
import type { FetchedRows } from '../../outcome.ts';
import { findUnsupportedPhrase } from './prose-words.ts';

const createColumn = (name: string, value: unknown): Column => ({
  name,
  datatype: typeof value === 'string' && !/^\d+$/.test(value) ? 'string' : 'decimal',
  unit: name === 'revenue' ? 'USD' : null,
  encoding: 'json',
});

const toFetchedRows = (rows: FetchedRows['rows']): FetchedRows =>
  ({
    rows,
    columns: Object.entries(rows[0]!).map(([name, value]) => createColumn(name, value)),
    more: false,
    plan: {
      plan: 'caller_sql',
      grantedLens: { lens: { metrics: [], datasets: [] } },
      citations: [],
      scope: {
        sentence: 'Rows from the SQL in the request.',
        filters: [{ field: 'orders.year', op: '=', values: [2016] }],
        time: { field: 'orders.order_date', from: '2016-01-01', to: '2017-01-01', timezone: 'UTC' },
      },
    },
  }) as unknown as FetchedRows;

describe('numbers in written answers', () => {
  const west = toFetchedRows([{ region: 'West', revenue: 187480.18, orders: 42, change: -3.5 }]);

  it('may come from the rows or the period, or be the number of rows', () => {
    expect(
      findUnsupportedPhrase('In 2016 the West had a revenue of 187,480.18 USD, orders 42, change -3.5; 1 row.', west),
    ).toBe(null);
  });

  it.each([
    ['rounded', 'about 187,480 USD'],
    ['invented', 'and 12 orders'],
    ['without its sign', 'change 3.5'],
    ['scaled', 'revenue 187k'],
    ['glued to its unit', '9999999USD'],
    ['in other digits', 'revenue ９９９'],
    ['spelled out', 'forty orders'],
    ['from a filter', 'orders 2016'],
    ['the year after the period', 'in 2017'],
  ])('are refused when %s', (_how, prose) => {
    expect(findUnsupportedPhrase(`The revenue was 187,480.18, ${prose}`, west)).not.toBe(null);
  });

  it.each([
    ['the digits of a month', 'with 12'],
    ['a number from a text', 'with 66'],
  ])('are refused when they are only %s', (_what, prose) => {
    const datedRows = toFetchedRows([{ sold_month: '2016-12-01', road: 'Route 66', revenue: 3 }]);
    expect(findUnsupportedPhrase(`The revenue was 3 ${prose}`, datedRows)).not.toBe(null);
    expect(findUnsupportedPhrase('Route 66 made 3 in 2016-12.', datedRows)).toBe(null);
  });

  it('are compared with more digits than a double holds', () => {
    const big = toFetchedRows([{ id: '12345678901234567890' }]);
    expect(findUnsupportedPhrase('id 12345678901234567890', big)).toBe(null);
    expect(findUnsupportedPhrase('id 12345678901234567891', big)).not.toBe(null);
  });
});
