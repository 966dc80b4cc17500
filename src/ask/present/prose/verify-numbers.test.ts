import { expect, it } from 'vitest';
import { runWithoutPauses } from '../../../platform/schedule/in-turns.ts';
import { NO_VERIFIED_CONTENT, verifyNumbers } from './verify-numbers.ts';

const ROWS = [
  { region: 'West', revenue: 187480.1765, share: 30.77, orders: 1203, loss: -42.5 },
  { region: 'East', revenue: '180685.8220', share: null, orders: 15, loss: 0 },
];

it.each<[string, (string | null)[]]>([
  ['The West made $187,480.18.', ['revenue 1']],
  ['Some 187 thousand, or 0.19 million.', ['revenue 1', 'revenue 1']],
  ['East came to 180685.822 in 2016.', ['revenue 2', null]],
  ['It was 187K and 181K, or two hundred and five.', ['revenue 1', 'revenue 2', null]],
  ['It was 187,481.', [null]],
  ['30.8% of all', ['share 1']],
  ['1,203 orders and 15 more, 16 in all', ['orders 1', 'orders 2', null]],
  ['a loss of −42.5, and of 42.5', ['loss 1', null]],
  ['see /app/requests/01a202c4-d9b5-74d5-a93a-3ab20e3b608a', []],
  ['Q3, v2, 1.2.3 and 2016-01-01 can’t be read', [null, null, null, null]],
])('finds the numbers of the text in the rows: %s', (text, expected) => {
  expect(
    runWithoutPauses(verifyNumbers(text, { ...NO_VERIFIED_CONTENT, rows: ROWS })).map(
      ({ row, column }) => row && `${column} ${row}`,
    ),
  ).toEqual(expected);
});

it.each([
  ['**187,480.18**', 1],
  ['_187480.18_', 1],
  ['$187,480.18.', 1],
  ['(1203)', 1],
  ['0.19 million', 1],
  ['15–1203', 2],
  ['15:', 1],
  ['15 and 1,203', 2],
])('reads a number as people write it: %s', (form, count) => {
  const statedNumbers = runWithoutPauses(verifyNumbers(`It was ${form}`, { ...NO_VERIFIED_CONTENT, rows: ROWS }));
  expect(statedNumbers.map(({ value }) => value !== null)).toEqual(Array(count).fill(true));
});

const PROVEN_CONTENT = {
  rows: [
    { product: 'Hon 4070 Series Chairs', order_date_month: '2016-03-01', revenue: 2016.5 },
    { product: 'Route 66', order_date_month: '2016-04-01', revenue: 3 },
  ],
  scope: {
    filters: [],
    time: { field: 'orders.order_date', from: '2016-01-01', to: '2017-01-01', timezone: 'UTC' },
    row_policies: [],
    joins: [],
    sentence: 'Revenue by product, top 5 products, where quantity is at least 12.',
  },
  sentences: ['Revenue by product, top 5 products, where quantity is at least 12: Hon 4070 Series Chairs: 2,016.5.'],
  names: ['2017-12-30'],
};
it.each<[string, unknown[]]>([
  ['Route 66 made 3 in March 2016, the Hon 4070 Series Chairs’s own 2,016.5.', [3, 2016.5]],
  ['From 2016-01-01 to 2016-12-31, in 2016, as of 2017-12-30.', []],
  ['Of the top 5, where quantity is at least 12, the 2 products are shown.', [5, 12, 2]],
  [PROVEN_CONTENT.sentences[0]!, [5, 12, 2016.5]],
  ['There were 2016 of them.', [2016.5]],
  ['Revenue is at least 12.', [null]],
  ['66 were sold, 4070 too, 5 products, 12 in all, in 2019.', [null, null, null, null, null]],
])('accepts names, days and limits only as a whole: %s', (text, values) => {
  expect(runWithoutPauses(verifyNumbers(text, PROVEN_CONTENT)).map(({ value }) => value)).toEqual(values);
});
