// Random DuckDB statements from a seed, with necessary and unnecessary parentheses. They have no meaning, but DuckDB
// parses them.
import { SeededChoices } from './seeded.ts';

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

export class DuckdbStatements extends SeededChoices {
  #list(minCount: number, maxCount: number, make: () => string): string {
    return this.some(minCount, maxCount, make).join(', ');
  }
  #makeSometimes(share: number, make: () => string): string {
    return this.chance(share) ? ` ${make()}` : '';
  }
  #name(): string {
    return this.pick(NAMES);
  }

  query(depth: number): string {
    const from = this.chance(0.15) ? this.#with(depth) : '';
    const ends = `${this.#makeSometimes(0.3, () => `order by ${this.#keys(depth)}`)}${this.#makeSometimes(0.3, () => this.#limit(depth))}`;
    if (depth > 1 && this.chance(0.2)) {
      const arm = (): string => (this.chance(0.4) ? `(${this.query(depth - 1)})` : this.#select(depth - 1));
      const word = (): string =>
        this.pick(words('union union_all union_all except intersect union_by_name union_all_by_name'));
      const setOperation = (): string => `${word().replaceAll('_', ' ')} ${arm()}`;
      return `${from}${arm()} ${setOperation()}${this.#makeSometimes(0.5, setOperation)}${this.#makeSometimes(0.3, setOperation)}${ends}`;
    }
    if (this.chance(0.05))
      return `${from}values (${this.#expression(depth - 1)}, 1), (2, ${this.#expression(depth - 1)})${ends}`;
    return `${from}${this.#select(depth)}${ends}`;
  }

  #select(depth: number): string {
    const e = (): string => this.#expression(depth - 1);
    const distinct = this.#makeSometimes(0.15, () =>
      this.chance(0.3) ? `distinct on (${this.#list(1, 2, e)})` : 'distinct',
    );
    const item = (): string => {
      if (this.chance(0.1)) return this.pick(['*', 't.*', '* exclude (a)', '* replace (a + 1 as a)', 'columns(*)']);
      return `${e()}${this.#makeSometimes(0.4, () => `as ${this.#name()}`)}`;
    };
    const groups = (): string =>
      this.pick([
        () => 'all',
        () => this.#list(1, 3, e),
        () => this.#list(1, 3, e),
        () => `rollup (${this.#list(1, 2, e)})`,
        () => `grouping sets ((${this.#list(1, 2, e)}), ${e()}, ())`,
        () => `${e()}, cube (${this.#name()}, ${this.#name()})`,
      ])();
    const from = this.#makeSometimes(0.9, () => `from ${this.#list(1, 2, () => this.#from(depth))}`);
    const where = `${this.#makeSometimes(0.5, () => `where ${e()}`)}${this.#makeSometimes(0.3, () => `group by ${groups()}`)}`;
    const after = `${this.#makeSometimes(0.15, () => `having ${e()}`)}${this.#makeSometimes(0.1, () => `qualify ${e()}`)}`;
    return `select${distinct} ${this.#list(1, 3, item)}${from}${where}${after}`;
  }

  #limit(depth: number): string {
    return this.pick([
      'limit 3',
      'limit 10 offset 2',
      'offset 1',
      'limit all',
      `limit (${this.#expression(depth - 2)})`,
    ]);
  }

  #with(depth: number): string {
    if (this.chance(0.3)) {
      const arms = `${this.#select(depth - 1)} ${this.pick(['union', 'union all'])} ${this.#select(depth - 1)}`;
      return `with recursive r${this.#makeSometimes(0.5, () => '(n)')} as (${arms}) `;
    }
    const how = this.pick(['', 'materialized ', 'not materialized ']);
    return `with c1${this.#makeSometimes(0.3, () => '(x, y)')} as ${how}(${this.query(depth - 1)}), "C 2" as (select 1) `;
  }

  #from(depth: number): string {
    const alias = this.#makeSometimes(0.6, () => `as ${this.#name()}`);
    if (depth > 1 && this.chance(0.3)) {
      const join = this.pick(JOINS);
      const by = this.pick(['on', 'on', 'using']);
      const condition =
        by === 'on' ? `on ${this.#expression(depth - 1)}` : `using (${this.#list(1, 2, () => this.#name())})`;
      const side = (): string => {
        const item = this.#from(depth - 1);
        return / (?:on|using|join) /.test(item) && this.chance(0.5) ? `(${item})` : item;
      };
      return `${side()} ${join} ${side()} ${condition}`;
    }
    if (depth > 1 && this.chance(0.1))
      return `${this.#from(depth - 1)} ${this.pick(['cross', 'natural'])} join ${this.#name()}`;
    if (depth > 1 && this.chance(0.3))
      return `(${this.query(depth - 1)})${alias}${alias && this.#makeSometimes(0.3, () => '(x, y)')}`;
    if (this.chance(0.1)) return `range(3)${this.#makeSometimes(0.3, () => 'with ordinality')}${alias}`;
    return `${this.#makeSometimes(0.2, () => 'main.').trim()}${this.#name()}${alias}`;
  }

  #keys(depth: number): string {
    if (this.chance(0.05)) return 'all';
    const key = (): string =>
      `${this.#expression(depth - 1)}${this.pick(['', ' asc', ' desc'])}${this.pick(['', ' nulls first', ' nulls last'])}`;
    return this.#list(1, 2, key);
  }

  #expression(depth: number): string {
    const text = this.#unbracketed(depth);
    return this.chance(0.45) ? `(${text})` : text;
  }

  #unbracketed(depth: number): string {
    if (depth <= 0 || this.chance(0.15)) return this.#leaf();
    const e = (): string => this.#expression(depth - 1);
    const not = this.pick(['', 'not ']);
    return this.pick([
      () => `${e()} ${this.pick(ARITHMETIC)} ${e()}`,
      () => `${e()} ${this.pick(ARITHMETIC)} ${e()} ${this.pick(ARITHMETIC)} ${e()}`,
      () => `${e()} ${this.pick(['and', 'or'])} ${e()} ${this.pick(['and', 'or'])} ${e()}`,
      () => `${e()} ${this.pick(BINARY)} ${e()}`,
      () => `${e()} ${this.pick(BINARY)} ${e()}`,
      () => `${e()} ${this.pick(BINARY)} ${e()} ${this.pick(BINARY)} ${e()}`,
      () => `${this.pick(['not ', '-', '- ', '+', '~', '@'])}${e()}`,
      () => `${e()} ${not}between ${e()} and ${e()}`,
      () => `${e()} ${not}in (${this.#list(1, 3, e)})`,
      () => `${e()} ${not}in (${this.query(depth - 1)})`,
      () => `${e()} ${this.pick(['=', '>', '<='])} ${this.pick(['any', 'all'])} (${this.query(depth - 1)})`,
      () => `${e()} is ${not}${this.pick(['null', 'true', 'false', 'unknown', 'distinct from 3'])}`,
      () => `${e()} ${not}${this.pick(['like', 'ilike'])} ${e()} escape '!'`,
      () => `${not}exists (${this.query(depth - 1)})`,
      () => `(${this.query(depth - 1)})`,
      () =>
        `case${this.#makeSometimes(0.3, e)} when ${e()} then ${e()}${this.#makeSometimes(0.5, () => `else ${e()}`)} end`,
      () =>
        this.pick([`cast(${e()} as ${this.pick(TYPES)})`, `try_cast(${e()} as int)`, `(${e()})::${this.pick(TYPES)}`]),
      () => this.#call(depth),
      () => this.#call(depth),
      () =>
        this.pick([
          `[${this.#list(0, 3, e)}]`,
          `{'k': ${e()}, 'l m': ${e()}}`,
          `row(${this.#list(1, 2, e)})`,
          `(${e()}, ${e()})`,
        ]),
      () => `(${e()})[${this.pick([e(), `${this.#leaf()}:${this.#leaf()}`, `:${this.#leaf()}`, '1:-:2'])}]`,
      () => `(${e()}).${this.pick(['a', '"B c"'])}`,
      () => `${e()} collate nocase`,
      () => `${e()} at time zone 'UTC'`,
      () => `list_transform(${e()}, ${this.pick(['x ->', 'lambda x:'])} ${e()})`,
      () => `extract(${this.pick(['year', 'month'])} from ${e()})`,
    ])();
  }

  #call(depth: number): string {
    const e = (): string => this.#expression(depth - 1);
    const order = (): string => `order by ${e()}`;
    const frame = (): string =>
      `${this.pick(['rows', 'range', 'groups'])} between ${this.pick(['unbounded preceding', '2 preceding', 'current row'])} and ${this.pick(['current row', '1 following', 'unbounded following'])}${this.pick(['', '', ' exclude ties'])}`;
    const windowText = (): string =>
      `over (${[this.chance(0.5) ? `partition by ${e()}` : '', this.chance(0.5) ? order() : '', this.chance(0.3) ? frame() : ''].filter(Boolean).join(' ')})`;
    return this.pick([
      () => `${this.pick(SCALARS)}(${this.#list(1, 3, e)})`,
      () =>
        `${this.pick(AGGREGATES)}(${this.#makeSometimes(0.3, () => 'distinct')} ${e()}${this.#makeSometimes(0.2, order)})${this.#makeSometimes(0.2, () => `filter (where ${e()})`)}`,
      () => `${this.pick(WINDOWS)}(${this.chance(0.7) ? e() : ''}) ${windowText()}`,
      () => `count(*)${this.#makeSometimes(0.3, windowText)}`,
      () => `percentile_cont(0.5) within group (${order()})`,
    ])();
  }

  #leaf(): string {
    return this.pick([
      () => this.#name(),
      () => this.#name(),
      () => `t.${this.#name()}`,
      () => this.pick(CONSTANTS),
      () => this.pick(MORE_CONSTANTS),
    ])();
  }
}
