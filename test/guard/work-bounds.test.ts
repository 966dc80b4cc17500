// G15: limits on the work of the guard for a short statement. Each of these statements once blocked the event loop or
// used all memory.
import { describe, expect, it } from 'vitest';
import { FaultCollector } from '../../src/dialects/fault-collector.ts';
import { duckdbDialect } from '../../src/engines/duckdb/dialect/dialect.ts';
import { guardSql } from '../../src/guard/guard-sql.ts';
import { Problem } from '../../src/platform/problem.ts';
import { shopScope } from '../support/guard-scopes.ts';
import { mysqlShopScope } from '../support/mysql-scope.ts';

const DIALECTS = ['duckdb', 'postgres', 'mysql'] as const;

const scopeOf = (dialect: (typeof DIALECTS)[number]) => (dialect === 'mysql' ? mysqlShopScope() : shopScope(dialect));

async function refusalCodes(dialect: (typeof DIALECTS)[number], sql: string): Promise<string[]> {
  return guardSql(sql, scopeOf(dialect)).then(
    () => [],
    (fault: unknown) => {
      if (fault instanceof Problem) return fault.details.map(({ code }) => code);
      throw fault;
    },
  );
}

const doublingSql = (arm: (name: string) => string): string =>
  `with ${Array.from({ length: 100 }, (_, n) => `a${n} as (${n === 0 ? 'select * from orders' : arm(`a${n - 1}`)})`).join(', ')} select count(*) from a99`;

describe('a statement whose columns double with each common table expression', () => {
  it.each(['duckdb', 'postgres'] as const)('is refused at once, without expansion: %s', async (dialect) => {
    expect(
      await refusalCodes(
        dialect,
        doublingSql((name) => `select * from ${name} x, ${name} y`),
      ),
    ).toContain('too_many_columns');
    expect(
      await refusalCodes(
        dialect,
        doublingSql((name) => `select *, * from ${name}`),
      ),
    ).toContain('too_many_columns');
  });
});

describe('a statement with more tables than an engine can plan', () => {
  const chain = (levels: number): string =>
    `with ${Array.from({ length: levels }, (_, n) => `a${n} as (${n === 0 ? 'select 1 as n from orders' : `select 1 as n from a${n - 1} x, a${n - 1} y`})`).join(', ')} select count(*) from a${levels - 1}`;

  it.each(['duckdb', 'postgres'] as const)('is refused before it reaches the engine: %s', async (dialect) => {
    expect(await refusalCodes(dialect, chain(40))).toContain('too_many_tables');
    const tableList = Array.from({ length: 41 }, (_, n) => `orders o${n}`).join(', ');
    expect(await refusalCodes(dialect, `select count(*) from ${tableList}`)).toContain('too_many_tables');
    expect(await refusalCodes(dialect, `select 1 ${'union all select 1 from orders '.repeat(401)}`)).not.toEqual([]);
  });

  it.each(['duckdb', 'postgres'] as const)('is allowed up to the size of a long report: %s', async (dialect) => {
    expect(await refusalCodes(dialect, chain(4))).toEqual([]);
    expect(await refusalCodes(dialect, `select 1 ${'union all select 1 from orders '.repeat(100)}`)).toEqual([]);
  });
});

describe('G15: a statement that reads no table', () => {
  it.each(DIALECTS)('is refused for too many WITH entries or derived tables: %s', async (dialect) => {
    const doubled = `with a0 as (select 1 as n)${Array.from({ length: 20 }, (_, n) => `, a${n + 1} as (select x.n from a${n} x, a${n} y)`).join('')} select 1 as n`;
    expect(await refusalCodes(dialect, doubled)).toContain('too_many_tables');
    const tableList = Array.from({ length: 41 }, (_, n) => `(select 1 as n) as o${n}`).join(', ');
    expect(await refusalCodes(dialect, `select 1 as n from ${tableList}`)).toContain('too_many_tables');
    const entries = (count: number) =>
      `with ${Array.from({ length: count }, (_, n) => `a${n} as (select 1 as n)`).join(', ')} select n from a0`;
    expect(await refusalCodes(dialect, entries(61))).toContain('too_many_tables');
    expect(await refusalCodes(dialect, entries(60))).toEqual([]);
  });
});

describe('G15: a statement with a very deep tree', () => {
  const repeatUnit = (unit: string, count: number): string => unit.repeat(count);
  const statements = {
    joins: `select count(*) as n from orders o ${Array.from({ length: 4_000 }, (_, n) => `cross join orders o${n}`).join(' ')}`,
    sums: `select 1${repeatUnit(' + 1', 9_000)} as n`,
    decimals: `select cast(1 as decimal)${repeatUnit(' - 1', 9_000)} as n`,
    negations: `select ${repeatUnit('not ', 15_000)} true as n`,
    unions: `select 1 as n${repeatUnit(' union select 1', 5_000)}`,
    'tests for null': `select 1${repeatUnit(' is null', 6_000)} as n`,
  };
  // The depth at which a parser gives up depends on its stack. Whether the parser meets its time limit depends on the
  // machine.
  const REFUSED = ['syntax', 'too_deep', 'too_costly'];
  it.each(
    DIALECTS.flatMap((dialect) => [
      ...Object.entries(statements).map(([what, sql]) => [dialect, what, sql] as const),
      ...(dialect === 'mysql' ? [] : [[dialect, 'casts', `select 1${repeatUnit('::int', 6_000)} as n`] as const]),
    ]),
  )(
    'is refused without a crash, unless its parser lists unions side by side: %s, %s',
    async (dialect, construct, sql) => {
      const flat = dialect === 'duckdb' && construct === 'unions';
      expect(flat ? [undefined, 'too_costly'] : REFUSED).toContain((await refusalCodes(dialect, sql))[0]);
    },
  );
});

describe('a statement that an engine plans before it can be stopped', () => {
  const list = (count: number, part: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => part(n)).join(', ');
  const windows = (count: number) => list(count, (n) => `row_number() over (order by row_id + ${n}) as w${n}`);
  const sums = (count: number) => list(count, (n) => `sum(count(*)) over (order by region) + ${n} as s${n}`);

  it.each(DIALECTS)('is refused with too many windows, grouping sets or sorted aggregates: %s', async (dialect) => {
    expect(await refusalCodes(dialect, `select ${windows(31)} from orders`)).toEqual(['too_many_windows']);
    const parts = list(4, (n) => `(select ${windows(10)} from orders) as p${n}`);
    expect(await refusalCodes(dialect, `select count(*) as n from ${parts}`)).toEqual(['too_many_windows']);
    const sorted = list(101, (n) => `count(distinct row_id + ${n}) as d${n}`);
    expect(await refusalCodes(dialect, `select ${sorted} from orders`)).toEqual(['too_many_sorted']);
    if (dialect === 'mysql') return;
    const cube = `select count(*) as n from orders group by cube (${list(9, (n) => `row_id + ${n}`)})`;
    expect(await refusalCodes(dialect, cube)).toEqual(['too_many_sets']);
  });

  it.each(DIALECTS)('is allowed with as many of them as a long report needs: %s', async (dialect) => {
    expect(await refusalCodes(dialect, `select ${windows(30)} from orders`)).toEqual([]);
    expect(await refusalCodes(dialect, `select region, ${sums(100)} from orders group by region`)).toEqual([]);
  });
});

describe('a statement whose expressions double at each level', () => {
  const nest = (levels: number, wrap: (innermost: string) => string, inner: string) =>
    Array.from({ length: levels }).reduce<string>((text) => wrap(text), inner);
  const flag = (condition: string) => `case when ${condition} then 1 else 0 end`;
  const where = (condition: string) => `select count(*) as n from orders where ${condition}`;
  const steps = (levels: number) =>
    `with s0 as (select row_id as a from orders)${Array.from({ length: levels }, (_, n) => `, s${n + 1} as (select a + a as a from s${n})`).join('')} select sum(a) as n from s${levels}`;

  it.each(DIALECTS)('is refused before it reaches the engine: %s', async (dialect) => {
    const grown = [
      where(nest(20, (inner) => `(${flag(inner)}) between 0 and 1`, 'true')),
      where(nest(20, (inner) => `(${flag(inner)}) in (row_id, row_id + 1)`, 'row_id = 1')),
      where(`${nest(20, (inner) => `nullif(${inner}, 1)`, 'row_id')} = 1`),
      where(nest(20, (inner) => `(${flag(inner)}, 1) in ((1, 2), (2, 3))`, 'row_id = 1')),
      `select n from ${nest(20, (inner) => `(select a + a as a, 1 as n from ${inner} t)`, '(select row_id as a, 1 as n from orders)')} t`,
      steps(20),
    ];
    for (const sql of grown) {
      const codes = await refusalCodes(dialect, sql);
      // MySQL's grammar doesn't allow such an operand of BETWEEN, or a row value before IN.
      if (dialect !== 'mysql' || codes[0] !== 'syntax') expect(codes, sql.slice(0, 60)).toEqual(['too_many_copies']);
    }
  });

  it.each(DIALECTS)('is allowed at low depth, across grouped rows and in a long report: %s', async (dialect) => {
    const fine = [
      where(nest(4, (inner) => `(${flag(inner)}) between 0 and 1`, 'true')),
      steps(8),
      `select n from ${nest(12, (inner) => `(select a, sum(n + n) as n from ${inner} t group by a)`, '(select region as a, 1 as n from orders)')} t`,
      where(`row_id in (${Array.from({ length: 1_000 }, (_, n) => n).join(', ')})`),
      where(Array.from({ length: 31 }, (_, n) => `sales between ${n} and ${n + 1}`).join(' or ')),
    ];
    for (const sql of fine) expect(await refusalCodes(dialect, sql), sql.slice(0, 60)).toEqual([]);
  });
});

describe('an expression that the binder of DuckDB duplicates', () => {
  it.each([
    ['nullif', (one: string) => `nullif(${one}, 1)`],
    ['round_even', (one: string) => `round_even(${one}, 1)`],
    ['fmod', (one: string) => `fmod(${one}, 2)`],
    ['BETWEEN', (one: string) => `case when ${one} between 1 and 2 then 1 else 2 end`],
  ])('runs in a separate process when it is nested more than three deep: %s', async (_name, wrap) => {
    const isApart = async (levels: number) => {
      const value = Array.from({ length: levels }).reduce<string>((text) => wrap(text), 'row_id');
      return duckdbDialect.apart!(
        (await duckdbDialect.read(`select ${value} as n from orders`, new FaultCollector()))!,
      );
    };
    expect([await isApart(3), await isApart(4)]).toEqual([false, true]);
  });
});

describe('F8: a PostgreSQL comparison of two large values, which can’t be stopped', () => {
  const largeValues =
    "(select string_agg(region, ',') as a, array_agg(row_id) as b, jsonb_agg(region) as j from orders) t";
  const built = "(select repeat('x', 999) as a from orders) t";
  it.each([
    `select position(t.a in t.a) from ${largeValues}`,
    `select position(t.a in u.a) from ${largeValues}, (select region as a from orders limit 1) u`,
    `select translate(t.a, u.a, '') from ${built}, (select t.a || t.a as a from ${built}) u`,
    `select btrim(t.a, t.a) from ${built}`,
    `select t.a like '%' || t.a from ${largeValues}`,
    `select t.b @> t.b, t.b && array(select row_id from orders) from ${largeValues}`,
    `select t.j ?| array(select region from orders) from ${largeValues}`,
    `select t.j - t.b::text[] from ${largeValues}`,
    "select position(string_agg(region, '') in string_agg(segment, '')) from orders",
    `select position((select string_agg(region, '') from orders) in '${'x'.repeat(1_001)}')`,
    "select strpos(a, b) from (select replace(region, 'e', repeat('e', 900)) as a, format('%s', region) as b from orders) t",
    "select a like b from (values (array_to_string(array(select region from orders), repeat(',', 900)), 'b')) t (a, b)",
    "with recursive r (a) as (select 'a' union all select a || 'a' from r where length(a) < 9) select a like a from r",
    "with a as (select region as x from orders), b as (select x || x as x from a) select x like x || '%' from b",
    'select a like b from unnest(array(select region from orders), array(select region from orders)) t (a, b)',
  ])('is refused: %s', async (sql) => {
    expect(await refusalCodes('postgres', sql)).toEqual(['unstoppable']);
  });

  it.each([
    "select string_agg(region, ', ') from orders where region like segment || '%'",
    `select position('West' in t.a), t.b @> array[1, 2], t.a like '%West%' from ${largeValues}`,
    'select a.region from orders a join orders b on position(b.region in a.region) > 0 group by a.region having array_agg(b.row_id) @> array[1]',
    "with c as (select region as name from orders), p as (select segment as word from orders) select c.name from c join p on c.name like '%' || p.word || '%'",
    "with a as (select string_agg(region, ',') as names, sum(sales) as s from orders) select names, s, s - s % 2 * s, lpad(s::text, 12, '0') from a",
    "select replace(a.region, '-', '') = replace(b.region, '-', ''), a.region like replace(b.region, '-', '') || '%' from orders a, orders b",
    "with recursive r (n, path) as (select 1, '/1' union all select n + 1, path || '/' || n from r where n < 5) select path from r where path like '%/3%'",
  ])('is not confused with the comparisons of a report: %s', async (sql) => {
    expect(await refusalCodes('postgres', sql)).toEqual([]);
  });
});
