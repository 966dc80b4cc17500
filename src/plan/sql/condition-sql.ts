// Compiles a condition on a field. As in SQL, a null matches only is_null, and never =, != or not_in.
import { type Datatype, type DayPart, isNumeric, isTemporal, WEEKDAYS } from '../../contract/warehouse.ts';
import { allOf, anyOf, between, compare, inList, isNull } from '../../dialects/make-nodes.ts';
import type { Comparison, Expression } from '../../dialects/tree.ts';
import type { Grain } from '../../lens/model/lens.ts';
import { Problem } from '../../platform/problem.ts';
import { type Condition, formatField, isDayPart, type Operator, type Scalar } from '../lens-plan.ts';
import type { Compilation } from './compilation.ts';
import { isEarlier, parseValueRange, toStoredTime } from './stored-time.ts';

const VALUE_COUNT_RANGES: Partial<Record<Operator, [number, number]>> = {
  between: [2, 2],
  is_null: [0, 0],
  is_not_null: [0, 0],
  in: [1, 1000],
  not_in: [1, 1000],
};
const TEXT_OPERATORS = ['contains', 'starts_with', 'ends_with'];

export function compileCondition(
  compilation: Compilation,
  operand: Expression,
  datatype: Datatype,
  condition: Condition,
): Expression | null {
  const { op, values, field } = condition;
  const writtenName = formatField(field);
  const addFault = (message: string): null => compilation.addConditionFault(message, writtenName);
  const [minValues, maxValues] = VALUE_COUNT_RANGES[op] ?? [1, 1];
  if (values.length < minValues || values.length > maxValues)
    return addFault(
      `${op} on ${writtenName} takes ${minValues === maxValues ? `${minValues} value${minValues === 1 ? '' : 's'}` : `from ${minValues} to ${maxValues} values`}, but has ${values.length}.`,
    );
  if (op === 'is_null' || op === 'is_not_null') return isNull(operand, op === 'is_not_null');
  if (field.grain === 'weekday') return compileWeekdayCondition(compilation, operand, condition);
  const [lowest, highest] = (field.grain && PART_RANGES[field.grain]) ?? [-Infinity, Infinity];
  const impossible = values.find((value) => Number(value) < lowest || Number(value) > highest);
  if (impossible !== undefined && EQUALITY_OPERATORS.includes(op))
    return addFault(
      `No row has ${writtenName}.${field.grain} ${impossible}. The values go from ${lowest} to ${highest}.`,
    );
  if (TEXT_OPERATORS.includes(op)) {
    if (datatype !== 'string') return addFault(`${op} needs a string field; ${writtenName} is ${datatype}.`);
    const text = String(values[0]);
    const pattern = text.replace(/[\\%_]/g, '\\$&');
    const likePattern = op === 'contains' ? `%${pattern}%` : op === 'starts_with' ? `${pattern}%` : `%${pattern}`;
    return compilation.dialect.compiling.like(
      operand,
      compilation.literal(likePattern, 'string'),
      true,
      pattern !== text,
    );
  }
  if (datatype === 'boolean' && !EQUALITY_OPERATORS.includes(op))
    return addFault(`${op} can't be used with the boolean ${writtenName}.`);
  try {
    return isTemporal(datatype)
      ? compileTemporalCondition(compilation, operand, datatype, condition)
      : compilePlainCondition(compilation, operand, datatype, condition);
  } catch (error) {
    if (error instanceof Problem) return addFault(`A value for ${writtenName} is not valid: ${error.message}`);
    throw error;
  }
}

const EQUALITY_OPERATORS: Operator[] = ['=', '!=', 'in', 'not_in'];

/** The lowest and highest value of each part of a date that is a number. */
const PART_RANGES: Partial<Record<Grain | DayPart, [number, number]>> = {
  hour: [0, 23],
  day_of_month: [1, 31],
  week_of_year: [1, 53],
  month_of_year: [1, 12],
  quarter_of_year: [1, 4],
};

/** Weekdays are English names, which have no order. */
function compileWeekdayCondition(
  compilation: Compilation,
  operand: Expression,
  condition: Condition,
): Expression | null {
  const { op, values, field } = condition;
  const writtenName = formatField(field);
  if (!EQUALITY_OPERATORS.includes(op))
    return compilation.addConditionFault(
      `${op} can't be used with ${writtenName}.weekday, which is the name of a day. Use in with several days.`,
      writtenName,
    );
  const days = values.map((value) => WEEKDAYS.find((day) => day.toLowerCase() === String(value).toLowerCase()));
  const unknownIndex = days.indexOf(undefined);
  if (unknownIndex >= 0)
    return compilation.addConditionFault(
      `"${String(values[unknownIndex]).slice(0, 40)}" is not a weekday. Write ${WEEKDAYS.join(', ')}.`,
      writtenName,
    );
  return compilePlainCondition(compilation, operand, 'string', { ...condition, values: days as string[] });
}

export const toComparisonOperator = (op: Operator): Comparison['operator'] =>
  (op === '!=' ? '<>' : op) as Comparison['operator'];

export const createEmptyRangeProblem = ([first, second]: Scalar[], firstName: string): Problem =>
  new Problem('invalid', `The range from ${first} to ${second} is empty. Give the ${firstName} first.`);

function compilePlainCondition(
  compilation: Compilation,
  operand: Expression,
  datatype: Datatype,
  { op, values }: Condition,
): Expression {
  // The value 2.5 can be compared with an integer field, but never equals it.
  const toLiteral = (value: Scalar): Expression =>
    compilation.literal(value, datatype === 'integer' && /^[+-]?\d*\.\d+$/.test(String(value)) ? 'decimal' : datatype);
  const constants = values.map(toLiteral);
  const [first, second] = constants;
  const orderedOperand = (datatype === 'string' && compilation.dialect.compiling.orderedText?.(operand)) || operand;
  switch (op) {
    case 'between':
      // Engines and collations sort texts differently.
      if (isNumeric(datatype) && Number(values[0]) > Number(values[1]))
        throw createEmptyRangeProblem(values, 'lower value');
      return between(orderedOperand, first!, second!);
    case 'in':
    case 'not_in':
      if (values.length === 1) return compare(operand, op === 'in' ? '=' : '<>', first!);
      return inList(operand, constants, op === 'not_in');
    case '=':
    case '!=':
      return compare(operand, toComparisonOperator(op), first!);
    default:
      return compare(orderedOperand, toComparisonOperator(op), first!);
  }
}

/**
 * Compiles a comparison with a period, such as a day, or a month for `.month`. Compares the operand with the ends of
 * the period.
 */
function compileTemporalCondition(
  compilation: Compilation,
  operand: Expression,
  datatype: Datatype,
  { op, values, field }: Condition,
): Expression {
  const spans = values.map((value) =>
    parseValueRange(String(value), isDayPart(field.grain) ? null : (field.grain ?? null), datatype),
  );
  const zone = compilation.lens.timezone;
  const timeLiteral = (time: string): Expression => compilation.literal(...toStoredTime(time, datatype, zone));
  const spanStart = (index: number): Expression => timeLiteral(spans[index]!.from);
  const spanEnd = (index: number): Expression => timeLiteral(spans[index]!.to!);
  const isInstant = (index: number): boolean => spans[index]!.to === null;
  const compareTo = (operator: Comparison['operator'], value: Expression): Expression =>
    compare(operand, operator, value);
  const matchesAny = (...conditions: Expression[]): Expression => anyOf(conditions)!;
  const matchesAll = (...conditions: Expression[]): Expression => allOf(conditions)!;
  const withinSpan = (index: number): Expression =>
    isInstant(index)
      ? compareTo('=', spanStart(index))
      : matchesAll(compareTo('>=', spanStart(index)), compareTo('<', spanEnd(index)));
  const outsideSpan = (index: number): Expression =>
    isInstant(index)
      ? compareTo('<>', spanStart(index))
      : matchesAny(compareTo('<', spanStart(index)), compareTo('>=', spanEnd(index)));
  const areInstants = spans.every((span) => span.to === null);
  const mapSpans = <T>(make: (index: number) => T): T[] => spans.map((_one, index) => make(index));
  switch (op) {
    case '=':
      return withinSpan(0);
    case '!=':
      return outsideSpan(0);
    case 'in':
      return areInstants ? inList(operand, mapSpans(spanStart)) : matchesAny(...mapSpans(withinSpan));
    case 'not_in':
      return areInstants ? inList(operand, mapSpans(spanStart), true) : matchesAll(...mapSpans(outsideSpan));
    case 'between':
      if (
        isInstant(1) ? isEarlier(spans[1]!.from, spans[0]!.from, zone) : !isEarlier(spans[0]!.from, spans[1]!.to!, zone)
      )
        throw createEmptyRangeProblem(values, 'earlier time');
      return isInstant(1)
        ? between(operand, spanStart(0), spanStart(1))
        : matchesAll(compareTo('>=', spanStart(0)), compareTo('<', spanEnd(1)));
    case '>':
      return isInstant(0) ? compareTo('>', spanStart(0)) : compareTo('>=', spanEnd(0));
    case '<=':
      return isInstant(0) ? compareTo('<=', spanStart(0)) : compareTo('<', spanEnd(0));
    default:
      return compareTo(toComparisonOperator(op), spanStart(0));
  }
}
