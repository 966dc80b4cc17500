// Compiles filters over the rows of a scope: conditions, any, all, not, and semijoins that never repeat rows.
import { type Datatype, isNumeric, isTemporal } from '../../contract/warehouse.ts';
import { createExactAggregate } from '../../dialects/compiling.ts';
import {
  allOf,
  anyOf,
  callOf,
  caseOf,
  compare,
  createNegation,
  exists,
  isNull,
  itemOf,
  numberOf,
  scalarOf,
  selectOf,
} from '../../dialects/make-nodes.ts';
import type { Expression } from '../../dialects/tree.ts';
import { Problem } from '../../platform/problem.ts';
import { getRelatedPath, isRelated, listCountConditions, listInnerFilters, withInnerFilters } from '../filters.ts';
import {
  type Aggregate,
  type Condition,
  type FieldRef,
  type Filter,
  formatField,
  isDayPart,
  type LensPlan,
  type RelatedFilter,
  type TimeWindow,
} from '../lens-plan.ts';
import { compileCondition, toComparisonOperator } from './condition-sql.ts';
import {
  areComparedByDay,
  compileDay,
  compileFieldValue,
  findComparedTypes,
  findPartType,
  isTimeUnit,
} from './field-sql.ts';
import { type Correlation, correlateRelatedRows } from './related-rows.ts';
import type { RowScope } from './row-scope.ts';
import { toStoredTime } from './stored-time.ts';

/** Compiles a filter that every row must match. */
export function compileRestriction(scope: RowScope, filter: Filter): Expression | null {
  scope.addLookupCondition(filter);
  return compileFilter(scope, filter);
}

export function compileFilter(scope: RowScope, filter: Filter): Expression | null {
  if ('field' in filter) return compileFieldCondition(scope, filter);
  if (isRelated(filter)) return compileExistence(scope, filter);
  const innerScope = listInnerFilters(filter);
  const parts = innerScope.flatMap((item) => compileFilter(scope, item) ?? []);
  if (innerScope.length === 0)
    scope.compilation.addFault(`${'any' in filter ? 'any' : 'all'} needs at least one condition.`);
  if (parts.length < innerScope.length) return null;
  if ('not' in filter) return createNegation(parts[0]!);
  return 'any' in filter ? anyOf(parts) : allOf(parts);
}

function compileFieldCondition(scope: RowScope, filter: Condition): Expression | null {
  const { compilation } = scope;
  const scopedField = scope.resolveField(filter.field);
  if (!scopedField) return null;
  if (filter.than) return compareAggregate(scope, filter, filter.than, scopedField.value);
  if (filter.other) return compileFieldComparison(scope, filter, filter.other);
  const { grain } = filter.field;
  const matchCondition = isDayPart(grain)
    ? compileCondition(compilation, compileFieldValue(scope, filter.field), findPartType(grain), filter)
    : compileCondition(compilation, scopedField.value, scopedField.datatype, filter);
  return matchCondition && filter.or_null ? anyOf([matchCondition, isNull(scopedField.value)]) : matchCondition;
}

const COMPARISON_OPERATORS = ['=', '!=', '>', '>=', '<', '<='];

/** Compares a field with an aggregate over the rows that the caller can see and that match `where`. */
function compareAggregate(
  scope: RowScope,
  { op, field }: Condition,
  aggregate: NonNullable<Condition['than']>,
  left: Expression,
): Expression | null {
  const { compilation } = scope;
  if (!COMPARISON_OPERATORS.includes(op)) {
    compilation.addFault(`${op} can't compare with an aggregate; use =, !=, >, >=, < or <=.`, formatField(field));
    return null;
  }
  const from = aggregate.field.path;
  const comparedType = compilation.requireField(field).field.datatype;
  const fieldType = compilation.requireField(aggregate.field).field.datatype;
  const aggregateType = aggregate.fn === 'min' || aggregate.fn === 'max' ? fieldType : 'decimal';
  if (!areTypesComparable(comparedType, aggregateType))
    return compilation.addConditionFault(
      `${formatField(field)} is ${comparedType} and the ${aggregate.fn} of ${from}.${aggregate.field.field} is ${aggregateType}, so they can't be compared.`,
      formatField(field),
    );
  const dataset = compilation.requireDataset(from);
  const perFields = aggregate.per ?? [];
  // Refuses a masked field, because listings show it as null, so it can't form groups for a comparison.
  if (!perFields.every((ref) => scope.resolveField(ref))) return null;
  // Compiles these fields before the inner scope, so that the subquery doesn't reuse the aliases of their datasets.
  const outerValues = perFields.map((ref) => compileFieldValue(scope, ref));
  const innerScope = scope.createInner(dataset.name);
  const toOwnPath = (path: string): string => (path === from ? dataset.name : path);
  const value = compileAggregate(innerScope, aggregate.fn, { ...aggregate.field, path: dataset.name });
  const toCompared = areComparedByDay(comparedType, aggregateType)
    ? (side: Expression, type: Datatype) => compileDay(compilation, side, type)
    : (side: Expression) => side;
  const sameFieldJoins = perFields.map((ref, index) =>
    compilation.dialect.compiling.sameOrBothNull(
      compileFieldValue(innerScope, { ...ref, path: toOwnPath(ref.path) }),
      outerValues[index]!,
    ),
  );
  const where = (aggregate.where ?? []).flatMap(
    (item) => compileFilter(innerScope, moveToMainDataset(item, from, innerScope)) ?? [],
  );
  return (
    value &&
    compare(
      toCompared(left, comparedType),
      toComparisonOperator(op),
      createScalarSubquery(innerScope, toCompared(value, aggregateType), [...sameFieldJoins, ...where]),
    )
  );
}

const createScalarSubquery = (innerScope: RowScope, value: Expression, conditions: Expression[]): Expression =>
  scalarOf(selectOf([itemOf(value)], [innerScope.compileFromClause()], { where: allOf(conditions) }));

const areTypesComparable = (...types: [Datatype, Datatype]): boolean =>
  types[0] === types[1] || types.every(isNumeric) || areComparedByDay(...types);

function compileFieldComparison(
  scope: RowScope,
  { op, field }: Condition,
  { field: ref, plus }: NonNullable<Condition['other']>,
): Expression | null {
  const { compilation } = scope;
  const otherPath = formatField(ref);
  const types = findComparedTypes(compilation.lens, field, { field: ref, plus });
  if (!COMPARISON_OPERATORS.includes(op)) {
    compilation.addConditionFault(`${op} can't compare with another field; use =, !=, >, >=, < or <=.`, otherPath);
    return null;
  }
  if (ref.grain === 'weekday' && op !== '=' && op !== '!=') {
    compilation.addConditionFault(`${op} can't compare weekdays, which are names of days; use = or !=.`, otherPath);
    return null;
  }
  if (!areTypesComparable(...types))
    return compilation.addConditionFault(
      `${formatField(field)} is ${types[0]} and ${otherPath} is ${types[1]}, so they can't be compared.${createDateAdvice([field, ref], types)}`,
      otherPath,
    );
  if (plus && !isTemporal(types[1]))
    return compilation.addConditionFault(`${otherPath} is ${types[1]}. Only dates can be shifted.`, otherPath);
  for (const comparedRef of [field, ref]) if (!scope.resolveField(comparedRef)) return null;
  const toDay = (value: Expression, datatype: Datatype): Expression =>
    areComparedByDay(...types) ? compileDay(compilation, value, datatype) : value;
  const [left, right] = [field, ref].map((item) => compileFieldValue(scope, item)) as [Expression, Expression];
  const shift = (value: Expression): Expression => (plus ? compilation.dialect.compiling.later(value, plus) : value);
  // Adding months or days to an instant in UTC can give another local day than adding them to its local day.
  const other = plus && isTimeUnit(plus.unit) ? toDay(shift(right), types[1]) : shift(toDay(right, types[1]));
  return compare(toDay(left, types[0]), toComparisonOperator(op), other);
}

/** Explains how the lens can declare that a string contains dates. */
function createDateAdvice(fields: FieldRef[], types: Datatype[]): string {
  const text = fields[types.indexOf('string')];
  const date = types.find(isTemporal);
  return text && date
    ? ` If ${formatField(text)} contains dates, declare it in the lens: expression: cast(${text.field} as ${date === 'date' ? 'date' : 'timestamp'}), datatype: ${date}.`
    : '';
}

/** If there is a `condition`, aggregates only matching rows, but keeps groups without matching rows. */
export function compileAggregate(
  scope: RowScope,
  fn: Aggregate['fn'],
  field: FieldRef | null,
  condition?: Expression,
): Expression | null {
  if (!field) return condition ? callOf('count', [createConditionalValue(condition, numberOf(1))]) : ROW_COUNT_CALL;
  const scopedField = scope.resolveField({ path: field.path, field: field.field }, fn === 'count_distinct');
  if (!scopedField) return null;
  const value = createConditionalValue(condition, scopedField.value);
  if (fn === 'median') return scope.compileMedian(value, scopedField.datatype, field.path);
  return fn === 'count_distinct'
    ? createDistinctCount(value)
    : createExactAggregate(scope.compilation.dialect, fn, value, scopedField.datatype);
}
export const ROW_COUNT_CALL = callOf('count', [], { star: true });
export const createDistinctCount = (value: Expression): Expression => callOf('count', [value], { distinct: true });
export const createConditionalValue = (condition: Expression | undefined, value: Expression): Expression =>
  condition ? caseOf(condition, value) : value;

function compileExistence(scope: RowScope, filter: RelatedFilter): Expression | null {
  const { via, where = [], sharing } = filter;
  const path = getRelatedPath(filter);
  const correlation = sharing ? correlateSharingRows(scope, path, sharing) : correlateRelatedRows(scope, path, via);
  if (!correlation) return null;
  const { inner, on } = correlation;
  const conditions = where.flatMap((item) => compileFilter(inner, moveToMainDataset(item, path, inner)) ?? []);
  const allConditions = [...on, ...conditions];
  const counts = listCountConditions(filter);
  if (counts.length === 0)
    return exists(
      selectOf([itemOf(numberOf(1))], [inner.compileFromClause()], { where: allOf(allConditions) }),
      'not_exists' in filter,
    );
  const number = callOf('coalesce', [createScalarSubquery(inner, ROW_COUNT_CALL, allConditions), numberOf(0)]);
  return allOf(counts.map(({ op, value }) => compare(number, op, scope.compilation.literal(value, 'integer')))) ?? null;
}

/** The rows that share a value with the current row, such as the order lines with the same order number. */
function correlateSharingRows(scope: RowScope, path: string, field: string): Correlation | null {
  const { compilation } = scope;
  const { dataset } = scope.home;
  if (path !== dataset.name)
    return compilation.addFault(
      `\`sharing\` works only with rows of ${dataset.name}, not of ${path}. Remove \`sharing\`.`,
      path,
    );
  if (dataset.fields.some(({ name, masked }) => name === field && masked))
    return compilation.addFault(
      `${path}.${field} is masked, so rows can't be compared by it.`,
      `${path}.${field}`,
      'masked',
    );
  const innerScope = scope.createInner(path);
  const [left, right] = [innerScope, scope].map((item) => item.resolveField({ path, field }));
  return left && right ? { inner: innerScope, on: [compare(left.value, '=', right.value)] } : null;
}

/** Replaces the path to related rows with their dataset's name, because the filter is in a subquery over these rows. */
function moveToMainDataset(filter: Filter, path: string, innerScope: RowScope): Filter {
  const mainDataset = innerScope.home.dataset.name;
  const toMainPath = (one: string): string => (one === path ? mainDataset : one);
  if (isRelated(filter)) return filter;
  if (!('field' in filter))
    return withInnerFilters(filter, (fieldPath) => moveToMainDataset(fieldPath, path, innerScope));
  const { other } = filter;
  return {
    ...filter,
    field: { ...filter.field, path: toMainPath(filter.field.path) },
    ...(other && { other: { ...other, field: { ...other.field, path: toMainPath(other.field.path) } } }),
  };
}

export function compileTimeWindow(scope: RowScope, { field, from, to }: TimeWindow): Expression[] {
  const { compilation } = scope;
  const scopedField = scope.resolveField({ path: field.path, field: field.field });
  if (!scopedField) return [];
  const boundLiteral = (text: string): Expression =>
    compilation.literal(...toStoredTime(text, scopedField.datatype, compilation.lens.timezone));
  try {
    return [compare(scopedField.value, '>=', boundLiteral(from)), compare(scopedField.value, '<', boundLiteral(to))];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    compilation.addFault(error.message, 'time');
    return [];
  }
}

/** The paths that the filters read, except in filters for related rows. */
export const findFilterPaths = (filters: Filter[]): string[] =>
  filters.flatMap((filter) => {
    if (isRelated(filter)) return [];
    if (!('field' in filter)) return findFilterPaths(listInnerFilters(filter));
    const { field, other, than } = filter;
    return [field, ...(other ? [other.field] : []), ...(than?.per ?? [])].map(({ path }) => path);
  });

/** The paths of the rows that determine whether the plan includes a row. */
export const findRestrictingPaths = ({ filters, time }: LensPlan): string[] => [
  ...findFilterPaths(filters),
  ...(time ? [time.field.path] : []),
];

export const isRowFilter = (filter: Filter): boolean =>
  'field' in filter ? !filter.than : !isRelated(filter) && listInnerFilters(filter).every(isRowFilter);

export const readsRelatedRows = (filter: Filter): boolean =>
  isRelated(filter) || (!('field' in filter) && listInnerFilters(filter).some(readsRelatedRows));
