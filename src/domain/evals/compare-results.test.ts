import { describe, expect, it } from 'vitest';
import { compareResults, type Row } from './compare-results.ts';

const compare = (want: Row[], have: Row[], options: { ordered?: boolean; tolerance?: number } = {}) => {
  const found = compareResults({ rows: want, ordered: options.ordered ?? false }, { rows: have }, options.tolerance);
  return found.equal ? 'equal' : found.reason;
};

describe('results are equal when', () => {
  it('their rows are the same multiset, in any order of rows and of columns', () => {
    expect(
      compare(
        [
          ['West', 2],
          ['East', 1],
        ],
        [
          [1, 'East'],
          [2, 'West'],
        ],
      ),
    ).toBe('equal');
    expect(
      compare(
        [
          ['a', 1],
          ['a', 1],
          ['b', 2],
        ],
        [
          ['b', 2],
          ['a', 1],
          ['a', 1],
        ],
      ),
    ).toBe('equal');
    expect(compare([], [])).toBe('equal');
  });
  it('numbers agree within 1e-6 of their size, however they are encoded', () => {
    expect(compare([[1_000_000]], [[1_000_000.9]])).toBe('equal');
    expect(compare([[1_000_000]], [[1_000_002]])).toBe('wrong_value');
    expect(compare([[0]], [[0.001]])).toBe('wrong_value');
    expect(compare([['12345678901234567890.12']], [['12345678901234567890.13']])).toBe('equal');
    expect(compare([[187480.18]], [['187480.1765']])).toBe('equal');
  });
  it('a tolerance replaces that', () => {
    expect(compare([[100]], [[100.05]], { tolerance: 0.1 })).toBe('equal');
    expect(compare([[1_000_000]], [[1_000_000.9]], { tolerance: 0.01 })).toBe('wrong_value');
    expect(compare([[0.3]], [[0.1 + 0.2]], { tolerance: 0 })).toBe('equal');
  });
  it('a midnight is its day', () => {
    expect(compare([['2016-01-01', 3]], [['2016-01-01T00:00:00.000Z', 3]])).toBe('equal');
    expect(compare([['2016-01-01', 3]], [['2016-01-01T10:00:00.000Z', 3]])).toBe('wrong_rows');
  });
  it('columns hold the same, even where only the rows tell which is which', () => {
    expect(
      compare(
        [
          [1, 2],
          [2, 1],
          [3, 3],
        ],
        [
          [2, 1],
          [1, 2],
          [3, 3],
        ],
      ),
    ).toBe('equal');
    expect(
      compare(
        [
          [1, 2],
          [2, 1],
        ],
        [
          [1, 1],
          [2, 2],
        ],
      ),
    ).toBe('wrong_value');
  });
  it('nulls and texts are exact', () => {
    expect(compare([[null, 1]], [[null, 1]])).toBe('equal');
    expect(compare([[null, 1]], [['', 1]])).not.toBe('equal');
    expect(compare([['West']], [['west']])).toBe('wrong_rows');
    expect(compare([[true]], [[1]])).not.toBe('equal');
  });
  it('near-equal numbers sort their rows apart and still match', () => {
    expect(
      compare(
        [
          [1.0000001, 5],
          [1, 6],
        ],
        [
          [1, 5],
          [1.0000001, 6],
        ],
      ),
    ).toBe('equal');
  });
});

describe('order counts', () => {
  const top = [
    ['West', 30],
    ['East', 20],
    ['South', 20],
    ['Central', 10],
  ] as Row[];
  it('only where the expected SQL orders its outermost level', () => {
    expect(compare(top, [...top].reverse())).toBe('equal');
    expect(compare(top, [...top].reverse(), { ordered: true })).toBe('wrong_order');
  });
  it('and not among rows that tie', () => {
    expect(compare(top, [top[0]!, top[2]!, top[1]!, top[3]!], { ordered: true })).toBe('equal');
    expect(
      compare(
        [
          ['a', 1],
          ['b', 1],
        ],
        [
          ['b', 1],
          ['a', 1],
        ],
        { ordered: true },
      ),
    ).toBe('wrong_order');
  });
});

describe('a difference says what it is', () => {
  const regions = [
    ['West', 30],
    ['East', 20],
    ['South', 10],
  ] as Row[];
  it('columns', () => {
    expect(
      compare(
        regions,
        regions.map(([region]) => [region!]),
      ),
    ).toBe('missing_column');
    expect(
      compare(
        regions,
        regions.map((row) => [...row, 1]),
      ),
    ).toBe('extra_column');
  });
  it('rows', () => {
    expect(compare(regions, regions.slice(1))).toBe('missing_rows');
    expect(compare(regions, [...regions, ['North', 5]])).toBe('extra_rows');
    expect(
      compare(regions, [
        ['West', 30],
        ['East', 20],
        ['North', 10],
      ]),
    ).toBe('wrong_rows');
    expect(compare(regions, [])).toBe('missing_rows');
    expect(compare([], regions)).toBe('extra_rows');
  });
  it('grain: the same total over other groups', () => {
    expect(
      compare(
        [['2016', 60]].map(([, n]) => [n!]),
        [[30], [20], [10]],
      ),
    ).toBe('wrong_grain');
    expect(compare(regions, [['all', 60]])).toBe('wrong_grain');
  });
  it('filter: everything is more, or everything is less', () => {
    expect(
      compare(
        regions,
        regions.map(([region, n]) => [region!, Number(n) * 2]),
      ),
    ).toBe('wrong_filter');
    expect(
      compare(regions, [
        ['West', 31],
        ['East', 19],
        ['South', 10],
      ]),
    ).toBe('wrong_value');
  });
});
