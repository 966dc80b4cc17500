import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { startTestApp } from '../support/app.ts';

const BILLING = fileURLToPath(new URL('../fixtures/billing', import.meta.url));
const PATH = 'lenses/billing/lens.yaml';
const FACTS = `facts:
  - {kind: join, of: invoices.customer_id, says: customers.customer_id, origin: inferred, evidence: all 12 values are in customers.customer_id}
  # Their tickets.
  - {kind: join, of: tickets.customer_id, says: customers.customer_id, origin: inferred, evidence: "9 of 12 values are in customers.customer_id"}
  - {kind: aggregation, of: invoices.amount, says: sum, origin: inferred, evidence: its name is that of an amount}
  - {kind: time_field, of: tickets, says: opened_at, origin: inferred, evidence: 80 of 80 rows have it}
  - {kind: key, of: customers, says: customer_id, origin: declared, evidence: primary key}
  - {kind: unit, of: invoices.amount, says: USD, origin: inferred, evidence: its name}
`;
type Files = Record<string, string>;
const listFacts = async (name = 'billing') => (await admin('GET', `/lenses/${name}/facts`)).body.items;
const findFact = async (id: string, name = 'billing') =>
  (await listFacts(name)).find((fact: { id: string }) => fact.id === id);
const post = (body: object, name = 'billing', headers?: Record<string, string>) =>
  admin('POST', `/lenses/${name}/facts`, body, headers);
const exportFiles = async (): Promise<Files> => (await admin('GET', '/project/export')).body.files;
const ask = async (q: string, lens = 'billing'): Promise<Envelope> =>
  (await app.post(`/v1/lenses/${lens}/query`, { q })).body;
const apply = async (files: Files) => {
  const reply = await admin('POST', '/project/apply', { files });
  expect(reply.status, reply.text).toBe(200);
};
const folder = await loadProjectFolder(BILLING);
folder[PATH] =
  folder[PATH]!.replace(
    'definitions:\n',
    'definitions:\n  - {term: money asked for, meaning: On invoices., metric: billed}\n',
  ).replace(
    'metrics:\n',
    'metrics:\n  urgency: {expression: "count(case when tickets.priority = \'urgent\' then 1 end)", time_field: tickets.opened_at}\n',
  ) + FACTS;
const app = await startTestApp({ project: BILLING, files: folder });
const { admin } = app;

describe('the list of facts', () => {
  it('starts with inferred facts, ordered by the answers and sample questions that depend on them', async () => {
    await ask('billed by state');
    await ask('tickets by state');
    await ask('billed by state');
    await app.post('/v1/lenses/billing/metrics', { metrics: ['billed'] });
    const factList = await listFacts();
    expect(factList.map(({ id, depends, origin }: Record<string, unknown>) => [id, depends, origin])).toEqual([
      ['aggregation:invoices.amount', 3, 'inferred'],
      ['unit:invoices.amount', 3, 'inferred'],
      ['join:invoices.customer_id', 2, 'inferred'],
      ['join:tickets.customer_id', 1, 'inferred'],
      ['time_field:tickets', 0, 'inferred'],
      ['key:customers', 0, 'declared'],
    ]);
    const join = { kind: 'join', of: 'invoices.customer_id', says: 'customers.customer_id' };
    expect(factList[2]).toMatchObject({ ...join, evidence: 'all 12 values are in customers.customer_id' });
    for (const { sample_rows } of factList) expect(sample_rows).toHaveLength(2);
    expect(Object.values(factList[2].sample_rows[0])).toEqual([1, 1, 'Alder Foods']);
  });

  it('shows the columns of a key in the sample rows, also under the other names of their fields', async () => {
    const renamed = 'number: {datatype: integer, expression: \'"customer_id"\'}';
    await apply({ ...folder, [PATH]: folder[PATH]!.replace('customer_id: {datatype: integer}', renamed) });
    const { sample_rows } = await findFact('key:customers');
    expect(Object.keys(sample_rows[0])[0]).toBe('number');
    await apply(folder);
  });

  it('is paged, and the lens shows the number of its facts', async () => {
    const first = (await admin('GET', '/lenses/billing/facts?limit=4')).body;
    const rest = (await admin('GET', `/lenses/billing/facts?limit=4&cursor=${first.next_cursor}`)).body;
    expect([first.items.length, rest.items.length, rest.next_cursor]).toEqual([4, 2, null]);
    expect((await app.get('/v1/lenses/billing')).body.facts).toEqual({ inferred: 5, confirmed: 0, declared: 1 });
  });

  it('counts the sample questions that depend on a fact', async () => {
    const questions = '  - Tickets by state\n  - Tickets in March 2024';
    await apply({ ...folder, [PATH]: folder[PATH]!.replace('  - Tickets by priority', questions) });
    expect((await findFact('join:tickets.customer_id')).depends).toBe(2);
    expect((await findFact('time_field:tickets')).depends).toBe(1);
    await apply(folder);
  });

  it('is readable for admins and viewers of the organization only', async () => {
    const otherTenant = await app.addTenant('other', { 'svc.config.yaml': 'connections: {}\n' });
    expect((await app.get('/mgmt/lenses/billing/facts')).status).toBe(403);
    expect((await app.post('/mgmt/lenses/billing/facts', { confirm: 'proven_joins' })).status).toBe(403);
    expect((await app.get('/mgmt/lenses/billing/facts', otherTenant.adminToken)).status).toBe(404);
    expect((await app.post('/mgmt/lenses/billing/facts', { confirm: [] }, otherTenant.adminToken)).status).toBe(404);
    const viewer = await signIn('viewer@example.com', null);
    const shown = await app.get('/mgmt/lenses/billing/facts', viewer);
    expect(shown.status).toBe(200);
    expect(shown.body.items.every((item: object) => !('sample_rows' in item))).toBe(true);
    expect((await app.post('/mgmt/lenses/billing/facts', { confirm: 'proven_joins' }, viewer)).status).toBe(403);
    const confined = await signIn('confined@example.com', 'quickstart');
    expect((await app.get('/mgmt/lenses/billing/facts', confined)).status).toBe(403);
  });
});

async function signIn(email: string, caller: string | null): Promise<string> {
  const password = 'a long enough pass phrase';
  const createReply = await admin('POST', '/users', { email, password, role: 'viewer', ...(caller && { caller }) });
  expect(createReply.status, createReply.text).toBe(201);
  const session = await app.post('/auth/login', { email, password }, null);
  return session.body.token;
}

describe('confirming facts', () => {
  it('makes answers verified, keeps the rest of the file, and appears in history, audit log and export', async () => {
    expect((await ask('billed')).confidence).toBe('partial');
    const key = { 'idempotency-key': 'once' };
    const confirm = ['aggregation:invoices.amount', 'unit:invoices.amount'];
    const reply = await post({ confirm }, 'billing', key);
    const confirmation = { lens: 'billing', confirmed: confirm, corrected: [] };
    expect(reply, reply.text).toMatchObject({ status: 200, body: confirmation });
    expect((await post({ confirm }, 'billing', key)).body).toEqual(reply.body);
    expect((await ask('billed')).confidence).toBe('verified');
    expect((await ask('billed by state')).confidence).toBe('partial');
    const today = new Date().toISOString().slice(0, 10);
    const text = (await exportFiles())[PATH]!;
    expect(text).toBe(
      folder[PATH]!.replace(
        /(aggregation, of: invoices.amount, says: sum, origin: )inferred(, evidence: .*)}/,
        `$1confirmed$2, by: test, at: ${today}}`,
      ).replace(/(says: USD, origin: )inferred(, evidence: .*)}/, `$1confirmed$2, by: test, at: ${today}}`),
    );
    const [last] = (await admin('GET', '/project/deployments')).body.items;
    expect(last.message).toBe('Confirm aggregation:invoices.amount, unit:invoices.amount');
    const [row] = (await admin('GET', '/audit?action=lens.facts')).body.items;
    expect(row).toMatchObject({ object_id: 'billing', after: { confirmed: reply.body.confirmed } });
    expect((await app.get('/v1/lenses/billing')).body.facts).toEqual({ inferred: 3, confirmed: 2, declared: 1 });
  });

  it('merges with later files of the author, and reports a conflict', async () => {
    const changedFiles = { ...folder, [PATH]: folder[PATH]!.replace('synonyms: [tier]', 'synonyms: [tier, level]') };
    await apply(changedFiles);
    expect((await ask('billed')).confidence).toBe('verified');
    expect((await exportFiles())[PATH]).toContain('[tier, level]');
    const other = changedFiles[PATH]!.replace('evidence: its name is that of an amount', 'evidence: an amount');
    const planReply = await admin('POST', '/project/plan', { files: { ...folder, [PATH]: other } });
    expect(planReply.body.problems).toEqual([expect.objectContaining({ path: PATH, code: 'conflict' })]);
  });

  it('creates no new version for a fact that is already confirmed', async () => {
    const before = (await admin('GET', '/lenses/billing')).body.version;
    const reply = await post({ confirm: ['aggregation:invoices.amount'] });
    expect(reply.body).toMatchObject({ version: before, confirmed: [] });
  });

  it('refuses to confirm a fact written by the author, but can correct it', async () => {
    const needless = await post({ confirm: ['join:invoices.customer_id', 'key:invoices'] });
    expect(needless.status).toBe(422);
    expect(needless.body.error.message).toContain('"key:invoices" was written by the author of the lens');
    const reply = await post({ correct: { 'key:invoices': 'invoice_id, customer_id' } });
    expect(reply.body.corrected).toEqual(['key:invoices']);
    const text = (await exportFiles())[PATH]!;
    expect(text).toMatch(/primary_key: *\[? *\n? *(?:- )?invoice_id,?\s*(?:- )?customer_id/);
    expect(text).not.toContain('of: invoices, says');
    expect((await post({ correct: { 'key:invoices': 'nothing' } })).status).toBe(422);
    expect((await post({ correct: { 'key:invoices': 'invoice_id' } })).status).toBe(200);
  });

  it('refuses a body that names nothing to confirm or correct', async () => {
    const { status, body } = await post({});
    expect([status, body.error.message]).toEqual([422, expect.stringContaining('Give confirm, correct or both.')]);
  });

  it('reports all unknown IDs in one error', async () => {
    const refusal = await post({ confirm: ['join:invoice.customer_id', 'key:nobody'], correct: { 'unit:x.y': 'm' } });
    expect(refusal.status).toBe(422);
    const places = refusal.body.error.details.map(({ path }: { path: string }) => path);
    expect(places).toEqual(['confirm[0]', 'confirm[1]', 'correct.unit:x.y']);
    expect(refusal.body.error.message).toContain('Did you mean join:invoices.customer_id');
  });

  it('reports 400 unknown IDs, and suggests near names for the first ten only', async () => {
    const ids = Array.from({ length: 400 }, (_, at) => `join:invoices.customer_${at}`);
    const { status, body } = await admin('POST', '/lenses/billing/facts', { confirm: ids });
    const { details, message } = body.error;
    const guesses = details.filter((detail: { message: string }) => detail.message.includes('Did you mean'));
    expect([status, details.length, guesses.length]).toEqual([422, 400, 10]);
    expect(message.length).toBeLessThan(2_000);
  });

  it('confirms all joins whose values match in the data', async () => {
    const reply = await post({ confirm: 'proven_joins' });
    const confirmed = ['join:invoices.customer_id', 'join:tickets.customer_id'];
    expect(reply.body).toMatchObject({ confirmed, left: [] });
    expect((await ask('billed by state')).confidence).toBe('verified');
  });
});

describe('correcting facts', () => {
  it.each<[Record<string, string | null>, string]>([
    [{ 'time_field:tickets': 'openedat' }, 'opened_at'],
    [{ 'aggregation:invoices.amount': 'summ' }, 'sum'],
    [{ 'key:customers': 'customer' }, 'customer_id'],
    [{ 'join:invoices.customer_id': 'customer.customer_id' }, 'customers.customer_id'],
    [{ 'aggregation:invoices.amount': 'none' }, 'metrics that sum invoices.amount: billed'],
    [{ 'key:customers': 'state' }, '8 rows of customers repeat a value of state.'],
    [{ 'key:customers': 'customer_id, churned_on' }, 'rows of customers have no value of customer_id, churned_on.'],
  ])('refuses %j and names %s', async (correct, nearest) => {
    const refusal = await post({ correct });
    expect(refusal.status).toBe(422);
    expect(refusal.body.error.message).toContain(nearest);
  });

  it('changes the date of a table and of the metrics on it', async () => {
    const reply = await post({ correct: { 'time_field:tickets': 'closed_at' } });
    expect(reply.body).toMatchObject({ corrected: ['time_field:tickets'] });
    const envelope = await ask('how many tickets in March 2024');
    expect([envelope.confidence, envelope.scope?.time?.field]).toEqual(['verified', 'tickets.closed_at']);
    const text = (await exportFiles())[PATH];
    expect(text).toContain('time_field: closed_at');
    expect(text).toMatch(/urgency:.*time_field: tickets\.closed_at/);
    expect((await ask('urgency in March 2024')).scope?.time?.field).toBe('tickets.closed_at');
    expect(await findFact('time_field:tickets')).toMatchObject({ says: 'closed_at', origin: 'confirmed' });
  });

  it('changes an aggregation to latest and removes a unit', async () => {
    await post({ correct: { 'aggregation:invoices.amount': 'latest', 'unit:invoices.amount': null } });
    const text = (await exportFiles())[PATH]!;
    expect(text).toContain('amount: {datatype: decimal, synonyms: [invoice amount], aggregation: latest}');
    expect(text).not.toContain('kind: unit');
    expect(await findFact('aggregation:invoices.amount')).toMatchObject({ says: 'latest', origin: 'confirmed' });
  });

  it('removes a metric that sums a field corrected to average, with a warning', async () => {
    await apply({ ...folder, [PATH]: folder[PATH]!.replace(/ {2}- {term: money asked for.*\n/, '') });
    const reply = await post({ correct: { 'aggregation:invoices.amount': 'average' } });
    expect(reply.body.warnings).toEqual([expect.stringContaining('removed the metric billed')]);
    const { metrics } = (await app.get('/v1/lenses/billing')).body.schema;
    expect(metrics.map(({ name }: { name: string }) => name)).not.toContain('billed');
  });

  it('removes a join from the lens', async () => {
    await post({ correct: { 'join:tickets.customer_id': null } });
    expect((await listFacts()).map(({ id }: { id: string }) => id)).not.toContain('join:tickets.customer_id');
    expect((await ask('tickets by state')).status).not.toBe('answered');
    expect((await exportFiles())[PATH]).not.toContain('from: tickets.customer_id');
  });

  it('refuses a correction after which the files don’t compile', async () => {
    const before = (await admin('GET', '/lenses/billing')).body.version;
    const clash = await post({ correct: { 'join:invoices.customer_id': 'customers.plan' } });
    expect(clash).toMatchObject({ status: 422, body: { problems: [expect.objectContaining({ path: PATH })] } });
    expect((await admin('GET', '/lenses/billing')).body.version).toBe(before);
  });
});

describe('facts that the author of a lens wrote', () => {
  const serve = async (name: string, text: string) => {
    await app.publishLens(name, text.replace('name: billing', `name: ${name}`));
    await admin('PUT', `/lenses/${name}/grants`, { callers: ['quickstart'], groups: [] });
  };
  const textOf = async (name: string) => (await admin('GET', `/lenses/${name}`)).body.files['lens.yaml'];

  it('changes the meanings of codes that the author wrote', async () => {
    const priority = 'priority: {datatype: string, values: auto}';
    const coded = 'priority: {datatype: string, values: [{value: low, synonyms: [minor]}, normal, urgent]}';
    await serve('coded', folder[PATH]!.replace(priority, coded));
    const correctCodes = (value: string | null) => post({ correct: { 'codes:tickets.priority': value } }, 'coded');
    for (const [value, message] of [
      ['lo=minor', 'Did you mean low?'],
      ['low=minor, normal', 'Write what normal means'],
    ] as const) {
      const refusal = await correctCodes(value);
      expect([refusal.status, refusal.body.error.message]).toEqual([422, expect.stringContaining(message)]);
    }
    const { corrected } = (await correctCodes('low=minor|unimportant, urgent=critical')).body;
    expect(corrected).toEqual(['codes:tickets.priority']);
    expect((await ask('how many critical tickets', 'coded')).data).toEqual([{ ticket_count: 27 }]);
    expect((await ask('how many unimportant tickets', 'coded')).data).toEqual([{ ticket_count: 26 }]);
    expect((await correctCodes('low=trivial')).status).toBe(200);
    expect((await ask('how many critical tickets', 'coded')).status).not.toBe('answered');
    expect(await textOf('coded')).toMatch(/value: low,?\s*synonyms: *\[? *trivial/);
  });

  it('changes an aggregation and an expression that the author wrote', async () => {
    const plan = 'plan: {datatype: string, values: auto, synonyms: [tier]}';
    const letterCount = `letters: {datatype: integer, expression: "length(plan)", aggregation: average}`;
    await serve('computed', folder[PATH]!.replace(plan, `${plan}\n      ${letterCount}`));
    const refusal = await post({ correct: { 'reading:customers.letters': null } }, 'computed');
    expect([refusal.status, refusal.body.error.message]).toEqual([
      422,
      expect.stringContaining('Correct the expression'),
    ]);
    const correct = { 'reading:customers.letters': 'length(name)', 'aggregation:customers.letters': 'sum' };
    expect((await post({ correct }, 'computed')).body).toMatchObject({ corrected: Object.keys(correct) });
    const measures = [{ fn: 'sum', field: 'customers.letters', as: 'letters' }];
    const names = await readFile(join(BILLING, 'data/customers.csv'), 'utf8');
    const [, ...lines] = names.trim().split('\n');
    const letters = lines.map((line) => line.split(',')[1]).join('').length;
    const { body } = await app.post('/v1/lenses/computed/metrics', { measures });
    expect(body).toMatchObject({ confidence: 'verified', data: [{ letters }] });
  });
});

describe('facts of a lens created through the API', () => {
  it('are confirmed in a new version of the lens', async () => {
    const text = folder[PATH]!.replace('name: billing', 'name: made');
    const createReply = await admin('POST', '/lenses', { name: 'made', files: { 'lens.yaml': text } });
    expect(createReply.status, createReply.text).toBe(201);
    await admin('POST', `/lenses/made/drafts/${createReply.body.draft?.id ?? createReply.body.id}/publish`);
    await admin('PUT', '/lenses/made/grants', { callers: ['quickstart'], groups: [] });
    expect((await ask('billed', 'made')).confidence).toBe('partial');
    const reply = await post({ confirm: ['aggregation:invoices.amount', 'unit:invoices.amount'] }, 'made');
    expect(reply, reply.text).toMatchObject({ status: 200, body: { version: 2 } });
    expect((await ask('billed', 'made')).confidence).toBe('verified');
    const diff = (await admin('GET', '/lenses/made/diff?from=1&to=2')).body;
    expect(diff.changes.map(({ kind, name }: Record<string, string>) => `${kind} ${name}`)).toEqual([
      'fact aggregation:invoices.amount',
      'fact unit:invoices.amount',
    ]);
    expect((await post({ correct: { 'key:invoices': null } }, 'made')).body.corrected).toEqual(['key:invoices']);
    expect((await admin('GET', '/lenses/made')).body.files['lens.yaml']).not.toContain('primary_key: [invoice_id]');
  });
});
