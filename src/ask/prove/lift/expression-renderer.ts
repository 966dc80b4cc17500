// Writes an expression as a canonical string that doesn't depend on order or spelling. Equal strings have the same
// meaning. Different strings can also have the same meaning.
import { preserveFraction } from '../../../dialects/compiling.ts';
import { between, callOf, caseOf, compare, compute, nullLiteral, numberOf } from '../../../dialects/make-nodes.ts';
import { listConjuncts, toConstant } from '../../../dialects/nodes.ts';
import type { Call, Comparison, Expression, Like, NullTest, Query, SortKey, Window } from '../../../dialects/tree.ts';
import { SECONDS_PER_UNIT } from '../../../plan/sql/row-value.ts';
import {
  type ExpressionReader,
  findNumericCastTarget,
  isNumberType,
  withoutNumericCast,
  writeAmount,
} from './amounts.ts';
import { ROW_COUNT_FUNCTION } from './row-count-function.ts';
import { type Scope, UnreadablePartError } from './scope.ts';
import { readItemCount, readStringAggregate, type StringAggregate } from './string-lists.ts';
import { addOneDay, DAY_PATTERN, findBounds, readDatePart, readPeriod } from './time/periods.ts';
import {
  filterToCase,
  findCaseWithZeroElse,
  findDatatype,
  findDateOperands,
  isCountQuery,
  isNonNull,
  sortsNullsLast,
  toExactConstant,
} from './values.ts';

interface RenderedCondition {
  text: string;
  value: Expression;
}
/** The comparison operator to use after the two sides are swapped. */
export const SWAPPED_OPERATORS: Record<string, '<' | '<=' | '>' | '>='> = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/** Writes the canonical string of a nested query. */
type NestedQueryWriter = (query: Query, kind: 'exists' | 'scalar') => string;

export class ExpressionRenderer {
  readonly scope: Scope;
  readonly #writeNested: NestedQueryWriter;
  readonly #amountReader: ExpressionReader;
  /** True if each group has at least one row, so that an aggregate of values without NULL isn't NULL. */
  groupsHaveRows = false;
  /** True if each row of one table forms a group to which rows of other tables are joined. */
  groupsAreJoined = false;

  readonly typeOf = (expression: Expression): string | null => findDatatype(expression, this.scope);
  /** Whether the value is never NULL, and each group has a row. */
  readonly isAlwaysPresent = (expression: Expression): boolean => this.groupsHaveRows && this.isNonNull(expression);
  readonly isNonNull = (expression: Expression): boolean => isNonNull(expression, this.scope, this.groupsHaveRows);

  constructor(scope: Scope, writeNested: NestedQueryWriter) {
    this.scope = scope;
    this.#writeNested = writeNested;
    const { dialect } = scope;
    this.#amountReader = {
      dialect,
      typeOf: this.typeOf,
      text: (expression) => this.render(expression),
      dayDifferenceOf: (expression) => this.#findDayDifference(expression),
    };
  }

  /** Splits a condition into the conditions that must all hold. */
  renderConjuncts(condition: Expression | null): RenderedCondition[] {
    return listConjuncts(condition).flatMap(
      (conjunct) => this.#readBounds(conjunct) ?? [{ text: this.render(conjunct), value: conjunct }],
    );
  }

  /** Rewrites BETWEEN, a comparison with a period, and a date that equals a day as a lower and an upper bound. */
  #readBounds(expression: Expression): RenderedCondition[] | null {
    if (expression.kind === 'between' && !expression.negated && !expression.symmetric) {
      const { value, low, high } = expression;
      return [compare(value, '>=', low), compare(value, '<=', high)].map((end) => ({
        text: this.render(end),
        value: end,
      }));
    }
    if (expression.kind !== 'compare') return null;
    const normalized = toConstant(expression.left) !== undefined ? swapSides(expression) : expression;
    const bounds = findBounds(normalized, this.typeOf);
    if (bounds) return bounds.map((end) => ({ text: this.render(end), value: end }));
    if (expression.operator !== '=') return null;
    const [column, other] =
      expression.left.kind === 'column' ? [expression.left, expression.right] : [expression.right, expression.left];
    const day = column.kind === 'column' && this.typeOf(column) === 'date' ? toConstant(other) : undefined;
    if (typeof day !== 'string' || !DAY_PATTERN.test(day)) return null;
    return this.#readBounds(between(column, other, other));
  }

  render(expression: Expression): string {
    return this.scope.trackLength(this.#renderNode(expression));
  }

  #renderNode(expression: Expression): string {
    switch (expression.kind) {
      case 'column':
        return this.#renderColumn(expression.path);
      case 'literal':
        return expression.type === 'number'
          ? renderNumber(expression.value)
          : `${expression.type}:${JSON.stringify(expression.value)}`;
      case 'logic':
        return this.#renderLogic(expression);
      case 'between':
        if (expression.symmetric) return this.#renderAllProperties(expression);
        return expression.negated
          ? `not(${this.render({ ...expression, negated: false })})`
          : writeConjunction(this.renderConjuncts(expression));
      case 'compare':
        return this.#renderComparison(expression);
      case 'in':
        return this.#renderIn(expression);
      case 'is_null':
        return this.#renderIsNull(expression);
      case 'like':
        return this.#renderLike(expression);
      case 'arithmetic':
        if (this.#findDayDifference(expression)) return this.render(this.#findDayDifference(expression)!);
        return writeAmount(expression, this.#amountReader) ?? this.#renderAllProperties(expression);
      case 'case':
        return (
          this.#renderItemCount(expression) ??
          this.#renderAllProperties({
            ...expression,
            otherwise: isNullLiteral(expression.otherwise) ? null : expression.otherwise,
          })
        );
      case 'call':
        return this.#renderCall(expression);
      case 'cast':
        return this.#renderCast(expression);
      case 'exists':
        return `${expression.negated ? 'not ' : ''}${this.#writeNested(expression.query, 'exists')}`;
      case 'scalar':
        return this.#writeNested(expression.query, 'scalar');
      case 'parameter':
      case 'star':
      case 'lambda':
      case 'quantified':
      case 'array_query':
        throw new UnreadablePartError(expression.kind);
      default:
        return this.#renderAllProperties(expression);
    }
  }

  #renderColumn(path: readonly string[]): string {
    const scopedColumn = this.scope.find(path);
    if (!scopedColumn) throw new UnreadablePartError('column');
    const { source, column } = scopedColumn;
    // Writes the foreign key that refers to a joined row instead of the row's own key, because both have the same
    // value.
    const step = source.isPresent ? source.steps.at(-1) : undefined;
    const keyIndex = step ? step.to.columns.findIndex((item) => this.scope.isSameName(item, column)) : -1;
    return keyIndex < 0
      ? `${source.label}.${column}`
      : `${source.label.slice(0, source.label.lastIndexOf('/'))}.${step!.from.columns[keyIndex]}`;
  }

  #renderIsNull({ value, negated }: NullTest): string {
    const scopedColumn = value.kind === 'column' ? this.scope.find(value.path) : null;
    const step = scopedColumn?.source.steps.at(-1);
    if (scopedColumn && step?.to.columns.some((column) => this.scope.isSameName(column, scopedColumn.column)))
      return `${negated ? 'there' : 'absent'}(${scopedColumn.source.label})`;
    return `${negated ? 'isnotnull' : 'isnull'}(${this.render(value)})`;
  }

  #findDayDifference(expression: Expression): Expression | null {
    const operands = findDateOperands(expression, this.scope);
    const { dialect } = this.scope;
    if (!operands) return null;
    const seconds = dialect.compiling.secondsBetween(operands.from, operands.to, ['date', 'date']);
    return compute(preserveFraction(dialect, seconds), '/', numberOf(SECONDS_PER_UNIT.days));
  }

  #renderLogic({ operator, args }: Expression & { kind: 'logic' }): string {
    if (operator === 'xor') throw new UnreadablePartError('xor');
    if (operator === 'not') return `not(${this.render(args[0]!)})`;
    const parts = args.flatMap((arg) =>
      operator === 'and'
        ? this.renderConjuncts(arg).map(({ text }) => text)
        : listDisjuncts(arg).map((part) => this.render(part)),
    );
    return `${operator}(${[...new Set(parts)].sort().join(' ')})`;
  }

  #renderComparison(comparison: Expression & { kind: 'compare' }): string {
    const { left, right } = comparison;
    if (toConstant(left) !== undefined && toConstant(right) === undefined)
      return this.#renderComparison(swapSides(comparison));
    const bounds = this.#readBounds(comparison);
    if (bounds) return writeConjunction(bounds);
    if (comparison.operator === '=' && this.typeOf(left) === 'boolean' && toConstant(right) === true)
      return this.render(left);
    const [other, operator] = this.#renderConstant(left, right, comparison.operator);
    const leftText = this.render(left);
    if (operator === '=' && toConstant(right) === undefined) return `compare(${[leftText, other].sort().join(' = ')})`;
    return toConstant(right) === undefined && SWAPPED_OPERATORS[operator] && other < leftText
      ? `compare(${other} ${SWAPPED_OPERATORS[operator]} ${leftText})`
      : `compare(${leftText} ${operator} ${other})`;
  }

  /**
   * Writes a constant in its column's type. For dates, an inclusive end becomes an exclusive end: `<=` a day becomes
   * `<` the next day.
   */
  #renderConstant(column: Expression, other: Expression, operator: string): [text: string, operator: string] {
    const value = toExactConstant(other);
    // For a count, "more than three" is the same as "at least four".
    if (
      column.kind === 'scalar' &&
      isCountQuery(column.query) &&
      typeof value === 'number' &&
      Number.isInteger(value)
    ) {
      if (operator === '>') return [renderNumber(String(value + 1)), '>='];
      if (operator === '<') return [renderNumber(String(value - 1)), '<='];
    }
    const type = this.typeOf(column);
    if (value === undefined || type === null) return [this.render(other), operator];
    if (type === 'date' && typeof value === 'string' && DAY_PATTERN.test(value)) {
      const nextOperator = operator === '<=' ? '<' : operator === '>' ? '>=' : null;
      return nextOperator ? [`day:${addOneDay(value)}`, nextOperator] : [`day:${value}`, operator];
    }
    if (type === 'datetime' && typeof value === 'string') {
      const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:\.0+)?)?$/.exec(value);
      return [match ? `at:${match[1]} ${match[2] ?? '00:00'}${match[3] ?? ':00'}` : this.render(other), operator];
    }
    if (isNumberType(type) && typeof value === 'number') return [renderNumber(String(value)), operator];
    if (type === 'string' && typeof value === 'string') return [`string:${JSON.stringify(value)}`, operator];
    return [this.render(other), operator];
  }

  #renderIn({ value, among, negated }: Expression & { kind: 'in' }): string {
    if (!Array.isArray(among)) throw new UnreadablePartError('in a query');
    const comparisons = among.map((item) => this.#renderConstant(value, item, '=')[0]);
    const [onlyArgument, ...more] = [...new Set(comparisons)].sort();
    if (more.length === 0) return this.#renderComparison(compare(value, negated ? '<>' : '=', among[0]!));
    return `in(${this.render(value)} ${negated ? 'not ' : ''}${[onlyArgument, ...more].join(' ')})`;
  }

  #renderLike(like: Like): string {
    const { pattern, negated } = like;
    const value = withoutTextCast(like.value, this.typeOf);
    const patternText = toExactConstant(pattern);
    const loweredValue =
      value.kind === 'call' && value.name === 'lower' && value.args.length === 1 ? value.args[0]! : null;
    const isCaseInsensitive = typeof patternText === 'string' && !like.escape && isPlainPattern(patternText);
    const operands =
      isCaseInsensitive && like.how === 'like' && loweredValue && patternText === patternText.toLowerCase()
        ? `ilike ${this.render(withoutTextCast(loweredValue, this.typeOf))} ${JSON.stringify(patternText)}`
        : isCaseInsensitive && like.how === 'ilike'
          ? `ilike ${this.render(value)} ${JSON.stringify(patternText.toLowerCase())}`
          : `${this.render(value)} ${this.#renderAllProperties({ ...like, value: NULL_LITERAL, negated: false })}`;
    return negated ? `not(like(${operands}))` : `like(${operands})`;
  }

  #renderCall(call: Call): string {
    const { name, args, over } = call;
    if (over) return this.#renderWindow(call, over);
    const list = readStringAggregate(call, this.isAlwaysPresent);
    if (list) return this.#renderList(list);
    const items = this.#renderItemCount(call);
    if (items) return items;
    const [onlyArgument] = args;
    const rows = name === 'count' && !call.distinct && !call.filter;
    if (rows && (call.star || (onlyArgument?.kind === 'literal' && onlyArgument.type !== 'null'))) return 'count(*)';
    const dateText = this.#renderPartOfDate(call);
    if (dateText) return dateText;
    if (name === ROW_COUNT_FUNCTION && onlyArgument) return `rows(${this.#getSourceLabel(onlyArgument)})`;
    if (name === 'count' && onlyArgument && this.#isOneKey(call, onlyArgument))
      return `rows(${this.#getSourceLabel(onlyArgument)})`;
    if (name === 'coalesce' && onlyArgument && this.isNonNull(onlyArgument)) return this.render(onlyArgument);
    if (name === 'round' && onlyArgument) return this.#renderRound(onlyArgument, args);
    const filteredCall = filterToCase(call) ?? this.#removeZeroElse(call);
    return filteredCall ? this.render(filteredCall) : this.#renderAllProperties({ ...call, schema: null });
  }

  #renderList({ of, separator, distinct }: StringAggregate): string {
    const toTextExpression = (expression: Expression): Expression => withoutTextCast(expression, this.typeOf);
    const value = toTextExpression(of);
    const [whenBranch] = value.kind === 'case' && value.whens.length === 1 ? value.whens : [];
    const textExpression = whenBranch ? caseOf(whenBranch.when, toTextExpression(whenBranch.result)) : value;
    return `list(${distinct ? 'distinct ' : ''}${this.render(textExpression)} ${JSON.stringify(separator)})`;
  }

  #renderItemCount(expression: Expression): string | null {
    const listItems = readItemCount(this.scope.dialect, expression);
    return (
      listItems &&
      `items(${this.render(withoutTextCast(listItems.of, this.typeOf))} ${JSON.stringify(listItems.separator)})`
    );
  }

  #getSourceLabel(column: Expression): string {
    return column.kind === 'column' ? this.scope.find(column.path)!.source.label : '';
  }

  /**
   * Whether a count of the column equals the count of the table's rows, because the column is the table's primary key.
   */
  #isOneKey({ distinct }: Call, onlyArgument: Expression): boolean {
    const scopedColumn = onlyArgument.kind === 'column' ? this.scope.find(onlyArgument.path) : null;
    if (!this.groupsAreJoined || !scopedColumn) return false;
    const { primaryKey } = scopedColumn.source.dataset;
    const key = primaryKey.length === 1 && this.scope.isSameName(primaryKey[0]!, scopedColumn.column);
    const isMainSource = scopedColumn.source.steps.length === 0;
    return key && scopedColumn.field?.nullable === false && (distinct || isMainSource);
  }

  /** A truncated date has the same canonical string with and without a cast to date. */
  #renderPartOfDate(expression: Expression): string | null {
    const period = readPeriod(expression, this.typeOf);
    if (period && period.unit === 'day' && this.typeOf(period.of) === 'date') return this.render(period.of);
    if (period) return `trunc(${period.unit} ${this.render(period.of)})`;
    const part = readDatePart(expression, this.typeOf);
    return part && `part(${part.part} ${this.render(part.of)})`;
  }

  /**
   * Leaves out a cast to decimal, because the cast doesn't change how a decimal is rounded. Arithmetic on floats keeps
   * its exact form.
   */
  #renderRound(argument: Expression, [, digits]: Expression[]): string {
    const decimalPlaces = digits ? toConstant(digits) : 0;
    const uncastArgument = findNumericCastTarget(argument) === 'decimal' ? withoutNumericCast(argument) : argument;
    if (typeof decimalPlaces !== 'number' || (this.typeOf(argument) === 'float' && !digits))
      throw new UnreadablePartError('round');
    const decimal = this.typeOf(uncastArgument) === 'decimal' || this.typeOf(uncastArgument) === 'integer';
    return `round(${decimal || uncastArgument.kind !== 'arithmetic' ? this.render(uncastArgument) : this.#renderAllProperties(uncastArgument)} ${decimalPlaces})`;
  }

  /** Rewrites sum(case when … then x else 0 end) to a sum or count without ELSE, if x is never NULL. */
  #removeZeroElse(call: Call): Expression | null {
    const zeroElseCase = findCaseWithZeroElse(call);
    if (!zeroElseCase || !this.groupsHaveRows) return null;
    const { when, result } = zeroElseCase;
    if (toConstant(result) === 1) return { ...call, name: 'count', args: [caseOf(when, result)] };
    if (!this.isNonNull(result)) return null;
    return callOf('coalesce', [{ ...call, args: [caseOf(when, result)] }, numberOf(0)]);
  }

  #renderWindow(call: Call, { base, partitionBy, orderBy, frame }: Window): string {
    if (base !== null || frame) throw new UnreadablePartError('window');
    const partitionTexts = partitionBy.map((item) => this.render(item)).sort();
    const order = orderBy.map((key) => this.renderSortKey(key));
    return `window(${this.#renderAllProperties({ ...call, over: null, schema: null })} by ${partitionTexts.join(', ')} order ${order.join(', ')})`;
  }

  /** Includes the sort position of nulls only if the value can be NULL. */
  renderSortKey({ value, direction, nulls }: SortKey): string {
    const nullsPlacement = nulls ?? (sortsNullsLast(this.scope.dialect, direction ?? 'asc', null) ? 'last' : 'first');
    return `${this.render(value)} ${direction ?? 'asc'}${this.isNonNull(value) ? '' : ` nulls ${nullsPlacement}`}`;
  }

  #renderCast(cast: Expression & { kind: 'cast' }): string {
    const dateText = this.#renderPartOfDate(cast);
    if (dateText) return dateText;
    const uncastValue = withoutTextCast(cast, this.typeOf);
    if (uncastValue.kind === 'column' && this.scope.find(uncastValue.path)?.field?.comparesAsText)
      return this.render(uncastValue);
    return writeAmount(cast, this.#amountReader) ?? this.#renderAllProperties(cast);
  }

  /** Writes all properties of a node, with its children as canonical strings. */
  #renderAllProperties(node: object): string {
    const parts = Object.entries(node)
      .filter(([key]) => key !== 'at' && key !== 'bare')
      .map(([key, value]) => `${key}:${this.#renderProperty(value)}`);
    return `{${parts.sort().join(',')}}`;
  }

  #renderProperty(value: unknown): string {
    if (Array.isArray(value)) return `[${value.map((item) => this.#renderProperty(item)).join(',')}]`;
    if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
    if (value === NULL_LITERAL) return '_';
    return 'kind' in value ? this.render(value as Expression) : this.#renderAllProperties(value);
  }
}
const NULL_LITERAL: Expression = nullLiteral();

const listDisjuncts = (expression: Expression): Expression[] =>
  expression.kind === 'logic' && expression.operator === 'or' ? expression.args.flatMap(listDisjuncts) : [expression];

const renderNumber = (numberLiteral: string): string =>
  String(Number(numberLiteral)).length < 15 ? `number:${Number(numberLiteral)}` : `number:${numberLiteral}`;

const writeConjunction = (parts: RenderedCondition[]): string =>
  parts.length === 1
    ? parts[0]!.text
    : `and(${parts
        .map(({ text }) => text)
        .sort()
        .join(' ')})`;

const swapSides = (comparison: Comparison): Comparison => ({
  ...comparison,
  operator: SWAPPED_OPERATORS[comparison.operator] ?? comparison.operator,
  ...{ left: comparison.right, right: comparison.left },
});

const isNullLiteral = (expression: Expression | null): boolean =>
  expression?.kind === 'literal' && expression.type === 'null';
/**
 * Whether the pattern has only ASCII characters and no wildcard other than %. ASCII letters have the same lowercase
 * form in every locale.
 */
const isPlainPattern = (pattern: string): boolean => /^[\x20-\x7e]*$/.test(pattern) && !/[_\\]/.test(pattern);
export const withoutTextCast = (
  expression: Expression,
  typeOf: (expression: Expression) => string | null,
): Expression =>
  expression.kind === 'cast' &&
  /^(?:text|varchar)$/.test(expression.type.name) &&
  expression.type.modifiers.length === 0 &&
  typeOf(expression.value) === 'string'
    ? expression.value
    : expression;
