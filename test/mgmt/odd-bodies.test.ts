import { expect, it } from 'vitest';
import { mintAdminToken, mintCallerKey } from '../../src/domain/identity/bootstrap.ts';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { SHOP, startTestApp } from '../support/app.ts';

const admin = (method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, payload?: string | object) =>
  svc.send({
    ...{ method, url: `/mgmt${path}`, token: svc.adminToken },
    ...(payload !== undefined && { payload, headers: { 'content-type': 'application/json' } }),
  });
const svc = await startTestApp();
const files = await loadProjectFolder(SHOP);

it.each(['\\0', '\\ud800'])('reports text that no database stores (%s) as a problem at its line', async (escaped) => {
  const lens = files['lenses/shop/lens.yaml']!.replace(/^title:.*$/m, `title: "a${escaped}b"`);
  const at = lens.split('\n').findIndex((line) => line.startsWith('title:')) + 1;
  const plan = await admin('POST', '/project/plan', { files: { ...files, 'lenses/shop/lens.yaml': lens } });
  expect(plan.body.problems).toMatchObject([{ path: 'lenses/shop/lens.yaml', line: at, column: 8, code: 'invalid' }]);
  expect((await admin('POST', '/lenses', { name: 'odd', files: { 'lens.yaml': lens } })).status).toBe(201);
  const [draft] = (await admin('GET', '/lenses/odd/drafts')).body.items;
  const checked = await admin('POST', `/lenses/odd/drafts/${draft.id}/validate`, {});
  expect(checked.body.problems).toMatchObject([{ line: at }]);
  await svc.admin('DELETE', '/lenses/odd');
});

it('refuses a null body, and leaves grants unchanged', async () => {
  await admin('PUT', '/lenses/shop/grants', { callers: ['quickstart'], groups: [] });
  expect(await admin('PUT', '/lenses/shop/grants', 'null')).toMatchObject({
    status: 422,
    body: { error: { code: 'invalid', message: expect.stringContaining('null') } },
  });
  expect((await admin('GET', '/lenses/shop/grants')).body.callers).toEqual(['quickstart']);
});

// test/demo tests /auth/demo-key, which other servers don't have.
it('refuses unknown members of the body of each operation that takes no body', async () => {
  const { paths } = (await svc.get('/docs/json', null)).body;
  const operations = Object.entries<Record<string, { requestBody?: object }>>(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => method !== 'get' && !methods[method]!.requestBody && path !== '/auth/demo-key')
      .map((method) => ({ method: method.toUpperCase() as 'POST', url: path.replace(/\{[^}]+\}/g, 'x') })),
  );
  expect(operations.length).toBeGreaterThan(30);
  for (const operation of operations)
    expect(await svc.send({ ...operation, token: svc.adminToken, payload: { bogus: 1 } }), operation.url).toMatchObject(
      {
        status: 422,
        body: { error: { code: 'invalid', details: [{ path: 'bogus', code: 'unknown_key' }] } },
      },
    );
  expect((await admin('POST', '/connections/shop/test', {})).status).toBe(200);
  expect((await admin('POST', '/connections/shop/test')).status).toBe(200);
});

it('describes a file or body of the wrong type in plain words', async () => {
  const plan = await admin('POST', '/project/plan', { files: { ...files, 'lenses/shop/lens.yaml': '- a' } });
  expect(plan.body.problems[0].message).toBe('The file must be an object, not a list.');
  const config = files['svc.config.yaml']!.replace('{lenses: [shop]}', '{lenses: [shop, "Bad name"]}');
  const listed = await admin('POST', '/project/plan', { files: { ...files, 'svc.config.yaml': config } });
  expect(listed.body.problems[0].message).toContain('Item 2 of "lenses" must be lowercase letters');
  const envelope = await svc.post('/v1/lenses/shop/query', { q: '', format: 7 });
  expect(envelope.body.error.message).toContain('q: must not be empty.');
  const createReply = await svc.admin('POST', '/callers', { name: 5, groups: 'sales' });
  expect(createReply.body.error.message).toContain('name: must be text, not a number.');
  expect(createReply.body.error.message).toContain('groups: must be a list, not text.');
  const hidden = await svc.admin('POST', '/callers', { name: 'ad\u202ea' });
  expect(hidden.body.error.message).toContain('name: must be one line of visible text.');
});

it('does not report dropped connections for an invalid svc.config.yaml', async () => {
  const text = files['lenses/shop/lens.yaml']!.replace('name: shop', 'name: made').replace(/^grants:.*$/m, '');
  const { id } = (await admin('POST', '/lenses', { name: 'made', files: { 'lens.yaml': text } })).body;
  expect((await admin('POST', `/lenses/made/drafts/${id}/publish`, {})).status).toBe(200);
  const config = `${files['svc.config.yaml']}\nretentoin: {}\n`;
  const plan = await admin('POST', '/project/plan', { files: { ...files, 'svc.config.yaml': config } });
  expect(plan.body.problems.map(({ code }: { code: string }) => code)).toEqual(['unknown_key']);
});

it('suggests the nearest name for an unknown lens or connection', async () => {
  expect((await admin('GET', '/lenses/shpo/drafts')).body.error.message).toContain('Did you mean shop');
  const { items } = (await admin('GET', '/connections')).body;
  const near = await admin('GET', `/connections/${items[0].name}x`);
  expect(near).toMatchObject({ status: 404, body: { error: { message: expect.stringContaining(items[0].name) } } });
});

it('audits a key made on the command line, adds its grants, and reports unknown lenses', async () => {
  await mintCallerKey(svc.deps.tenancy, svc.orgId, 'carla', ['shop']);
  const { unknownLenses } = await mintCallerKey(svc.deps.tenancy, svc.orgId, 'carla', ['shpo']);
  await mintAdminToken(svc.deps.tenancy, svc.orgId, 'ops');
  expect(unknownLenses).toEqual(['shpo']);
  const granted = (await admin('GET', '/callers/carla/grants')).body;
  expect(granted.lenses).toEqual(['shop', 'shpo']);
  const audit = (await admin('GET', '/audit')).body.items;
  const actions = audit.map(({ action }: { action: string }) => action);
  expect(actions).toEqual(expect.arrayContaining(['key.create', 'token.create']));
  const grants = audit.find(({ action }: { action: string }) => action === 'caller.grants');
  expect(grants).toMatchObject({ before: ['shop'], after: ['shop', 'shpo'] });
  await admin('PATCH', '/callers/carla', { disabled: true });
  await expect(mintCallerKey(svc.deps.tenancy, svc.orgId, 'carla', ['late'])).rejects.toThrow('is disabled');
  expect((await admin('GET', '/callers/carla/grants')).body.lenses).toEqual(['shop', 'shpo']);
});

it.each([
  [{}, 'expect: Give one of sql, rows, value, clarification, status.'],
  [{ status: 'maybe' }, 'expect.status: must be one of'],
  [{ clarification: 'x' }, 'expect.clarification: must be one of'],
  [{ value: 1, sql: 'select 1' }, '"value" can\'t be combined with "sql"'],
])('explains an invalid expectation: %j', async (expect_, said) => {
  const reply = await admin('POST', '/lenses/shop/evals', { id: 'odd', question: 'q?', expect: expect_ });
  expect(reply).toMatchObject({ status: 422, body: { error: { message: expect.stringContaining(said) } } });
});

it('refuses to approve a patch that breaks the lens, and lists the kinds of patches', async () => {
  const change = { kind: 'metric_filter', metric: 'revenue', filter: 'orders.saels > 1' };
  const { id } = (await admin('POST', '/lenses/shop/patches', { change })).body;
  const refusal = await admin('POST', `/lenses/shop/patches/${id}/approve`, {});
  expect(refusal).toMatchObject({ status: 422, body: { error: { message: expect.stringMatching(/saels.*sales/) } } });
  expect((await admin('GET', `/lenses/shop/patches/${id}`)).body.status).toBe('draft');
  const strange = await admin('POST', '/lenses/shop/patches', { change: { kind: 'zzz' } });
  expect(strange.body.error.message).toMatch(/must be one of synonym, filler_word, value_synonym, .*eval/);
});
