import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { connectionTo, createDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FILES: Record<string, string[]> = {
  function: ["create macro LOWER(x) as 'theirs'"],
  operator: ['create macro "+"(a, b) as 7'],
  table: ['create macro range(n) as table select 7 as range'],
  catalog: [
    "create macro lower(x) as 'theirs'",
    "create macro duckdb_functions() as table select 'none' as function_name, true as internal",
  ],
  harmless: ['create macro shout(x) as upper(x)'],
};
const folder = await temporaryFolder();
for (const [name, macros] of Object.entries(FILES)) {
  await createDuckdbFile(
    join(folder, `${name}.duckdb`),
    "create table orders as select 1 as id, 'West' as region",
    ...macros,
  );
}
const svc = await startTestApp({ project: folder, files: {} });

const project = (name: string, connection: object, schema: string) => ({
  'svc.config.yaml': JSON.stringify({ connections: { [name]: connection } }),
  [`lenses/${name}/lens.yaml`]: `name: ${name}\nconnection: ${name}\ndatasets:\n  orders: {source: ${schema}.orders, primary_key: [id], fields: {id: {datatype: integer}, region: {datatype: string}}}\n`,
});

it.each(Object.keys(FILES))(
  'G09: opens a DuckDB file only without macros named like built-in functions: %s',
  async (name) => {
    const files = project('odd', { kind: 'duckdb', path: `./${name}.duckdb` }, 'main');
    const { body, text } = await svc.admin('POST', '/project/plan', { files });
    if (name === 'harmless') expect(body.problems, text).toEqual([]);
    else expect(text).toMatch(/has macros with the names of built-in functions: \S/);
  },
);

/**
 * Functions and operators in the warehouse's `public` schema, with the expected message. Null if they change nothing.
 */
const THEIRS: Record<string, [string[], string | null]> = {
  functions: [
    [
      "create function lower(varchar) returns text language sql as $$select 'theirs'$$",
      'create function sum2(bigint, int) returns bigint language sql as $$select 7::bigint$$',
      'create aggregate sum(int) (sfunc = sum2, stype = bigint)',
      'create function generate_series(int, int) returns setof int language sql as $$select 7$$',
      'create extension citext',
    ],
    null,
  ],
  equality: [
    [
      'create function same(varchar, varchar) returns boolean language sql as $$select true$$',
      'create operator = (leftarg = varchar, rightarg = varchar, function = same)',
    ],
    'operators or functions that svc allows: =',
  ],
  likeness: [
    [
      'create function like_any(varchar, varchar) returns boolean language sql as $$select true$$',
      'create operator ~~ (leftarg = varchar, rightarg = varchar, function = like_any)',
    ],
    'operators or functions that svc allows: ~~',
  ],
  'a function named like one of an extension': [
    ["create function unaccent(text) returns text language sql as $$select 'theirs'$$"],
    'operators or functions that svc allows: unaccent',
  ],
};
it.each(Object.entries(THEIRS))(
  'G09: calls built-in functions on PostgreSQL, or refuses the connection over its overloads: %s',
  async (name, [statements, said]) => {
    const url = await createDatabase(
      'create table orders (id int primary key, region varchar(40))',
      "insert into orders values (1, 'West')",
      ...statements,
    );
    const lens = `over${Object.keys(THEIRS).indexOf(name)}`;
    const files = project(lens, connectionTo(url), 'public');
    if (said) {
      const { text } = await svc.admin('POST', '/project/plan', { files });
      expect(text).toContain(said);
      return;
    }
    const applyReply = await svc.admin('POST', '/project/apply', { files });
    expect(applyReply.status, applyReply.text).toBe(200);
    const { key } = await svc.mintCaller({ name: 'caller', lenses: [lens] });
    const ask = async (sql: string) => (await svc.post('/v1/sql', { sql, lens }, key)).body.data;
    expect(await ask('select lower(region) as a, sum(id) as b from orders group by 1')).toEqual([{ a: 'west', b: 1 }]);
    expect(await ask('select g from generate_series(3, 4) g order by 1')).toEqual([{ g: 3 }, { g: 4 }]);
    expect(await ask("select count(*) as n from orders where region in ('East')")).toEqual([{ n: 0 }]);
  },
);
