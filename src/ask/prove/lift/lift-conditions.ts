// Translates conditions of a statement to conditions of a plan, based only on their form. A later step compares the
// meanings of the statement and the plan.
import { toConstant } from '../../../dialects/nodes.ts';
import type { Column, Expression, Like, Query } from '../../../dialects/tree.ts';
import { toCountBounds } from '../../../plan/filters.ts';
import type { Condition, FieldRef, Filter, Operator, Scalar } from '../../../plan/lens-plan.ts';
import { SWAPPED_OPERATORS, withoutTextCast } from './expression-renderer.ts';
import type { Meaning } from './meaning.ts';
import { throwUnreadable, UnreadablePartError } from './scope.ts';

/** Maps the names of one SELECT to the names of a plan. */
export interface NameResolver {
  refOf(column: Column): FieldRef;
  /** The field, period or date part that an expression returns, or null if it returns none of these. */
  shownFieldOf(value: Expression): FieldRef | null;
  nestedMeaning(query: Query): { meaning: Meaning; names: NameResolver };
  /** Returns the role of the relationship that joins the inner rows to the outer rows, if there are several roles. */
  roleOf(inner: Meaning, conditions: readonly Expression[]): string | undefined;
  datatype(value: Expression): string | null;
}

const PLAN_OPERATORS: Record<string, Operator> = { '=': '=', '<>': '!=', '<': '<', '<=': '<=', '>': '>', '>=': '>=' };

export function translateFilter(names: NameResolver, expression: Expression): Filter {
  switch (expression.kind) {
    case 'compare':
      return translateComparison(names, expression);
    case 'between': {
      if (expression.symmetric) throw new UnreadablePartError('between');
      const bounds = [expression.low, expression.high].map(translateScalar);
      const condition = createCondition(translateField(names, expression.value), 'between', bounds);
      return expression.negated ? { not: condition } : condition;
    }
    case 'in':
      return translateMembership(names, expression);
    case 'like':
      return translatePattern(names, expression);
    case 'is_null':
      return createCondition(
        translateField(names, expression.value),
        expression.negated ? 'is_not_null' : 'is_null',
        [],
      );
    case 'logic': {
      const filters = expression.args.map((arg) => translateFilter(names, arg));
      if (expression.operator === 'not') return { not: filters[0]! };
      if (expression.operator === 'xor') throw new UnreadablePartError('xor');
      return expression.operator === 'or' ? { any: filters } : { all: filters };
    }
    case 'exists':
      return translateExists(names, expression.query, expression.negated);
    case 'column':
      if (names.datatype(expression) !== 'boolean') throw new UnreadablePartError('column');
      return createCondition(names.refOf(expression), '=', [true]);
    default:
      throw new UnreadablePartError('condition', expression);
  }
}

const createCondition = (field: FieldRef, op: Operator, values: Scalar[]): Condition => ({ field, op, values });

const translateField = (names: NameResolver, value: Expression): FieldRef =>
  names.shownFieldOf(withoutTextCast(value, names.datatype)) ?? throwUnreadable('condition', value);

function translateScalar(expression: Expression): Scalar {
  const value = toConstant(expression);
  if (value === undefined || value === null) throw new UnreadablePartError('no constant');
  return typeof value === 'string' ? value.replace(/^(\d{4}-\d\d-\d\d)[T ]00:00(?::00(?:\.0+)?)?$/, '$1') : value;
}

function translateComparison(names: NameResolver, { operator, left, right }: Expression & { kind: 'compare' }): Filter {
  const op = PLAN_OPERATORS[operator];
  if (!op) throw new UnreadablePartError(operator);
  if (right.kind === 'scalar') return translateSubqueryComparison(names, left, op, right.query);
  if (left.kind === 'scalar')
    return translateSubqueryComparison(
      names,
      right,
      PLAN_OPERATORS[SWAPPED_OPERATORS[operator] ?? operator]!,
      left.query,
    );
  if (toConstant(left) !== undefined)
    return createCondition(translateField(names, right), PLAN_OPERATORS[SWAPPED_OPERATORS[operator] ?? operator]!, [
      translateScalar(left),
    ]);
  if (toConstant(right) !== undefined)
    return createCondition(translateField(names, left), op, [translateScalar(right)]);
  return { ...createCondition(translateField(names, left), op, []), other: { field: translateField(names, right) } };
}

/**
 * Translates a comparison with a scalar query: an aggregate over all rows of a dataset, or a count of the rows that
 * refer to the current row.
 */
function translateSubqueryComparison(names: NameResolver, other: Expression, op: Operator, query: Query): Filter {
  const { meaning, inner, joins, where, path } = separateJoinConditions(names, query);
  const [item, second] = meaning.items;
  if (!item || second || item.value.kind !== 'call' || meaning.group?.size !== 0)
    throw new UnreadablePartError('condition', other);
  if (joins.length > 0) {
    const value = toConstant(other);
    if (item.text !== 'count(*)' || typeof value !== 'number' || !Number.isInteger(value) || op === '!=')
      throw new UnreadablePartError('condition', other);
    const roleName = names.roleOf(meaning, joins);
    return {
      exists: path,
      ...(roleName && { via: roleName }),
      where,
      ...toCountBounds((SWAPPED_OPERATORS[op] ?? op) as Operator, value),
    };
  }
  const { name, args, distinct } = item.value;
  const [argument] = args;
  const fn = COMPARABLE_AGGREGATES.find((candidate) => candidate === name);
  if (!fn || distinct || argument?.kind !== 'column' || item.value.filter)
    throw new UnreadablePartError('condition', other);
  const aggregate = { fn, field: inner.refOf(argument), ...(where.length > 0 && { where }) };
  if (aggregate.field.path !== path) throw new UnreadablePartError('condition', other);
  const { grain, ...field } = translateField(names, other);
  // A plan compares a time with an aggregate of dates by day, and needs the field itself.
  return { ...createCondition(grain && grain !== 'day' ? { ...field, grain } : field, op, []), than: aggregate };
}
const COMPARABLE_AGGREGATES = ['sum', 'avg', 'min', 'max'] as const;

function translateMembership(
  names: NameResolver,
  { value, among: list, negated }: Expression & { kind: 'in' },
): Filter {
  if (!Array.isArray(list)) throw new UnreadablePartError('in a query');
  return createCondition(translateField(names, value), negated ? 'not_in' : 'in', list.map(translateScalar));
}

/** Translates a LIKE that ignores case. A plan has no other kind of pattern. */
function translatePattern(
  names: NameResolver,
  { how, value, pattern, negated, escape: escapeCharacter }: Like,
): Filter {
  const patternText = toConstant(pattern);
  if (typeof patternText !== 'string' || escapeCharacter || /[_\\]/.test(patternText))
    throw new UnreadablePartError('pattern', pattern);
  const [, leadingWildcard, innerText, trailingWildcard] = /^(%?)([^%]+)(%?)$/.exec(patternText) ?? [];
  const op = leadingWildcard ? (trailingWildcard ? 'contains' : 'ends_with') : trailingWildcard ? 'starts_with' : null;
  if (!innerText || !op) throw new UnreadablePartError('pattern', pattern);
  const uncastValue = value.kind === 'cast' ? value.value : value;
  const loweredValue = uncastValue.kind === 'call' && uncastValue.name === 'lower' ? uncastValue.args[0] : undefined;
  if (how !== 'ilike' && !(how === 'like' && loweredValue)) throw new UnreadablePartError(how);
  const filter = createCondition(translateField(names, loweredValue ?? uncastValue), op, [innerText]);
  return negated ? { not: filter } : filter;
}

/** Separates the conditions on rows of an inner query from the conditions that join these rows to the outer rows. */
function separateJoinConditions(names: NameResolver, query: Query) {
  const { meaning, names: inner } = names.nestedMeaning(query);
  const conditions = [...meaning.where.values()];
  const joins = conditions.filter((item) => isJoin(inner, item));
  const where = conditions.filter((item) => !joins.includes(item)).map((item) => translateFilter(inner, item));
  return { meaning, inner, joins, where, path: meaning.mainSource.dataset.name };
}

/** Translates EXISTS without its join conditions, because compiling the plan adds them. */
function translateExists(names: NameResolver, query: Query, negated: boolean): Filter {
  const { meaning, joins, where, path } = separateJoinConditions(names, query);
  const roleName = names.roleOf(meaning, joins);
  return { ...(negated ? { not_exists: path } : { exists: path }), ...(roleName && { via: roleName }), where };
}

/** Whether the condition compares a column of the inner query with a column of an outer query. */
function isJoin(names: NameResolver, expression: Expression): boolean {
  if (expression.kind !== 'compare' || expression.left.kind !== 'column' || expression.right.kind !== 'column')
    return false;
  return [expression.left, expression.right].some((operand) => {
    try {
      names.refOf(operand);
      return false;
    } catch (fault) {
      if (fault instanceof UnreadablePartError) return true;
      throw fault;
    }
  });
}
