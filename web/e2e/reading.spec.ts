// What the app reads by itself, without a browser: the place in a YAML text, and the numbers of a sentence.
import { expect, test } from '@playwright/test';
import { placeAt } from '../src/features/lenses/editor/path-at.ts';
import { held } from '../src/features/verify/numbers.ts';

const PLACES: [string, string, boolean][] = [
  ['name: shop\nmetr|', '', false],
  ['datasets:\n  orders:\n    sou|', 'datasets orders', false],
  ['datasets:\n  orders:\n    fields:\n      region: {data|', 'datasets orders fields region', false],
  ['datasets:\n  orders:\n    fields:\n      region: {datatype: str|', 'datasets orders fields region datatype', true],
  [
    'datasets:\n  orders:\n    fields:\n      region:\n        datatype: |',
    'datasets orders fields region datatype',
    true,
  ],
  ['metrics:\n  revenue:\n    expression: sum(orders.sales)\n    un|', 'metrics revenue', false],
  ['relationships:\n  - {name: origin, fr|', 'relationships []', false],
  ['relationships:\n  - name: origin\n    fr|', 'relationships []', false],
  ['relationships:\n  - na|', 'relationships []', false],
  ['definitions:\n  - term: margin\n    senses:\n      - ke|', 'definitions [] senses []', false],
  ['definitions:\n  - term: margin\n    senses:\n      - {key: profit, la|', 'definitions [] senses []', false],
  ['definitions:\n- term: margin\n  mea|', 'definitions []', false],
  ['metrics:\n  a:\n    unit: USD\n# a note\n\ndata_as_of: {fi|', 'data_as_of', false],
  ['grants: {callers: [], groups: [sa|', 'grants groups []', true],
  ['metrics:\n  a: {description: "it says: {no}", un|', 'metrics a', false],
];

for (const [written, path, value] of PLACES)
  test(`14 the place in ${JSON.stringify(written)}`, () => {
    const at = written.indexOf('|');
    const found = placeAt(written.replace('|', ''), at);
    expect([found.path.join(' '), found.value]).toEqual([path, value]);
  });

test('14 keys that a map has already are not offered again', () => {
  const text = 'metrics:\n  revenue:\n    unit: USD\n    expression: sum(x.y)\n    ';
  expect(placeAt(text, text.length).siblings.sort()).toEqual(['expression', 'unit']);
  const flow = 'fields:\n  region: {datatype: string, ';
  expect(placeAt(flow, flow.length).siblings).toEqual(['datatype']);
});

const ROWS = [
  { region: 'West', revenue: 187480.1765, share: 30.77, orders: 1203, loss: -42.5 },
  { region: 'East', revenue: '180685.8220', share: null, orders: 15, loss: 0 },
];
const NUMBERS: [string, (string | null)[]][] = [
  ['The West made $187,480.18.', ['revenue 1']],
  ['Some 187 thousand, or 0.19 million.', ['revenue 1', 'revenue 1']],
  ['East came to 180685.822 in 2016.', ['revenue 2']],
  ['It was 187,481.', [null]],
  ['30.8% of all', ['share 1']],
  ['1,203 orders and 15 more, 16 in all', ['orders 1', 'orders 2', null]],
  ['a loss of −42.5, and of 42.5', ['loss 1', null]],
  ['on 2016-01-01, see /app/requests/01a202c4-d9b5-74d5-a93a-3ab20e3b608a', []],
  ['Q3 and v2 are no numbers, 1.2.3 is none', []],
];
for (const [sentence, expected] of NUMBERS)
  test(`14 the numbers of ${JSON.stringify(sentence)}`, () => {
    expect(held(sentence, ROWS).map(({ found }) => found && `${found.column} ${found.row}`)).toEqual(expected);
  });
