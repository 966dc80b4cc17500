// Tests parsing in the app without a browser, for positions in a YAML text and messages of the server.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { toUserMessage } from '../src/api/user-messages.ts';
import { findCursorContext } from '../src/features/lenses/editor/cursor-context.ts';

const CURSOR_POSITIONS: [string, string, boolean][] = [
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

for (const [written, path, value] of CURSOR_POSITIONS)
  test(`finds the place in ${JSON.stringify(written)}`, () => {
    const at = written.indexOf('|');
    const found = findCursorContext(written.replace('|', ''), at);
    expect([found.path.join(' '), found.isValue]).toEqual([path, value]);
  });

test('finds the keys that a map already has', () => {
  const text = 'metrics:\n  revenue:\n    unit: USD\n    expression: sum(x.y)\n    ';
  expect(findCursorContext(text, text.length).siblings.sort()).toEqual(['expression', 'unit']);
  const flow = 'fields:\n  region: {datatype: string, ';
  expect(findCursorContext(flow, flow.length).siblings).toEqual(['datatype']);
});

/** Every message in the sources of a Problem, a check or a proposed fix. The word “it” replaces the template parts. */
function listMessages(folder: string): { code: string; message: string }[] {
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('cli'),
  );
  const told =
    /(?:new Problem\(\s*'(\w+)',|\btext:|\bdetail(?: =|:)|\bmessage(?: =|:))\s*(`(?:[^`\\]|\\.)*`|'(?:[^'\\\n]|\\.)*')/g;
  return sources.flatMap((name) =>
    [...readFileSync(`${folder}/${name}`, 'utf8').matchAll(told)].map(([, code = 'invalid', text]) => ({
      code,
      message: text!.slice(1, -1).replace(/\$\{[^}]*\}/g, 'it'),
    })),
  );
}

test('shows no route, command, setting or project file in the messages of the app', () => {
  const messages = listMessages('src');
  const forOthers =
    /\/(v1|mgmt|mcp)\b|\b(GET|POST|PUT|PATCH|DELETE) |npx |npm |SVC_|DATABASE_URL|svc\.config|If-Match|Content-/;
  expect(messages.length).toBeGreaterThan(300);
  expect(messages.filter(({ message }) => forOthers.test(message)).length).toBeGreaterThan(30);
  const shown = messages.map(({ code, message }) => toUserMessage(message, code));
  expect(shown.filter((text) => forOthers.test(text))).toEqual([]);
  expect(shown).not.toContain('');
});

test('keeps the useful part of a message', () => {
  for (const [message, code, shown] of [
    ['There is no such caller. GET /mgmt/callers lists them.', 'not_found', 'There is no such caller.'],
    ['The body is not valid: password: must have 8 characters.', 'invalid', 'Password: must have 8 characters.'],
    ['The host db.example.com does not exist. Check its name.', 'invalid', undefined],
    ['Get a new key. Delete the old one.', 'invalid', undefined],
    ['svc fetched every row of the result.', 'invalid', undefined],
    ['The file /srv/docs/a.csv does not exist.', 'invalid', undefined],
    ['Send the body as application/json.', 'unsupported_media_type', 'The server can’t read this kind of file.'],
    [
      'Connection "a" comes from svc.config.yaml. Change it there and apply the project.',
      'conflict',
      'Connection "a" comes from the project files. Change it there and apply the project.',
    ],
  ] as const)
    expect(toUserMessage(message, code)).toBe(shown ?? message);
});
