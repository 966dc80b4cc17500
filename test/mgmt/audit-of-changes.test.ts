// Every route that changes something writes an audit row with the id of the request. The routes come from the OpenAPI
// document, so a new route fails until this test calls it.
import { expect, it } from 'vitest';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { completeFlow, makePerson, signIn } from '../oauth/oauth-flow.ts';
import { SHOP, startTestApp } from '../support/app.ts';
import { lensText } from '../support/lens-text.ts';
import { connectionTo, createDatabase } from '../support/postgres.ts';

/** Routes that change nothing for other callers. */
const ONLY_LOOK = [
  'POST /mgmt/project/plan',
  'POST /mgmt/connections/{id}/test',
  'POST /mgmt/lenses/{name}/drafts/{id}/validate',
  'POST /mgmt/lenses/{name}/drafts/{id}/try',
  'POST /mgmt/lenses/{name}/patches/{id}/preview',
];
/** test/mgmt/runs.test.ts tests this route, because it needs a running operation. */
const ELSEWHERE = ['POST /mgmt/runs/{run_id}/cancel'];
const LENS = lensText(`name: goods
connection: shop
datasets:
  orders: main.orders (row_id integer, region string {values: [West, East]}, sales decimal)
metrics:
  turnover: {expression: sum(orders.sales), description: What was sold.}
facts:
  - {kind: aggregation, of: orders.sales, says: sum, origin: inferred, evidence: its name}
`);
const QUESTION = 'What was turnover by region?';
const SQL = 'select region, sum(sales) as turnover from orders group by region';
const walked = new Set<string>();
const unaudited: string[] = [];
// The configuration has no `instance`, because only files may change that key.
const files = await loadProjectFolder(SHOP);
const config = files['svc.config.yaml']!.replace(/^instance:.*\n/, '');
const app = await startTestApp({ files: { ...files, 'svc.config.yaml': config } });

/** Calls `route` of the OpenAPI document with its parameters filled in. */
async function walk(route: string, places: string[] = [], payload?: object, file?: string) {
  const [method, path] = route.split(' ') as [string, string];
  const left = [...places];
  const url = path.replace(/\{[^}]+\}/g, () => left.shift()!);
  const reply = await app.send({
    method: method as 'POST',
    url,
    token: app.adminToken,
    ...(payload && { payload }),
    ...(file && { query: { name: file }, headers: { 'content-type': 'application/octet-stream' } }),
  });
  expect(reply.status, `${route}: ${reply.text.slice(0, 500)}`).toBeLessThan(300);
  const rows = await app.sql<{ actor: string; object_kind: string }>(
    'select actor, object_kind from svc.audit_log where request_id::text = $1 and org_id = $2',
    [reply.headers['x-request-id'], app.orgId],
  );
  walked.add(route);
  if (!ONLY_LOOK.includes(route) && !rows.some(({ actor }) => actor === 'test')) unaudited.push(route);
  return reply.status === 202 ? { ...reply.body, run: await app.runEnds(reply.body.run_id) } : reply.body;
}
const mgmt = async (path: string) => (await app.get(`/mgmt${path}`, app.adminToken)).body;

it('records each change by each route in the audit log, under the id of its request', {
  timeout: 240_000,
}, async () => {
  // Identities.
  const ada = await walk('POST /mgmt/callers', [], { name: 'ada' });
  await walk('PATCH /mgmt/callers/{id}', [ada.id], { groups: ['field'] });
  await walk('PUT /mgmt/callers/{id}/grants', [ada.id], { lenses: ['shop'] });
  const key = await walk('POST /mgmt/callers/{id}/keys', [ada.id], { label: 'laptop' });
  await walk('POST /mgmt/callers/{id}/keys/{key_id}/rotate', [ada.id, key.key_id], {});
  await walk('DELETE /mgmt/callers/{id}/keys/{key_id}', [ada.id, key.key_id]);
  await walk('DELETE /mgmt/callers/{id}', [ada.id]);
  const token = await walk('POST /mgmt/tokens', [], { label: 'deploys' });
  await walk('DELETE /mgmt/tokens/{id}', [token.key_id ?? token.id ?? token.token_id]);
  const person = { email: 'grace@example.com', password: 'plum tree by the river', role: 'viewer' };
  const grace = await walk('POST /mgmt/users', [], person);
  await walk('PATCH /mgmt/users/{id}', [grace.id], { caller: 'quickstart' });
  await walk('POST /mgmt/users/{id}/password', [grace.id], { password: 'pear tree by the river' });
  await walk('DELETE /mgmt/users/{id}', [grace.id]);
  await makePerson(app, 'vic@example.com');
  await completeFlow(app, await signIn(app, 'vic@example.com'));
  const consents = await app.sql("select actor from svc.audit_log where action = 'oauth_grant.create'");
  expect(consents).toEqual([{ actor: 'vic@example.com' }]);
  await walk('DELETE /mgmt/oauth/grants/{id}', [(await mgmt('/oauth/grants')).items[0].id]);
  await walk('DELETE /mgmt/oauth/clients/{id}', [(await mgmt('/oauth/clients')).items[0].id]);

  // Connections and shared semantics.
  const connection = connectionTo(await createDatabase());
  const core = await walk('POST /mgmt/connections', [], { name: 'core', ...connection });
  await walk('POST /mgmt/uploads', [], Buffer.from('id,name\n1,one\n'), 'things.csv');
  await walk('POST /mgmt/connections/{id}/test', [core.id]);
  await walk('PATCH /mgmt/connections/{id}', [core.id], { ssl: false });
  await walk('POST /mgmt/connections/{id}/catalog/refresh', ['shop']);
  await walk('POST /mgmt/connections/{id}/profile', ['shop'], {});
  await walk('POST /mgmt/connections/{id}/drift-audit', ['shop']);
  await walk('DELETE /mgmt/connections/{id}', [core.id]);
  const entity = { source: 'main.stock', fields: { item: { datatype: 'string' } } };
  const shared = await walk('POST /mgmt/semantic/entities', [], { name: 'wares', entity });
  await walk('PATCH /mgmt/semantic/entities/{id}', [shared.id], { entity: { ...entity, description: 'Wares.' } });
  await walk('DELETE /mgmt/semantic/entities/{id}', [shared.id]);
  const term = await walk('POST /mgmt/semantic/definitions', [], { term: 'regular', meaning: 'Buys each month.' });
  await walk('PATCH /mgmt/semantic/definitions/{id}', [term.id], { meaning: 'Buys each week.' });
  await walk('DELETE /mgmt/semantic/definitions/{id}', [term.id]);
  await walk('POST /mgmt/semantic/introspect/draft', [], { connection: 'shop' });

  // The project.
  const { files } = await mgmt('/project/export');
  const LENS_FILE = 'lenses/shop/lens.yaml';
  const touched = { ...files, [LENS_FILE]: `${files[LENS_FILE]}\n# touched\n` };
  await walk('POST /mgmt/project/plan', [], { files: touched });
  await walk('POST /mgmt/project/apply', [], { files: touched });
  const [, before] = (await mgmt('/project/deployments')).items;
  await walk('POST /mgmt/project/deployments/{id}/rollback', [before.id], {});
  await walk('POST /mgmt/lenses/{name}/certified/{id}/retire', ['shop', 'revenue-by-region'], {});
  await walk('DELETE /mgmt/project/edits');

  // A lens created through the API.
  const draft = await walk('POST /mgmt/lenses', [], { name: 'goods', files: { 'lens.yaml': LENS } });
  await walk('PUT /mgmt/lenses/{name}/drafts/{id}', ['goods', draft.id], { files: { 'lens.yaml': LENS } });
  await walk('POST /mgmt/lenses/{name}/drafts/{id}/validate', ['goods', draft.id]);
  await walk('POST /mgmt/lenses/{name}/drafts/{id}/try', ['goods', draft.id], { q: QUESTION });
  await walk('POST /mgmt/lenses/{name}/drafts/{id}/publish', ['goods', draft.id]);
  const secondDraft = await walk('POST /mgmt/lenses/{name}/drafts', ['goods'], {});
  await walk('DELETE /mgmt/lenses/{name}/drafts/{id}', ['goods', secondDraft.id]);
  await walk('PUT /mgmt/lenses/{name}/grants', ['goods'], { callers: ['quickstart'] });
  const sample = await walk('POST /mgmt/lenses/{name}/sample-queries', ['goods'], { question: QUESTION });
  await walk('DELETE /mgmt/lenses/{name}/sample-queries/{id}', ['goods', sample.id]);
  await walk('POST /mgmt/lenses/{name}/drift', ['goods']);
  await walk('POST /mgmt/lenses/{name}/profile', ['goods'], {});
  await walk('POST /mgmt/lenses/{name}/join-candidates', ['goods']);
  await walk('POST /mgmt/lenses/{name}/versions/{version}/restore', ['goods', '1']);
  await walk('POST /mgmt/lenses/{name}/facts', ['goods'], { confirm: ['aggregation:orders.sales'] });

  // The learning loop.
  const entry = await walk('POST /mgmt/lenses/{name}/certified', ['goods'], { question: 'Turnover?', sql: SQL });
  await walk('PATCH /mgmt/lenses/{name}/certified/{id}', ['goods', entry.cert_id], { notes: 'Checked.' });
  await walk('POST /mgmt/lenses/{name}/certified/{id}/approve', ['goods', entry.cert_id], {});
  await walk('POST /mgmt/lenses/{name}/certified/{id}/check', ['goods', entry.cert_id]);
  await walk('POST /mgmt/lenses/{name}/certified/check', ['goods']);
  await walk('POST /mgmt/lenses/{name}/certified/{id}/retire', ['goods', entry.cert_id], {});
  await walk('DELETE /mgmt/lenses/{name}/certified/{id}', ['goods', entry.cert_id]);
  const test = await walk('POST /mgmt/lenses/{name}/evals', ['goods'], { question: QUESTION, expect: { sql: SQL } });
  await walk('PATCH /mgmt/lenses/{name}/evals/{id}', ['goods', test.id], { paraphrases: ['Turnover by region'] });
  await walk('POST /mgmt/lenses/{name}/evals/run', ['goods'], {});
  await walk('DELETE /mgmt/lenses/{name}/evals/{id}', ['goods', test.id]);

  const ask = async (q: string) => (await app.post('/v1/lenses/goods/query', { q })).body;
  const raise = async () => {
    const { request_id } = await ask(QUESTION);
    return (await app.post('/v1/reviews', { request_id, correction: { sql: SQL } })).body.ticket_id as string;
  };
  for (const decide of ['approve', 'reject']) {
    const ticket = await raise();
    await walk('POST /mgmt/reviews/{id}/claim', [ticket]);
    await walk('POST /mgmt/reviews/{id}/comments', [ticket], { body: 'Looking.' });
    await walk('POST /mgmt/reviews/{id}/rule', [ticket], { ruling: 'accepted' });
    await walk(`POST /mgmt/reviews/{id}/patch/${decide}`, [ticket], {});
  }
  for (const decide of ['approve', 'reject']) {
    const change = { kind: 'synonym', of: 'metric', name: 'turnover', synonym: `word${decide}` };
    const patch = await walk('POST /mgmt/lenses/{name}/patches', ['goods'], { change });
    await walk('POST /mgmt/lenses/{name}/patches/{id}/preview', ['goods', patch.id]);
    await walk(`POST /mgmt/lenses/{name}/patches/{id}/${decide}`, ['goods', patch.id], {});
  }
  for (const q of ['Turnover in the West?', 'Turnover in the East?']) for (const _again of [1, 2]) await ask(q);
  await walk('POST /mgmt/lenses/{name}/distill', ['goods'], {});
  const [one, two] = (await mgmt('/lenses/goods/distill/candidates?status=open')).items;
  await walk('POST /mgmt/lenses/{name}/distill/candidates/{id}/accept', ['goods', one.id], {});
  await walk('POST /mgmt/lenses/{name}/distill/candidates/{id}/dismiss', ['goods', two.id], {});
  expect((await ask('What was turnover of unicorns?')).status).toBe('refused');
  await walk('POST /mgmt/gap-map/refresh');
  await walk('POST /mgmt/gap-map/{id}/resolve', [(await mgmt('/gap-map?status=open')).items[0].id], {
    how: 'dismissed',
  });
  await walk('PUT /mgmt/standards', [], { certified_minimum: 1 });
  await walk('PUT /mgmt/surface', [], { name: 'The shop' });

  await walk('DELETE /mgmt/lenses/{name}', ['goods']);

  const document = (await app.get('/docs/json', null)).body;
  const changing = Object.entries<object>(document.paths)
    .filter(([path]) => path.startsWith('/mgmt/'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    .filter((route) => !route.startsWith('GET ') && !ELSEWHERE.includes(route));
  expect({ unaudited, unwalked: changing.filter((route) => !walked.has(route)) }).toEqual({
    unaudited: [],
    unwalked: [],
  });
});
