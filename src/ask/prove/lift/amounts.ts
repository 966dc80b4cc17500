// Writes arithmetic in one canonical form: sorted terms, each with sorted factors and divisors. Two spellings of one
// quotient get the same text, because they differ only in the last digits that an engine keeps. An operation that cuts off
// digits, such as integer division, isn't rewritten.
import type { Dialect } from '../../../dialects/dialect.ts';
import { constantOf } from '../../../dialects/nodes.ts';
import type { Expression } from '../../../dialects/tree.ts';

export type NumberType = 'integer' | 'decimal' | 'float';
export const isNumberType = (type: string | null): type is NumberType =>
  type === 'integer' || type === 'decimal' || type === 'float';
const CASTS: Record<string, NumberType> = { numeric: 'decimal', float8: 'float', double: 'float' };
/** A number cast to a type that keeps its value. */
export const castTo = (one: Expression): NumberType | null =>
  one.kind === 'cast' && !one.safe && one.type.modifiers.length === 0 ? (CASTS[one.type.name] ?? null) : null;

interface Product {
  top: bigint;
  bottom: bigint;
  factors: string[];
  divisors: string[];
}
export interface Reading {
  dialect: Dialect;
  typeOf(one: Expression): string | null;
  text(one: Expression): string;
  /** The difference of two days as the compiler writes it; null for every other expression. */
  days(one: Expression): Expression | null;
}

/** The canonical text of an arithmetic expression; null for every other expression. */
export function amountText(one: Expression, reading: Reading): string | null {
  if (!reading.dialect.compiling.longQuotients || !isNumberType(reading.typeOf(one)) || !isComputed(one, reading))
    return null;
  const terms = termsOf(one, reading, 1n);
  const texts = terms.map(productText).sort();
  return texts.length === 1 ? texts[0]! : `sum(${texts.join(' + ')})`;
}
const isComputed = (one: Expression, { typeOf }: Reading): boolean =>
  (one.kind === 'arithmetic' && ['+', '-', '*', '/'].includes(one.operator)) ||
  (castTo(one) !== null && one.kind === 'cast' && isNumberType(typeOf(one.value)));

function termsOf(one: Expression, reading: Reading, sign: bigint): Product[] {
  const days = reading.days(one);
  if (days) return termsOf(days, reading, sign);
  if (one.kind === 'arithmetic' && one.left && (one.operator === '+' || one.operator === '-'))
    return [...termsOf(one.left, reading, sign), ...termsOf(one.right, reading, one.operator === '-' ? -sign : sign)];
  const product = productOf(one, reading);
  return [{ ...product, top: product.top * sign }];
}

function productOf(one: Expression, reading: Reading): Product {
  const { typeOf } = reading;
  const days = reading.days(one);
  if (days) return productOf(days, reading);
  const constant = decimal(one);
  if (constant) return { ...constant, factors: [], divisors: [] };
  if (castTo(one) !== null && one.kind === 'cast' && isNumberType(typeOf(one.value)))
    return productOf(one.value, reading);
  if (one.kind === 'arithmetic' && one.left === null && one.operator === '-') {
    const of = productOf(one.right, reading);
    return { ...of, top: -of.top };
  }
  if (one.kind === 'arithmetic' && one.left && one.operator === '*')
    return times(productOf(one.left, reading), productOf(one.right, reading));
  if (one.kind === 'arithmetic' && one.left && one.operator === '/') {
    const areIntegers = typeOf(one.left) === 'integer' && typeOf(one.right) === 'integer';
    if (!areIntegers || reading.dialect.compiling.divisible === null) {
      const divisor = productOf(unlessZero(one.right, reading), reading);
      const { top, bottom, factors, divisors } = divisor;
      if (top !== 0n)
        return times(productOf(one.left, reading), { top: bottom, bottom: top, factors: divisors, divisors: factors });
    }
    return factor(`quotient(${reading.text(one.left)} / ${reading.text(one.right)})`);
  }
  if (one.kind === 'arithmetic' && one.left) return factor(amountText(one, reading) ?? reading.text(one));
  return factor(reading.text(one));
}

/** Removes NULLIF(x, 0) where the engine reports an error for division by zero: a statement that returned rows had none. */
const unlessZero = (one: Expression, { dialect }: Reading): Expression =>
  dialect.compiling.faultsByZero ? withoutNullif(one) : one;
export const withoutNullif = (one: Expression): Expression =>
  one.kind === 'call' && one.name === 'nullif' && one.args[1] && Number(constantOf(one.args[1])) === 0
    ? one.args[0]!
    : one;

const factor = (text: string): Product => ({ top: 1n, bottom: 1n, factors: [text], divisors: [] });
const times = (a: Product, b: Product): Product => ({
  top: a.top * b.top,
  bottom: a.bottom * b.bottom,
  factors: [...a.factors, ...b.factors],
  divisors: [...a.divisors, ...b.divisors],
});

function decimal(one: Expression): { top: bigint; bottom: bigint } | null {
  if (one.kind !== 'literal' || one.type !== 'number') return null;
  const [, integer, places = ''] = /^(\d+)(?:\.(\d*))?$/.exec(one.value) ?? [];
  return integer === undefined || one.value.length > 30
    ? null
    : { top: BigInt(integer + places), bottom: 10n ** BigInt(places.length) };
}

function productText({ top, bottom, factors, divisors }: Product): string {
  const by = divisor(top, bottom);
  const [above, below] = bottom / by < 0n ? [-top / by, -bottom / by] : [top / by, bottom / by];
  if (factors.length === 0 && divisors.length === 0 && below === 1n) return `number:${above}`;
  if (factors.length === 1 && divisors.length === 0 && above === 1n && below === 1n) return factors[0]!;
  return `product(${above}/${below} * ${factors.sort().join(' * ')} / ${divisors.sort().join(' / ')})`;
}
function divisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x === 0n ? 1n : x;
}
