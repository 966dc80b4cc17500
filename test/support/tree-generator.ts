// Random syntax trees with every node that an engine has, from a seed. They have no meaning, but must be written and
// read back unchanged.
import type {
  Call,
  Cast,
  Expression,
  Frame,
  FromItem,
  Grouping,
  Join,
  Like,
  Query,
  Select,
  SelectItem,
  SortKey,
  Star,
  TypeName,
  Window,
  WithClause,
} from '../../src/dialects/tree.ts';
import { SeededChoices } from './seeded.ts';

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

export class TreeGenerator extends SeededChoices {
  readonly #profile: TreeProfile;

  constructor(profile: TreeProfile, seed: number) {
    super(seed);
    this.#profile = profile;
  }

  #makeSometimes<T>(share: number, make: () => T): T | null {
    return this.chance(share) ? make() : null;
  }
  #name(): string {
    return this.pick(this.#profile.names);
  }
  #number(): Expression {
    return { kind: 'literal', type: 'number', value: this.pick(['0', '1', '42', '1.5', '123456789012']), at };
  }

  #count(): Expression {
    return { kind: 'literal', type: 'number', value: this.pick(['0', '1', '42', '123456789012']), at };
  }

  query(depth: number): Query {
    const innerDepth = depth - 1;
    if (depth > 1 && this.chance(0.2)) {
      return {
        kind: 'set',
        operator: this.pick(this.#profile.setOperations),
        all: this.chance(0.4),
        byName: false,
        left: this.query(innerDepth),
        right: this.query(innerDepth),
        ...this.#ends(innerDepth),
      };
    }
    const from = this.chance(0.9) ? this.some(1, 2, () => this.#from(innerDepth)) : [];
    const select: Select = {
      kind: 'select',
      distinct: this.#makeSometimes(0.15, () => ({
        on: this.#profile.distinctOn ? this.some(0, 2, () => this.expression(innerDepth)) : [],
      })),
      items: this.some(1, 3, () => this.#item(innerDepth, from.length > 0)),
      from,
      where: this.#makeSometimes(0.5, () => this.expression(innerDepth)),
      groupBy: this.#makeSometimes(0.25, () => this.#grouping(innerDepth)),
      having: this.#makeSometimes(0.15, () => this.expression(innerDepth)),
      qualify: this.#profile.qualify ? this.#makeSometimes(0.1, () => this.expression(innerDepth)) : null,
      windows:
        from.length > 0 && this.chance(0.1)
          ? this.some(1, 2, () => ({ name: this.#name(), window: this.#window(innerDepth) }))
          : [],
      ...this.#ends(innerDepth),
    };
    return select;
  }

  #ends(depth: number): Pick<Select, 'with' | 'orderBy' | 'limit' | 'offset' | 'at'> {
    const limit = this.#makeSometimes(0.25, () => this.#count());
    return {
      with: this.chance(0.1) ? this.#with(depth) : null,
      orderBy: this.chance(0.3) ? this.#sortKeys(depth) : [],
      limit,
      offset: limit ? this.#makeSometimes(0.3, () => this.#count()) : null,
      at,
    };
  }

  #with(depth: number): WithClause {
    return {
      recursive: this.chance(0.3),
      entries: this.some(1, 2, () => ({
        name: this.#name(),
        columns: this.some(0, 2, () => this.#name()),
        materialized: null,
        query: this.query(depth),
        at,
      })),
    };
  }

  #item(depth: number, mayBeStar: boolean): SelectItem {
    if (!mayBeStar || !this.chance(0.1))
      return { value: this.expression(depth), alias: this.#makeSometimes(0.5, () => this.#name()) };
    const qualifier = this.chance(0.5) ? [this.#name()] : [];
    const star: Star = { kind: 'star', qualifier, exclude: [], replace: [], rename: [], columns: null, at };
    return { value: star, alias: null };
  }

  #sortKeys(depth: number): SortKey[] {
    return this.some(1, 2, () => ({
      value: this.expression(depth),
      direction: this.pick(this.#profile.silentAsc ? [null, 'desc'] : [null, 'asc', 'desc']),
      nulls: this.#profile.nullsOrder ? this.pick([null, null, 'first', 'last']) : null,
    }));
  }

  #grouping(depth: number): Grouping {
    const keys = this.some(1, 3, () => this.expression(depth));
    const rolled = this.chance(0.2);
    if (!rolled) return { all: false, distinct: false, keys };
    const rollup = { kind: 'grouping_set', how: 'rollup', keys, at } as const;
    const extraKeys = this.#profile.rollup === 'anywhere' && this.chance(0.5) ? [this.expression(depth)] : [];
    return { all: false, distinct: false, keys: [...extraKeys, rollup] };
  }

  #from(depth: number): FromItem {
    return depth > 0 && this.chance(0.25) ? this.#join(depth) : this.#alone(depth);
  }

  /** A table or a subquery, or sometimes two tables in parentheses. */
  #alone(depth: number): FromItem {
    const alias = this.#name();
    if (depth > 0 && this.chance(0.05)) return this.#join(0);
    if (depth > 1 && this.chance(0.25)) {
      const lateral = this.#profile.lateral && this.chance(0.2);
      return { kind: 'derived', query: this.query(depth - 1), lateral, alias, columns: [], at };
    }
    return {
      kind: 'table',
      catalog: null,
      schema: this.#makeSometimes(0.3, () => this.#name()),
      name: this.#name(),
      alias: this.#makeSometimes(0.6, () => alias),
      columns: [],
      at,
    };
  }

  #join(depth: number): Join {
    const { how, natural = false, bare = natural } = this.pick(this.#profile.joins);
    const by = bare ? 'nothing' : this.pick(['on', 'on', 'using']);
    return {
      kind: 'join',
      how,
      natural,
      left: this.#from(depth - 1),
      right: this.#alone(depth - 1),
      using: by === 'using' ? this.some(1, 2, () => this.#name()) : [],
      usingAlias: null,
      on: by === 'on' ? this.expression(depth - 1) : null,
      alias: null,
      columns: [],
      at,
    };
  }

  expression(depth: number): Expression {
    if (depth <= 0 || this.chance(0.25)) return this.#leaf();
    const inner = (): Expression => this.expression(depth - 1);
    const negated = this.chance(0.4);
    const { patterns, arithmetic, compare, operations, types, collations, interval, units } = this.#profile;
    const kinds = [
      () => this.#logic(depth),
      () => this.#logic(depth),
      (): Expression => ({ kind: 'compare', operator: this.pick(compare), left: inner(), right: inner(), at }),
      (): Expression => ({ kind: 'arithmetic', operator: this.pick(arithmetic), left: inner(), right: inner(), at }),
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
        among: [this.#leaf(), ...this.some(0, 2, inner)],
        negated,
        at,
      }),
      (): Expression => ({ kind: 'is_null', value: inner(), negated, at }),
      (): Expression => ({ kind: 'is_truth', value: inner(), is: this.pick(['true', 'false']), negated, at }),
      () => this.#case(depth),
      () => this.#call(depth),
      () => this.#call(depth),
    ];
    if (patterns.length > 0) {
      const sign = this.#makeSometimes(0.2, (): Expression => ({ kind: 'literal', type: 'string', value: '|', at }));
      const patternKind = this.pick(patterns);
      const takes = patternKind === 'like' || patternKind === 'ilike';
      kinds.push(() => ({
        kind: 'like',
        how: patternKind,
        value: inner(),
        pattern: inner(),
        escape: takes ? sign : null,
        negated,
        at,
      }));
    }
    if (operations.length > 0)
      kinds.push(() => ({ kind: 'operation', operator: this.pick(operations), left: inner(), right: inner(), at }));
    if (interval)
      kinds.push(() => {
        const step: Expression = { kind: 'interval', amount: this.#number(), unit: this.pick(units), at };
        return { kind: 'arithmetic', operator: this.pick(['+', '-']), left: inner(), right: step, at };
      });
    if (types.length > 0)
      kinds.push((): Cast => ({ kind: 'cast', value: inner(), type: this.pick(types), safe: false, at }));
    if (collations.length > 0)
      kinds.push(() => ({ kind: 'collate', value: inner(), collation: this.pick(collations), at }));
    if (depth > 1) {
      const query = (): Query => this.query(depth - 2);
      kinds.push(
        () => ({ kind: 'scalar', query: query(), at }),
        () => ({ kind: 'exists', query: query(), negated: false, at }),
        () => ({ kind: 'in', value: inner(), among: query(), negated, at }),
      );
    }
    return this.pick(kinds)();
  }

  /** A sign never precedes a bare number, because some parsers combine them. */
  #signed(depth: number): Expression {
    const value = this.expression(depth - 1);
    return value.kind === 'literal' ? { kind: 'column', path: [this.#name()], at } : value;
  }

  /** An operand of AND is never an AND, because parsers flatten them. */
  #logic(depth: number): Expression {
    const operator = this.pick(['and', 'or', 'not'] as const);
    const operand = (): Expression => {
      const found = this.expression(depth - 1);
      return found.kind === 'logic' && found.operator === operator ? this.#leaf() : found;
    };
    return { kind: 'logic', operator, args: operator === 'not' ? [operand()] : this.some(2, 3, operand), at };
  }

  #case(depth: number): Expression {
    const inner = (): Expression => this.expression(depth - 1);
    return {
      kind: 'case',
      operand: this.#makeSometimes(0.4, inner),
      whens: this.some(1, 2, () => ({ when: inner(), result: inner() })),
      otherwise: this.#makeSometimes(0.5, inner),
      at,
    };
  }

  #call(depth: number): Expression {
    const { scalars, aggregates, windows, unitCalls, units, bareCalls, separator } = this.#profile;
    const inner = (): Expression => this.expression(depth - 1);
    const windowOf = (): Window => this.#window(depth - 1, true);
    const kinds: (() => Call)[] = [
      () => ({ ...CALL, name: this.pick(scalars), args: this.some(1, 3, inner) }),
      () => ({ ...CALL, name: 'count', star: true, over: this.#makeSometimes(0.2, windowOf) }),
      () => ({
        ...CALL,
        name: this.pick(aggregates),
        args: [inner()],
        distinct: this.chance(0.3),
        filter: this.#profile.filter ? this.#makeSometimes(0.2, inner) : null,
      }),
      () => ({ ...CALL, name: this.pick(aggregates), args: [inner()], over: this.#makeSometimes(0.4, windowOf) }),
      () => ({ ...CALL, name: this.pick(windows), over: windowOf() }),
    ];
    if (bareCalls.length > 0) kinds.push(() => ({ ...CALL, name: this.pick(bareCalls), bare: true }));
    if (unitCalls.length > 0)
      kinds.push(() => {
        const name = this.pick(unitCalls);
        const args = name === 'extract' ? [inner()] : [inner(), inner()];
        return { ...CALL, name, unit: this.pick(units), args };
      });
    if (separator)
      kinds.push(() => ({
        ...CALL,
        name: 'group_concat',
        args: [inner()],
        distinct: this.chance(0.5),
        orderBy: this.chance(0.5) ? this.#sortKeys(depth - 1) : [],
        separator: this.#makeSometimes(0.5, () => this.pick(this.#profile.strings)),
      }));
    return this.pick(kinds)();
  }

  #window(depth: number, mayBeNamed = false): Window {
    if (mayBeNamed && this.chance(0.2)) {
      return { base: this.#name(), named: true, partitionBy: [], orderBy: [], frame: null };
    }
    return {
      base: null,
      named: false,
      partitionBy: this.chance(0.5) ? this.some(1, 2, () => this.expression(depth)) : [],
      orderBy: this.chance(0.7) ? this.#sortKeys(depth) : [],
      frame: this.#makeSometimes(0.4, () => this.#frame()),
    };
  }

  #frame(): Frame {
    const before = this.pick([
      { how: 'unbounded preceding' as const, by: null },
      { how: 'preceding' as const, by: this.#number() },
      { how: 'current row' as const, by: null },
    ]);
    const after = this.pick([
      { how: 'current row' as const, by: null },
      { how: 'following' as const, by: this.#number() },
      { how: 'unbounded following' as const, by: null },
    ]);
    return { unit: this.pick(this.#profile.frames), start: before, end: after, exclude: null };
  }

  #leaf(): Expression {
    const { strings, typedLiterals } = this.#profile;
    const kinds: (() => Expression)[] = [
      () => this.#number(),
      () => ({ kind: 'literal', type: 'string', value: this.pick(strings), at }),
      () => ({ kind: 'column', path: this.some(1, 2, () => this.#name()), at }),
      () => ({ kind: 'column', path: [this.#name()], at }),
      () =>
        this.pick<Expression>([
          { kind: 'literal', type: 'boolean', value: 'true', at },
          { kind: 'literal', type: 'boolean', value: 'false', at },
          { kind: 'literal', type: 'null', value: '', at },
        ]),
    ];
    if (typedLiterals.length > 0)
      kinds.push(() => {
        const type = this.pick(typedLiterals);
        return { kind: 'literal', type, value: MOMENTS[type], at };
      });
    return this.pick(kinds)();
  }
}
