import { beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { lensText } from '../support/lens-text.ts';
import { connect, connectionTo, createDatabase } from '../support/postgres.ts';

// On a busy machine, polling can take a long time.
vi.setConfig({ testTimeout: 120_000 });

const JOINED = lensText(`name: joined
connection: core
datasets:
  quick: public.quick (id integer)
  keys: public.keys (id integer)
relationships: [{name: key, from: quick.id, to: keys.id}]
`);
const WAIT = { timeout: 30_000, interval: 50 };
const url = new URL(await createDatabase());
const warehouse = await connect(url.href);
await warehouse.query(`
    create table quick (id int primary key, name text);
    insert into quick select n, 'N' || n from generate_series(1, 10) n;
    create table keys (id int primary key);
    create view slow as select n as id, case when pg_sleep(300) is null then '' else 'x' end as name from generate_series(1, 3) n;`);
const connection = JSON.stringify(connectionTo(url));
const field = '{id: {datatype: integer}, name: {datatype: string}}';
const app = await startTestApp({
  files: {
    'svc.config.yaml': `connections: {core: ${connection}}\n`,
    'lenses/tidy/lens.yaml': `name: tidy\nconnection: core\ndatasets:\n  quick: {source: public.quick, fields: ${field}}\n  slow: {source: public.slow, fields: ${field}}\nmetrics:\n  kinds: {expression: count(distinct slow.name), description: Kinds.}\n`,
    'lenses/tidy/certified/core.yaml':
      '- {id: names, question: Which names?, sql: "select name from slow", approved_by: ops, approved_at: 2026-01-01}\n',
    'lenses/joined/lens.yaml': JOINED,
    'lenses/tidy/evals/core.yaml': '- {id: names, question: Kinds?, expect: {sql: "select count(name) from slow"}}\n',
  },
});

const runOf = async (id: string) => (await app.admin('GET', `/runs/${id}`)).body;
const countSleeping = async () =>
  (
    await warehouse.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where state = 'active' and wait_event = 'PgSleep' and datname = current_database()`,
    )
  ).rows[0]!.n;

describe('canceling', () => {
  it.each([
    ['a profile', '/mgmt/lenses/tidy/profile'],
    ['a check of certified entries', '/mgmt/lenses/tidy/certified/check'],
    ['an eval run', '/mgmt/lenses/tidy/evals/run'],
    ['a search for joins', '/mgmt/lenses/tidy/join-candidates'],
    ['a profile of a connection', '/mgmt/connections/core/profile'],
    ['an introspection', '/mgmt/semantic/introspect/draft', { connection: 'core', tables: ['slow'] }],
  ])('%s stops its query in the warehouse', async (_what, path, body: object = {}) => {
    await stopsItsQuery(path, body);
  });

  describe('with a slow view in place of a key table', () => {
    beforeAll(() => warehouse.query('drop table keys; create view keys as select id from slow where name is not null'));

    it.each([
      ['a drift audit of a lens', '/mgmt/lenses/joined/drift'],
      ['a drift audit of a connection', '/mgmt/connections/core/drift-audit'],
    ])('%s stops its query in the warehouse', async (_what, path) => {
      await stopsItsQuery(path, {});
    });

    it('a plan that runs as a run stops its query, and an apply can’t be canceled', async () => {
      const { files } = (await app.admin('GET', '/project/export')).body;
      files['lenses/joined/lens.yaml'] += 'description: Now with words.\n';
      await stopsItsQuery('/mgmt/project/plan', { files }, { prefer: 'respond-async' });
      const apply = await app.admin('POST', '/project/apply', { files }, { prefer: 'respond-async' });
      await expect.poll(countSleeping, WAIT).toBeGreaterThan(0);
      expect(await app.admin('POST', `/runs/${apply.body.run_id}/cancel`, {})).toMatchObject({
        status: 409,
        body: { error: { message: expect.stringContaining('publishes a version') } },
      });
      await warehouse.query('select pg_cancel_backend(pid) from pg_stat_activity where wait_event = $1', ['PgSleep']);
      await expect.poll(async () => (await runOf(apply.body.run_id)).state, WAIT).toBe('failed');
    });
  });

  async function stopsItsQuery(path: string, body: object, headers: Record<string, string> = {}): Promise<void> {
    const startReply = await app.post(path, body, app.adminToken, headers);
    expect(startReply.status).toBe(202);
    const { run_id } = startReply.body;
    await expect.poll(countSleeping, WAIT).toBeGreaterThan(0);
    expect(await runOf(run_id)).toMatchObject({ state: 'running' });
    const cancelled = await app.admin('POST', `/runs/${run_id}/cancel`, {});
    expect(cancelled).toMatchObject({ status: 200, body: { run_id, state: 'cancelled' } });
    await expect.poll(countSleeping, WAIT).toBe(0);
    expect(await runOf(run_id)).toMatchObject({ state: 'cancelled', result: null, error: null });
    expect((await app.admin('POST', `/runs/${run_id}/cancel`, {})).body.state).toBe('cancelled');
  }

  it('works from another replica, and progress is visible during the run', async () => {
    const { run_id } = (await app.admin('POST', '/lenses/tidy/profile', {})).body;
    await expect.poll(async () => (await runOf(run_id)).progress, WAIT).toEqual({ done: 1, total: 2 });
    const replica = await app.replica();
    const reply = await replica.inject({
      method: 'POST',
      url: `/mgmt/runs/${run_id}/cancel`,
      headers: { authorization: `Bearer ${app.adminToken}` },
    });
    expect(reply.json()).toMatchObject({ state: 'cancelled' });
    await expect.poll(countSleeping, WAIT).toBe(0);
    const [audited] = (await app.admin('GET', `/audit?action=run.cancel&object_id=${run_id}`)).body.items;
    expect(audited).toMatchObject({ actor: 'test', after: { state: 'cancelled', kind: 'lens.profile' } });
  });

  it('returns 409 for a finished run, and 404 for an unknown run or one of another organization', async () => {
    const { run_id } = (await app.admin('POST', '/gap-map/refresh', {})).body;
    await expect.poll(async () => (await runOf(run_id)).state, WAIT).toBe('succeeded');
    const late = await app.admin('POST', `/runs/${run_id}/cancel`, {});
    expect(late).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    expect((await app.admin('POST', '/runs/nothing/cancel', {})).status).toBe(404);
    const otherTenant = await app.addTenant('other', { 'svc.config.yaml': 'connections: {}' });
    expect((await app.post(`/mgmt/runs/${run_id}/cancel`, {}, otherTenant.adminToken)).status).toBe(404);
  });
});

describe('Prefer: respond-async', () => {
  const requestRun = async (path: string, body: object) => {
    const {
      status,
      headers,
      body: startBody,
    } = await app.post(path, body, app.adminToken, { prefer: 'respond-async' });
    expect([status, headers['preference-applied']]).toEqual([202, 'respond-async']);
    await expect.poll(async () => (await runOf(startBody.run_id)).state, WAIT).not.toBe('running');
    return runOf(startBody.run_id);
  };
  const lensText = (name: string, field = 'id') =>
    `name: ${name}\nconnection: core\ndatasets: {quick: {source: public.quick, fields: {${field}: {datatype: integer}}}}\n`;

  it('returns the plan as the result of the run, and counts its checks', async () => {
    const { files } = (await app.admin('GET', '/project/export')).body;
    const moreFiles = { ...files, 'lenses/a/lens.yaml': lensText('a'), 'lenses/b/lens.yaml': lensText('b') };
    const run = await requestRun('/mgmt/project/plan', { files: moreFiles });
    expect(run).toMatchObject({ kind: 'project.plan', state: 'succeeded', error: null });
    expect(run.progress).toEqual({ step: 'lenses', done: 4, total: 4 });
    const planReply = await app.admin('POST', '/project/plan', { files: moreFiles });
    expect(planReply.status).toBe(200);
    expect(run.result).toEqual(planReply.body);
  });

  it('keeps only the members of the reply in the result of the run', async () => {
    const { files } = (await app.admin('GET', '/project/export')).body;
    const faultyFiles = { ...files, 'lenses/a/lens.yaml': lensText('a', 'ident') };
    const { result } = await requestRun('/mgmt/project/plan', { files: faultyFiles });
    expect(result.problems).not.toEqual([]);
    expect(result).toEqual((await app.admin('POST', '/project/plan', { files: faultyFiles })).body);
  });

  it('keeps the problems of a refused apply, and counts the checks of a publish', async () => {
    const { files } = (await app.admin('GET', '/project/export')).body;
    const refusedRun = await requestRun('/mgmt/project/apply', {
      files: { ...files, 'lenses/a/lens.yaml': lensText('a', 'ident') },
    });
    expect(refusedRun).toMatchObject({
      state: 'failed',
      error: { code: 'invalid' },
      result: { error: { code: 'invalid' }, problems: [{ path: 'lenses/a/lens.yaml', code: 'unknown_name' }] },
    });
    const createReply = await app.admin('POST', '/lenses', { name: 'c', files: { 'lens.yaml': lensText('c') } });
    const publishRun = await requestRun(`/mgmt/lenses/c/drafts/${createReply.body.id}/publish`, {});
    expect(publishRun).toMatchObject({ state: 'succeeded', result: { lens: 'c', version: 1 } });
    expect(publishRun.progress).toEqual({ step: 'fields', done: 1, total: 1 });
  });
});

it('marks a run as failed when its process died and another process starts', async () => {
  const [{ id } = { id: '' }] = await app.sql<{ id: string }>(
    `insert into svc.runs (org_id, id, kind, state, actor, updated_at)
     values ($1, gen_random_uuid(), 'lens.profile', 'running', 'ada', now() - interval '1 minute') returning id`,
    [app.orgId],
  );
  await app.replica();
  const fetchState = async () => (await app.sql('select state, error from svc.runs where id = $1', [id]))[0];
  await expect
    .poll(fetchState, WAIT)
    .toMatchObject({ state: 'failed', error: { message: expect.stringContaining('Start it again') } });
});

it('marks its runs as failed and stops their queries when the server stops', async () => {
  const { run_id } = (await app.admin('POST', '/lenses/tidy/profile', {})).body;
  await expect.poll(countSleeping, WAIT).toBeGreaterThan(0);
  await app.deps.runs.close();
  expect(await runOf(run_id)).toMatchObject({ state: 'failed', error: { code: 'internal' } });
  await expect.poll(countSleeping, WAIT).toBe(0);
});
