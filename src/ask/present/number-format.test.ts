import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatNumber, formatShare, formatWithUnit, roundQuotient } from './number-format.ts';

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

it('writes the unit after the number', () => {
  expect(formatWithUnit(3, 'USD')).toBe('3 USD');
});

it('never changes the value of a number', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 99 }), (whole, cents) => {
      const text = `${whole}.${String(cents).padStart(2, '0')}`;
      expect(formatNumber(text).replaceAll(',', '')).toBe(text.replace(/0+$/, '').replace(/\.$/, ''));
    }),
  );
});

it.each([
  [12.345678901234, 12.34568],
  ['0.33333333333333333333', 0.3333333],
  [0.30000000000000004, 0.3],
  ['187480.17650000002', 187480.1765],
  [2297200.860333333, 2297200.86],
  [0.000012345678912, 0.00001234568],
  [187480.1765, 187480.1765],
  ['0.12345678', '0.12345678'],
  ['12345678901234567890.123456789', '12345678901234567890.123456789'],
  ['1234567890123456789', '1234567890123456789'],
  [-66.66666666666667, -66.66667],
])('writes the quotient %s as %s', (value, expected) => {
  expect(roundQuotient(value)).toBe(expected);
});

it('rounds a quotient by at most a millionth', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(Math.abs(Number(roundQuotient(value)) - value)).toBeLessThanOrEqual(Math.abs(value) * 1e-6);
    }),
  );
});

it.each([
  [0.03, '3 %'],
  ['0.0300', '3 %'],
  [0.07, '7 %'],
  [-0.125, '-12.5 %'],
  [1, '100 %'],
  [0, '0 %'],
  [1e-7, '0.00001 %'],
  [12.5, '1,250 %'],
  [0.5547181410353421, '55.47181 %'],
])('writes the share %s as %s', (value, expected) => {
  expect(formatShare(value)).toBe(expected);
});
