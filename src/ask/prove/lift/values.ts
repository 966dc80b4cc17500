// Derives an expression's type, and whether it can be NULL, without reading rows.
import type { Dialect } from '../../../dialects/dialect.ts';
import { caseOf, columnOf, numberOf } from '../../../dialects/make-nodes.ts';
import { constantOf, sameTree } from '../../../dialects/nodes.ts';
import type { Call, Expression, Query } from '../../../dialects/tree.ts';
import { castTo, isNumberType } from './amounts.ts';
import { itemsIn } from './lists.ts';
import type { Scope } from './scope.ts';
import { partOf, periodOf } from './time/moments.ts';

/** The lens datatype of an expression; null if it isn't known. */
export function typeOf(one: Expression, scope: Scope): string | null {
  const of = (inner: Expression): string | null => typeOf(inner, scope);
  switch (one.kind) {
    case 'column':
      return scope.find(one.path)?.field?.datatype ?? null;
    case 'literal':
      return one.type === 'number' ? (/^\d+$/.test(one.value) ? 'integer' : 'decimal') : null;
    case 'cast':
      return castTo(one) ?? (one.type.name === 'date' ? 'date' : null);
    case 'arithmetic': {
      if (daysBetween(one, scope)) return 'integer';
      const sides = [one.left ?? one.right, one.right].map(of);
      return sides.every(isNumberType) ? widerType(sides as string[], one.operator, scope.dialect) : null;
    }
    case 'case':
      if (itemsIn(scope.dialect, one)) return 'integer';
      return commonType([...one.whens.map(({ result }) => result), ...(one.otherwise ? [one.otherwise] : [])].map(of));
    case 'call':
      return typeOfCall(one, scope);
    default:
      return null;
  }
}

/** Recognizes the difference of two date columns. */
export function daysBetween(one: Expression, scope: Scope): { from: Expression; to: Expression } | null {
  if (one.kind !== 'arithmetic' || one.operator !== '-' || !one.left) return null;
  const [to, from] = [one.left, one.right].map((side) =>
    side.kind === 'cast' && side.type.name === 'date' && typeOf(side.value, scope) === 'date' ? side.value : side,
  ) as [Expression, Expression];
  return [to, from].every((side) => side.kind === 'column' && typeOf(side, scope) === 'date') ? { from, to } : null;
}

function typeOfCall(call: Call, scope: Scope): string | null {
  const inner = (one: Expression): string | null => typeOf(one, scope);
  if (partOf(call, inner) || itemsIn(scope.dialect, call)) return 'integer';
  if (periodOf(call, inner)) return 'date';
  const [of] = call.args;
  if (call.name === 'extract' && of && constantOf(of) === 'epoch') return 'decimal';
  switch (call.name) {
    case 'count':
      return 'integer';
    case 'sum':
    case 'min':
    case 'max':
    case 'nullif':
      return of ? inner(of) : null;
    case 'coalesce':
      return commonType(call.args.map(inner));
    case 'avg': {
      const type = of ? inner(of) : null;
      if (type !== 'integer') return type;
      const { aggregated } = scope.dialect.compiling;
      const cut = !sameTree(aggregated('avg', columnOf('x'), 'integer'), columnOf('x'));
      return cut ? 'integer' : 'decimal';
    }
    default:
      return null;
  }
}

const WIDTH = ['integer', 'decimal', 'float'];
const commonType = (types: (string | null)[]): string | null => {
  if (types.every(isNumberType)) return WIDTH[Math.max(...types.map((type) => WIDTH.indexOf(type)))] ?? null;
  return types.every((type) => type === types[0]) ? (types[0] ?? null) : null;
};
function widerType(types: string[], operator: string, { compiling }: Dialect): string | null {
  const type = commonType(types);
  return operator === '/' && compiling.divisible === null ? 'float' : type;
}

/** `groupsHaveRows`: each aggregate is over at least one row. */
export function neverNull(one: Expression, scope: Scope, groupsHaveRows: boolean): boolean {
  const of = (inner: Expression): boolean => neverNull(inner, scope, groupsHaveRows);
  switch (one.kind) {
    case 'column': {
      const found = scope.find(one.path);
      return found?.field?.nullable === false && found.source.how !== 'left';
    }
    case 'literal':
      return one.type !== 'null';
    case 'cast':
      return of(one.value);
    case 'arithmetic':
      return one.operator !== '/' && (one.left === null || of(one.left)) && of(one.right);
    case 'case':
      return one.otherwise !== null && [...one.whens.map(({ result }) => result), one.otherwise].every(of);
    case 'scalar':
      return isCount(one.query);
    case 'call':
      if (one.over || one.filter) return false;
      if (one.name === 'count') return true;
      if (one.name === 'coalesce') return one.args.some(of);
      return ['sum', 'avg', 'min', 'max'].includes(one.name) && groupsHaveRows && one.args.every(of);
    default:
      return false;
  }
}

/** The query shows one count and always returns exactly one row. */
export function isCount(query: Query): boolean {
  if (query.kind !== 'select' || query.groupBy || query.having || query.limit || query.offset) return false;
  const [item, more] = query.items;
  return item?.value.kind === 'call' && item.value.name === 'count' && !item.value.over && !more;
}

/** Rewrites an aggregate with FILTER to an aggregate over CASE. */
export function filteredOf(call: Call): Call | null {
  if (!call.filter || !['count', 'sum', 'avg', 'min', 'max'].includes(call.name)) return null;
  const [only, more] = call.args;
  if (more || (!only && !call.star)) return null;
  if (only && (only.kind === 'case' || only.kind === 'literal')) return null;
  return { ...call, star: false, filter: null, args: [caseOf(call.filter, only ?? numberOf(1))] };
}

/** Recognizes sum(case when … then x else 0 end). */
export function caseWithZeroElse(call: Call): { when: Expression; result: Expression } | null {
  const [only] = call.args;
  if (call.name !== 'sum' || call.distinct || call.filter || call.over || only?.kind !== 'case') return null;
  const [first, more] = only.whens;
  if (!first || more || only.operand || !only.otherwise || Number(constantOf(only.otherwise)) !== 0) return null;
  return { when: first.when, result: first.result };
}

export const nullsLast = (
  { nullsSort }: Dialect,
  direction: 'asc' | 'desc',
  nulls: 'first' | 'last' | null,
): boolean => {
  if (nulls !== null) return nulls === 'last';
  const { unsaid } = nullsSort;
  return unsaid === 'last' || (unsaid === 'as greatest' ? direction === 'asc' : direction === 'desc');
};
