// What the app reads by itself, without a browser: the place in a YAML text.
import { expect, test } from '@playwright/test';
import { placeAt } from '../src/features/lenses/editor/path-at.ts';

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
