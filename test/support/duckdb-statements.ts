// Random DuckDB statements from a seed, with necessary and unnecessary parentheses. They have no meaning, but DuckDB
// parses them.

const words = (text: string): string[] => text.trim().split(/\s+/);
const NAMES = [...words('a b c t u region "Order" sales year filter "select" value'), '"two words"'];
const SCALARS = words(
  'lower abs round coalesce list_value struct_extract date_trunc main.date_part nullif "left" concat',
);
const AGGREGATES = words('sum avg count min string_agg quantile_cont list');
const WINDOWS = words('row_number rank first_value lag sum main.max');
const BINARY = words(
  '+ - * / // % ^ ** || & | << >> ^@ -> ->> && @> <@ <-> = <> != < <= > >= and or and or like ilike glob',
);
const ARITHMETIC = words('+ - * / % ^');
const TYPES = [
  'int',
  'varchar[]',
  'decimal(5, 2)',
  'struct(a int, "B" date)',
  'map(text, int[])',
  'timestamptz',
  'date',
];
const JOINS = ['join', 'left join', 'full outer join', 'semi join', 'anti join', 'asof join', 'right join'];
const CONSTANTS = [
  '0',
  '42',
  '-5',
  '1.50',
  '.5',
  '01.2',
  '1e3',
  "'it''s'",
  "''",
  'null',
  'true',
  'false',
  "date '2020-01-01'",
];
const MORE_CONSTANTS = [
  '9223372036854775808',
  "interval '1' month",
  'interval 3 day',
  '$1',
  'current_date',
  "e'\\n'",
  '-0.0',
];

export class DuckdbStatements {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

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
  #list(least: number, most: number, make: () => string): string {
    return Array.from({ length: least + Math.floor(this.#chance() * (most - least + 1)) }, make).join(', ');
  }
  #maybe(share: number, make: () => string): string {
    return this.#often(share) ? ` ${make()}` : '';
  }
  #name(): string {
    return this.#one(NAMES);
  }

  query(depth: number): string {
    const from = this.#often(0.15) ? this.#with(depth) : '';
    const ends = `${this.#maybe(0.3, () => `order by ${this.#keys(depth)}`)}${this.#maybe(0.3, () => this.#limit(depth))}`;
    if (depth > 1 && this.#often(0.2)) {
      const arm = (): string => (this.#often(0.4) ? `(${this.query(depth - 1)})` : this.#select(depth - 1));
      const word = (): string =>
        this.#one(words('union union_all union_all except intersect union_by_name union_all_by_name'));
      const more = (): string => `${word().replaceAll('_', ' ')} ${arm()}`;
      return `${from}${arm()} ${more()}${this.#maybe(0.5, more)}${this.#maybe(0.3, more)}${ends}`;
    }
    if (this.#often(0.05))
      return `${from}values (${this.#expression(depth - 1)}, 1), (2, ${this.#expression(depth - 1)})${ends}`;
    return `${from}${this.#select(depth)}${ends}`;
  }

  #select(depth: number): string {
    const e = (): string => this.#expression(depth - 1);
    const distinct = this.#maybe(0.15, () => (this.#often(0.3) ? `distinct on (${this.#list(1, 2, e)})` : 'distinct'));
    const item = (): string => {
      if (this.#often(0.1)) return this.#one(['*', 't.*', '* exclude (a)', '* replace (a + 1 as a)', 'columns(*)']);
      return `${e()}${this.#maybe(0.4, () => `as ${this.#name()}`)}`;
    };
    const groups = (): string =>
      this.#one([
        () => 'all',
        () => this.#list(1, 3, e),
        () => this.#list(1, 3, e),
        () => `rollup (${this.#list(1, 2, e)})`,
        () => `grouping sets ((${this.#list(1, 2, e)}), ${e()}, ())`,
        () => `${e()}, cube (${this.#name()}, ${this.#name()})`,
      ])();
    const from = this.#maybe(0.9, () => `from ${this.#list(1, 2, () => this.#from(depth))}`);
    const where = `${this.#maybe(0.5, () => `where ${e()}`)}${this.#maybe(0.3, () => `group by ${groups()}`)}`;
    const after = `${this.#maybe(0.15, () => `having ${e()}`)}${this.#maybe(0.1, () => `qualify ${e()}`)}`;
    return `select${distinct} ${this.#list(1, 3, item)}${from}${where}${after}`;
  }

  #limit(depth: number): string {
    return this.#one([
      'limit 3',
      'limit 10 offset 2',
      'offset 1',
      'limit all',
      `limit (${this.#expression(depth - 2)})`,
    ]);
  }

  #with(depth: number): string {
    if (this.#often(0.3)) {
      const arms = `${this.#select(depth - 1)} ${this.#one(['union', 'union all'])} ${this.#select(depth - 1)}`;
      return `with recursive r${this.#maybe(0.5, () => '(n)')} as (${arms}) `;
    }
    const how = this.#one(['', 'materialized ', 'not materialized ']);
    return `with c1${this.#maybe(0.3, () => '(x, y)')} as ${how}(${this.query(depth - 1)}), "C 2" as (select 1) `;
  }

  #from(depth: number): string {
    const alias = this.#maybe(0.6, () => `as ${this.#name()}`);
    if (depth > 1 && this.#often(0.3)) {
      const join = this.#one(JOINS);
      const by = this.#one(['on', 'on', 'using']);
      const condition =
        by === 'on' ? `on ${this.#expression(depth - 1)}` : `using (${this.#list(1, 2, () => this.#name())})`;
      const side = (): string => {
        const item = this.#from(depth - 1);
        return / (?:on|using|join) /.test(item) && this.#often(0.5) ? `(${item})` : item;
      };
      return `${side()} ${join} ${side()} ${condition}`;
    }
    if (depth > 1 && this.#often(0.1))
      return `${this.#from(depth - 1)} ${this.#one(['cross', 'natural'])} join ${this.#name()}`;
    if (depth > 1 && this.#often(0.3))
      return `(${this.query(depth - 1)})${alias}${alias && this.#maybe(0.3, () => '(x, y)')}`;
    if (this.#often(0.1)) return `range(3)${this.#maybe(0.3, () => 'with ordinality')}${alias}`;
    return `${this.#maybe(0.2, () => 'main.').trim()}${this.#name()}${alias}`;
  }

  #keys(depth: number): string {
    if (this.#often(0.05)) return 'all';
    const key = (): string =>
      `${this.#expression(depth - 1)}${this.#one(['', ' asc', ' desc'])}${this.#one(['', ' nulls first', ' nulls last'])}`;
    return this.#list(1, 2, key);
  }

  #expression(depth: number): string {
    const text = this.#unbracketed(depth);
    return this.#often(0.45) ? `(${text})` : text;
  }

  #unbracketed(depth: number): string {
    if (depth <= 0 || this.#often(0.15)) return this.#leaf();
    const e = (): string => this.#expression(depth - 1);
    const not = this.#one(['', 'not ']);
    return this.#one([
      () => `${e()} ${this.#one(ARITHMETIC)} ${e()}`,
      () => `${e()} ${this.#one(ARITHMETIC)} ${e()} ${this.#one(ARITHMETIC)} ${e()}`,
      () => `${e()} ${this.#one(['and', 'or'])} ${e()} ${this.#one(['and', 'or'])} ${e()}`,
      () => `${e()} ${this.#one(BINARY)} ${e()}`,
      () => `${e()} ${this.#one(BINARY)} ${e()}`,
      () => `${e()} ${this.#one(BINARY)} ${e()} ${this.#one(BINARY)} ${e()}`,
      () => `${this.#one(['not ', '-', '- ', '+', '~', '@'])}${e()}`,
      () => `${e()} ${not}between ${e()} and ${e()}`,
      () => `${e()} ${not}in (${this.#list(1, 3, e)})`,
      () => `${e()} ${not}in (${this.query(depth - 1)})`,
      () => `${e()} ${this.#one(['=', '>', '<='])} ${this.#one(['any', 'all'])} (${this.query(depth - 1)})`,
      () => `${e()} is ${not}${this.#one(['null', 'true', 'false', 'unknown', 'distinct from 3'])}`,
      () => `${e()} ${not}${this.#one(['like', 'ilike'])} ${e()} escape '!'`,
      () => `${not}exists (${this.query(depth - 1)})`,
      () => `(${this.query(depth - 1)})`,
      () => `case${this.#maybe(0.3, e)} when ${e()} then ${e()}${this.#maybe(0.5, () => `else ${e()}`)} end`,
      () =>
        this.#one([`cast(${e()} as ${this.#one(TYPES)})`, `try_cast(${e()} as int)`, `(${e()})::${this.#one(TYPES)}`]),
      () => this.#call(depth),
      () => this.#call(depth),
      () =>
        this.#one([
          `[${this.#list(0, 3, e)}]`,
          `{'k': ${e()}, 'l m': ${e()}}`,
          `row(${this.#list(1, 2, e)})`,
          `(${e()}, ${e()})`,
        ]),
      () => `(${e()})[${this.#one([e(), `${this.#leaf()}:${this.#leaf()}`, `:${this.#leaf()}`, '1:-:2'])}]`,
      () => `(${e()}).${this.#one(['a', '"B c"'])}`,
      () => `${e()} collate nocase`,
      () => `${e()} at time zone 'UTC'`,
      () => `list_transform(${e()}, ${this.#one(['x ->', 'lambda x:'])} ${e()})`,
      () => `extract(${this.#one(['year', 'month'])} from ${e()})`,
    ])();
  }

  #call(depth: number): string {
    const e = (): string => this.#expression(depth - 1);
    const order = (): string => `order by ${e()}`;
    const frame = (): string =>
      `${this.#one(['rows', 'range', 'groups'])} between ${this.#one(['unbounded preceding', '2 preceding', 'current row'])} and ${this.#one(['current row', '1 following', 'unbounded following'])}${this.#one(['', '', ' exclude ties'])}`;
    const over = (): string =>
      `over (${[this.#often(0.5) ? `partition by ${e()}` : '', this.#often(0.5) ? order() : '', this.#often(0.3) ? frame() : ''].filter(Boolean).join(' ')})`;
    return this.#one([
      () => `${this.#one(SCALARS)}(${this.#list(1, 3, e)})`,
      () =>
        `${this.#one(AGGREGATES)}(${this.#maybe(0.3, () => 'distinct')} ${e()}${this.#maybe(0.2, order)})${this.#maybe(0.2, () => `filter (where ${e()})`)}`,
      () => `${this.#one(WINDOWS)}(${this.#often(0.7) ? e() : ''}) ${over()}`,
      () => `count(*)${this.#maybe(0.3, over)}`,
      () => `percentile_cont(0.5) within group (${order()})`,
    ])();
  }

  #leaf(): string {
    return this.#one([
      () => this.#name(),
      () => this.#name(),
      () => `t.${this.#name()}`,
      () => this.#one(CONSTANTS),
      () => this.#one(MORE_CONSTANTS),
    ])();
  }
}
