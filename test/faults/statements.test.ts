import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { connect, connectionTo, createDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const fields = '{id: {datatype: integer}, region: {datatype: string}, amount: {datatype: integer}}';
const lensText = (name: string, connection: string, source: string, extraYaml = '') => `name: ${name}
connection: ${connection}
datasets:
  sales: {source: ${source}, primary_key: [id], fields: ${fields}}
metrics:
  turned: {expression: sum(100 / sales.amount), description: Hundred by each amount.}
${extraYaml}`;
const url = new URL(await createDatabase());
const client = await connect(url.href);
await client.query(`create table sales(id int primary key, region text, amount int);
    insert into sales values (1, 'West', 10), (2, 'East', 0), (3, 'West', 0)`);
// A larger sort exceeds the memory limit.
await client.query(`alter database "${url.pathname.slice(1)}" set work_mem = '64kB'`);
await client.query(`alter database "${url.pathname.slice(1)}" set temp_file_limit = '2MB'`);
await client.end();
const folder = await temporaryFolder();
await writeFile(join(folder, 'sales.csv'), 'id,region,amount\n1,West,10\n2,East,0\n3,West,0\n');
const svc = await startTestApp({
  project: folder,
  files: {
    'svc.config.yaml': `connections:
  wh: ${JSON.stringify(connectionTo(url))}
  local: {kind: duckdb, files: {sales: {path: ./sales.csv}}}
`,
    'lenses/open/lens.yaml': lensText('open', 'wh', 'public.sales'),
    'lenses/own/lens.yaml': lensText(
      'own',
      'wh',
      'public.sales',
      "row_policies: [{name: own, dataset: sales, filter: 'sales.region = {caller.region}'}]\n",
    ),
    'lenses/ducks/lens.yaml': lensText('ducks', 'local', 'main.sales'),
  },
});
const west = (await svc.mintCaller({ name: 'west', lenses: ['open', 'own', 'ducks'], attributes: { region: 'West' } }))
  .key;

const run = (name: string, sql: string) => svc.post('/v1/sql', { lens: name, sql }, west);

describe('a caller’s SQL that fails in the warehouse', () => {
  it.each([
    ['open', 'select 10 / amount from sales', 'division_by_zero', /nullif/],
    ['open', 'select cast(region as integer) from sales', 'bad_value', /case when/],
    ['open', 'select cast(id * 2000000000 as integer) * 100 from sales', 'out_of_range', /wider type/],
    ['open', 'select ln(amount) from sales', 'bad_argument', /arguments/],
    ['open', 'select (select id from sales) as one', 'several_rows', /Aggregate/],
    ['open', 'select upper(amount) from sales', 'type_mismatch', /Cast/],
    ['open', 'select region, count(*) from sales', 'bad_statement', /Group by/],
    ['ducks', 'select cast(region as integer) from sales', 'bad_value', /case when/],
    ['ducks', 'select cast(amount + 1000 as tinyint) from sales', 'out_of_range', /wider type/],
    ['ducks', 'select ln(amount) from sales', 'bad_argument', /arguments/],
    ['ducks', 'select (select id from sales) as one', 'several_rows', /Aggregate/],
    ['ducks', 'select upper(amount) from sales', 'type_mismatch', /Cast/],
    ['ducks', 'select region, count(*) from sales', 'bad_statement', /Group by/],
  ])('gets 422 with the class of the error and a remedy: lens %s, %s', async (name, sql, reason, mend) => {
    const { status, body, text } = await run(name, sql);
    expect([status, body.error?.code, body.error?.param, body.error?.details?.[0]?.code]).toEqual([
      422,
      'invalid',
      'sql',
      reason,
    ]);
    expect(body.error.message).toMatch(mend);
    expect(text).not.toMatch(/West|East|"10"/);
  });

  it('gets 503 with Retry-After if another session has locked the table', async () => {
    const locker = await connect(url.href);
    await locker.query('begin');
    await locker.query('lock table sales in access exclusive mode');
    const reply = await run('open', 'select count(*) as n from sales').finally(() => locker.end());
    expect([reply.status, reply.headers['retry-after']], reply.text).toEqual([503, '5']);
    expect(reply.body.error.message).toBe('Another session has locked the data of this statement. Try again shortly.');
  });

  it('G15: gets 422 and the exceeded resource when the statement is too large for the warehouse', async () => {
    const keys = Array.from({ length: 3_000 }, (_, n) => `id + ${n}`).join(', ');
    const complex = await run('open', `select 1 as n from sales group by ${keys}`);
    expect([complex.status, complex.body.error?.details?.[0]?.code]).toEqual([422, 'too_complex']);
    const tables = Array.from({ length: 11 }, (_, n) => `sales t${n}`).join(', ');
    const large = await run(
      'open',
      `select max(k) as n from (select t0.id, row_number() over (order by t0.id * t10.id - t5.id) as k from ${tables}) q`,
    );
    expect([large.status, large.body.error?.details?.[0]?.code], large.text).toEqual([422, 'out_of_memory']);
    expect(large.body.error.message).toMatch(/memory or disk.*shorter period/);
  });

  it('G19: is recorded with the warehouse error for admins, without values from the data', async () => {
    for (const name of ['open', 'ducks']) {
      const { body } = await run(name, 'select cast(region as integer) from sales');
      const trace = await svc.admin('GET', `/observe/requests/${body.error.request_id}`);
      const step = trace.body.steps.find((step: { name: string }) => step.name === 'fetch');
      expect(step.detail).toMatch(/22P02|Conversion Error/);
      expect(trace.body.outcome).toBe('invalid');
      expect(JSON.stringify(trace.body.steps)).not.toMatch(/West|East/);
    }
  });
});

it('G19: gives all data errors under a row policy the same reply, so that none reveals a hidden row', async () => {
  const replyTexts = await Promise.all(
    [
      'select 10 / amount from sales',
      'select cast(region as integer) from sales',
      'select ln(amount) from sales',
      'select (select id from sales) as one',
    ].map((sql) => run('own', sql)),
  );
  for (const { status, body } of replyTexts) {
    expect([status, body.error.details]).toEqual([422, replyTexts[0]!.body.error.details]);
    expect(body.error.details[0].code).toBe('data_dependent');
  }
  const ofItsText = await run('own', 'select upper(amount) from sales');
  expect(ofItsText.body.error.details[0].code).toBe('type_mismatch');
});

it('answers 502 and points to the admin when an expression of the lens fails', async () => {
  const { status, headers, body } = await svc.post('/v1/lenses/open/metrics', { metrics: ['turned'] }, west);
  expect(status).toBe(502);
  expect(body).toMatchObject({ status: 'failed', confidence: 'unverified', certification: 'none', receipt: null });
  expect(body.error).toEqual({
    code: 'upstream',
    message: expect.stringMatching(/divides by zero.*admin/),
    type: 'upstream_error',
    param: null,
    details: [expect.objectContaining({ code: 'division_by_zero' })],
    request_id: headers['x-request-id'],
  });
});
