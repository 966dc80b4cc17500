import { expect, it } from 'vitest';
import { parseYaml } from './yaml-file.ts';

const findFaults = (text: string) =>
  parseYaml('lens', 'lens.yaml', text).problems.map(({ code, message }) => [code, message]);

it.each([
  ['a key that is a map', `${'? '.repeat(40)}{a: 1}\n`, 'A key must be a word'],
  ['a key that is a list', '? [a, b]\n: 1\n', 'A key must be a word'],
  ['a key that is an alias', 'a: &x b\n*x : 1\n', 'A key must be a word'],
  ['a long key', `${'k'.repeat(800)}: {a: 1, b: 2}\n`, 'longer than 500 characters'],
  [
    'long keys above many items',
    `${'k'.repeat(450)}:\n  ${'l'.repeat(450)}: [${'1,'.repeat(40_000)}1]\n`,
    'more than 16000000 characters',
  ],
])('refuses %s before it writes out the path', (_what, text, message) => {
  expect(findFaults(text)).toContainEqual([expect.any(String), expect.stringContaining(message)]);
});
