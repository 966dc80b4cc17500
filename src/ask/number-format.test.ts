import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatNumber, formatWithUnit } from './number-format.ts';

it.each([
  [187480.18, null, '187,480.18'],
  ['187480.1000', 'USD', '187,480.10'],
  ['1234567890123456789.25', null, '1,234,567,890,123,456,789.25'],
  [-12, null, '-12'],
  ['5.0000', 'USD', '5'],
  [1e-7, null, '0.0000001'],
])('writes %s with unit %s as %s', (value, unit, text) => {
  expect(formatNumber(value, unit)).toBe(text);
});

it('names the unit behind the number', () => {
  expect(formatWithUnit(3, 'USD')).toBe('3 USD');
});

it('never changes the number', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 99 }), (whole, cents) => {
      const text = `${whole}.${String(cents).padStart(2, '0')}`;
      expect(formatNumber(text).replaceAll(',', '')).toBe(text.replace(/0+$/, '').replace(/\.$/, ''));
    }),
  );
});
