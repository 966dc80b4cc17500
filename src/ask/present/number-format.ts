// Formats numbers with grouped thousands and without trailing zeros. Money has two decimal places. Rounding changes a
// quotient with a long fraction by at most a millionth. Other numbers keep all digits.
import { countSignificantDigits } from '../run/fetch-rows.ts';

export function formatNumber(value: string | number, unit: string | null = null): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(typeof value === 'number' ? toPlainDigits(value) : value);
  if (!match) return String(value);
  const [, sign, integer, fraction = ''] = match;
  const groupedDigits = `${sign}${integer!.replace(/\B(?=(\d{3})+$)/g, ',')}`;
  const significantDecimals = fraction.replace(/0+$/, '');
  const fractionDigits =
    significantDecimals.length === 1 && isCurrency(unit) ? `${significantDecimals}0` : significantDecimals;
  return fractionDigits ? `${groupedDigits}.${fractionDigits}` : groupedDigits;
}

const MAX_MEASURED_DIGITS = 8; // decimal places that a person may have entered
const EXACT_DOUBLE_DIGITS = 12; // digits of a double that addition doesn't change
const MAX_TEXT_DIGITS = 7;

/** Rounds a quotient for display in a sentence: 12.345678901 becomes 12.34568, and 0.30000000000000004 becomes 0.3. */
export function roundQuotient(value: string | number): string | number {
  const [, integer = '', fraction = ''] =
    /^-?(\d+)\.(\d+)$/.exec(typeof value === 'number' ? toPlainDigits(value) : value) ?? [];
  if (fraction.length <= MAX_MEASURED_DIGITS || integer.length > EXACT_DOUBLE_DIGITS) return value;
  const unroundedValue = Number(value);
  const cleanValue = Number(unroundedValue.toPrecision(EXACT_DOUBLE_DIGITS));
  if (toPlainDigits(cleanValue).replace(/^-?0*\.?0*|\./g, '').length <= EXACT_DOUBLE_DIGITS - 2) return cleanValue;
  return Math.abs(unroundedValue) >= 10 ** (MAX_TEXT_DIGITS - 2)
    ? Number(unroundedValue.toFixed(2))
    : Number(unroundedValue.toPrecision(MAX_TEXT_DIGITS));
}

/** The canonical form of a number: the same for "187,480.180" and "187480.18". Keeps the sign and doesn't round. */
export function toPlainNumber(text: string): string {
  const digits = text.replaceAll(',', '');
  if (countSignificantDigits(digits) > 15) return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
  return String(Number(digits));
}

/** Converts a share to percent without changing a digit. */
export function multiplyByHundred(digits: string): string {
  const [, sign = '', integer = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(digits) ?? [];
  if (integer === '') return String(Number(digits) * 100);
  const paddedFraction = fraction.padEnd(2, '0');
  const shiftedInteger = `${integer}${paddedFraction.slice(0, 2)}`.replace(/^0+(?=\d)/, '');
  return paddedFraction.length > 2 ? `${sign}${shiftedInteger}.${paddedFraction.slice(2)}` : `${sign}${shiftedInteger}`;
}

/** Treats a year as a name: 2021, not 2,021 or 2021 years. */
export function formatWithUnit(value: string | number, unit: string | null): string {
  if (unit === 'year' && /^-?\d+$/.test(String(value))) return String(value);
  if (unit === null) return formatNumber(value);
  return `${isCurrency(unit) ? formatMoney(value, unit) : formatNumber(value, unit)} ${unit}`;
}

const CENT_FORMAT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

/** Formats money with two decimal places, except amounts below 1, such as a price per call. */
function formatMoney(value: string | number, unit: string): string {
  if (Math.abs(Number(value)) < 1) return formatNumber(value, unit);
  return formatNumber(CENT_FORMAT.format(value as Intl.StringNumericLiteral).replaceAll(',', ''), unit);
}

/** Formats a share of one (0.03) as percent: 3 %. */
export const formatShare = (value: string | number): string =>
  `${formatNumber(roundQuotient(multiplyByHundred(typeof value === 'number' ? toPlainDigits(value) : value)))} %`;

const isCurrency = (unit: string | null): boolean => unit !== null && /^[A-Z]{3}$/.test(unit);

/** Writes common magnitudes without an exponent. Other numbers keep JavaScript's own notation. */
function toPlainDigits(value: number): string {
  const text = String(value);
  if (!/e/.test(text)) return text;
  return Math.abs(value) < 1 ? value.toFixed(20).replace(/0+$/, '') : text;
}
