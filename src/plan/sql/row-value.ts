// Compiles values of one row before aggregation: arithmetic, the time between dates, and counts of items in strings.
import { type Datatype, isNumeric, isTemporal } from '../../contract/warehouse.ts';
import { createItemCount, createNullSafeDivision, preserveFraction } from '../../dialects/compiling.ts';
import { callOf, compute, nullLiteral, numberOf } from '../../dialects/make-nodes.ts';
import type { Expression } from '../../dialects/tree.ts';
import { type ElapsedTime, type FieldRef, formatField, type RowValue } from '../lens-plan.ts';
import type { Compilation } from './compilation.ts';
import { compileFieldValue } from './field-sql.ts';
import type { RowScope } from './row-scope.ts';

export const SECONDS_PER_UNIT = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const;

/** Returns the datatype of a value. If an operand has the wrong datatype, reports an error and returns null. */
export function findValueType(compilation: Compilation, value: RowValue): Datatype | null {
  if (typeof value === 'number') return findNumberType(value);
  if ('op' in value) {
    const types = value.of.map((item) => findValueType(compilation, item));
    if (types.includes(null)) return null;
    if (types.includes('float')) return 'float';
    return value.op === '/' || types.includes('decimal') ? 'decimal' : 'integer';
  }
  if ('items' in value)
    return findFieldType(compilation, value.items, (type) => type === 'string', 'a text') && 'integer';
  if ('in' in value) {
    const [from, to] = [value.from, value.to].map((item) => findFieldType(compilation, item, isTemporal, 'a date'));
    if (!from || !to) return null;
    if (value.in === 'months' || (from === 'datetimetz') === (to === 'datetimetz')) return 'decimal';
    const [a, b] = [value.from, value.to].map(({ path, field }) => `${path}.${field}`);
    compilation.addFault(`${a} is ${from} and ${b} is ${to}, so svc can't compute the time between them.`, a);
    return null;
  }
  const type = findFieldType(compilation, 'or' in value ? value.field : value, isNumeric, 'a number');
  return type === 'integer' && 'or' in value ? findNumberType(value.or) : type;
}

const findNumberType = (value: number): Datatype => (Number.isInteger(value) ? 'integer' : 'decimal');

function findFieldType(
  compilation: Compilation,
  ref: FieldRef,
  isAllowed: (type: Datatype) => boolean,
  expectedText: string,
): Datatype | null {
  const { field } = compilation.requireField(ref);
  const writtenName = formatField(ref);
  if (field.masked)
    compilation.addFault(`${writtenName} is masked, so you can't compute with it.`, writtenName, 'masked');
  else if (!isAllowed(field.datatype))
    compilation.addFault(`${writtenName} is ${field.datatype}, but this value needs ${expectedText}.`, writtenName);
  else return field.datatype;
  return null;
}

export function compileRowValue(scope: RowScope, value: RowValue): Expression {
  const { compilation } = scope;
  const { dialect } = compilation;
  const readField = (ref: FieldRef): Expression => scope.resolveField(ref)?.value ?? nullLiteral();
  if (typeof value === 'number') return compilation.literal(value, findNumberType(value));
  if ('op' in value) {
    const { op } = value;
    const [first, ...others] = value.of.map((item) => compileRowValue(scope, item));
    const { widened } = dialect.compiling;
    const isInteger = op !== '/' && value.of.every((item) => findValueType(compilation, item) === 'integer');
    return [isInteger && widened ? widened(first!) : first!, ...others].reduce((left, right) =>
      op === '/' ? createNullSafeDivision(dialect, left, right) : compute(left, op, right),
    );
  }
  if ('items' in value)
    return createItemCount(dialect, readField(value.items), compilation.literal(value.separator, 'string'));
  if ('in' in value) {
    if (value.in === 'months') return createMonthDifference(scope, value);
    const types = [value.from, value.to].map((item) => compilation.requireField(item).field.datatype) as [
      Datatype,
      Datatype,
    ];
    const seconds = dialect.compiling.secondsBetween(readField(value.from), readField(value.to), types);
    const size = SECONDS_PER_UNIT[value.in];
    return size === 1 ? seconds : compute(preserveFraction(dialect, seconds), '/', numberOf(size));
  }
  return 'or' in value
    ? callOf('coalesce', [readField(value.field), compilation.literal(value.or, findNumberType(value.or))])
    : readField(value);
}

/** The average length of a calendar month, which converts days to months. */
const AVERAGE_DAYS_PER_MONTH = '30.436875';
/** The number of months from the month of one date to the month of another. */
function createMonthDifference(scope: RowScope, { from, to }: ElapsedTime): Expression {
  const { dialect } = scope.compilation;
  const [a, b] = [from, to].map((ref) => compileFieldValue(scope, { ...ref, grain: 'month' }));
  const days = preserveFraction(dialect, dialect.compiling.daysBetween(a!, b!));
  return dialect.compiling.round(compute(days, '/', numberOf(AVERAGE_DAYS_PER_MONTH)), 0);
}

const OPERATOR_WORDS = { '+': 'plus', '-': 'minus', '*': 'times', '/': 'divided by' } as const;
export function describeValue(value: RowValue, field: (ref: FieldRef) => string): string {
  if (typeof value === 'number') return String(value);
  if ('op' in value) {
    const isNested = (value: RowValue): boolean => typeof value !== 'number' && ('op' in value || 'or' in value);
    return value.of
      .map((item) => (isNested(item) ? `(${describeValue(item, field)})` : describeValue(item, field)))
      .join(` ${OPERATOR_WORDS[value.op]} `);
  }
  if ('items' in value)
    return `number of items in ${field(value.items)}${value.separator === ',' ? '' : ` between "${value.separator}"`}`;
  if ('in' in value) return `${value.in} from ${field(value.from)} to ${field(value.to)}`;
  return 'or' in value ? `${field(value.field)} or ${value.or}` : field(value);
}
