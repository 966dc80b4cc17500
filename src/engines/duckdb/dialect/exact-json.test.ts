import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExactJson, readDigits } from './exact-json.ts';

const digits = fc.stringMatching(/^-?(?:0|[1-9]\d{0,24})(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?$/);

test('keeps every digit of every number in a JSON tree, next to any text', () => {
  fc.assert(
    fc.property(fc.array(digits, { minLength: 1, maxLength: 5 }), fc.string(), (numbers, text) => {
      const json = `{"text":${JSON.stringify(text)},"numbers":[${numbers.join(',')}]}`;
      const tree = parseExactJson(json) as { text: string; numbers: unknown[] };
      expect(tree.text).toBe(text);
      expect(tree.numbers.map(readDigits)).toEqual(numbers);
    }),
    { numRuns: 500 },
  );
});
