// Translates aggregates of a statement to measures of a plan, based only on their form. A later step compares the
// meanings of the statement and the plan.
import { toConstant } from '../../../dialects/nodes.ts';
import type { Arithmetic, Call, Column, Expression } from '../../../dialects/tree.ts';
import {
  type Aggregate,
  isAggregate,
  listFields,
  type Measure,
  type RowValue,
  restrictRows,
  type ValueAggregate,
} from '../../../plan/lens-plan.ts';
import { SECONDS_PER_UNIT } from '../../../plan/sql/row-value.ts';
import { listNodesOutsideQueries } from '../statement/parts.ts';
import { findNumericCastTarget, isZero, withoutNullif, withoutNumericCast } from './amounts.ts';
import { withoutTextCast } from './expression-renderer.ts';
import { type NameResolver, translateFilter } from './lift-conditions.ts';
import type { Meaning } from './meaning.ts';
import { ROW_COUNT_FUNCTION } from './row-count-function.ts';
import { type Source, throwUnreadable, UnreadablePartError } from './scope.ts';
import { readItemCount, readStringAggregate, type StringAggregate } from './string-lists.ts';
import { filterToCase, findCaseWithZeroElse, findDateOperands } from './values.ts';

export interface CanonicalMetric {
  name: string;
  text: string;
  where: string[];
}
const AGGREGATE_FUNCTIONS = new Set(['count', 'sum', 'avg', 'min', 'max']);
const COMBINING_FUNCTION_BY_OPERATOR: Record<string, 'ratio' | 'difference' | 'total'> = {
  '/': 'ratio',
  '-': 'difference',
  '+': 'total',
};

export class MeasureReader {
  readonly #meaning: Meaning;
  readonly #names: NameResolver;
  readonly #metrics: CanonicalMetric[];
  readonly #pathOf: (source: Source) => string;

  constructor(meaning: Meaning, names: NameResolver, metrics: CanonicalMetric[], pathOf: (source: Source) => string) {
    this.#meaning = meaning;
    this.#names = names;
    this.#metrics = metrics;
    this.#pathOf = pathOf;
  }

  readMeasure(value: Expression): Measure {
    const text = this.#meaning.text.render(value);
    const metric = this.#metrics.find((metric) => metric.text === text);
    if (metric) return { fn: 'metric', metric: metric.name };
    if (findNumericCastTarget(value) !== null) return this.readMeasure(withoutNumericCast(value));
    if (value.kind === 'arithmetic') return this.#readArithmetic(value);
    if (value.kind !== 'call') throw new UnreadablePartError('measure', value);
    if (value.over) return this.#readWindow(value);
    if (value.name === 'round') return this.#readRound(value);
    return value.name === 'coalesce' ? this.#readCoalesce(value) : this.#readAggregate(value);
  }

  #readRound({ args: [argument, digits] }: Call): Measure {
    const decimalPlaces = digits ? toConstant(digits) : 0;
    if (!argument || typeof decimalPlaces !== 'number') throw new UnreadablePartError('round');
    return { fn: 'round', of: this.readMeasure(argument), digits: decimalPlaces };
  }

  /**
   * Removes COALESCE(…, 0) from a count. Also removes it from a sum in a plan with `every`, because such a sum is 0 if
   * there are no rows.
   */
  #readCoalesce({ args: [argument, zero, more] }: Call): Measure {
    if (!argument || !zero || more || !isZero(zero)) throw new UnreadablePartError('coalesce');
    const measure = this.readMeasure(argument);
    const isAdditive =
      isAggregate(measure) && !measure.where && (measure.fn === 'sum' || measure.fn.startsWith('count'));
    return this.#meaning.text.isNonNull(argument) || (this.#meaning.fullyGroupedSource && isAdditive)
      ? measure
      : { fn: 'or_zero', of: measure };
  }

  #readArithmetic(value: Arithmetic): Measure {
    const { operator, left, right } = value;
    if (!left) throw new UnreadablePartError('measure', value);
    const percent = this.#readPercent(value);
    if (percent) return percent;
    const [a, b] = [readNumber(left), readNumber(right)];
    if (operator === '*' && a !== null) return { fn: 'product', of: this.readMeasure(right), by: a };
    if (operator === '*' && b !== null) return { fn: 'product', of: this.readMeasure(left), by: b };
    if (operator === '/' && b !== null && b !== 0) return { fn: 'quotient', of: this.readMeasure(left), by: b };
    const fn = COMBINING_FUNCTION_BY_OPERATOR[operator];
    if (!fn) throw new UnreadablePartError('measure', value);
    return fn === 'ratio'
      ? this.#readRatio(left, withoutNullif(right))
      : { fn, of: [this.readMeasure(left), this.readMeasure(right)] };
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
    const numerator = this.readMeasure(left);
    const share = this.#readShare(left, numerator, withoutNumberCast(right));
    return share ?? { fn: 'ratio', of: [numerator, this.readMeasure(right)] };
  }

  /** Recognizes a / sum(a) over (…). */
  #readShare(left: Expression, measure: Measure, right: Expression): Measure | null {
    if (right.kind !== 'call' || right.name !== 'sum' || !right.over || right.over.orderBy.length > 0) return null;
    const { text } = this.#meaning;
    const [total] = right.args;
    if (!total || text.render(total) !== text.render(withoutNumberCast(left))) return null;
    const partitionFields = right.over.partitionBy.map(
      (item) => this.#names.shownFieldOf(item) ?? throwUnreadable('no field'),
    );
    return { fn: 'share_of_total', of: measure, ...(partitionFields.length > 0 && { within: partitionFields }) };
  }

  #readWindow({ name, args, over }: Call): Measure {
    const [key, second] = over!.orderBy;
    const partitionFields = over!.partitionBy.map(
      (item) => this.#names.shownFieldOf(item) ?? throwUnreadable('no field'),
    );
    const partitioning = partitionFields.length > 0 ? { within: partitionFields } : {};
    if ((name === 'rank' || name === 'dense_rank') && key && !second)
      return {
        ...{ fn: 'rank', of: this.readMeasure(key.value), direction: key.direction ?? 'asc' },
        ...(name === 'dense_rank' && { dense: true }),
        ...partitioning,
      };
    if (['avg', 'min', 'max', 'sum'].includes(name) && !key && args[0])
      return { fn: `groups_${name as 'avg'}`, of: this.readMeasure(args[0]), ...partitioning };
    throw new UnreadablePartError('window');
  }

  #readAggregate(call: Call): Measure {
    const { name, args, distinct } = call;
    if (name === ROW_COUNT_FUNCTION) return { fn: 'count', rows: this.#meaning.mainSource.dataset.name };
    const list = readStringAggregate(call, this.#meaning.text.isAlwaysPresent);
    if (list) return this.#readList(list);
    const filteredCall = filterToCase(call);
    if (filteredCall) return this.#readAggregate(filteredCall);
    const median = this.#readMedian(call);
    if (median) return median;
    if (!AGGREGATE_FUNCTIONS.has(name) || call.orderBy.length > 0) throw new UnreadablePartError('measure', call);
    const text = this.#meaning.text.render(call);
    if (text === 'count(*)') return { fn: 'count', rows: this.#meaning.mainSource.dataset.name };
    const [first, second] = args;
    if (!first || second) throw new UnreadablePartError('arguments');
    if (first.kind === 'case' && !readItemCount(this.#meaning.dialect, first))
      return this.#readConditional(call, first);
    if (first.kind !== 'column') return this.#readAmount(call, first);
    const source = this.#meaning.sources.find(({ alias }) => alias === first.path[0]);
    if (text.startsWith('rows(') && source) return { fn: 'count', rows: this.#pathOf(source) };
    if (distinct && name !== 'count') throw new UnreadablePartError('measure', call);
    const fn = distinct ? 'count_distinct' : (name as Aggregate['fn']);
    return { fn, field: this.#names.refOf(first) };
  }

  /** Recognizes the median as the dialect writes it, with a cast if an exact median of this type needs one. */
  #readMedian(call: Call): Measure | null {
    const { dialect, text, sources } = this.#meaning;
    const { median, aggregated } = dialect.compiling;
    const nodes = listNodesOutsideQueries([call]);
    const [column, second] = nodes.filter((node) => node.kind === 'column');
    if (!median || !column || second || text.render(median(column)) !== text.render(call)) return null;
    const ref = this.#names.refOf(column);
    const { dataset } = sources.find(({ alias }) => alias === column.path[0])!;
    const { datatype } = dataset.fields.find(({ name }) => name === ref.field)!;
    const casts = nodes.filter((node) => node.kind === 'cast');
    const isFloat = casts.length > 0 && casts.every((cast) => findNumericCastTarget(cast) === 'float');
    if (aggregated('median', column, datatype) !== column && !isFloat)
      throw new UnreadablePartError('median of decimals');
    return { fn: 'median', field: ref };
  }

  #readList({ of, separator, distinct }: StringAggregate): Measure {
    const value = this.#removeTextCast(of);
    const [when, second] = value.kind === 'case' ? value.whens : [];
    if (when && (second || (value.kind === 'case' && (value.operand || value.otherwise))))
      throw new UnreadablePartError('measure', of);
    const field = when ? this.#removeTextCast(when.result) : value;
    if (field.kind !== 'column') throw new UnreadablePartError('measure', of);
    return {
      ...{ fn: 'list', field: this.#names.refOf(field), ...(distinct && { distinct }), separator },
      ...(when && { where: [translateFilter(this.#names, when.when)] }),
    };
  }

  #removeTextCast(expression: Expression): Expression {
    return withoutTextCast(expression, this.#meaning.text.typeOf);
  }

  #readAmount({ name, distinct }: Call, expression: Expression): Measure {
    if (distinct || name === 'count') throw new UnreadablePartError('measure', expression);
    const path = this.#meaning.mainSource.dataset.name;
    const value = this.readValue(expression);
    // A plan computes the value for each row of the main source, so the value must read a field of the main source.
    if (!listFields(value).some((field) => field.path === path))
      throw new UnreadablePartError('rows of an unknown table');
    return { fn: name as ValueAggregate['fn'], value };
  }

  readValue(expression: Expression): RowValue {
    if (
      expression.kind === 'cast' &&
      (findNumericCastTarget(expression) !== null || expression.type.name === 'hugeint')
    )
      return this.readValue(expression.value);
    const number = readNumber(expression);
    if (number !== null) return number;
    if (expression.kind === 'column') return this.#names.refOf(expression);
    if (expression.kind === 'call' && expression.name === 'coalesce') {
      const [column, replacement, more] = expression.args;
      const or = replacement ? readNumber(replacement) : null;
      if (column?.kind === 'column' && or !== null && !more) return { field: this.#names.refOf(column), or };
    }
    const items = readItemCount(this.#meaning.dialect, expression);
    const text = items && this.#removeTextCast(items.of);
    if (items && text?.kind === 'column') return { items: this.#names.refOf(text), separator: items.separator };
    const elapsed = this.#readElapsed(expression);
    if (elapsed) return elapsed;
    const days = findDateOperands(expression, this.#meaning.text.scope);
    if (days)
      return {
        in: 'days',
        ...{ from: this.#names.refOf(days.from as Column), to: this.#names.refOf(days.to as Column) },
      };
    const { operator } = expression as Arithmetic;
    if (expression.kind !== 'arithmetic' || !expression.left || !isArithmeticOperator(operator))
      throw new UnreadablePartError('measure', expression);
    const right = operator === '/' ? withoutNullif(expression.right) : expression.right;
    return { op: operator, of: [this.readValue(expression.left), this.readValue(right)] };
  }

  /** Recognizes extract(epoch from b - a), divided by the number of seconds in a unit. */
  #readElapsed(expression: Expression): RowValue | null {
    const size = expression.kind === 'arithmetic' && expression.operator === '/' ? readNumber(expression.right) : 1;
    const [unit] = Object.entries(SECONDS_PER_UNIT).find(([, seconds]) => seconds === size) ?? [];
    const call = size === 1 ? expression : (expression as Arithmetic).left!;
    if (!unit || call.kind !== 'call' || call.name !== 'extract' || toConstant(call.args[0]!) !== 'epoch') return null;
    const difference = call.args[1];
    if (difference?.kind !== 'arithmetic' || difference.operator !== '-' || !difference.left) return null;
    const [to, from] = [difference.left, difference.right].map((operand) =>
      withoutTimestampCast(operand).kind === 'column'
        ? this.#names.refOf(withoutTimestampCast(operand) as Column)
        : null,
    );
    return from && to ? { from, to, in: unit as keyof typeof SECONDS_PER_UNIT } : null;
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
    const aggregate = this.#readAggregate({ ...call, args: [when.result] });
    const measure = restrictRows(aggregate, where);
    return caseExpression ? { fn: 'or_zero', of: measure } : measure;
  }
}

const withoutTimestampCast = (expression: Expression): Expression =>
  expression.kind === 'cast' && expression.type.name === 'timestamp' ? expression.value : expression;
const isArithmeticOperator = (operator: string): operator is '+' | '-' | '*' | '/' =>
  ['+', '-', '*', '/'].includes(operator);
const withoutNumberCast = (expression: Expression): Expression =>
  findNumericCastTarget(expression) !== null
    ? withoutNumberCast(withoutNumericCast(expression))
    : withoutNullif(expression);

const readNumber = (expression: Expression): number | null =>
  expression.kind === 'literal' && expression.type === 'number' ? Number(expression.value) : null;

const toPercentMeasure = (measure: Measure): Measure =>
  measure.fn === 'ratio' || measure.fn === 'share_of_total' ? { ...measure, percent: true } : measure;
