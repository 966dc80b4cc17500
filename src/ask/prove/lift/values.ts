// Derives an expression's type, and whether it can be NULL, without reading rows.
import type { Dialect } from '../../../dialects/dialect.ts';
import { caseOf, columnOf, numberOf } from '../../../dialects/make-nodes.ts';
import { areTreesEqual, toConstant } from '../../../dialects/nodes.ts';
import type { Call, Expression, Query } from '../../../dialects/tree.ts';
import { findNumericCastTarget, isNumberType, isZero } from './amounts.ts';
import type { Scope } from './scope.ts';
import { readItemCount } from './string-lists.ts';
import { readDatePart, readPeriod } from './time/periods.ts';

/** The lens datatype of an expression, or null if the datatype isn't known. */
export function findDatatype(expression: Expression, scope: Scope): string | null {
  const typeOfInner = (inner: Expression): string | null => findDatatype(inner, scope);
  switch (expression.kind) {
    case 'column':
      return scope.find(expression.path)?.field?.datatype ?? null;
    case 'literal':
      return expression.type === 'number' ? (/^\d+$/.test(expression.value) ? 'integer' : 'decimal') : null;
    case 'cast':
      if (expression.type.name === 'hugeint') return 'integer';
      return findNumericCastTarget(expression) ?? (expression.type.name === 'date' ? 'date' : null);
    case 'arithmetic': {
      if (findDateOperands(expression, scope)) return 'integer';
      const operandTypes = [expression.left ?? expression.right, expression.right].map(typeOfInner);
      return operandTypes.every(isNumberType)
        ? findWiderType(operandTypes as string[], expression.operator, scope.dialect)
        : null;
    }
    case 'case':
      if (readItemCount(scope.dialect, expression)) return 'integer';
      return findCommonType(
        [...expression.whens.map(({ result }) => result), ...(expression.otherwise ? [expression.otherwise] : [])].map(
          typeOfInner,
        ),
      );
    case 'call':
      return findCallType(expression, scope);
    default:
      return null;
  }
}

/**
 * Returns the constant, or undefined if its type can change its value. For example, a cast to a date drops the time.
 */
export function toExactConstant(expression: Expression): ReturnType<typeof toConstant> {
  const isCast = expression.kind === 'cast';
  const value = isCast ? toExactConstant(expression.value) : toConstant(expression);
  const type = isCast ? expression.type.name : expression.kind === 'literal' ? expression.type : null;
  if (type === 'date' && typeof value === 'string' && !WHOLE_DAY_PATTERN.test(value)) return undefined;
  if (!isCast) return value;
  if (typeof value === 'number')
    return Number.isInteger(value) || findNumericCastTarget(expression) !== null ? value : undefined;
  return typeof value === 'string' && expression.type.modifiers.length > 0 ? undefined : value;
}
const WHOLE_DAY_PATTERN = /^\d{4}-\d\d-\d\d(?:[T ]00:00(?::00(?:\.0+)?)?)?$/;

export function findDateOperands(expression: Expression, scope: Scope): { from: Expression; to: Expression } | null {
  if (expression.kind !== 'arithmetic' || expression.operator !== '-' || !expression.left) return null;
  const [to, from] = [expression.left, expression.right].map((operand) =>
    operand.kind === 'cast' && operand.type.name === 'date' && findDatatype(operand.value, scope) === 'date'
      ? operand.value
      : operand,
  ) as [Expression, Expression];
  return [to, from].every((operand) => operand.kind === 'column' && findDatatype(operand, scope) === 'date')
    ? { from, to }
    : null;
}

function findCallType(call: Call, scope: Scope): string | null {
  const innerTypeOf = (expression: Expression): string | null => findDatatype(expression, scope);
  if (readDatePart(call, innerTypeOf) || readItemCount(scope.dialect, call)) return 'integer';
  if (readPeriod(call, innerTypeOf)) return 'date';
  const [argument] = call.args;
  if (call.name === 'extract' && argument && toConstant(argument) === 'epoch') return 'decimal';
  switch (call.name) {
    case 'count':
      return 'integer';
    case 'sum':
    case 'min':
    case 'max':
    case 'nullif':
      return argument ? innerTypeOf(argument) : null;
    case 'coalesce':
      return findCommonType(call.args.map(innerTypeOf));
    case 'avg': {
      const type = argument ? innerTypeOf(argument) : null;
      if (type !== 'integer') return type;
      const { aggregated } = scope.dialect.compiling;
      const truncates = !areTreesEqual(aggregated('avg', columnOf('x'), 'integer'), columnOf('x'));
      return truncates ? 'integer' : 'decimal';
    }
    default:
      return null;
  }
}

const NUMBER_TYPES_BY_WIDTH = ['integer', 'decimal', 'float'];
const findCommonType = (types: (string | null)[]): string | null => {
  if (types.every(isNumberType))
    return NUMBER_TYPES_BY_WIDTH[Math.max(...types.map((type) => NUMBER_TYPES_BY_WIDTH.indexOf(type)))] ?? null;
  return types.every((type) => type === types[0]) ? (types[0] ?? null) : null;
};
function findWiderType(types: string[], operator: string, { compiling }: Dialect): string | null {
  const type = findCommonType(types);
  return operator === '/' && compiling.divisible === null ? 'float' : type;
}

/** `groupsHaveRows` is true if each aggregate is over at least one row. */
export function isNonNull(expression: Expression, scope: Scope, groupsHaveRows: boolean): boolean {
  const isNonNullHere = (inner: Expression): boolean => isNonNull(inner, scope, groupsHaveRows);
  switch (expression.kind) {
    case 'column': {
      const scopedColumn = scope.find(expression.path);
      return scopedColumn?.field?.nullable === false && scopedColumn.source.joinKind !== 'left';
    }
    case 'literal':
      return expression.type !== 'null';
    case 'cast':
      return isNonNullHere(expression.value);
    case 'arithmetic':
      return (
        expression.operator !== '/' &&
        (expression.left === null || isNonNullHere(expression.left)) &&
        isNonNullHere(expression.right)
      );
    case 'case':
      return (
        expression.otherwise !== null &&
        [...expression.whens.map(({ result }) => result), expression.otherwise].every(isNonNullHere)
      );
    case 'scalar':
      return isCountQuery(expression.query);
    case 'call':
      if (expression.over || expression.filter) return false;
      if (expression.name === 'count') return true;
      if (expression.name === 'coalesce') return expression.args.some(isNonNullHere);
      return (
        ['sum', 'avg', 'min', 'max'].includes(expression.name) && groupsHaveRows && expression.args.every(isNonNullHere)
      );
    default:
      return false;
  }
}

/** Whether the query shows one count and always returns exactly one row. */
export function isCountQuery(query: Query): boolean {
  if (query.kind !== 'select' || query.groupBy || query.having || query.limit || query.offset) return false;
  const [item, second] = query.items;
  return item?.value.kind === 'call' && item.value.name === 'count' && !item.value.over && !second;
}

/** Rewrites an aggregate with FILTER to an aggregate over CASE. */
export function filterToCase(call: Call): Call | null {
  if (!call.filter || !['count', 'sum', 'avg', 'min', 'max'].includes(call.name)) return null;
  const [firstArg, second] = call.args;
  if (second || (!firstArg && !call.star)) return null;
  if (firstArg && (firstArg.kind === 'case' || firstArg.kind === 'literal')) return null;
  return { ...call, star: false, filter: null, args: [caseOf(call.filter, firstArg ?? numberOf(1))] };
}

/** Recognizes sum(case when … then x else 0 end). */
export function findCaseWithZeroElse(call: Call): { when: Expression; result: Expression } | null {
  const [onlyArgument] = call.args;
  if (call.name !== 'sum' || call.distinct || call.filter || call.over || onlyArgument?.kind !== 'case') return null;
  const [firstWhen, second] = onlyArgument.whens;
  if (!firstWhen || second || onlyArgument.operand || !onlyArgument.otherwise || !isZero(onlyArgument.otherwise))
    return null;
  return { when: firstWhen.when, result: firstWhen.result };
}

export const sortsNullsLast = (
  { nullsSort }: Dialect,
  direction: 'asc' | 'desc',
  nulls: 'first' | 'last' | null,
): boolean => {
  if (nulls !== null) return nulls === 'last';
  const { unsaid } = nullsSort;
  return unsaid === 'last' || (unsaid === 'as greatest' ? direction === 'asc' : direction === 'desc');
};
