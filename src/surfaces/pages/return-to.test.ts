import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toSafeReturnTo } from './return-to.ts';

const BASE = 'https://data.example.com';

it('AS-12 keeps a path with its query', () => {
  expect(toSafeReturnTo('/oauth/authorize?a=1&b=%2F%2Fx', BASE)).toBe('/oauth/authorize?a=1&b=%2F%2Fx');
});

it.each([
  '/.//evil.example',
  '/..//evil.example',
  '/a/..//evil.example',
  '/x/%2e%2e//evil.example',
  '/%2E//evil.example',
])('AS-12 doesn’t let dots hide a foreign host: %s', (target) => expect(toSafeReturnTo(target, BASE)).toBe('/'));

it('AS-12 keeps the browser on this server, whatever the input is', () => {
  const piece = fc.constantFrom(
    '/',
    '\\',
    'evil.example',
    '%2F',
    '%5C',
    ':',
    '@',
    '\t',
    '\n',
    '.',
    '..',
    '?',
    '#',
    'https:',
    'x',
    '\u0000',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
      ),
      (target) => {
        const path = toSafeReturnTo(target, BASE);
        expect(path.startsWith('/')).toBe(true);
        expect(new URL(path, BASE).origin).toBe(BASE);
      },
    ),
  );
});
