// 14 the numbers of a text, held against the cells of an answer.
import { expect, it } from 'vitest';
import { atOnce } from '../../platform/in-turns.ts';
import { numbersSaid } from './numbers-said.ts';

const ROWS = [
  { region: 'West', revenue: 187480.1765, share: 30.77, orders: 1203, loss: -42.5 },
  { region: 'East', revenue: '180685.8220', share: null, orders: 15, loss: 0 },
];

it.each<[string, (string | null)[]]>([
  ['The West made $187,480.18.', ['revenue 1']],
  ['Some 187 thousand, or 0.19 million.', ['revenue 1', 'revenue 1']],
  ['East came to 180685.822 in 2016.', ['revenue 2']],
  ['It was 187,481.', [null]],
  ['30.8% of all', ['share 1']],
  ['1,203 orders and 15 more, 16 in all', ['orders 1', 'orders 2', null]],
  ['a loss of −42.5, and of 42.5', ['loss 1', null]],
  ['on 2016-01-01, see /app/requests/01a202c4-d9b5-74d5-a93a-3ab20e3b608a', []],
  ['Q3 and v2 are no numbers, 1.2.3 is none', []],
])('14: %s', (text, expected) => {
  expect(atOnce(numbersSaid(text, ROWS)).map(({ row, column }) => row && `${column} ${row}`)).toEqual(expected);
});
