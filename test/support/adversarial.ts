// Inputs that could block a process: repetition, nesting, width, turns, keys and Unicode, each in ten sizes up to the
// limit of its interface.

type Grow = (size: number) => string;

const repeatUnit = (unit: string, size: number): string => unit.repeat(Math.max(1, Math.floor(size / unit.length)));
const nest = (open: string, innermost: string, closing: string, size: number, deepest = 10_000): string => {
  const depth = Math.max(1, Math.min(deepest, Math.floor(size / (open.length + closing.length))));
  return open.repeat(depth) + innermost + closing.repeat(depth);
};
const listItems = (item: (n: number) => string, size: number, by = ','): string => {
  const items: string[] = [];
  for (let n = 0, length = 0; length < size; n++) {
    items.push(item(n));
    length += items.at(-1)!.length + by.length;
  }
  return items.join(by);
};

/** Statements for DuckDB and PostgreSQL. Most of them also work on MySQL. */
const STATEMENTS: Grow[] = [
  (size) => `select 1 ${repeatUnit('+-', size)}1`,
  (size) => `select 1 ${repeatUnit('+ - ', size)}1`,
  (size) => `select ${repeatUnit('- ', size)}1`,
  (size) => `select 1 ${repeatUnit('<=>', size)}1`,
  (size) => `select ${repeatUnit('~', size)}1`,
  (size) => `select ${repeatUnit('not ', size)}true`,
  (size) => repeatUnit('/*', size),
  (size) => `select 1 ${nest('/*', '', '*/', size)}`,
  (size) => `select 1 ${repeatUnit('/**/', size)}`,
  (size) => `select 1 ${repeatUnit('--\n', size)}`,
  (size) => `select 1 /*${repeatUnit('*', size)}`,
  (size) => `select count(*) from orders where row_id in (${listItems((n) => `${n}`, size)})`,
  (size) => `select count(*) from orders where region in (${listItems((n) => `'é${n}'`, size)})`,
  (size) => `select 1${repeatUnit('+1', size)}`,
  (size) => `select count(*) from orders where true${repeatUnit(' and row_id > 0', size)}`,
  (size) => `select count(*) from orders where false${repeatUnit(' or row_id = 1', size)}`,
  (size) => `select ${listItems(() => '1', size)}`,
  (size) => `select ${listItems((n) => `row_id as c${n}`, size)} from orders`,
  (size) => `select ${nest('(', '1', ')', size)}`,
  (size) => `select ${repeatUnit('(', size)}`,
  (size) => `select ${nest('abs(', '1', ')', size, 190)}`,
  (size) => `select ${nest('(select ', '1', ')', size, 190)}`,
  (size) => `select * from ${nest('(select * from ', 'orders', ') t', size, 90)}`,
  (size) => `select ${nest('case when true then ', '1', ' end', size)}`,
  (size) =>
    `select count(*) from orders where ${nest('row_id in (select row_id from orders where ', 'true', ')', size, 90)}`,
  (size) =>
    `select count(*) from orders where ${nest('(case when ', 'true', ' then 1 else 0 end) between 0 and 1', size, 90)}`,
  (size) =>
    `select count(*) from orders where ${nest('(case when ', 'row_id = 1', ' then 1 else 0 end) in (row_id, row_id + 1)', size, 90)}`,
  (size) => `select a from ${nest('(select a + a as a from ', '(select row_id as a from orders) t', ') t', size, 90)}`,
  (size) => `select ${nest('(select max(sales) from orders where sales = ', '1', ')', size, 90)} from orders`,
  (size) => `select count(*) from orders where ${nest('exists (select 1 from orders where ', 'true', ')', size, 90)}`,
  (size) => `select 1${repeatUnit(' union all select 1', size)}`,
  (size) => `select 1${repeatUnit(' intersect select 1', size)}`,
  (size) =>
    `with a0 as (select 1 as n)${listItems((n) => `, a${n + 1} as (select x.n from a${n} x, a${n} y)`, Math.min(size, 4_000), '')} select 1`,
  (size) => `select count(*) from orders o ${listItems((n) => `cross join orders o${n}`, size, ' ')}`,
  (size) =>
    `select ${listItems((n) => `sum(sales) over (partition by region order by row_id rows ${n % 9} preceding)`, size)} from orders`,
  (size) => `select '${repeatUnit("''", size)}'`,
  (size) => `select "${repeatUnit('""', size)}"`,
  (size) => `select '${repeatUnit('a', size)}`,
  (size) => `select $a$${repeatUnit('$b$', size)}`,
  (size) => `select ${repeatUnit('a.', size)}a`,
  (size) => `select ${repeatUnit('é+', size)}1`,
  (size) => `select 1${repeatUnit(';', size)}`,
  (size) => `select region from orders where region like '${repeatUnit('%a', size)}'`,
  (size) => `select coalesce(${listItems(() => 'null', size)}, 1)`,
  (size) => `select 1 from orders group by ${listItems(() => 'cube(region, row_id)', Math.min(size, 4_000))}`,
];
const OF_DUCKDB: Grow[] = [
  (size) =>
    `select ${listItems((n) => `list_transform([1], x${n} -> `, Math.min(size, 5_000), '')}1${')'.repeat(Math.ceil(Math.min(size, 5_000) / 27))}`,
  (size) => `select ${nest('case ', '1', ' when 1 then 1 when 2 then 3 end', size, 190)}`,
  (size) => `select ${nest('nullif(', 'row_id', ', 1)', size, 190)} from orders`,
  (size) => `select ${nest('[', '1', ']', size, 190)}`,
  (size) => `select ${nest("{'a': ", '1', '}', size, 190)}`,
  (size) =>
    `select list_sum(list_transform(range(10000), x -> list_sum(list_transform(range(10000), y -> x + y${repeatUnit(' + 1', Math.min(size, 400))}))))`,
  (size) =>
    `select levenshtein(s, s || 'x') from (select string_agg(region, repeat('a', ${Math.min(1_000, size)})) as s from orders a, orders b, orders c, orders d)`,
];

const QUESTIONS: Grow[] = [
  (size) => repeatUnit('revenue by region ', size),
  (size) => repeatUnit('a.', size),
  (size) => repeatUnit('a@', size),
  (size) => repeatUnit('and ', size),
  (size) => repeatUnit('not ', size),
  (size) => repeatUnit('1', size),
  (size) => repeatUnit('1.', size),
  (size) => repeatUnit('2016-01-01 ', size),
  (size) => repeatUnit('in West and East or ', size),
  (size) => repeatUnit('é', size),
  (size) => repeatUnit('r\u0301', size),
  (size) => repeatUnit('👩‍👩‍👧', size),
  (size) => repeatUnit('"', size),
  (size) => repeatUnit('(', size),
  (size) => repeatUnit('top 5 ', size),
  (size) => repeatUnit('-', size),
  (size) => repeatUnit(' \n', size),
  (size) => `revenue ${repeatUnit('of the ', size)}`,
  (size) => `revenue where ${listItems((n) => `region is r${n}`, size, ' and ')}`,
  (size) => listItems((n) => `word${n}`, size, ' '),
];

const SIZES = 10;
/** Sizes from the limit down, each a third of the previous one. */
const sizes = (limit: number, count = SIZES): number[] =>
  Array.from({ length: count }, (_, step) => Math.max(8, Math.floor(limit / 3 ** step)));

const growInputs = (families: Grow[], limit: number, count?: number): string[] =>
  families.flatMap((grow) => sizes(limit, count).map((size) => grow(size).slice(0, limit)));

const SQL_LIMIT = 99_900;
export const adversarialSql = (duckdb: boolean): string[] =>
  growInputs(duckdb ? [...STATEMENTS.slice(0, -5), ...OF_DUCKDB] : STATEMENTS, SQL_LIMIT);

const QUESTION_LIMIT = 10_000;
export const adversarialQuestions = (): string[] => growInputs(QUESTIONS, QUESTION_LIMIT, 20);

/** Bodies of messages: a few long turns, many short ones, and mixtures. */
export const adversarialTurns = (): { role: string; content: string }[][] =>
  QUESTIONS.flatMap((growInput) =>
    sizes(20_000, 20).map((size, step) => {
      const turns = [1, 2, 5, 20, 60][step % 5]!;
      return Array.from({ length: turns * 2 + 1 }, (_, n) => ({
        role: n % 2 ? 'assistant' : 'user',
        content: growInput(Math.min(QUESTION_LIMIT, Math.ceil(size / turns))).slice(0, QUESTION_LIMIT),
      }));
    }),
  );

const VALUES: Grow[] = [
  (size) => repeatUnit('a', size),
  (size) => repeatUnit("'", size),
  (size) => repeatUnit('%', size),
  (size) => repeatUnit('é\u0301', size),
  (size) => repeatUnit('👩‍👩‍👧', size),
  (size) => repeatUnit('\\', size),
  (size) => repeatUnit(' ', size),
  (size) => repeatUnit('{', size),
];
export const adversarialMetrics = (): object[] =>
  VALUES.flatMap((growInput) =>
    sizes(9_000, 10).flatMap((size, step) => {
      const filterList = Array.from(
        { length: Math.ceil(1_000 / 2 ** step) },
        (_, n) => `${growInput(Math.min(40, size))}${n}`,
      );
      const filter = (values: string[]) => ({ field: 'orders.region', op: 'in', values });
      return [
        { metrics: ['revenue'], filters: [filter([growInput(size)])] },
        { metrics: ['revenue'], filters: [filter(filterList)] },
        {
          metrics: ['revenue'],
          filters: Array.from({ length: Math.ceil(100 / 2 ** step) }, () => filter(filterList.slice(0, 20))),
        },
        {
          metrics: Array.from({ length: Math.ceil(50 / (step + 1)) }, () => 'revenue'),
          dimensions: [growInput(Math.min(200, size)).slice(0, 200)],
        },
        { metrics: [growInput(Math.min(200, size)).slice(0, 200)], limit: 5_000 },
      ];
    }),
  );

const FILES: Grow[] = [
  (size) => listItems((n) => `k${n}: 1`, size, '\n'),
  (size) => listItems((n) => `  - ${n}`, size, '\n').replace(/^/, 'a:\n'),
  (size) => nest('[', '', ']', size),
  (size) => nest('{a: ', '1', '}', size),
  (size) => listItems((n) => `${' '.repeat(Math.min(n, 300))}a:`, size, '\n'),
  (size) => `a: ${repeatUnit('&a ', size)}`,
  (size) => `a: &a [1]\nb: [${listItems(() => '*a', size)}]`,
  (size) => `a: "${repeatUnit('\\u0041', size)}"`,
  (size) => `a: |\n${repeatUnit(' line\n', size)}`,
  (size) => repeatUnit('# \n', size),
  (size) => repeatUnit('- ', size),
  (size) => repeatUnit('? ', size),
  (size) => repeatUnit('é: ', size),
  (size) => `name: ${repeatUnit('x', size)}`,
  (size) => `datasets:\n${listItems((n) => `  d${n}: {source: main.orders}`, size, '\n')}`,
  (size) => `metrics:\n${listItems((n) => `  m${n}: {expression: ${nest('(', '1', ')', 90)}}`, size, '\n')}`,
  (size) => `a: ${repeatUnit('!!str ', size)}`,
  (size) => repeatUnit('---\n', size),
  (size) => `a: '${repeatUnit("''", size)}`,
  (size) => repeatUnit('\t', size),
];
export const adversarialFiles = (): string[] => growInputs(FILES, 240_000, 20);
