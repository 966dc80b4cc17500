import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { caseRows } from '../support/case-rows.ts';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { lensText } from '../support/lens-text.ts';
import { DATABASE, MARIADB_MISSING, READER, startTestMariadb } from '../support/mariadb.ts';
import { connectionTo, createDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ENGINES } from './stage.ts';

/** The last key comes first, so that an unsorted result isn't in the order of the key. */
const ROWS = `(4, '2024-03-02 08:00:00.000', null, '2024-03-03 09:00:00', true, 'c', null, null, 'small', '2024-03-02', null, null),
  (3, '2024-03-02 08:00:00.000', '2024-03-02 08:00:10.500', null, null, 'a', 5, 3, 'small', '2024-03-01', -0.05, -0.3),
  (2, '2024-03-01 23:59:59.500', '2024-03-02 00:00:00.000', '2024-03-02 03:00:00', false, 'a', 3, 2, 'large', '2024-03-01', 999999.99, 0.7),
  (1, '2024-03-01 10:00:00.250', '2024-03-01 10:00:01.000', '2024-03-01 09:00:00', true, 'b', 1000000000, 1, 'small', '2024-03-01', 0.15, 0.3)`;
const statements = (table: string, types: { time: string; instant: string; size: string }): string[] => [
  `create table ${table} (visit_id int primary key, began ${types.time}, ended ${types.time}, paid ${types.instant} null,
     active boolean, room varchar(20), cents int, guest_id int, size ${types.size}, due date, rate decimal(8,2), weight double precision)`,
  `insert into ${table} values ${ROWS}`,
  `create table ${table.replace('visits', 'guests')} (guest_id int primary key, guest_name varchar(20), city varchar(20))`,
  `insert into ${table.replace('visits', 'guests')} values (1, 'Zoe', 'West'), (2, 'Zoë', 'west'), (3, 'Ann', 'Wést'),
     (4, 'Bo', 'west '), (5, 'Cy', 'East')`,
];
const lens = (engine: string, source: string): string =>
  lensText(`name: ${engine}
connection: ${engine}
datasets:
  visits: ${source} (visit_id integer key, began datetime time, ended datetime, paid datetimetz, active boolean, room string, cents integer {aggregation: sum}, guest_id integer, size string, due date, rate decimal, weight float)
  guests: ${source.replace('visits', 'guests')} (guest_id integer key, guest_name string auto, city string auto)
relationships:
  - {from: visits.guest_id, to: guests.guest_id}
`);

const folder = await temporaryFolder();
const url = await createDatabase(
  "set timezone = 'UTC'",
  "create type size as enum ('small', 'large')",
  ...statements('visits', { time: 'timestamp', instant: 'timestamptz', size: 'size' }),
);
await createDuckdbFile(
  join(folder, 'visits.duckdb'),
  "set timezone = 'UTC'",
  "create type size as enum ('small', 'large')",
  ...statements('visits', { time: 'timestamp', instant: 'timestamptz', size: 'size' }),
);
const mariadb = MARIADB_MISSING ? null : await startTestMariadb();
await mariadb?.run(
  ...statements(`${DATABASE}.visits`, { time: 'datetime(3)', instant: 'datetime', size: "enum('small', 'large')" }),
);
const connections = {
  postgres: connectionTo(url),
  duckdb: { kind: 'duckdb', path: './visits.duckdb' },
  ...(mariadb && { mysql: { kind: 'mysql', host: '127.0.0.1', port: mariadb.port, database: DATABASE, ...READER } }),
};
const SOURCES: Record<string, string> = { postgres: 'public.visits', duckdb: 'main.visits', mysql: 'visits' };
await writeFile(join(folder, 'svc.config.yaml'), 'limits: {requests_per_minute: 1000000}\n');
const files: Record<string, string> = {
  'svc.config.yaml': JSON.stringify({ connections }),
  ...Object.fromEntries(
    ENGINES.flatMap((engine) => {
      const text = lens(engine, SOURCES[engine]!);
      const zoned = text.replace(
        /^name: .*/,
        `name: ${engine}_zoned\ntimezone: America/New_York\ndata_as_of: {field: visits.paid}`,
      );
      return [
        [`lenses/${engine}/lens.yaml`, text],
        [`lenses/${engine}_zoned/lens.yaml`, zoned],
      ];
    }),
  ),
};
const svc = await startTestApp({ project: folder, files });

it.each(
  caseRows<{ name: string; plan: object; rows: unknown[][] }>(import.meta.dirname, 'engines-agree.jsonl').flatMap(
    (item) => ENGINES.map((engine) => ({ ...item, engine })),
  ),
)('$engine: $name', async ({ engine, plan, rows }) => {
  const { body } = await svc.post(`/v1/lenses/${engine}/metrics`, plan);
  expect(body.error?.message ?? body.confidence).toBe('verified');
  expect(body.data.map((row: object) => Object.values(row).map(cell))).toEqual(rows);
});

it.each(ENGINES)('%s: a filter lists every stored spelling of a value', async (engine) => {
  const filters = [{ field: 'guests.city', values: ['West'] }];
  const plan = { measures: [{ fn: 'count', rows: 'guests' }], filters };
  const { body } = await svc.post(`/v1/lenses/${engine}/metrics`, plan);
  expect(body.data).toEqual([{ guests_count: 4 }]);
  expect(body.scope.filters[0].values.toSorted()).toEqual(['West', 'Wést', 'west', 'west '].toSorted());
});
it.each(ENGINES)('%s: a condition in SQL knows each stored spelling', async (engine) => {
  const sql = "select guest_name from guests where city = 'West'";
  const { body } = await svc.post('/v1/sql', { sql, lens: engine });
  expect(body.checks.find(({ name }: { name: string }) => name === 'values_known')?.outcome).toBe('pass');
});
it.each(ENGINES)('%s: an answer states that a name with several spellings belongs to several rows', async (engine) => {
  const filters = [{ field: 'guests.guest_name', values: ['zoe'] }];
  const { body } = await svc.post(`/v1/lenses/${engine}/metrics`, {
    measures: [{ fn: 'count', rows: 'visits' }],
    filters,
  });
  expect([body.confidence, body.data]).toEqual(['partial', [{ visits_count: 2 }]]);
  expect(body.checks.find(({ name }: { name: string }) => name === 'names_distinct')).toMatchObject({
    outcome: 'fail',
    detail: 'Several guests have the name Zoe. The answer combines their rows.',
  });
});

it.each(
  ENGINES.flatMap((engine) => [
    [engine, 'select extract(month from began) as m, count(*) as n from visits group by extract(month from began)'],
    [engine, 'select count(*) as n from visits where extract(year from began) = 2024'],
  ]),
)('%s: SQL with parts of dates equals a plan: %s', async (engine, sql) => {
  const { body } = await svc.post('/v1/sql', { sql, lens: engine });
  expect([body.confidence, body.data[0].n]).toEqual(['verified', 4]);
});

it.each(
  ENGINES.flatMap((engine) => [
    [engine, "select count(*) as n from visits where room < 'c'"],
    [engine, "select count(*) as n from visits where room between 'a' and 'b'"],
  ]),
)('%s: SQL that compares the order of texts equals a plan: %s', async (engine, sql) => {
  const { body } = await svc.post('/v1/sql', { sql, lens: engine });
  expect([body.confidence, body.data[0].n]).toEqual(['verified', 3]);
});
it('PostgreSQL: SQL that compares the order of an enum equals a plan only with a cast to text', async () => {
  const grade = async (condition: string) => {
    const sql = `select count(*) as n from visits where ${condition}`;
    const { body } = await svc.post('/v1/sql', { sql, lens: 'postgres' });
    return [body.confidence, body.data[0].n];
  };
  expect(await grade("size < 'large'")).toEqual(['partial', 3]);
  expect(await grade("cast(size as text) < 'large'")).toEqual(['verified', 0]);
});
it('PostgreSQL: SQL that cuts a text equals no plan', async () => {
  const sql = "select count(*) as n from guests where cast(guest_name as varchar(1)) ilike '%e%'";
  const { body } = await svc.post('/v1/sql', { sql, lens: 'postgres' });
  expect([body.confidence, body.data[0].n]).toEqual(['partial', 0]);
});

it.each(ENGINES)('%s: a time and a date are compared by day, and SQL equals the plan if it casts', async (engine) => {
  const filters = [{ field: 'visits.began', op: '<=', other: { field: 'visits.due' } }];
  const plan = { measures: [{ fn: 'count', rows: 'visits' }], filters };
  const { body } = await svc.post(`/v1/lenses/${engine}/metrics`, plan);
  expect([body.confidence, body.data, body.scope.sentence]).toEqual([
    'verified',
    [{ visits_count: 3 }],
    'Number of visits where began is at most due (by day).',
  ]);
  const grade = async (condition: string) => {
    const sql = `select count(*) as n from visits where ${condition}`;
    const { body } = await svc.post('/v1/sql', { sql, lens: engine });
    return [body.confidence, body.data[0].n];
  };
  expect(await grade('began <= due')).toEqual(['partial', 0]);
  expect(await grade('cast(began as date) <= due')).toEqual(['verified', 3]);
  expect(await grade('due = (select max(ended) from visits)')).toEqual(['partial', 0]);
  expect(await grade('cast(began as date) = (select min(due) from visits)')).toEqual(['verified', 2]);
});
// This MariaDB has no tables of time zones.
it.each(ENGINES.filter((engine) => engine !== 'mysql'))(
  '%s: an instant and a date are compared by the day in the time zone of the lens',
  async (engine) => {
    const filters = [{ field: 'visits.paid', op: '<=', other: { field: 'visits.due' } }];
    const plan = { rows: 'visits', dimensions: ['visits.visit_id'], filters };
    const idsIn = async (lens: string) =>
      (await svc.post(`/v1/lenses/${lens}/metrics`, plan)).body.data.map((row: object) => Object.values(row)[0]);
    expect([await idsIn(engine), await idsIn(`${engine}_zoned`)]).toEqual([[1], [1, 2]]);
  },
);

it.each(ENGINES)('%s: the sentence states the order of limit_per without order_by', async (engine) => {
  const largest = {
    measures: [{ fn: 'sum', field: 'visits.cents' }],
    dimensions: ['visits.began.day', 'visits.room'],
    limit_per: { by: ['visits.room'], rows: 1 },
  };
  const earliest = {
    rows: 'visits',
    dimensions: ['visits.visit_id', 'visits.began'],
    limit_per: { by: ['visits.due'], rows: 1 },
  };
  const read = async (plan: object) => {
    const { body } = await svc.post(`/v1/lenses/${engine}/metrics`, plan);
    return [body.scope.sentence, body.data.map((row: object) => Object.values(row)[0])];
  };
  expect(await read(largest)).toEqual([
    'Total cents by began day and room, ordered by total cents descending, first 1 of each room.',
    ['2024-03-02', '2024-03-01', '2024-03-02'],
  ]);
  expect(await read(earliest)).toEqual([
    'Visit id and began, one row per visit, ordered by began, first 1 of each due.',
    [1, 4],
  ]);
});

it.each(ENGINES)('%s: the SQL of a plan that multiplies integers equals the plan', async (engine) => {
  const value = { op: '*', of: [{ field: 'visits.cents', or: 0 }, 'visits.visit_id'] };
  const { body } = await svc.post(`/v1/lenses/${engine}/metrics`, { measures: [{ fn: 'sum', value }] });
  const repeated = await svc.post('/v1/sql', { sql: body.sql, lens: engine });
  expect([repeated.body.confidence, repeated.body.data]).toEqual(['verified', body.data]);
});
it.each(ENGINES.filter((engine) => engine !== 'mysql'))(
  '%s: in a lens with a time zone, a field of the type datetimetz needs a column with a time zone',
  async (engine) => {
    const planWith = async (began: string) => {
      const text = files[`lenses/${engine}/lens.yaml`]!.replace('began: {datatype: datetime}', `began: ${began}`);
      const lenses = { [`lenses/${engine}/lens.yaml`]: `timezone: America/New_York\n${text}` };
      return (await svc.admin('POST', '/project/plan', { files: { ...files, ...lenses } })).body.problems;
    };
    expect(await planWith('{datatype: datetimetz}')).toMatchObject([
      { message: expect.stringContaining("add expression: began at time zone 'UTC'") },
    ]);
    expect(await planWith(`{datatype: datetimetz, expression: "began at time zone 'UTC'"}`)).toEqual([]);
  },
);

it.each(ENGINES)('%s: data_as_of of instants does not depend on the time zone of the lens', async (engine) => {
  const { body } = await svc.get(`/v1/lenses/${engine}_zoned`, svc.adminToken);
  expect(body.data_as_of).toBe('2024-03-03T09:00:00.000Z');
});

/** Numbers of up to 15 digits; decimals can arrive as text. */
const cell = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d+\.\d+$/.test(value) ? Number(value) : value;
