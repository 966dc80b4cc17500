// Translates aggregates of a statement to measures of a plan, based only on their form. A later step compares the
// meanings of the statement and the plan.
import { toConstant } from '../../../dialects/nodes.ts';
import type { Arithmetic, Call, Expression } from '../../../dialects/tree.ts';
import {
  type Aggregate,
  listFields,
  type Measure,
  type RowValue,
  restrictRows,
  type ValueAggregate,
} from '../../../plan/lens-plan.ts';
import { findNumericCastTarget, isZero, withoutNullif, withoutNumericCast } from './amounts.ts';
import { type NameResolver, translateFilter } from './lift-conditions.ts';
import type { Meaning } from './meaning.ts';
import { UnreadablePartError } from './scope.ts';
import { filterToCase, findCaseWithZeroElse } from './values.ts';

export interface CanonicalMetric {
  name: string;
  text: string;
  where: string[];
}
const AGGREGATES = new Set(['count', 'sum', 'avg', 'min', 'max']);
const COMBINING_FUNCTIONS: Record<string, 'ratio' | 'difference' | 'total'> = {
  '/': 'ratio',
  '-': 'difference',
  '+': 'total',
};

export class MeasureReader {
  readonly #meaning: Meaning;
  readonly #names: NameResolver;
  readonly #metrics: CanonicalMetric[];

  constructor(meaning: Meaning, names: NameResolver, metrics: CanonicalMetric[]) {
    this.#meaning = meaning;
    this.#names = names;
    this.#metrics = metrics;
  }

  measureOf(value: Expression): Measure {
    const text = this.#meaning.text.render(value);
    const metric = this.#metrics.find((metric) => metric.text === text);
    if (metric) return { fn: 'metric', metric: metric.name };
    if (findNumericCastTarget(value) !== null) return this.measureOf(withoutNumericCast(value));
    if (value.kind === 'arithmetic') return this.#readArithmetic(value);
    if (value.kind !== 'call') throw new UnreadablePartError('measure', value);
    if (value.name === 'round') return this.#readRound(value);
    return value.name === 'coalesce' ? this.#orZero(value) : this.#aggregateOf(value);
  }

  #readRound({ args: [argument, digits] }: Call): Measure {
    const decimalPlaces = digits ? toConstant(digits) : 0;
    if (!argument || typeof decimalPlaces !== 'number') throw new UnreadablePartError('round');
    return { fn: 'round', of: this.measureOf(argument), digits: decimalPlaces };
  }

  /** Removes COALESCE(…, 0) from a measure that is never NULL. */
  #orZero({ args: [argument, zero, more] }: Call): Measure {
    if (!argument || !zero || more || !isZero(zero)) throw new UnreadablePartError('coalesce');
    const measure = this.measureOf(argument);
    return this.#meaning.text.isNonNull(argument) ? measure : { fn: 'or_zero', of: measure };
  }

  #readArithmetic(value: Arithmetic): Measure {
    const { operator, left, right } = value;
    if (!left) throw new UnreadablePartError('measure', value);
    const percent = this.#readPercent(value);
    if (percent) return percent;
    const [a, b] = [readNumber(left), readNumber(right)];
    if (operator === '*' && a !== null) return { fn: 'product', of: this.measureOf(right), by: a };
    if (operator === '*' && b !== null) return { fn: 'product', of: this.measureOf(left), by: b };
    if (operator === '/' && b !== null && b !== 0) return { fn: 'quotient', of: this.measureOf(left), by: b };
    const fn = COMBINING_FUNCTIONS[operator];
    if (!fn) throw new UnreadablePartError('measure', value);
    return fn === 'ratio'
      ? this.#readRatio(left, withoutNullif(right))
      : { fn, of: [this.measureOf(left), this.measureOf(right)] };
  }

  /** Recognizes 100 * a / b in any order. */
  #readPercent(value: Arithmetic): Measure | null {
    const { operator, left, right } = value;
    if (operator === '*' && left && [left, right].some((operand) => readNumber(operand) === 100)) {
      const operand = withoutNumberCast(readNumber(left) === 100 ? right : left);
      if (operand.kind === 'arithmetic' && operand.operator === '/' && operand.left)
        return toPercentMeasure(this.#readRatio(operand.left, withoutNullif(operand.right)));
      return null;
    }
    if (operator !== '/' || left?.kind !== 'arithmetic' || left.operator !== '*' || !left.left) return null;
    const hundredSide = [left.left, left.right].find((operand) => readNumber(operand) === 100);
    const numerator = hundredSide === left.left ? left.right : left.left;
    return hundredSide ? toPercentMeasure(this.#readRatio(numerator, withoutNullif(right))) : null;
  }

  #readRatio(left: Expression, right: Expression): Measure {
    return { fn: 'ratio', of: [this.measureOf(left), this.measureOf(right)] };
  }

  #aggregateOf(call: Call): Measure {
    const { name, args, distinct } = call;
    const filteredCall = filterToCase(call);
    if (filteredCall) return this.#aggregateOf(filteredCall);
    if (!AGGREGATES.has(name) || call.orderBy.length > 0) throw new UnreadablePartError('measure', call);
    const text = this.#meaning.text.render(call);
    if (text === 'count(*)') return { fn: 'count', rows: this.#meaning.mainSource.dataset.name };
    const [first, second] = args;
    if (!first || second) throw new UnreadablePartError('arguments');
    if (first.kind === 'case') return this.#readConditional(call, first);
    if (first.kind !== 'column') return this.#amountOf(call, first);
    if (distinct && name !== 'count') throw new UnreadablePartError('measure', call);
    const fn = distinct ? 'count_distinct' : (name as Aggregate['fn']);
    return { fn, field: this.#names.refOf(first) };
  }

  #amountOf({ name, distinct }: Call, expression: Expression): Measure {
    if (distinct || name === 'count') throw new UnreadablePartError('measure', expression);
    const path = this.#meaning.mainSource.dataset.name;
    const value = this.valueOf(expression);
    // A plan computes the value for each row of the main source, so the value must use one of its fields.
    if (!listFields(value).some((field) => field.path === path))
      throw new UnreadablePartError('rows of an unknown table');
    return { fn: name as ValueAggregate['fn'], value };
  }

  valueOf(expression: Expression): RowValue {
    if (
      expression.kind === 'cast' &&
      (findNumericCastTarget(expression) !== null || expression.type.name === 'hugeint')
    )
      return this.valueOf(expression.value);
    const number = readNumber(expression);
    if (number !== null) return number;
    if (expression.kind === 'column') return this.#names.refOf(expression);
    if (expression.kind === 'call' && expression.name === 'coalesce') {
      const [column, replacement, more] = expression.args;
      const or = replacement ? readNumber(replacement) : null;
      if (column?.kind === 'column' && or !== null && !more) return { field: this.#names.refOf(column), or };
    }
    const { operator } = expression as Arithmetic;
    if (expression.kind !== 'arithmetic' || !expression.left || !isArithmeticOperator(operator))
      throw new UnreadablePartError('measure', expression);
    const right = operator === '/' ? withoutNullif(expression.right) : expression.right;
    return { op: operator, of: [this.valueOf(expression.left), this.valueOf(right)] };
  }

  /** Reads sum(case when … then x end) as a measure of a field with a condition. */
  #readConditional(call: Call, { operand, whens, otherwise }: Expression & { kind: 'case' }): Measure {
    const caseExpression = findCaseWithZeroElse(call);
    const [when, second] = whens;
    if (operand || !when || second || (otherwise && toConstant(otherwise) !== null && !caseExpression))
      throw new UnreadablePartError('measure', call);
    const where = [translateFilter(this.#names, when.when)];
    const counts = toConstant(when.result) !== undefined && toConstant(when.result) !== null;
    if (caseExpression ? toConstant(when.result) === 1 : counts && call.name === 'count') {
      return { fn: 'count', rows: this.#meaning.mainSource.dataset.name, where };
    }
    const aggregate = this.#aggregateOf({ ...call, args: [when.result] });
    const measure = restrictRows(aggregate, where);
    return caseExpression ? { fn: 'or_zero', of: measure } : measure;
  }
}

const isArithmeticOperator = (operator: string): operator is '+' | '-' | '*' | '/' =>
  ['+', '-', '*', '/'].includes(operator);
const withoutNumberCast = (expression: Expression): Expression =>
  findNumericCastTarget(expression) !== null
    ? withoutNumberCast(withoutNumericCast(expression))
    : withoutNullif(expression);

const readNumber = (expression: Expression): number | null =>
  expression.kind === 'literal' && expression.type === 'number' ? Number(expression.value) : null;

const toPercentMeasure = (measure: Measure): Measure =>
  measure.fn === 'ratio' ? { ...measure, percent: true } : measure;
