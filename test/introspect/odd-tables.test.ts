// Drafts and publishes a lens over a catalog of many unusual tables. Introspection never fails, and drafts only
// many-to-one joins.
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startTestApp } from '../support/app.ts';
import { clusterUrl, createDatabase } from '../support/postgres.ts';

const SCHEMA = `
create schema sales; create schema archive; create schema "Odd Ones";
create type mood as enum ('happy', 'sad');
create domain cents as bigint;
create type pair as (a int, b int);
create table sales.orders (id int primary key, placed_on date, status mood, amount numeric(20, 4), total cents,
  double_amount numeric generated always as (amount * 2) stored);
insert into sales.orders values (1, '2024-01-01', 'happy', 1234567890123456.0001, 10), (2, '2024-02-01', 'sad', 2.5, 20);
create table archive.orders (id int primary key, placed_on date);
insert into archive.orders values (7, '2019-01-01');
create table sales.order_lines (order_id int references sales.orders, line_no int, product text, quantity int, primary key (order_id, line_no));
insert into sales.order_lines values (1, 1, 'lamp', 2), (1, 2, 'chair', 1), (2, 1, 'lamp', 5);
create table sales.line_notes (id int primary key, order_id int, line_no int, note text,
  foreign key (order_id, line_no) references sales.order_lines);
insert into sales.line_notes values (1, 1, 2, 'wobbly'), (2, 1, 2, 'still');
create view sales.open_orders as select * from sales.orders where status = 'sad';
create materialized view sales.order_totals as select status, count(*) as n from sales.orders group by 1;
create table "Odd Ones"."Select" ("Order" int primary key, "group by" text, "Größe" numeric, "a.b" text, "quo""ted" text, "名前" text, "x x" int, "x-x" int);
insert into "Odd Ones"."Select" values (1, 'x', 1.5, 'y', 'z', 'é', 1, 2), (2, 'x', 2.5, 'y', 'z', 'é', 3, 4);
create table "Odd Ones"."order lines" (id int primary key, "Select_id" int references "Odd Ones"."Select");
insert into "Odd Ones"."order lines" values (1, 1), (2, 1), (3, 2);
create table "Odd Ones"."ORDER_LINES" ("ID" int primary key);
create table "Odd Ones"."${'very_'.repeat(12)}long" (id int primary key, "${'long_'.repeat(12)}er" text, "${'long_'.repeat(12)}er2" text);
create table readings (device int, at timestamptz, celsius real, primary key (device, at)) partition by range (at);
create table readings_2024 partition of readings for values from ('2024-01-01') to ('2025-01-01');
create table readings_2025 partition of readings for values from ('2025-01-01') to ('2026-01-01');
insert into readings values (1, '2024-05-01', 20.5), (1, '2025-05-01', 21.5);
create table kinds (u uuid primary key, price money, lasts interval, raw bytea, tags text[], matrix int[][], body json, extra jsonb,
  addr inet, block cidr, shape point, span int4range, words tsvector, both_ pair, doc xml, bits bit(3), t time, tz timetz, d8 double precision, c char(3), n "char", o oid);
insert into kinds values ('00000000-0000-0000-0000-000000000001', 12.5, '1 day', 'x', '{a,b}', '{{1}}', '{"a":1}', '{"a":1}', '10.0.0.1', '10.0.0.0/8',
  '(1,2)', '[1,5)', 'word', '(1,2)', '<a/>', '101', '10:00', '10:00+02', 'NaN', 'abc', 'c', 7);
create table nothing (id int primary key, name text, amount numeric, created_at timestamp);
create table no_columns ();
create table only_strange (shape point, words tsvector);
create table no_key (customer_id int, name text);
insert into no_key values (1, 'a'), (1, 'b');
create table customers (id int, name text);
insert into customers values (1, 'a'), (1, 'again');
create table visits (id int primary key, customer_id int, referrer_id int, employee_code text);
insert into visits values (1, 1, 1, 'a'), (2, 1, 1, 'b');
create table employees (code text unique, name text, boss text references employees(code), second_boss text references employees(code));
insert into employees values ('a', 'Ann', null, null), ('b', 'Bob', 'a', 'a');
create table guests (guest_id int primary key, name text, recommended_by_id int);
insert into guests select n, 'guest ' || n, nullif(n % 7, 0) from generate_series(1, 30) n;
create table members (club int, person int, unique (club, person));
create table outlines (id bigint generated always as identity primary key, parent_id bigint references outlines);
revoke all on nothing from public;
create table hidden (id int primary key);
create table moods (mood_code text primary key, meaning text);
insert into moods values ('HAP', 'happy'), ('SAD', 'sad'), ('CAL', 'calm'), ('BOR', 'bored');
create table diaries (id int primary key, mood_code text);
insert into diaries values (1, 'HAP'), (2, 'SAD'), (3, 'CAL'), (4, 'BOR'), (5, '???'), (6, 'HAP');
create table tints (tint_code text primary key, shade text);
insert into tints values ('R', 'red'), ('G', 'green'), ('B', 'blue'), ('K', 'black');
create table walls (id int primary key, tint_code text);
insert into walls values (1, 'R'), (2, 'G'), (3, 'B'), (4, 'K'), (5, '??'), (6, '!!');
create table dvr_mbr (diver_id int primary key, nickname text);
insert into dvr_mbr select n, 'diver ' || n from generate_series(1, 40) n;
create table clubs (club_no int primary key, title text, parent_no int);
insert into clubs select n, 'club ' || n, case when n > 5 then n / 4 end from generate_series(1, 30) n;
create table branches (id int primary key, town text, seats int, created_on date, removed_on date);
insert into branches select n, 'town ' || n % 6, 10 + n, date '2024-01-01' + n, case when n % 6 = 0 then date '2025-01-01' + n end
  from generate_series(1, 60) n;
create table dives (id int primary key, diver_id int, boarded int, deepest numeric);
insert into dives select n, 1 + n % 9, 3, 12.5 from generate_series(1, 60) n;
comment on column dives.boarded is 'Guests on board per departure of the boat';
comment on column dives.deepest is 'Average depth of the last minutes';
`;
const READABLE = `
grant usage on schema public, sales, archive, "Odd Ones" to odd_reader;
grant select on all tables in schema public, sales, archive, "Odd Ones" to odd_reader;
revoke select on hidden from odd_reader;
`;
const app = await startTestApp();
const url = new URL(
  await createDatabase(
    SCHEMA,
    "do $$ begin create role odd_reader login password 'reads'; exception when duplicate_object or unique_violation then null; end $$",
    READABLE,
  ),
);
const createReply = await app.admin('POST', '/connections', {
  ...{ name: 'odd', kind: 'postgres', host: url.hostname, port: Number(url.port), ssl: false },
  ...{ database: url.pathname.slice(1), user: 'odd_reader', password: 'reads' },
});
expect(createReply.status).toBe(201);
const { text } = await app.draftLens('odd');
// biome-ignore lint/suspicious/noExplicitAny: the drafted lens, read as YAML
const lens: any = parse(text);
afterAll(async () => {
  const client = new pg.Client({ connectionString: clusterUrl() });
  await client.connect();
  await client.query('drop role if exists odd_reader').catch(() => undefined);
  await client.end();
});

test('drafts a dataset for every readable table with a readable column', () => {
  const sources = Object.values(lens.datasets as Record<string, { source: string }>).map(({ source }) => source);
  expect(new Set(sources).size).toBe(sources.length);
  expect(sources).toEqual(
    expect.arrayContaining([
      'sales.orders',
      'archive.orders',
      'sales.open_orders',
      '"Odd Ones".Select',
      '"Odd Ones"."order lines"',
      '"Odd Ones".ORDER_LINES',
      'public.readings',
      'public.kinds',
      'public.nothing',
    ]),
  );
  expect(sources).not.toContain('public.no_columns');
  expect(sources).not.toContain('public.hidden');
});

test('drafts joins only to a declared, whole key', () => {
  const joins = (lens.relationships as { from: unknown; to: unknown }[]).map(
    ({ from, to }) => `${[from].flat().join('+')} > ${[to].flat().join('+')}`,
  );
  expect(joins).toEqual(
    expect.arrayContaining([
      'sales_order_lines.order_id > sales_orders.id',
      'line_notes.order_id+line_notes.line_no > sales_order_lines.order_id+sales_order_lines.line_no',
      'employees.boss > employees.code',
      'employees.second_boss > employees.code',
      'outlines.parent_id > outlines.id',
    ]),
  );
  expect(joins.filter((join) => /> (customers|no_key|members|readings)\b/.test(join))).toEqual([]);
});

test('drafts a join with one missing code as inferred, and leaves it out for two missing codes', async () => {
  expect(text).toMatch(/kind: join, of: diaries.mood_code, .*origin: inferred, evidence: "4 of 5 values are in/);
  expect(text).not.toMatch(/kind: join, of: walls/);
  expect(text).toMatch(/walls.tint_code.* only 4 of 6 values are in tints.tint_code/);
});

test('drafts a join to the only table whose key has the name of the column', () => {
  expect(text).toMatch(/kind: join, of: dives.diver_id, .*origin: inferred, evidence: "all 9 values are in dvr_mbr/);
});

test('drafts a join from a table to itself if the name of a column refers to a parent', () => {
  expect(text).toMatch(
    /kind: join, of: clubs.parent_no, .*origin: inferred, evidence: "all 7 values are in clubs.club_no/,
  );
});

test('drafts a join from people to themselves if one person recommends another', () => {
  expect(text).toMatch(
    /kind: join, of: guests.recommended_by_id, .*origin: inferred, evidence: "all 6 values are in guests/,
  );
});

test('uses a date that most rows lack neither as the time of the rows nor as the time of a level', () => {
  expect(text).toMatch(/kind: time_field, of: branches, says: created_on, origin: inferred/);
  expect(text).not.toMatch(/kind: aggregation, of: branches.seats, says: latest/);
});

test('publishes the draft unchanged, and counts the rows of every dataset', async () => {
  expect((await app.publishLens('odd', text)).body).toMatchObject({ version: 1 });
  const counts = Object.entries(lens.metrics as Record<string, { expression: string; dataset: string }>).filter(
    ([, { expression }]) => expression === 'count(*)',
  );
  expect(counts.length).toBe(Object.keys(lens.datasets).length);
  const answers = await Promise.all(
    counts.map(async ([metric, { dataset }]) => {
      const { body } = await app.post('/v1/lenses/odd/metrics', { metrics: [metric] }, app.adminToken);
      return [lens.datasets[dataset].source, body.status, body.confidence, Object.values(body.data?.[0] ?? {})[0]];
    }),
  );
  expect(answers.filter(([, status, confidence]) => status !== 'answered' || confidence !== 'verified')).toEqual([]);
  const rows = Object.fromEntries(answers.map(([source, , , count]) => [source, count]));
  expect(rows).toMatchObject({
    ...{ 'sales.orders': 2, 'archive.orders': 1, 'sales.order_lines': 3, 'sales.open_orders': 1 },
    ...{ '"Odd Ones".Select': 2, '"Odd Ones"."order lines"': 3, 'public.readings': 2, 'public.nothing': 0 },
  });
});

test('takes only an explicit comment as declared, and sums a field for a plan if the draft only guessed otherwise', async () => {
  expect(text).toMatch(/kind: aggregation, of: dives.deepest, says: average, origin: declared/);
  expect(text).toMatch(/kind: aggregation, of: dives.boarded, says: average, origin: inferred/);
  const sum = async (field: string) =>
    (await app.post('/v1/lenses/odd/metrics', { measures: [{ fn: 'sum', field }] }, app.adminToken)).body;
  expect(await sum('dives.deepest')).toMatchObject({ status: 'clarification' });
  expect(await sum('dives.boarded')).toMatchObject({ status: 'answered', confidence: 'partial' });
});

test('sums exactly, also over generated columns, and counts each row once in sums grouped over a join', async () => {
  const sums = Object.entries(lens.metrics as Record<string, { expression: string }>);
  const metric = (expression: string) => sums.find(([, made]) => made.expression === expression)?.[0];
  const ask = async (body: object) => (await app.post('/v1/lenses/odd/metrics', body, app.adminToken)).text;
  expect(await ask({ metrics: [metric('sum(sales_orders.amount)')] })).toContain('1234567890123458.5001');
  expect(await ask({ metrics: [metric('sum(sales_orders.double_amount)')] })).toContain('2469135780246917.0002');
  const quantity = await ask({
    metrics: [metric('sum(sales_order_lines.quantity)')],
    dimensions: ['sales_orders.status'],
  });
  expect(JSON.parse(quantity).data.map((row: object) => Object.values(row))).toEqual(
    expect.arrayContaining([
      ['happy', 3],
      ['sad', 5],
    ]),
  );
});

test('reads other types as numbers or text, or leaves them out with a comment', () => {
  const { fields } = lens.datasets.kinds;
  expect(fields.price).toMatchObject({ datatype: 'decimal', expression: 'cast("price" as numeric)' });
  expect(fields.body).toMatchObject({ datatype: 'string', expression: 'cast("body" as text)' });
  for (const column of ['raw', 'words', 'lasts', 'tags', 'shape', 'span', 'both_']) {
    expect(fields).not.toHaveProperty(column);
    expect(text).toContain(`kinds.${column} (type `);
  }
  expect(lens.datasets.selects.fields.grosse).toMatchObject({ expression: '"Größe"', synonyms: ['Größe'] });
});

test('lists every drafted field', async () => {
  const failed = await Promise.all(
    Object.entries(lens.datasets as Record<string, { fields: object }>).map(async ([dataset, { fields }]) => {
      const columns = Object.keys(fields).map((field) => `${dataset}.${field}`);
      const reply = await app.post(
        '/v1/lenses/odd/metrics',
        { metrics: [], dimensions: columns.slice(0, 20) },
        app.adminToken,
      );
      return reply.status === 200 ? [] : [`${dataset}: ${reply.text}`];
    }),
  );
  expect(failed.flat()).toEqual([]);
});
