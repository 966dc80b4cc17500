// Writes arithmetic in one canonical form: sorted terms, each with sorted factors and divisors. Two spellings of a
// quotient have the same form, because they differ only in the last digits that an engine keeps. Operations that cut
// off digits, such as integer division, stay unchanged.
import type { Dialect } from '../../../dialects/dialect.ts';
import type { Expression } from '../../../dialects/tree.ts';

export type NumberType = 'integer' | 'decimal' | 'float';
export const isNumberType = (type: string | null): type is NumberType =>
  type === 'integer' || type === 'decimal' || type === 'float';
const NUMBER_TYPES_BY_CAST: Record<string, NumberType> = { numeric: 'decimal', float8: 'float', double: 'float' };
/** The target type of a numeric cast that keeps the value, or null for any other expression. */
export const findNumericCastTarget = (expression: Expression): NumberType | null =>
  expression.kind === 'cast' && !expression.safe && expression.type.modifiers.length === 0
    ? (NUMBER_TYPES_BY_CAST[expression.type.name] ?? null)
    : null;
/** The operand of a numeric cast that keeps the value, or the expression itself. */
export const withoutNumericCast = (expression: Expression): Expression =>
  expression.kind === 'cast' && findNumericCastTarget(expression) !== null ? expression.value : expression;

/** The operand of a numeric cast that keeps its value, or null for any other expression. */
function findValueKeptByCast(expression: Expression, typeOf: ExpressionReader['typeOf']): Expression | null {
  if (expression.kind !== 'cast') return null;
  const operandType = typeOf(expression.value);
  const keepsValue =
    findNumericCastTarget(expression) !== null
      ? isNumberType(operandType)
      : expression.type.name === 'hugeint' && !expression.safe && operandType === 'integer';
  return keepsValue ? expression.value : null;
}

interface Product {
  numerator: bigint;
  denominator: bigint;
  factors: string[];
  divisors: string[];
}
export interface ExpressionReader {
  dialect: Dialect;
  typeOf(expression: Expression): string | null;
  text(expression: Expression): string;
  /**
   * Returns the difference between two days if the expression has the form that the compiler writes, otherwise null.
   */
  dayDifferenceOf(expression: Expression): Expression | null;
}

export function writeAmount(expression: Expression, reader: ExpressionReader): string | null {
  if (
    !reader.dialect.compiling.longQuotients ||
    !isNumberType(reader.typeOf(expression)) ||
    !isComputed(expression, reader)
  )
    return null;
  const terms = listTerms(expression, reader, 1n);
  const texts = terms.map(writeProduct).sort();
  return texts.length === 1 ? texts[0]! : `sum(${texts.join(' + ')})`;
}
const isComputed = (expression: Expression, { typeOf }: ExpressionReader): boolean =>
  (expression.kind === 'arithmetic' &&
    expression.left !== null &&
    ['+', '-', '*', '/'].includes(expression.operator)) ||
  findValueKeptByCast(expression, typeOf) !== null;

function listTerms(expression: Expression, reader: ExpressionReader, sign: bigint): Product[] {
  const days = reader.dayDifferenceOf(expression);
  if (days) return listTerms(days, reader, sign);
  if (
    expression.kind === 'arithmetic' &&
    expression.left &&
    (expression.operator === '+' || expression.operator === '-')
  )
    return [
      ...listTerms(expression.left, reader, sign),
      ...listTerms(expression.right, reader, expression.operator === '-' ? -sign : sign),
    ];
  const product = toProduct(expression, reader);
  return [{ ...product, numerator: product.numerator * sign }];
}

function toProduct(expression: Expression, reader: ExpressionReader): Product {
  const { typeOf } = reader;
  const days = reader.dayDifferenceOf(expression);
  if (days) return toProduct(days, reader);
  const constant = parseDecimal(expression);
  if (constant) return { ...constant, factors: [], divisors: [] };
  const uncastOperand = findValueKeptByCast(expression, typeOf);
  if (uncastOperand) return toProduct(uncastOperand, reader);
  if (expression.kind === 'arithmetic' && expression.left && expression.operator === '*')
    return multiplyProducts(toProduct(expression.left, reader), toProduct(expression.right, reader));
  if (expression.kind === 'arithmetic' && expression.left && expression.operator === '/') {
    const areIntegers = typeOf(expression.left) === 'integer' && typeOf(expression.right) === 'integer';
    if (!areIntegers || reader.dialect.compiling.divisible === null) {
      const divisor = toProduct(withoutZeroGuard(expression.right, reader), reader);
      const { numerator, denominator, factors, divisors } = divisor;
      if (numerator !== 0n)
        return multiplyProducts(toProduct(expression.left, reader), {
          numerator: denominator,
          denominator: numerator,
          factors: divisors,
          divisors: factors,
        });
    }
    return createFactorProduct(`quotient(${reader.text(expression.left)} / ${reader.text(expression.right)})`);
  }
  if (expression.kind === 'arithmetic' && expression.left)
    return createFactorProduct(writeAmount(expression, reader) ?? reader.text(expression));
  return createFactorProduct(reader.text(expression));
}

/**
 * Removes NULLIF(x, 0) if the engine reports division by zero as an error, because a statement that returned rows never
 * divided by zero.
 */
const withoutZeroGuard = (expression: Expression, { dialect }: ExpressionReader): Expression =>
  dialect.compiling.faultsByZero ? withoutNullif(expression) : expression;
export const withoutNullif = (expression: Expression): Expression =>
  expression.kind === 'call' && expression.name === 'nullif' && expression.args[1] && isZero(expression.args[1])
    ? expression.args[0]!
    : expression;

/** Whether the expression is the number 0, in any notation. */
export const isZero = (expression: Expression): boolean =>
  expression.kind === 'cast'
    ? isZero(expression.value)
    : expression.kind === 'literal' && expression.type === 'number' && Number(expression.value) === 0;

const createFactorProduct = (text: string): Product => ({
  numerator: 1n,
  denominator: 1n,
  factors: [text],
  divisors: [],
});
const multiplyProducts = (a: Product, b: Product): Product => ({
  numerator: a.numerator * b.numerator,
  denominator: a.denominator * b.denominator,
  factors: [...a.factors, ...b.factors],
  divisors: [...a.divisors, ...b.divisors],
});

function parseDecimal(expression: Expression): { numerator: bigint; denominator: bigint } | null {
  if (expression.kind !== 'literal' || expression.type !== 'number') return null;
  const [, integer, fractionDigits = ''] = /^(\d+)(?:\.(\d*))?$/.exec(expression.value) ?? [];
  return integer === undefined || expression.value.length > 30
    ? null
    : { numerator: BigInt(integer + fractionDigits), denominator: 10n ** BigInt(fractionDigits.length) };
}

function writeProduct({ numerator, denominator, factors, divisors }: Product): string {
  const commonDivisor = findGreatestCommonDivisor(numerator, denominator);
  const [reducedNumerator, reducedDenominator] =
    denominator / commonDivisor < 0n
      ? [-numerator / commonDivisor, -denominator / commonDivisor]
      : [numerator / commonDivisor, denominator / commonDivisor];
  if (factors.length === 0 && divisors.length === 0 && reducedDenominator === 1n) return `number:${reducedNumerator}`;
  if (factors.length === 1 && divisors.length === 0 && reducedNumerator === 1n && reducedDenominator === 1n)
    return factors[0]!;
  return `product(${reducedNumerator}/${reducedDenominator} * ${factors.sort().join(' * ')} / ${divisors.sort().join(' / ')})`;
}
function findGreatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x === 0n ? 1n : x;
}
