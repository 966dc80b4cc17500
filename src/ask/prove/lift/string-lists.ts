// Recognizes two constructs in each engine's spelling: an aggregate that joins strings, and the number of items in a
// string with separators.
import { createItemCount } from '../../../dialects/compiling.ts';
import type { Dialect } from '../../../dialects/dialect.ts';
import { caseOf, textOf } from '../../../dialects/make-nodes.ts';
import { areTreesEqual, listNodes, toConstant } from '../../../dialects/nodes.ts';
import type { Call, Expression } from '../../../dialects/tree.ts';
import { UnreadablePartError } from './scope.ts';

export interface StringAggregate {
  of: Expression;
  separator: string;
  distinct: boolean;
}
const STRING_AGGREGATES = new Set(['string_agg', 'group_concat', 'listagg']);

/** Null if the call joins no strings. `isAlwaysPresent`: the value is never NULL, and each group has a row. */
export function readStringAggregate(
  call: Call,
  isAlwaysPresent: (value: Expression) => boolean,
): StringAggregate | null {
  if (call.name === 'array_to_string') return readArrayAggregate(call, isAlwaysPresent);
  if (!STRING_AGGREGATES.has(call.name) || call.over) return null;
  const [of, separatorArg] = call.args;
  const separator = separatorArg ? toConstant(separatorArg) : (call.separator ?? ',');
  if (!of || typeof separator !== 'string') return null;
  return requireOrderByValue(call, of, separator);
}

function readArrayAggregate(
  { args: [array, separatorArg, more], over }: Call,
  isAlwaysPresent: (value: Expression) => boolean,
): StringAggregate | null {
  const separator = separatorArg && toConstant(separatorArg);
  if (array?.kind !== 'call' || array.name !== 'array_agg' || over || more || typeof separator !== 'string')
    return null;
  const [of] = array.args;
  // array_to_string returns an empty string for an array of nulls, but string_agg returns NULL.
  return of && !array.filter && isAlwaysPresent(of) ? requireOrderByValue(array, of, separator) : null;
}

/** Requires an ORDER BY on the value itself, because without an order the string can differ between runs. */
function requireOrderByValue(
  { orderBy, filter, distinct }: Call,
  value: Expression,
  separator: string,
): StringAggregate {
  const [key, second] = orderBy;
  const values = value.kind === 'case' && value.otherwise === null ? value.whens.map(({ result }) => result) : [];
  const sortsByValue =
    key && [value, ...(values.length === 1 ? values : [])].some((item) => areTreesEqual(item, key.value));
  if (!sortsByValue || second || key.direction === 'desc') throw new UnreadablePartError('an order of values');
  return { of: filter ? caseOf(filter, value) : value, separator, distinct };
}

export function readItemCount(dialect: Dialect, expression: Expression): { of: Expression; separator: string } | null {
  if (expression.kind === 'call' && expression.name === 'cardinality') {
    const [array] = expression.args;
    const [text, separatorArg] = array?.kind === 'call' && array.name === 'string_to_array' ? array.args : [];
    const separator = separatorArg && toConstant(separatorArg);
    return text && typeof separator === 'string' && separator.length === 1 ? { of: text, separator } : null;
  }
  if (expression.kind !== 'case') return null;
  const nodes = [...listNodes(expression)];
  const value = nodes.find(({ kind }) => kind === 'column') as Expression | undefined;
  const separators = nodes.flatMap((node) => (node.kind === 'literal' && node.value.length === 1 ? [node.value] : []));
  const separator =
    value && separators.find((sign) => areTreesEqual(expression, createItemCount(dialect, value, textOf(sign))));
  return value && separator !== undefined ? { of: value, separator } : null;
}
