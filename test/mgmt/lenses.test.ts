import { describe, expect, test } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { lensText } from '../support/lens-text.ts';
import { connect, connectionTo, createDatabase } from '../support/postgres.ts';

const call = (method: string, url: string, payload?: unknown, headers: Record<string, string> = {}) =>
  app.send({ method: method as 'GET', url, payload: payload as object, headers, token: app.adminToken });

const LENS = lensText(`name: sales
connection: core
datasets:
  invoice: public.invoice (invoice_id integer key, billing_country string auto, total decimal) {description: One row per invoice.}
metrics:
  turnover: {expression: sum(invoice.total), description: What was invoiced.}
`);
const app = await startTestApp();
const warehouseUrl = new URL(await createDatabase());
const client = await connect(warehouseUrl.href);
await client.query(`
    create table customer (customer_id int primary key, first_name text, email text, country text, password_hash text);
    create table invoice (invoice_id int primary key, customer_id int references customer, invoice_date date, billing_country text, total numeric(10,2));
    insert into customer select n, 'N' || n, n || '@x.org', 'USA', 'x' from generate_series(1, 20) n;
    insert into invoice select n, n, date '2021-01-01' + n, case when n % 2 = 0 then 'USA' else 'Norway' end, n from generate_series(1, 20) n;`);
await client.end();

const server = () => {
  const connection = connectionTo(warehouseUrl);
  return { ...connection, password: connection.password || 'unused but secret' };
};

describe('connections', () => {
  test('accept a secret, never return it, and can be tested', async () => {
    const createReply = await call('POST', '/mgmt/connections', { name: 'core', ...server() });
    const made = { name: 'core', origin: 'api', config: { password: '(kept)' } };
    expect(createReply).toMatchObject({ status: 201, body: made });
    const everything = JSON.stringify([
      (await call('GET', '/mgmt/connections')).body,
      (await call('GET', '/mgmt/audit')).body,
      await app.sql('select config from svc.connections'),
    ]);
    expect(everything).not.toContain(server().password);
    const tested = { ok: true, latency_ms: expect.any(Number), server_version: expect.any(String) };
    expect((await call('POST', '/mgmt/connections/core/test')).body).toMatchObject(tested);
    expect((await call('PATCH', '/mgmt/connections/core', { password: '(kept)', ssl: false })).status).toBe(200);
    expect((await call('POST', '/mgmt/connections/core/test')).body.ok).toBe(true);
  });

  test('never send a stored secret to another server, neither by a change nor by an apply', async () => {
    const patchConnection = async (change: object) =>
      (await call('PATCH', '/mgmt/connections/core', change)).body.error?.message;
    for (const change of [{ host: 'localhost' }, { port: 9 }, { port: 9, password: '(kept)' }, { kind: 'mysql' }])
      expect(await patchConnection(change)).toContain('the stored secret to another server');
    expect(await patchConnection({ user: 'another' })).toBeUndefined();
    expect(await patchConnection(server())).toBeUndefined();
    const tenant = await app.addTenant('movers', {});
    const apply = (core: object) => {
      const files = { 'svc.config.yaml': JSON.stringify({ connections: { core } }) };
      return app.post('/mgmt/project/apply', { files }, tenant.adminToken);
    };
    expect((await apply(server())).status).toBe(200);
    const applyReply = await apply({ ...server(), host: 'localhost', password: '(kept)' });
    expect(applyReply.status).toBe(422);
    expect(applyReply.text).toContain('the stored secret to another server');
    expect((await apply({ ...server(), password: '(kept)' })).status).toBe(200);
  });

  test('refer to the log of the database when it refuses them', async () => {
    const closedDatabase = new URL(await createDatabase());
    const client = await connect(warehouseUrl.href);
    await client.query(`alter database "${closedDatabase.pathname.slice(1)}" with allow_connections false`);
    await client.end();
    const connection = connectionTo(closedDatabase);
    const createReply = await call('POST', '/mgmt/connections', { name: 'closed', ...connection });
    expect(createReply.status, createReply.text).toBe(201);
    const { body } = await call('POST', '/mgmt/connections/closed/test');
    expect(body).toMatchObject({ ok: false, read_only: false, error: expect.stringContaining('database log') });
    expect(body.error).not.toMatch(/trace|request id/);
  });

  test('refuse the control database, on creation and in a plan', async () => {
    const control = new URL(app.ownerUrl);
    const config = { ...server(), database: control.pathname.slice(1) };
    const createReply = await call('POST', '/mgmt/connections', { name: 'control', ...config });
    expect(createReply.status).toBe(422);
    expect(createReply.body.error.message).toContain('control database');
    const { files } = (await call('GET', '/mgmt/project/export')).body;
    const text = files['svc.config.yaml'].replace('connections:', `connections:\n  control: ${JSON.stringify(config)}`);
    const plan = await call('POST', '/mgmt/project/plan', { files: { ...files, 'svc.config.yaml': text } });
    expect(plan.body.problems).toEqual([
      expect.objectContaining({ path: 'svc.config.yaml', message: expect.stringContaining('control database') }),
    ]);
  });

  test('return 409 for a file-based one, and 422 for unknown members', async () => {
    const patchReply = await call('PATCH', '/mgmt/connections/shop', { kind: 'duckdb' });
    expect([patchReply.status, patchReply.body.error.message]).toEqual([409, expect.stringContaining('svc.config')]);
    expect((await call('POST', '/mgmt/connections', { name: 'bad', kind: 'postgres', hots: 'x' })).status).toBe(422);
  });

  test('list the tables of their catalog, and profile columns', async () => {
    const catalog = (await call('GET', '/mgmt/connections/core/catalog')).body;
    expect(catalog.items.map(({ table }: { table: string }) => table).sort()).toEqual(['customer', 'invoice']);
    const run = await app.runEnds((await call('POST', '/mgmt/connections/core/profile', {})).body.run_id);
    expect(run).toMatchObject({ state: 'succeeded', result: { tables: 2 } });
    expect((await call('GET', '/mgmt/connections/core/profile')).body.items).toEqual(
      expect.arrayContaining([expect.objectContaining({ column: 'billing_country', distinct: 2 })]),
    );
  });

  test('replace only the profiles of the given tables', async () => {
    const listItems = async (): Promise<{ schema: string; table: string; taken_at: string }[]> =>
      (await call('GET', '/mgmt/connections/core/profile?limit=500')).body.items;
    const timesOf = async (table: string) =>
      new Set((await listItems()).filter((item) => item.table === table).map(({ taken_at }) => taken_at));
    const [invoice, customer] = [await timesOf('invoice'), await timesOf('customer')];
    const body = { tables: ['customer'] };
    await app.runEnds((await call('POST', '/mgmt/connections/core/profile', body)).body.run_id);
    expect(await timesOf('invoice')).toEqual(invoice);
    expect(await timesOf('customer')).not.toEqual(customer);
    expect(new Set((await listItems()).map(({ schema, table }) => `${schema}.${table}`))).toEqual(
      new Set(['public.customer', 'public.invoice']),
    );
  });
});

describe('introspection', () => {
  test('drafts a valid lens with keys, joins and metrics, leaves secrets out, and lists personal data', async () => {
    const { run } = await app.draftLens('core', { name: 'drafted', save: true });
    const text: string = run.result.files['lenses/drafted/lens.yaml'];
    expect(text).toContain('primary_key: [invoice_id]');
    expect(text).toContain('{from: invoice.customer_id, to: customer.customer_id}');
    expect(text).toContain('billing_country: {datatype: string, synonyms: [country], values: auto}');
    expect(text).toContain('email: {datatype: string, synonyms: [email address, e-mail]}');
    expect(text).toContain(
      '# Personal data that callers of this lens can see: customer.first_name, customer.email. To hide a field, set "mask: true".',
    );
    expect(text).toContain('sum(invoice.total)');
    expect(text).not.toContain('password_hash:');
    expect(run.result.left_out).toEqual([expect.stringContaining('password_hash')]);
    const draft = `/mgmt/lenses/drafted/drafts/${run.result.draft_id}`;
    expect((await call('POST', `${draft}/validate`)).body).toMatchObject({ valid: true, problems: [] });
    const tried = await call('POST', `${draft}/try`, { q: 'How many invoices are there?' });
    expect(tried.body).toMatchObject({ status: 'answered', data: [expect.anything()], receipt: null });
    expect(Object.values(tried.body.data[0])).toEqual([20]);
  });

  test('drafts 60 tables with their joins and dictionaries within seconds, and reports progress', async () => {
    const url = new URL(
      await createDatabase(
        Array.from({ length: 60 }, (_, n) => {
          const reference = n === 0 ? '' : `, thing_${n - 1}_id int references thing_${n - 1} (id)`;
          return `create table thing_${n} (id int primary key, name text, status text, amount numeric, made_on date${reference});
          insert into thing_${n} (id, name, status, amount, made_on)
          select k, 'N' || k, case when k % 2 = 0 then 'open' else 'closed' end, k, date '2024-01-01' + k from generate_series(1, 50) k;`;
        }).join('\n'),
      ),
    );
    await call('POST', '/mgmt/connections', { name: 'many', ...connectionTo(url) });
    const { run, text } = await app.draftLens('many', { save: true });
    const sample_questions = expect.arrayContaining([expect.any(String)]);
    expect(run).toMatchObject({
      progress: { step: 'values', done: 60, total: 60 },
      result: { tables: 60, left_out: [], personal: [], sample_questions },
    });
    expect(text.match(/from: thing_\d+\.thing_\d+_id/g)).toHaveLength(59);
    expect(text.match(/status: \{datatype: string, values: auto\}/g)).toHaveLength(60);
    const validated = await call('POST', `/mgmt/lenses/many/drafts/${run.result.draft_id}/validate`);
    expect(validated.body).toMatchObject({ valid: true, problems: [] });
  });

  test('finds undeclared keys by their values, and joins to them', async () => {
    const url = new URL(
      await createDatabase(`
      create table visitor (visitor_id int, name text); insert into visitor values (1, 'Ann'), (2, 'Bob');
      create table stop (stop_id int, name text); insert into stop values (1, 'Zoo'), (1, 'Port');
      create table visit (visitor_id int, stop_id int, fee numeric); insert into visit values (1, 1, 5), (1, 1, 7);`),
    );
    await call('POST', '/mgmt/connections', { name: 'bare', ...connectionTo(url) });
    const { text } = await app.draftLens('bare');
    expect(text).toContain('primary_key: [visitor_id]');
    expect(text).toContain('{from: visit.visitor_id, to: visitor.visitor_id}');
    expect(text).not.toContain('primary_key: [stop_id]');
    expect(text).not.toContain('to: stop.stop_id');
  });

  test('lists tables with their joins', async () => {
    const { items } = (await call('GET', '/mgmt/semantic/introspect?connection=core')).body;
    expect(items.find(({ table }: { table: string }) => table === 'public.invoice')).toMatchObject({
      joins: [{ to: 'public.customer', declared: true }],
    });
  });
});

describe('lenses created through the API', () => {
  let draft: { id: string; revision: number };
  test('are drafted, refused with the line of each problem, published, and asked', async () => {
    const misspelled = LENS.replace('sum(invoice.total)', 'sum(invoice.totl)');
    draft = (await call('POST', '/mgmt/lenses', { name: 'sales', files: { 'lens.yaml': misspelled } })).body;
    const refusal = await call('POST', `/mgmt/lenses/sales/drafts/${draft.id}/publish`);
    expect(refusal).toMatchObject({
      status: 422,
      body: { problems: [expect.objectContaining({ path: 'lenses/sales/lens.yaml', line: 13 })] },
    });
    expect((await call('POST', `/mgmt/lenses/sales/drafts/${draft.id}/validate`)).body.valid).toBe(false);
    await call('PUT', `/mgmt/lenses/sales/drafts/${draft.id}`, { files: { 'lens.yaml': LENS } });
    expect((await call('POST', `/mgmt/lenses/sales/drafts/${draft.id}/publish`)).body).toMatchObject({
      lens: 'sales',
      version: 1,
    });
    const metricsReply = await app.post('/v1/lenses/sales/metrics', { metrics: ['turnover'] }, app.adminToken);
    expect(metricsReply.body).toMatchObject({ status: 'answered', lens_version: 1, data: [{ turnover: 210 }] });
  });

  test('are invalid if a row policy names an attribute that no caller has', async () => {
    const policy =
      'row_policies:\n  - {name: own, dataset: invoice, filter: "invoice.billing_country = {caller.totel}"}\n';
    const policed = (await call('POST', '/mgmt/lenses/sales/drafts', { files: { 'lens.yaml': LENS + policy } })).body;
    const path = `/mgmt/lenses/sales/drafts/${policed.id}`;
    expect((await call('POST', `${path}/validate`)).body).toMatchObject({
      valid: false,
      problems: [expect.objectContaining({ code: 'unknown_attribute' })],
    });
    expect((await call('POST', `${path}/publish`)).status).toBe(422);
  });

  test('survive an apply, and an apply that contains them is refused', async () => {
    const { 'lenses/sales/lens.yaml': lensText, ...files } = (await call('GET', '/mgmt/project/export')).body.files;
    const touched = { ...files, 'svc.config.yaml': `${files['svc.config.yaml']}\n# touched\n` };
    expect((await call('POST', '/mgmt/project/apply', { files: touched })).status).toBe(200);
    expect((await call('GET', '/mgmt/lenses/sales')).body).toMatchObject({ version: 1, origin: 'api' });
    const otherFiles = { ...touched, 'lenses/sales/lens.yaml': `${lensText}# other\n` };
    expect((await call('POST', '/mgmt/project/apply', { files: otherFiles })).status).toBe(422);
  });

  test('have versions, a diff by meaning and by file, and can be restored', async () => {
    const next = (await call('POST', '/mgmt/lenses/sales/drafts', {})).body;
    await call('PUT', `/mgmt/lenses/sales/drafts/${next.id}`, {
      files: { 'lens.yaml': LENS.replace('sum(invoice.total)', 'sum(invoice.total) * 2') },
    });
    expect((await call('POST', `/mgmt/lenses/sales/drafts/${next.id}/publish`)).body.version).toBe(2);
    const diff = (await call('GET', '/mgmt/lenses/sales/diff?from=1&to=2')).body;
    expect(diff.changes).toEqual([expect.objectContaining({ kind: 'metric', name: 'turnover', action: 'changed' })]);
    expect(diff.files[0].diff).toContain('+  turnover: {expression: sum(invoice.total) * 2');
    expect((await call('POST', '/mgmt/lenses/sales/versions/1/restore')).body.version).toBe(3);
    expect((await app.post('/v1/lenses/sales/metrics', { metrics: ['turnover'] }, app.adminToken)).body.data).toEqual([
      { turnover: 210 },
    ]);
    expect(
      (await call('GET', '/mgmt/lenses/sales/versions')).body.items.map(({ version }: { version: number }) => version),
    ).toEqual([3, 2, 1]);
    expect((await call('GET', '/mgmt/lenses/sales/repo/lens.yaml')).body.text).toBe(LENS);
  });

  test('report a column that the warehouse lost, and the metric that breaks', async () => {
    const client = await connect(warehouseUrl.href);
    await client.query('alter table invoice rename column total to amount');
    const run = await app.runEnds((await call('POST', '/mgmt/lenses/sales/drift')).body.run_id);
    await client.query('alter table invoice rename column amount to total');
    await client.end();
    expect(run.result.findings).toEqual([
      expect.objectContaining({
        lens: 'sales',
        message: expect.stringContaining('total'),
        breaks: ['metric turnover'],
      }),
    ]);
  });

  test('are no longer served when deleted', async () => {
    expect((await call('DELETE', '/mgmt/lenses/sales')).status).toBe(200);
    expect((await app.post('/v1/lenses/sales/metrics', { metrics: ['turnover'] }, app.adminToken)).status).toBe(404);
  });
});

describe('lenses from files', () => {
  test('show their files and context, and accept grants and sample questions through the API', async () => {
    expect((await call('GET', '/mgmt/lenses/shop/repo')).body.items.map(({ path }: { path: string }) => path)).toEqual([
      'certified/core.yaml',
      'lens.yaml',
    ]);
    const context = (await call('GET', '/mgmt/lenses/shop/context?q=revenue')).body;
    expect(JSON.stringify(context)).toContain('revenue');
    expect(JSON.stringify(context)).not.toContain('customer_name');
    const grants = (body: object) => call('PUT', '/mgmt/lenses/shop/grants', body);
    expect(await grants({ callers: ['zoe', 'nobody-like-this'] })).toMatchObject({
      status: 422,
      body: {
        error: { param: 'callers', details: [{ path: 'callers[0]' }, { path: 'callers[1]', code: 'unknown_name' }] },
      },
    });
    expect((await call('POST', '/mgmt/callers', { name: 'zoe', groups: ['crew'] })).status).toBe(201);
    expect((await grants({ callers: ['zoee'] })).body.error.message).toContain(
      'There is no caller "zoee". Did you mean zoe?',
    );
    expect((await grants({ callers: ['zoe'], groups: ['crew', 'crww'] })).body).toMatchObject({
      callers: ['zoe'],
      groups: ['crew', 'crww'],
      warnings: ['No caller is in the group "crww" yet. Did you mean crew?'],
    });
    const sample = (await call('POST', '/mgmt/lenses/shop/sample-queries', { question: 'Revenue?' })).body;
    expect(
      (await call('GET', '/mgmt/lenses/shop/sample-queries')).body.items.map(
        ({ origin }: { origin: string }) => origin,
      ),
    ).toContain('api');
    expect((await call('DELETE', `/mgmt/lenses/shop/sample-queries/${sample.id}`)).status).toBe(200);
  });
});

describe('a plan', () => {
  test('lists the answers that change, with both values', async () => {
    const { files } = (await call('GET', '/mgmt/project/export')).body;
    const path = 'lenses/shop/lens.yaml';
    const policy = files[path].replace('expression: sum(orders.sales)', 'expression: sum(orders.sales) * 2');
    const withEval = {
      ...files,
      'lenses/shop/evals/e.yaml': '- {id: all, question: What was revenue?, expect: {value: 1}}\n',
    };
    expect((await call('POST', '/mgmt/project/apply', { files: withEval })).status).toBe(200);
    const plan = (await call('POST', '/mgmt/project/plan', { files: { ...withEval, [path]: policy } })).body;
    expect(plan.problems).toEqual([]);
    const [changedEval] = plan.answer_changes.filter(({ kind }: { kind: string }) => kind === 'eval');
    expect(changedEval).toMatchObject({ lens: 'shop', id: 'all' });
    expect(Number(changedEval.after)).toBeCloseTo(2 * Number(changedEval.before), 2);
    expect(
      (await call('GET', '/mgmt/project')).body.lenses.find(({ name }: { name: string }) => name === 'shop').version,
    ).toBe(2);
  });
});

describe('shared semantics', () => {
  test('can be added, changed and removed through the API', async () => {
    const createReply = await call('POST', '/mgmt/semantic/definitions', {
      term: 'active customer',
      meaning: 'Bought lately.',
    });
    expect(createReply).toMatchObject({ status: 201, body: { origin: 'api', used_by: ['shop', 'stock'] } });
    expect(
      (await call('PATCH', `/mgmt/semantic/definitions/${createReply.body.id}`, { meaning: 'Bought in 90 days.' })).body
        .definition.meaning,
    ).toBe('Bought in 90 days.');
    expect((await call('DELETE', `/mgmt/semantic/definitions/${createReply.body.id}`)).status).toBe(200);
  });
});
