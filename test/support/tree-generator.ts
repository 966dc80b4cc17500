// Random syntax trees with every node that an engine has, from a seed. They have no meaning, but must be written and
// read back unchanged.
import type {
  Call,
  Cast,
  Expression,
  Frame,
  FromItem,
  Grouping,
  Item,
  Join,
  Like,
  Query,
  Select,
  SortKey,
  Star,
  TypeName,
  Window,
  With,
} from '../../src/dialects/tree.ts';

/** The features of an engine beyond those of all engines. */
export interface TreeProfile {
  joins: readonly { how: Join['how']; natural?: boolean; bare?: boolean }[];
  patterns: readonly Like['how'][];
  operations: readonly string[];
  arithmetic: readonly ('+' | '-' | '*' | '/' | '//' | '%' | '^')[];
  compare: readonly ('=' | '<>' | '<' | '<=' | '>' | '>=' | 'is distinct from' | 'is not distinct from')[];
  /** Functions with at least one argument. */
  scalars: readonly string[];
  aggregates: readonly string[];
  windows: readonly string[];
  bareCalls: readonly string[];
  unitCalls: readonly string[];
  units: readonly string[];
  /** True if the engine has `+ INTERVAL 1 DAY`. */
  interval: boolean;
  types: readonly TypeName[];
  typedLiterals: readonly ('date' | 'time' | 'timestamp')[];
  strings: readonly string[];
  names: readonly string[];
  frames: readonly Frame['unit'][];
  setOperations: readonly ('union' | 'intersect' | 'except')[];
  rollup: 'last' | 'anywhere';
  collations: readonly string[];
  separator: boolean;
  nullsOrder: boolean;
  filter: boolean;
  distinctOn: boolean;
  qualify: boolean;
  lateral: boolean;
  /** True if the reader drops ASC, because it is the default. */
  silentAsc: boolean;
}

const at = null;
const CALL: Call = {
  kind: 'call',
  schema: null,
  name: '',
  args: [],
  star: false,
  distinct: false,
  orderBy: [],
  within: false,
  filter: null,
  over: null,
  nulls: null,
  variadic: false,
  bare: false,
  unit: null,
  separator: null,
  at,
};
const MOMENTS = { date: '2016-02-29', time: '12:30:00', timestamp: '2016-02-29 12:30:00' };

export class TreeGenerator {
  readonly #profile: TreeProfile;
  #state: number;

  constructor(profile: TreeProfile, seed: number) {
    this.#profile = profile;
    this.#state = seed;
  }

  /** A random number from 0 to 1, determined by the seed. */
  #chance(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  #often(share: number): boolean {
    return this.#chance() < share;
  }
  #one<T>(among: readonly T[]): T {
    return among[Math.floor(this.#chance() * among.length)]!;
  }
  #some<T>(least: number, most: number, make: () => T): T[] {
    return Array.from({ length: least + Math.floor(this.#chance() * (most - least + 1)) }, make);
  }
  #maybe<T>(share: number, make: () => T): T | null {
    return this.#often(share) ? make() : null;
  }
  #name(): string {
    return this.#one(this.#profile.names);
  }
  #number(): Expression {
    return { kind: 'literal', type: 'number', value: this.#one(['0', '1', '42', '1.5', '123456789012']), at };
  }

  #count(): Expression {
    return { kind: 'literal', type: 'number', value: this.#one(['0', '1', '42', '123456789012']), at };
  }

  query(depth: number): Query {
    const inner = depth - 1;
    if (depth > 1 && this.#often(0.2)) {
      return {
        kind: 'set',
        operator: this.#one(this.#profile.setOperations),
        all: this.#often(0.4),
        byName: false,
        left: this.query(inner),
        right: this.query(inner),
        ...this.#ends(inner),
      };
    }
    const from = this.#often(0.9) ? this.#some(1, 2, () => this.#from(inner)) : [];
    const select: Select = {
      kind: 'select',
      distinct: this.#maybe(0.15, () => ({
        on: this.#profile.distinctOn ? this.#some(0, 2, () => this.expression(inner)) : [],
      })),
      items: this.#some(1, 3, () => this.#item(inner, from.length > 0)),
      from,
      where: this.#maybe(0.5, () => this.expression(inner)),
      groupBy: this.#maybe(0.25, () => this.#grouping(inner)),
      having: this.#maybe(0.15, () => this.expression(inner)),
      qualify: this.#profile.qualify ? this.#maybe(0.1, () => this.expression(inner)) : null,
      windows:
        from.length > 0 && this.#often(0.1)
          ? this.#some(1, 2, () => ({ name: this.#name(), window: this.#window(inner) }))
          : [],
      ...this.#ends(inner),
    };
    return select;
  }

  #ends(depth: number): Pick<Select, 'with' | 'orderBy' | 'limit' | 'offset' | 'at'> {
    const limit = this.#maybe(0.25, () => this.#count());
    return {
      with: this.#often(0.1) ? this.#with(depth) : null,
      orderBy: this.#often(0.3) ? this.#sortKeys(depth) : [],
      limit,
      offset: limit ? this.#maybe(0.3, () => this.#count()) : null,
      at,
    };
  }

  #with(depth: number): With {
    return {
      recursive: this.#often(0.3),
      entries: this.#some(1, 2, () => ({
        name: this.#name(),
        columns: this.#some(0, 2, () => this.#name()),
        materialized: null,
        query: this.query(depth),
        at,
      })),
    };
  }

  #item(depth: number, mayBeStar: boolean): Item {
    if (!mayBeStar || !this.#often(0.1))
      return { value: this.expression(depth), alias: this.#maybe(0.5, () => this.#name()) };
    const qualifier = this.#often(0.5) ? [this.#name()] : [];
    const star: Star = { kind: 'star', qualifier, exclude: [], replace: [], rename: [], columns: null, at };
    return { value: star, alias: null };
  }

  #sortKeys(depth: number): SortKey[] {
    return this.#some(1, 2, () => ({
      value: this.expression(depth),
      direction: this.#one(this.#profile.silentAsc ? [null, 'desc'] : [null, 'asc', 'desc']),
      nulls: this.#profile.nullsOrder ? this.#one([null, null, 'first', 'last']) : null,
    }));
  }

  #grouping(depth: number): Grouping {
    const keys = this.#some(1, 3, () => this.expression(depth));
    const rolled = this.#often(0.2);
    if (!rolled) return { all: false, distinct: false, keys };
    const rollup = { kind: 'grouping_set', how: 'rollup', keys, at } as const;
    const beside = this.#profile.rollup === 'anywhere' && this.#often(0.5) ? [this.expression(depth)] : [];
    return { all: false, distinct: false, keys: [...beside, rollup] };
  }

  #from(depth: number): FromItem {
    return depth > 0 && this.#often(0.25) ? this.#join(depth) : this.#alone(depth);
  }

  /** A table or a subquery, or sometimes two tables in parentheses. */
  #alone(depth: number): FromItem {
    const alias = this.#name();
    if (depth > 0 && this.#often(0.05)) return this.#join(0);
    if (depth > 1 && this.#often(0.25)) {
      const lateral = this.#profile.lateral && this.#often(0.2);
      return { kind: 'derived', query: this.query(depth - 1), lateral, alias, columns: [], at };
    }
    return {
      kind: 'table',
      catalog: null,
      schema: this.#maybe(0.3, () => this.#name()),
      name: this.#name(),
      alias: this.#maybe(0.6, () => alias),
      columns: [],
      at,
    };
  }

  #join(depth: number): Join {
    const { how, natural = false, bare = natural } = this.#one(this.#profile.joins);
    const by = bare ? 'nothing' : this.#one(['on', 'on', 'using']);
    return {
      kind: 'join',
      how,
      natural,
      left: this.#from(depth - 1),
      right: this.#alone(depth - 1),
      using: by === 'using' ? this.#some(1, 2, () => this.#name()) : [],
      usingAlias: null,
      on: by === 'on' ? this.expression(depth - 1) : null,
      alias: null,
      columns: [],
      at,
    };
  }

  expression(depth: number): Expression {
    if (depth <= 0 || this.#often(0.25)) return this.#leaf();
    const inner = (): Expression => this.expression(depth - 1);
    const negated = this.#often(0.4);
    const { patterns, arithmetic, compare, operations, types, collations, interval, units } = this.#profile;
    const kinds = [
      () => this.#logic(depth),
      () => this.#logic(depth),
      (): Expression => ({ kind: 'compare', operator: this.#one(compare), left: inner(), right: inner(), at }),
      (): Expression => ({ kind: 'arithmetic', operator: this.#one(arithmetic), left: inner(), right: inner(), at }),
      (): Expression => ({ kind: 'arithmetic', operator: '-', left: null, right: this.#signed(depth), at }),
      (): Expression => ({
        kind: 'between',
        value: inner(),
        low: inner(),
        high: inner(),
        negated,
        symmetric: false,
        at,
      }),
      (): Expression => ({
        kind: 'in',
        value: inner(),
        among: [this.#leaf(), ...this.#some(0, 2, inner)],
        negated,
        at,
      }),
      (): Expression => ({ kind: 'is_null', value: inner(), negated, at }),
      (): Expression => ({ kind: 'is_truth', value: inner(), is: this.#one(['true', 'false']), negated, at }),
      () => this.#case(depth),
      () => this.#call(depth),
      () => this.#call(depth),
    ];
    if (patterns.length > 0) {
      const sign = this.#maybe(0.2, (): Expression => ({ kind: 'literal', type: 'string', value: '|', at }));
      const how = this.#one(patterns);
      const takes = how === 'like' || how === 'ilike';
      kinds.push(() => ({
        kind: 'like',
        how,
        value: inner(),
        pattern: inner(),
        escape: takes ? sign : null,
        negated,
        at,
      }));
    }
    if (operations.length > 0)
      kinds.push(() => ({ kind: 'operation', operator: this.#one(operations), left: inner(), right: inner(), at }));
    if (interval)
      kinds.push(() => {
        const step: Expression = { kind: 'interval', amount: this.#number(), unit: this.#one(units), at };
        return { kind: 'arithmetic', operator: this.#one(['+', '-']), left: inner(), right: step, at };
      });
    if (types.length > 0)
      kinds.push((): Cast => ({ kind: 'cast', value: inner(), type: this.#one(types), safe: false, at }));
    if (collations.length > 0)
      kinds.push(() => ({ kind: 'collate', value: inner(), collation: this.#one(collations), at }));
    if (depth > 1) {
      const query = (): Query => this.query(depth - 2);
      kinds.push(
        () => ({ kind: 'scalar', query: query(), at }),
        () => ({ kind: 'exists', query: query(), negated: false, at }),
        () => ({ kind: 'in', value: inner(), among: query(), negated, at }),
      );
    }
    return this.#one(kinds)();
  }

  /** A sign never precedes a bare number, because some parsers combine them. */
  #signed(depth: number): Expression {
    const value = this.expression(depth - 1);
    return value.kind === 'literal' ? { kind: 'column', path: [this.#name()], at } : value;
  }

  /** An operand of AND is never an AND, because parsers flatten them. */
  #logic(depth: number): Expression {
    const operator = this.#one(['and', 'or', 'not'] as const);
    const operand = (): Expression => {
      const found = this.expression(depth - 1);
      return found.kind === 'logic' && found.operator === operator ? this.#leaf() : found;
    };
    return { kind: 'logic', operator, args: operator === 'not' ? [operand()] : this.#some(2, 3, operand), at };
  }

  #case(depth: number): Expression {
    const inner = (): Expression => this.expression(depth - 1);
    return {
      kind: 'case',
      operand: this.#maybe(0.4, inner),
      whens: this.#some(1, 2, () => ({ when: inner(), result: inner() })),
      otherwise: this.#maybe(0.5, inner),
      at,
    };
  }

  #call(depth: number): Expression {
    const { scalars, aggregates, windows, unitCalls, units, bareCalls, separator } = this.#profile;
    const inner = (): Expression => this.expression(depth - 1);
    const over = (): Window => this.#window(depth - 1, true);
    const kinds: (() => Call)[] = [
      () => ({ ...CALL, name: this.#one(scalars), args: this.#some(1, 3, inner) }),
      () => ({ ...CALL, name: 'count', star: true, over: this.#maybe(0.2, over) }),
      () => ({
        ...CALL,
        name: this.#one(aggregates),
        args: [inner()],
        distinct: this.#often(0.3),
        filter: this.#profile.filter ? this.#maybe(0.2, inner) : null,
      }),
      () => ({ ...CALL, name: this.#one(aggregates), args: [inner()], over: this.#maybe(0.4, over) }),
      () => ({ ...CALL, name: this.#one(windows), over: over() }),
    ];
    if (bareCalls.length > 0) kinds.push(() => ({ ...CALL, name: this.#one(bareCalls), bare: true }));
    if (unitCalls.length > 0)
      kinds.push(() => {
        const name = this.#one(unitCalls);
        const args = name === 'extract' ? [inner()] : [inner(), inner()];
        return { ...CALL, name, unit: this.#one(units), args };
      });
    if (separator)
      kinds.push(() => ({
        ...CALL,
        name: 'group_concat',
        args: [inner()],
        distinct: this.#often(0.5),
        orderBy: this.#often(0.5) ? this.#sortKeys(depth - 1) : [],
        separator: this.#maybe(0.5, () => this.#one(this.#profile.strings)),
      }));
    return this.#one(kinds)();
  }

  #window(depth: number, mayBeNamed = false): Window {
    if (mayBeNamed && this.#often(0.2)) {
      return { base: this.#name(), named: true, partitionBy: [], orderBy: [], frame: null };
    }
    return {
      base: null,
      named: false,
      partitionBy: this.#often(0.5) ? this.#some(1, 2, () => this.expression(depth)) : [],
      orderBy: this.#often(0.7) ? this.#sortKeys(depth) : [],
      frame: this.#maybe(0.4, () => this.#frame()),
    };
  }

  #frame(): Frame {
    const before = this.#one([
      { how: 'unbounded preceding' as const, by: null },
      { how: 'preceding' as const, by: this.#number() },
      { how: 'current row' as const, by: null },
    ]);
    const after = this.#one([
      { how: 'current row' as const, by: null },
      { how: 'following' as const, by: this.#number() },
      { how: 'unbounded following' as const, by: null },
    ]);
    return { unit: this.#one(this.#profile.frames), start: before, end: after, exclude: null };
  }

  #leaf(): Expression {
    const { strings, typedLiterals } = this.#profile;
    const kinds: (() => Expression)[] = [
      () => this.#number(),
      () => ({ kind: 'literal', type: 'string', value: this.#one(strings), at }),
      () => ({ kind: 'column', path: this.#some(1, 2, () => this.#name()), at }),
      () => ({ kind: 'column', path: [this.#name()], at }),
      () =>
        this.#one<Expression>([
          { kind: 'literal', type: 'boolean', value: 'true', at },
          { kind: 'literal', type: 'boolean', value: 'false', at },
          { kind: 'literal', type: 'null', value: '', at },
        ]),
    ];
    if (typedLiterals.length > 0)
      kinds.push(() => {
        const type = this.#one(typedLiterals);
        return { kind: 'literal', type, value: MOMENTS[type], at };
      });
    return this.#one(kinds)();
  }
}
