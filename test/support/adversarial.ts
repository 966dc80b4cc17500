// Inputs that could block a process: repetition, nesting, width, turns, keys and Unicode, each in ten sizes up to the
// limit of its interface.

type Grow = (size: number) => string;

const times = (unit: string, size: number): string => unit.repeat(Math.max(1, Math.floor(size / unit.length)));
const around = (open: string, inner: string, close: string, size: number, deepest = 10_000): string => {
  const depth = Math.max(1, Math.min(deepest, Math.floor(size / (open.length + close.length))));
  return open.repeat(depth) + inner + close.repeat(depth);
};
const listed = (item: (n: number) => string, size: number, by = ','): string => {
  const items: string[] = [];
  for (let n = 0, length = 0; length < size; n++) {
    items.push(item(n));
    length += items.at(-1)!.length + by.length;
  }
  return items.join(by);
};

/** Statements for DuckDB and PostgreSQL. Most of them also work on MySQL. */
const STATEMENTS: Grow[] = [
  (size) => `select 1 ${times('+-', size)}1`,
  (size) => `select 1 ${times('+ - ', size)}1`,
  (size) => `select ${times('- ', size)}1`,
  (size) => `select 1 ${times('<=>', size)}1`,
  (size) => `select ${times('~', size)}1`,
  (size) => `select ${times('not ', size)}true`,
  (size) => times('/*', size),
  (size) => `select 1 ${around('/*', '', '*/', size)}`,
  (size) => `select 1 ${times('/**/', size)}`,
  (size) => `select 1 ${times('--\n', size)}`,
  (size) => `select 1 /*${times('*', size)}`,
  (size) => `select count(*) from orders where row_id in (${listed((n) => `${n}`, size)})`,
  (size) => `select count(*) from orders where region in (${listed((n) => `'é${n}'`, size)})`,
  (size) => `select 1${times('+1', size)}`,
  (size) => `select count(*) from orders where true${times(' and row_id > 0', size)}`,
  (size) => `select count(*) from orders where false${times(' or row_id = 1', size)}`,
  (size) => `select ${listed(() => '1', size)}`,
  (size) => `select ${listed((n) => `row_id as c${n}`, size)} from orders`,
  (size) => `select ${around('(', '1', ')', size)}`,
  (size) => `select ${times('(', size)}`,
  (size) => `select ${around('abs(', '1', ')', size, 190)}`,
  (size) => `select ${around('(select ', '1', ')', size, 190)}`,
  (size) => `select * from ${around('(select * from ', 'orders', ') t', size, 90)}`,
  (size) => `select ${around('case when true then ', '1', ' end', size)}`,
  (size) =>
    `select count(*) from orders where ${around('row_id in (select row_id from orders where ', 'true', ')', size, 90)}`,
  (size) =>
    `select count(*) from orders where ${around('(case when ', 'true', ' then 1 else 0 end) between 0 and 1', size, 90)}`,
  (size) =>
    `select count(*) from orders where ${around('(case when ', 'row_id = 1', ' then 1 else 0 end) in (row_id, row_id + 1)', size, 90)}`,
  (size) =>
    `select a from ${around('(select a + a as a from ', '(select row_id as a from orders) t', ') t', size, 90)}`,
  (size) => `select ${around('(select max(sales) from orders where sales = ', '1', ')', size, 90)} from orders`,
  (size) => `select count(*) from orders where ${around('exists (select 1 from orders where ', 'true', ')', size, 90)}`,
  (size) => `select 1${times(' union all select 1', size)}`,
  (size) => `select 1${times(' intersect select 1', size)}`,
  (size) =>
    `with a0 as (select 1 as n)${listed((n) => `, a${n + 1} as (select x.n from a${n} x, a${n} y)`, Math.min(size, 4_000), '')} select 1`,
  (size) => `select count(*) from orders o ${listed((n) => `cross join orders o${n}`, size, ' ')}`,
  (size) =>
    `select ${listed((n) => `sum(sales) over (partition by region order by row_id rows ${n % 9} preceding)`, size)} from orders`,
  (size) => `select '${times("''", size)}'`,
  (size) => `select "${times('""', size)}"`,
  (size) => `select '${times('a', size)}`,
  (size) => `select $a$${times('$b$', size)}`,
  (size) => `select ${times('a.', size)}a`,
  (size) => `select ${times('é+', size)}1`,
  (size) => `select 1${times(';', size)}`,
  (size) => `select region from orders where region like '${times('%a', size)}'`,
  (size) => `select coalesce(${listed(() => 'null', size)}, 1)`,
  (size) => `select 1 from orders group by ${listed(() => 'cube(region, row_id)', Math.min(size, 4_000))}`,
];
const OF_DUCKDB: Grow[] = [
  (size) =>
    `select ${listed((n) => `list_transform([1], x${n} -> `, Math.min(size, 5_000), '')}1${')'.repeat(Math.ceil(Math.min(size, 5_000) / 27))}`,
  (size) => `select ${around('case ', '1', ' when 1 then 1 when 2 then 3 end', size, 190)}`,
  (size) => `select ${around('nullif(', 'row_id', ', 1)', size, 190)} from orders`,
  (size) => `select ${around('[', '1', ']', size, 190)}`,
  (size) => `select ${around("{'a': ", '1', '}', size, 190)}`,
  (size) =>
    `select list_sum(list_transform(range(10000), x -> list_sum(list_transform(range(10000), y -> x + y${times(' + 1', Math.min(size, 400))}))))`,
  (size) =>
    `select levenshtein(s, s || 'x') from (select string_agg(region, repeat('a', ${Math.min(1_000, size)})) as s from orders a, orders b, orders c, orders d)`,
];

const QUESTIONS: Grow[] = [
  (size) => times('revenue by region ', size),
  (size) => times('a.', size),
  (size) => times('a@', size),
  (size) => times('and ', size),
  (size) => times('not ', size),
  (size) => times('1', size),
  (size) => times('1.', size),
  (size) => times('2016-01-01 ', size),
  (size) => times('in West and East or ', size),
  (size) => times('é', size),
  (size) => times('r\u0301', size),
  (size) => times('👩‍👩‍👧', size),
  (size) => times('"', size),
  (size) => times('(', size),
  (size) => times('top 5 ', size),
  (size) => times('-', size),
  (size) => times(' \n', size),
  (size) => `revenue ${times('of the ', size)}`,
  (size) => `revenue where ${listed((n) => `region is r${n}`, size, ' and ')}`,
  (size) => listed((n) => `word${n}`, size, ' '),
];

const SIZES = 10;
/** Sizes from the limit down, each a third of the previous one. */
const sizes = (limit: number, count = SIZES): number[] =>
  Array.from({ length: count }, (_, step) => Math.max(8, Math.floor(limit / 3 ** step)));

const grown = (families: Grow[], limit: number, count?: number): string[] =>
  families.flatMap((grow) => sizes(limit, count).map((size) => grow(size).slice(0, limit)));

const SQL_LIMIT = 99_900;
export const adversarialSql = (duckdb: boolean): string[] =>
  grown(duckdb ? [...STATEMENTS.slice(0, -5), ...OF_DUCKDB] : STATEMENTS, SQL_LIMIT);

const QUESTION_LIMIT = 10_000;
export const adversarialQuestions = (): string[] => grown(QUESTIONS, QUESTION_LIMIT, 20);

/** Bodies of messages: a few long turns, many short ones, and mixtures. */
export const adversarialTurns = (): { role: string; content: string }[][] =>
  QUESTIONS.flatMap((grow) =>
    sizes(20_000, 20).map((size, step) => {
      const turns = [1, 2, 5, 20, 60][step % 5]!;
      return Array.from({ length: turns * 2 + 1 }, (_, n) => ({
        role: n % 2 ? 'assistant' : 'user',
        content: grow(Math.min(QUESTION_LIMIT, Math.ceil(size / turns))).slice(0, QUESTION_LIMIT),
      }));
    }),
  );

const VALUES: Grow[] = [
  (size) => times('a', size),
  (size) => times("'", size),
  (size) => times('%', size),
  (size) => times('é\u0301', size),
  (size) => times('👩‍👩‍👧', size),
  (size) => times('\\', size),
  (size) => times(' ', size),
  (size) => times('{', size),
];
export const adversarialMetrics = (): object[] =>
  VALUES.flatMap((grow) =>
    sizes(9_000, 10).flatMap((size, step) => {
      const many = Array.from({ length: Math.ceil(1_000 / 2 ** step) }, (_, n) => `${grow(Math.min(40, size))}${n}`);
      const filter = (values: string[]) => ({ field: 'orders.region', op: 'in', values });
      return [
        { metrics: ['revenue'], filters: [filter([grow(size)])] },
        { metrics: ['revenue'], filters: [filter(many)] },
        {
          metrics: ['revenue'],
          filters: Array.from({ length: Math.ceil(100 / 2 ** step) }, () => filter(many.slice(0, 20))),
        },
        {
          metrics: Array.from({ length: Math.ceil(50 / (step + 1)) }, () => 'revenue'),
          dimensions: [grow(Math.min(200, size)).slice(0, 200)],
        },
        { metrics: [grow(Math.min(200, size)).slice(0, 200)], limit: 5_000 },
      ];
    }),
  );

const FILES: Grow[] = [
  (size) => listed((n) => `k${n}: 1`, size, '\n'),
  (size) => listed((n) => `  - ${n}`, size, '\n').replace(/^/, 'a:\n'),
  (size) => around('[', '', ']', size),
  (size) => around('{a: ', '1', '}', size),
  (size) => listed((n) => `${' '.repeat(Math.min(n, 300))}a:`, size, '\n'),
  (size) => `a: ${times('&a ', size)}`,
  (size) => `a: &a [1]\nb: [${listed(() => '*a', size)}]`,
  (size) => `a: "${times('\\u0041', size)}"`,
  (size) => `a: |\n${times(' line\n', size)}`,
  (size) => times('# \n', size),
  (size) => times('- ', size),
  (size) => times('? ', size),
  (size) => times('é: ', size),
  (size) => `name: ${times('x', size)}`,
  (size) => `datasets:\n${listed((n) => `  d${n}: {source: main.orders}`, size, '\n')}`,
  (size) => `metrics:\n${listed((n) => `  m${n}: {expression: ${around('(', '1', ')', 90)}}`, size, '\n')}`,
  (size) => `a: ${times('!!str ', size)}`,
  (size) => times('---\n', size),
  (size) => `a: '${times("''", size)}`,
  (size) => times('\t', size),
];
export const adversarialFiles = (): string[] => grown(FILES, 240_000, 20);
