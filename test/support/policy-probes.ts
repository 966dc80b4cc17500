// Statements that fail or count depending on the content of a row: each allowed function and operator, with an argument
// that fails where `salary > {G}`. A right guess about a hidden row and a wrong one must get the same reply.
import { readFile, writeFile } from 'node:fs/promises';
import type { FunctionList } from '../../src/dialects/function-list.ts';
import { DUCKDB_FUNCTIONS } from '../../src/engines/duckdb/dialect/functions.ts';
import { MYSQL_FUNCTIONS } from '../../src/engines/mysql/dialect/functions.ts';
import { POSTGRES_FUNCTIONS, POSTGRES_OPERATORS } from '../../src/engines/postgres/dialect/functions.ts';

export type Engine = 'postgres' | 'duckdb' | 'mysql';
export const ENGINES: Engine[] = ['postgres', 'duckdb', 'mysql'];

/** The hidden row's salary is above the first value and not above the second. */
export const RIGHT = '900000';
export const WRONG = '995000';
export const asGuess = (probe: string, guess: string): string => probe.replaceAll('{G}', guess);

interface Words {
  functions: FunctionList;
  operators: string[];
  /** Pairs of a harmless and a failing value by type. */
  values: Record<string, [calm: string, bad: string][]>;
  /** Arguments that contain a failing part, `HOT(calm|bad)`: nested, keyed and range values, and functions. */
  nested: string[];
}

const COMMON: Words['values'] = {
  text: [
    ["'abc'", "''"],
    ["'abc'", "'a('"],
    ["'1'", "'x'"],
  ],
  whole: [
    ['1', '-1'],
    ['1', '0'],
    ['1', '9223372036854775807'],
    ['1', '1114112'],
  ],
  real: [
    ['1.5e0', '1e308'],
    ['0.5e0', '-2e0'],
  ],
  day: [["date '2020-01-01'", "date '9999-12-31'"]],
};

const WORDS: Record<Engine, Words> = {
  postgres: {
    functions: POSTGRES_FUNCTIONS,
    operators: [...POSTGRES_OPERATORS],
    values: {
      ...COMMON,
      list: [["'{1,2}'::int[]", "'{{1,2},{3,4}}'::int[]"]],
      json: [["'[1]'::jsonb", "'{}'::jsonb"]],
      moment: [["timestamp '2020-01-01'", "timestamp 'infinity'"]],
      span: [["interval '1 day'", "interval '170000000 years'"]],
    },
    nested: [
      ...['1|0', '1|-1', '1|9223372036854775807'].flatMap((pair) => [
        `array[1, HOT(${pair})]`,
        `array[1, 2], 1, HOT(${pair})`,
        `array[1, 2], array[1, HOT(${pair})]`,
        `HOT(${pair}), array[2]`,
        `int4range(1, 5), HOT(${pair})`,
        `HOT(${pair}), int4range(1, 5)`,
        `int8range(0, HOT(${pair}))`,
        `'[1]'::jsonb, HOT(${pair})`,
        `'{"a": [1]}'::jsonb, array['a', 'b'], to_jsonb(HOT(${pair}))`,
      ]),
      'int4range(1, HOT(2|0))',
      'int4range(1, 5), int4range(1, HOT(2|0))',
      'numrange(1, HOT(2|0)::numeric)',
      "daterange(date '2020-01-01', HOT(date '2020-02-01'|date '2019-01-01'))",
      "HOT('[1]'|'{')::jsonb",
      "HOT('[1]'|'{')::json",
      `'{"a": 1}'::jsonb, HOT('$.a'|'strict $.b')::jsonpath`,
      `'{"a": [1]}'::jsonb, HOT('{a,0}'|'{a,x}')::text[], '1'::jsonb`,
      "HOT('{1}'|'{')::int[], 1",
      "HOT('{1}'|'{1,2')::int[]",
      "HOT('[1,2]'|'[2,1]')::int4range",
      "array['a', HOT('b'|'a(')]",
      "HOT('{\"a\": 1}'|'[]')::jsonb",
      "HOT('{\"a\": 1}'|'[]')::jsonb, 'a'",
    ],
  },
  duckdb: {
    functions: DUCKDB_FUNCTIONS,
    operators: '+ - * / // % ** ^ ~ & | << >> || ~~ !~~ ~~~ ~~* !~~* ! @ ^@ -> ->> && <@ @> <-> <=>'.split(' '),
    values: {
      ...COMMON,
      list: [
        ['[1, 2]', '[1, 2, 3]'],
        ['[true, false]', '[null]'],
      ],
      json: [["'[1]'", "'{'"]],
      moment: [["timestamp '2020-01-01'", "timestamp 'infinity'"]],
      span: [["interval '1 day'", "interval '280000 years'"]],
    },
    nested: [
      ...['1|0', '1|-1', '1|9223372036854775807', 'true|null', "'1'|'x'"].flatMap((pair) => [
        `[1, 2], x -> HOT(${pair})`,
        `[1, 2], (x, y) -> HOT(${pair})`,
        `['1', HOT('1'|'x')], x -> x::int`,
        `[HOT(${pair})]`,
        `[HOT(${pair})], 1`,
        `[1, 2], 1, HOT(${pair})`,
        `[1, 2, 3], 1, 2, HOT(${pair})`,
        `{'a': HOT(${pair})}`,
        `{'a': HOT(${pair})}, 'a'`,
        `map([1], [2]), HOT(${pair})`,
        `map([1, 2], [HOT(${pair}), 3])`,
        `'[1]'::json, HOT(${pair})`,
      ]),
      '[1, HOT(2|1)], [1, 2]',
      '[1, 2], [1, HOT(2|1)]',
      'map([1, HOT(2|1)], [1, 2])',
      '[1, 2], HOT([1, 2]|[1])',
      'HOT([1, 2]|[1]), [1, 2]',
      '[1.0, 2.0], HOT([1.0, 2.0]|[1.0])',
      '[[1, 2], HOT([1]|null)]',
      "[{'k': 1, 'v': 2}, {'k': HOT(2|1), 'v': 2}]",
      "{'a': 1}, HOT('a'|'b')",
      `'{"a": 1}', HOT('$.a'|'$[')`,
      `'{"a": 1}'::json, HOT('/a'|'a/~')`,
      `HOT('{"a": 1}'|'{')::json`,
      `HOT('{"a": 1}'|'{'), '$.a'`,
      `HOT('[1]'|'{'), '["integer"]'`,
    ],
  },
  mysql: {
    functions: MYSQL_FUNCTIONS,
    operators: '+ - * / % = <> < <= <=> & | ^ << >> div mod like rlike xor'.split(' '),
    values: {
      ...COMMON,
      json: [["'[1]'", "'{'"]],
      moment: [["timestamp '2020-01-01 00:00:00'", "timestamp '9999-12-31 23:59:59'"]],
    },
    nested: [
      `'{"a": 1}', HOT('$.a'|'$[')`,
      `'{"a": 1}', HOT('$.a'|'a'), 2`,
      `'{"a": 1}', HOT('one'|'x'), '$.a'`,
      `'{"a": 1}', 'one', HOT('$.a'|'$[')`,
      `'{"a": 1}', HOT('a'|null)`,
      `'a', HOT(1|2), HOT('a'|null), 1`,
      `HOT('{"a": 1}'|'{'), '$.a'`,
      `HOT('{"a": 1}'|'{'), '$.a', 1`,
      `HOT('{"a": 1}'|'{'), '{"b": 2}'`,
      `'[1]', HOT('[1]'|'{')`,
      `'[1, 2]', '1', HOT('$[0]'|'$[')`,
    ],
  },
};

const EMPLOYEE = 'case when salary > {G} then BAD else CALM end';

const hotPlaces = (text: string): string =>
  text.replace(
    /HOT\((.+?)\|(.+?)\)(?=[,\]}\s):]|$)/g,
    (_all, calm: string, bad: string) => `(${EMPLOYEE.replace('BAD', () => bad).replace('CALM', () => calm)})`,
  );

/** Arguments that contain one failing value, by structure. */
function* argumentsOf({ values, nested }: Words): Generator<string> {
  for (const given of nested) yield hotPlaces(given);
  const plain = (kind: string): string => values[kind]![0]![0];
  for (const kind of Object.keys(values)) {
    for (const [calmValue, bad] of values[kind]!) {
      const hot = EMPLOYEE.replace('BAD', bad).replace('CALM', calmValue);
      yield hot;
      for (const otherKind of new Set(['text', 'whole', kind, 'list', 'day'].filter((item) => item in values))) {
        yield `${hot}, ${plain(otherKind)}`;
        yield `${plain(otherKind)}, ${hot}`;
      }
      if (kind !== 'text' && kind !== 'whole' && kind !== 'day') continue;
      yield `'abc', 1, ${hot}`;
      yield `'abc', ${hot}, 1`;
      yield `'abc', 'b', ${hot}`;
      yield `'day', date '2020-01-01', ${hot}`;
    }
  }
}

/** Splits a text at commas outside parentheses and strings. */
function topLevel(text: string): string[] {
  const parts = [''];
  let depth = 0;
  let quoted = false;
  for (const sign of text) {
    if (sign === "'") quoted = !quoted;
    else if (!quoted && '([{'.includes(sign)) depth++;
    else if (!quoted && ')]}'.includes(sign)) depth--;
    if (sign === ',' && depth === 0 && !quoted) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts.map((part) => part.trim());
}

export interface Probe {
  /** A function or operator, and whether its argument is nested. */
  name: string;
  /** The statement, with {F} for the function or operator. */
  form: string;
  called: string;
}
export const sqlOf = ({ form, called }: Pick<Probe, 'form' | 'called'>): string => form.replace('{F}', () => called);

/** Every function and operator of the engine's catalog, with its statements. */
export function* probesOf(engine: Engine): Generator<Probe> {
  const words = WORDS[engine];
  const args = [...argumentsOf(words)];
  const nested = new Set(words.nested.map(hotPlaces));
  const probe = (functionName: string, argument: string, form: string): Probe => ({
    ...{ called: functionName, form, name: nested.has(argument) ? `${functionName}, nested` : functionName },
  });
  for (const functionName of words.functions.names()) {
    const kind = words.functions.kind(functionName)!;
    for (const argument of args) {
      const call = `{F}(${argument})`;
      if (kind === 'table') yield probe(functionName, argument, `select count(*) as n from orders, ${call} as t`);
      else if (kind === 'aggregate') yield probe(functionName, argument, `select ${call} as n from orders`);
      else if (kind === 'window') {
        const windows = `select ${call} over (order by id) as n from orders`;
        yield probe(functionName, argument, `select max(n) as n from (${windows}) as q`);
      } else yield probe(functionName, argument, `select count(*) as n from orders where ${call} is not null`);
    }
  }
  for (const operator of words.operators)
    for (const argument of args) {
      const sides = topLevel(argument);
      if (sides.length !== 2 || argument.includes('->')) continue;
      const [left, right] = sides;
      yield probe(operator, argument, `select count(*) as n from orders where ((${left}) {F} (${right})) is not null`);
    }
}

/** A join of two tables: one that svc doesn't replace, because nothing in it is hidden, and one with a policy. */
const BESIDE_KEPT = [
  'select c.id, count(o.id) as n from customers c left join orders o on o.customer_id = c.id group by c.id having max(o.salary) > {G}',
  'select count(*) as n from customers c where exists (select 1 from orders o where o.customer_id = c.id and o.salary > {G})',
  'select c.id from customers c where c.id in (select o.customer_id from orders o where o.salary > {G})',
  'select c.id from customers c order by (select max(o.salary) from orders o where o.customer_id = c.id and o.salary > {G})',
  'select (select c.id from customers c where c.id < (case when o.salary > {G} then 9 else 2 end)) as n from orders o',
  'select count(*) as n from customers c join orders o on 1 / (case when o.salary > {G} then 0 else 1 end) = c.id',
  'select count(*) as n from customers c join orders o on c.id = o.customer_id where cast(case when o.salary > {G} then c.region else c.id end as integer) > 0',
  "select c.region from customers c union all select o.name from orders o where o.salary > {G} and o.name <> 'x'",
  'with r as (select o.customer_id as k, max(o.salary) as s from orders o group by o.customer_id) select c.id from customers c join r on r.k = c.id where r.s > {G}',
  'select c.id from customers c where c.id > all (select case when o.salary > {G} then 0 else 5 end from orders o)',
  'select c.id, (select 1 union all select 1 from orders o where o.customer_id = c.id and o.salary > {G}) as n from customers c',
  'select count(*) as n from customers c where 1 / (select min(case when o.salary > {G} then 0 else 1 end) from orders o where o.customer_id = c.id) = 1',
];

/** Probes without a function: planners that use statistics, constructs that cast or compare, and slow work. */
export const OTHER_PROBES: Record<Engine, string[]> = {
  postgres: [
    "select count(*) as n from orders where (array['{1}'::int[], case when salary > any(array[{G}]) then '{1,2}'::int[] else '{1}'::int[] end])[1][1] is not null",
    "select count(*) as n from orders where row(salary, name) >= any(array[row({G}, 'a')]) and 1 / (salary - salary) > 0",
    "select count(*) as n from orders where cast(case when salary > {G} then 'x' else '1' end as integer) = 1",
    'select count(*) as n from orders where 1 / (case when salary > {G} then 0 else 1 end) = 1',
    'select count(*) as n from orders where id = 2 and 1 / (case when salary > {G} then 0 else 1 end) = 1',
    'select count(*) as n from orders where id in (2, 4) and 1 / (case when salary > {G} then 0 else 1 end) = 1',
    'select count(*) as n from orders where 1 / (case when salary > {G} then 0 else 1 end) = 1 and 2 = id and orders.id = 2',
    'select count(*) as n from customers c left join orders o on o.level > c.id where o.id = 2 and 1 / (case when o.salary > {G} then 0 else 1 end) = 1',
    'select count(o.id) as n from customers c left join orders o on c.id > 0 where (o.id = 2 or o.id is null) and o.salary > {G}',
    'select max(1 / (case when salary > {G} then 0 else 1 end)) as n from orders group by region',
    'select id from orders order by 1 / (case when salary > {G} then 0 else 1 end)',
    'select (select 1 union all select 1 from orders o where o.salary > {G}) as n',
  ],
  duckdb: [
    'select count(*) as n from orders where id = 2 and ln(case when salary > {G} then 0 else 1 end) = 0',
    "select count(*) as n from orders where hamming('abc', case when salary > {G} then 'a' else 'abc' end) >= 0",
    "select count(*) as n from orders where cast(case when salary > {G} then 'x' else '1' end as integer) = 1",
    'select id from orders where salary > {G} order by 1',
    'select (select 1 union all select 1 from orders o where o.salary > {G}) as n',
  ],
  mysql: [
    'select count(*) as n from orders where id = 2 and exp(case when salary > {G} then 1000 else 1 end) > 0',
    'select count(*) as n from orders where exp(case when salary > {G} then 1000 else 1 end) > 0',
    'select count(*) as n from orders where cast(case when salary > {G} then 18446744073709551615 else 1 end as unsigned) + 1 > 0',
    'select (select 1 union all select 1 from orders o where o.salary > {G}) as n',
  ],
};

/** Policies, by name, that hide the rows of every region but West. */
export const POLICY_SHAPES: Record<string, string> = {
  equal: 'orders.region = {caller.region}',
  listed: "orders.region in ({caller.region}, 'Nowhere')",
  either: 'orders.region = {caller.region} or orders.name = {caller.name}',
  computed: 'lower(trim(orders.region)) = lower(trim({caller.region}))',
  unequal: "orders.region <> 'East'",
  below: 'orders.level <= {caller.level}',
  pattern: "orders.region like concat({caller.region}, '%')",
  negated: "not (orders.region = 'East' or orders.level > {caller.level})",
  between: 'orders.level between 0 and {caller.level}',
  over_a_field: 'orders.area = lower({caller.region})',
  unlisted: 'orders.tenant = {caller.region}',
  joined: 'customers.region = {caller.region}',
  joined_over_a_field: 'customers.area = lower({caller.region})',
  joined_unlisted: 'customers.region = {caller.region}',
};

/** One hidden row, `Zelda` with 990000, among other hidden and visible rows. */
export const PROBE_TABLES = [
  `create table customers (id integer primary key, region varchar(20))`,
  `insert into customers values (1, 'West'), (2, 'East')`,
  `create table orders (id integer primary key, region varchar(20), tenant varchar(20), level integer, name varchar(40),
     salary integer, customer_id integer)`,
  ...[...Array(60).keys()].map((at) => {
    const isVisible = at % 3 === 0;
    const name = at === 1 ? 'Zelda' : isVisible ? 'Ann' : 'Bo';
    const salary = at === 1 ? 990_000 : 1_000 + at;
    const region = isVisible ? 'West' : 'East';
    return `insert into orders values (${at + 1}, '${region}', '${region}', ${isVisible ? 1 : 9}, '${name}', ${salary}, ${isVisible ? 1 : 2})`;
  }),
];

/** In all other lenses, nothing in the table of customers is hidden. */
const CUSTOMER_FIELDS: Record<string, string> = {
  joined_over_a_field: '{id: {datatype: integer}, area: {datatype: string, expression: "lower(region)"}}',
  joined_unlisted: '{id: {datatype: integer}}',
};

export const probeLens = (engine: Engine, shape: string): string => {
  const schema = { postgres: 'public.', duckdb: 'main.', mysql: '' }[engine];
  return `name: ${engine}-${shape.replaceAll('_', '-')}
connection: ${engine}
datasets:
  orders:
    source: ${schema}orders
    primary_key: [id]
    fields:
      id: {datatype: integer}
      region: {datatype: string}
      level: {datatype: integer}
      name: {datatype: string}
      salary: {datatype: integer}
      area: {datatype: string, expression: "lower(region)"}
      share: {datatype: decimal, expression: "1.0 / (990000 - salary)"}
  customers:
    source: ${schema}customers
    primary_key: [id]
    fields: ${CUSTOMER_FIELDS[shape] ?? '{id: {datatype: integer}, region: {datatype: string}}'}
relationships: [{from: orders.customer_id, to: customers.id}]
metrics:
  headcount: {expression: "count(orders.id)"}
row_policies: [{name: own, dataset: orders, filter: ${JSON.stringify(POLICY_SHAPES[shape])}}]
`;
};

const probesFile = (engine: Engine): URL => new URL(`../fixtures/policy-probes/${engine}.tsv`, import.meta.url);

/** Writes one line for each form, with the functions and operators that it calls. */
export async function writeProbes(engine: Engine, probes: Iterable<Probe>): Promise<void> {
  const lines = new Map<string, string[]>();
  for (const { form, called } of probes) lines.set(form, [...(lines.get(form) ?? []), called]);
  await writeFile(probesFile(engine), [...lines].map(([form, called]) => `${form}\t${called.join(' ')}\n`).join(''));
}

/**
 * The first statement of each function and operator that reveals a row where nothing hides it, and the probes without
 * a function. test/long searches for these statements again.
 */
export async function knownProbes(engine: Engine): Promise<string[]> {
  const lines = (await readFile(probesFile(engine), 'utf8')).trimEnd().split('\n');
  const firstProbes = lines.flatMap((line) => {
    const [form = '', names = ''] = line.split('\t');
    return names.split(' ').map((called) => sqlOf({ form, called }));
  });
  return [...firstProbes, ...OTHER_PROBES[engine], ...BESIDE_KEPT];
}
