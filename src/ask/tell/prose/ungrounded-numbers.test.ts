import { describe, expect, it } from 'vitest';
import type { FetchedRows } from '../../outcome.ts';
import { ungroundedNumbers } from './ungrounded-numbers.ts';

const fetched = (rows: FetchedRows['rows']): FetchedRows =>
  ({
    rows,
    plan: {
      scope: {
        filters: [{ field: 'orders.year', op: '=', values: [2016] }],
        time: { field: 'orders.order_date', from: '2016-01-01', to: '2017-01-01', timezone: 'UTC' },
      },
    },
  }) as unknown as FetchedRows;

describe('numbers in written answers', () => {
  const west = fetched([{ region: 'West', revenue: 187480.18, orders: 42, change: -3.5 }]);

  it('are grounded if they are in the rows, the filters or the period, or count the rows', () => {
    expect(
      ungroundedNumbers('In 2016 the West made 187,480.18 USD in 42 orders, a change of -3.5; 1 row.', west),
    ).toEqual([]);
  });

  it.each([
    ['rounded', 'about 187,480 USD', ['187,480']],
    ['invented', 'and 12 refunds', ['12']],
    ['without its sign', 'it rose by 3.5', ['3.5']],
    ['scaled', 'roughly 187k', ['187k']],
    ['glued to its unit', '9999999USD', ['9999999USD']],
    ['in other digits', '９９９', ['９９９']],
    ['spelled out', 'more than forty orders', ['forty']],
  ])('are refused when %s', (_how, prose, expected) => {
    expect(ungroundedNumbers(prose, west)).toEqual(expect.arrayContaining(expected));
  });

  it.each([
    ['a month’s own digits', 'and 12 refunds'],
    ['the day that a window ends before', 'in 2017'],
    ['a number out of a text', '66 orders'],
  ])('are refused when they are only %s', (_what, prose) => {
    const dated = fetched([{ month: '2016-12-01', road: 'Route 66', revenue: 3 }]);
    expect(ungroundedNumbers(prose, dated)).toHaveLength(1);
    expect(ungroundedNumbers('Route 66 made 3 in 2016-12.', dated)).toEqual([]);
  });

  it('are compared with more digits than a double holds', () => {
    const big = fetched([{ id: '12345678901234567890' }]);
    expect(ungroundedNumbers('id 12345678901234567890', big)).toEqual([]);
    expect(ungroundedNumbers('id 12345678901234567891', big)).toEqual(['12345678901234567891']);
  });
});
