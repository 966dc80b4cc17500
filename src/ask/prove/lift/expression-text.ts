// An expression as one text: whatever order and spelling it had, what means the same reads the same. Equal texts mean the
// same; different ones may, too.
import { constantOf } from '../../../dialects/nodes.ts';
import type { Call, Expression, Query, Select } from '../../../dialects/tree.ts';
import { callsIn } from '../statement/parts.ts';
import { type Scope, type Source, Unread } from './scope.ts';

export function* conjunctsOf(condition: Expression): Generator<Expression> {
  if (condition.kind === 'logic' && condition.operator === 'and')
    for (const part of condition.args) yield* conjunctsOf(part);
  else yield condition;
}

/** What a query within means (meaning.ts). */
export interface Within {
  select: Select;
  home: Source;
  where: ReadonlyMap<string, Expression>;
  group: readonly string[] | null;
  having: ReadonlyMap<string, Expression>;
  items: readonly { text: string }[];
}

interface Conjunct {
  text: string;
  value: Expression;
}
const MIRRORED: Record<string, string> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };
const DAY = /^\d{4}-\d\d-\d\d$/;
const NUMBERS = new Set(['integer', 'decimal', 'float']);

export class ExpressionText {
  readonly #scope: Scope;
  readonly #within: (query: Query) => Within;

  constructor(scope: Scope, within: (query: Query) => Within) {
    this.#scope = scope;
    this.#within = within;
  }

  aggregates(parts: unknown[]): boolean {
    const { list } = this.#scope.dialect.functions;
    return callsIn(parts).some(({ name, over }) => over === null && list.kind(name) === 'aggregate');
  }

  /** A condition as those that must all hold. */
  conjuncts(condition: Expression): Conjunct[] {
    return [...conjunctsOf(condition)].flatMap((one) => this.#bounds(one) ?? [{ text: this.of(one), value: one }]);
  }

  /** BETWEEN, and a day of a date: from one end to the other. */
  #bounds(one: Expression): Conjunct[] | null {
    if (one.kind === 'between' && !one.negated && !one.symmetric) {
      const { value, low, high } = one;
      const ends: Expression[] = [
        { kind: 'compare', operator: '>=', left: value, right: low, at: null },
        { kind: 'compare', operator: '<=', left: value, right: high, at: null },
      ];
      return ends.map((end) => ({ text: this.of(end), value: end }));
    }
    if (one.kind !== 'compare' || one.operator !== '=') return null;
    const [column, other] = one.left.kind === 'column' ? [one.left, one.right] : [one.right, one.left];
    const day = this.#typeOf(column) === 'date' ? constantOf(other) : undefined;
    if (typeof day !== 'string' || !DAY.test(day)) return null;
    return this.#bounds({
      kind: 'between',
      value: column,
      low: other,
      high: other,
      negated: false,
      symmetric: false,
      at: null,
    });
  }

  of(one: Expression): string {
    return this.#scope.written(this.#read(one));
  }

  #read(one: Expression): string {
    switch (one.kind) {
      case 'column':
        return this.#column(one.path);
      case 'literal':
        return one.type === 'number' ? numberText(one.value) : `${one.type}:${JSON.stringify(one.value)}`;
      case 'logic':
        return this.#logic(one);
      case 'between':
        return one.negated || one.symmetric
          ? this.#whole(one)
          : `and(${this.conjuncts(one)
              .map(({ text }) => text)
              .sort()
              .join(' ')})`;
      case 'compare':
        return this.#compare(one);
      case 'in':
        return this.#among(one);
      case 'is_null':
        return `${one.negated ? 'isnotnull' : 'isnull'}(${this.of(one.value)})`;
      case 'like':
        return `like(${this.of(one.value)} ${this.#whole({ ...one, value: NOTHING })})`;
      case 'call':
        return this.#call(one);
      case 'cast':
        return this.#cast(one);
      case 'exists':
        return `${one.negated ? 'not ' : ''}${this.#exists(one.query, [])}`;
      case 'scalar':
        return `scalar{${wholeMeaning(this.#within(one.query))}}`;
      case 'parameter':
      case 'star':
      case 'lambda':
      case 'quantified':
      case 'array_query':
        throw new Unread(one.kind);
      default:
        return this.#whole(one);
    }
  }

  #column(path: readonly string[]): string {
    const found = this.#scope.find(path);
    if (!found) throw new Unread('column');
    return `${found.source.label}.${found.column}`;
  }

  #typeOf(one: Expression): string | null {
    return one.kind === 'column' ? (this.#scope.find(one.path)?.field?.datatype ?? null) : null;
  }

  #logic({ operator, args }: Expression & { kind: 'logic' }): string {
    if (operator === 'xor') throw new Unread('xor');
    if (operator === 'not') return `not(${this.of(args[0]!)})`;
    const parts = args.flatMap((arg) =>
      operator === 'and' ? this.conjuncts(arg).map(({ text }) => text) : alternatives(arg).map((part) => this.of(part)),
    );
    return `${operator}(${[...new Set(parts)].sort().join(' ')})`;
  }

  #compare(one: Expression & { kind: 'compare' }): string {
    const { left, right } = one;
    if (constantOf(left) !== undefined && constantOf(right) === undefined)
      return this.#compare({
        ...one,
        operator: (MIRRORED[one.operator] ?? one.operator) as typeof one.operator,
        ...{ left: right, right: left },
      });
    if (one.operator === '=') {
      const bounds = this.#bounds(one);
      if (bounds)
        return `and(${bounds
          .map(({ text }) => text)
          .sort()
          .join(' ')})`;
    }
    const [said, operator] = this.#constant(left, right, one.operator);
    const mine = this.of(left);
    if (operator === '=' && constantOf(right) === undefined) return `compare(${[mine, said].sort().join(' = ')})`;
    return constantOf(right) === undefined && MIRRORED[operator] && said < mine
      ? `compare(${said} ${MIRRORED[operator]} ${mine})`
      : `compare(${mine} ${operator} ${said})`;
  }

  /** A constant as its column holds it; the last day taken in is the next one left out. */
  #constant(column: Expression, other: Expression, operator: string): [text: string, operator: string] {
    const value = constantOf(other);
    const type = this.#typeOf(column);
    if (value === undefined || type === null) return [this.of(other), operator];
    if (type === 'date' && typeof value === 'string' && DAY.test(value)) {
      const next = operator === '<=' ? '<' : operator === '>' ? '>=' : null;
      return next ? [`day:${dayAfter(value)}`, next] : [`day:${value}`, operator];
    }
    if (type === 'datetime' && typeof value === 'string') {
      const at = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:\.0+)?)?$/.exec(value);
      return [at ? `at:${at[1]} ${at[2] ?? '00:00'}${at[3] ?? ':00'}` : this.of(other), operator];
    }
    if (NUMBERS.has(type) && typeof value === 'number') return [numberText(String(value)), operator];
    if (type === 'string' && typeof value === 'string') return [`string:${JSON.stringify(value)}`, operator];
    return [this.of(other), operator];
  }

  #among({ value, among, negated }: Expression & { kind: 'in' }): string {
    if (!Array.isArray(among)) {
      if (negated) throw new Unread('not in a query');
      return this.#exists(among, [value]);
    }
    const compared = among.map((one) => this.#constant(value, one, '=')[0]);
    const [only, ...more] = [...new Set(compared)].sort();
    if (more.length === 0)
      return this.#compare({
        kind: 'compare',
        operator: negated ? '<>' : '=',
        left: value,
        right: among[0]!,
        at: null,
      });
    return `in(${this.of(value)} ${negated ? 'not ' : ''}${[only, ...more].join(' ')})`;
  }

  /** `x in (select y …)` asks for rows as EXISTS does, where x = y besides. */
  #exists(query: Query, equal: Expression[]): string {
    const inner = this.#within(query);
    if (inner.group !== null && inner.group.length === 0) throw new Unread('one row');
    if (inner.having.size > 0 || query.limit || query.offset) throw new Unread('exists');
    const pairs = equal.map((one, at) => `compare(${[this.of(one), inner.items[at]!.text].sort().join(' = ')})`);
    return `exists{${inner.home.label} where ${[...inner.where.keys(), ...pairs].sort().join(' ')}}`;
  }

  #call(call: Call): string {
    const { name, args, over } = call;
    if (over) throw new Unread('window');
    const [only] = args;
    const rows = name === 'count' && !call.distinct && !call.filter;
    if (rows && (call.star || (only?.kind === 'literal' && only.type !== 'null'))) return 'count(*)';
    return this.#whole({ ...call, schema: null });
  }

  /** The first day of a period is a date in either type. */
  #cast(one: Expression & { kind: 'cast' }): string {
    const { value, type } = one;
    const period = value.kind === 'call' && value.name === 'date_trunc' && constantOf(value.args[0]!) !== 'hour';
    return period && type.name === 'date' ? this.of(value) : this.#whole(one);
  }

  /** Everything of a node, its parts as their texts. */
  #whole(node: object): string {
    const parts = Object.entries(node)
      .filter(([key]) => key !== 'at' && key !== 'bare')
      .map(([key, value]) => `${key}:${this.#part(value)}`);
    return `{${parts.sort().join(',')}}`;
  }

  #part(value: unknown): string {
    if (Array.isArray(value)) return `[${value.map((one) => this.#part(one)).join(',')}]`;
    if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
    if (value === NOTHING) return '_';
    return 'kind' in value ? this.of(value as Expression) : this.#whole(value);
  }
}
const NOTHING: Expression = { kind: 'literal', type: 'null', value: '', at: null };

const alternatives = (one: Expression): Expression[] =>
  one.kind === 'logic' && one.operator === 'or' ? one.args.flatMap(alternatives) : [one];

const numberText = (written: string): string =>
  String(Number(written)).length < 15 ? `number:${Number(written)}` : `number:${written}`;

const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

const wholeMeaning = ({ home, where, group, having, items, select }: Within): string => {
  if (select.limit || select.offset) throw new Unread('limit');
  return JSON.stringify([
    ...[home.label, [...where.keys()].sort(), group?.toSorted() ?? null, [...having.keys()].sort()],
    items.map(({ text }) => text),
  ]);
};
