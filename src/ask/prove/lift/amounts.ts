// Writes arithmetic in one canonical form: sorted terms, each with sorted factors and divisors. Two spellings of a
// quotient get the same form, because they differ only in the last digits that an engine keeps. Operations that cut off
// digits, such as integer division, stay unchanged.
import type { Dialect } from '../../../dialects/dialect.ts';
import { constantOf } from '../../../dialects/nodes.ts';
import type { Expression } from '../../../dialects/tree.ts';

export type NumberType = 'integer' | 'decimal' | 'float';
export const isNumberType = (type: string | null): type is NumberType =>
  type === 'integer' || type === 'decimal' || type === 'float';
const CASTS: Record<string, NumberType> = { numeric: 'decimal', float8: 'float', double: 'float' };
/** The type of a number cast that keeps the value, otherwise null. */
export const castTo = (expression: Expression): NumberType | null =>
  expression.kind === 'cast' && !expression.safe && expression.type.modifiers.length === 0
    ? (CASTS[expression.type.name] ?? null)
    : null;

interface Product {
  top: bigint;
  bottom: bigint;
  factors: string[];
  divisors: string[];
}
export interface Reading {
  dialect: Dialect;
  typeOf(expression: Expression): string | null;
  text(expression: Expression): string;
  /** The difference of two days as the compiler writes it, otherwise null. */
  days(expression: Expression): Expression | null;
}

export function amountText(expression: Expression, reading: Reading): string | null {
  if (
    !reading.dialect.compiling.longQuotients ||
    !isNumberType(reading.typeOf(expression)) ||
    !isComputed(expression, reading)
  )
    return null;
  const terms = termsOf(expression, reading, 1n);
  const texts = terms.map(productText).sort();
  return texts.length === 1 ? texts[0]! : `sum(${texts.join(' + ')})`;
}
const isComputed = (expression: Expression, { typeOf }: Reading): boolean =>
  (expression.kind === 'arithmetic' && ['+', '-', '*', '/'].includes(expression.operator)) ||
  (castTo(expression) !== null && expression.kind === 'cast' && isNumberType(typeOf(expression.value)));

function termsOf(expression: Expression, reading: Reading, sign: bigint): Product[] {
  const days = reading.days(expression);
  if (days) return termsOf(days, reading, sign);
  if (
    expression.kind === 'arithmetic' &&
    expression.left &&
    (expression.operator === '+' || expression.operator === '-')
  )
    return [
      ...termsOf(expression.left, reading, sign),
      ...termsOf(expression.right, reading, expression.operator === '-' ? -sign : sign),
    ];
  const product = productOf(expression, reading);
  return [{ ...product, top: product.top * sign }];
}

function productOf(expression: Expression, reading: Reading): Product {
  const { typeOf } = reading;
  const days = reading.days(expression);
  if (days) return productOf(days, reading);
  const constant = decimal(expression);
  if (constant) return { ...constant, factors: [], divisors: [] };
  if (castTo(expression) !== null && expression.kind === 'cast' && isNumberType(typeOf(expression.value)))
    return productOf(expression.value, reading);
  if (expression.kind === 'arithmetic' && expression.left === null && expression.operator === '-') {
    const operand = productOf(expression.right, reading);
    return { ...operand, top: -operand.top };
  }
  if (expression.kind === 'arithmetic' && expression.left && expression.operator === '*')
    return times(productOf(expression.left, reading), productOf(expression.right, reading));
  if (expression.kind === 'arithmetic' && expression.left && expression.operator === '/') {
    const areIntegers = typeOf(expression.left) === 'integer' && typeOf(expression.right) === 'integer';
    if (!areIntegers || reading.dialect.compiling.divisible === null) {
      const divisor = productOf(unlessZero(expression.right, reading), reading);
      const { top, bottom, factors, divisors } = divisor;
      if (top !== 0n)
        return times(productOf(expression.left, reading), {
          top: bottom,
          bottom: top,
          factors: divisors,
          divisors: factors,
        });
    }
    return factor(`quotient(${reading.text(expression.left)} / ${reading.text(expression.right)})`);
  }
  if (expression.kind === 'arithmetic' && expression.left)
    return factor(amountText(expression, reading) ?? reading.text(expression));
  return factor(reading.text(expression));
}

/**
 * Removes NULLIF(x, 0) if the engine reports division by zero as an error, because a statement that returned rows had
 * none.
 */
const unlessZero = (expression: Expression, { dialect }: Reading): Expression =>
  dialect.compiling.faultsByZero ? withoutNullif(expression) : expression;
export const withoutNullif = (expression: Expression): Expression =>
  expression.kind === 'call' &&
  expression.name === 'nullif' &&
  expression.args[1] &&
  Number(constantOf(expression.args[1])) === 0
    ? expression.args[0]!
    : expression;

const factor = (text: string): Product => ({ top: 1n, bottom: 1n, factors: [text], divisors: [] });
const times = (a: Product, b: Product): Product => ({
  top: a.top * b.top,
  bottom: a.bottom * b.bottom,
  factors: [...a.factors, ...b.factors],
  divisors: [...a.divisors, ...b.divisors],
});

function decimal(expression: Expression): { top: bigint; bottom: bigint } | null {
  if (expression.kind !== 'literal' || expression.type !== 'number') return null;
  const [, integer, fractionDigits = ''] = /^(\d+)(?:\.(\d*))?$/.exec(expression.value) ?? [];
  return integer === undefined || expression.value.length > 30
    ? null
    : { top: BigInt(integer + fractionDigits), bottom: 10n ** BigInt(fractionDigits.length) };
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
