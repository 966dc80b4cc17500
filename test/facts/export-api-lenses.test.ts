import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { startTestApp } from '../support/app.ts';
import { connect, createDatabase } from '../support/postgres.ts';

const BILLING = fileURLToPath(new URL('../fixtures/billing', import.meta.url));
type Files = Record<string, string>;
const exportFiles = async (): Promise<Files> => (await admin('GET', '/project/export')).body.files;
const folder = await loadProjectFolder(BILLING);
const app = await startTestApp({ project: BILLING, files: folder });
const { admin } = app;
const text = folder['lenses/billing/lens.yaml']!.replace('name: billing', 'name: made # through the API');
const createReply = await admin('POST', '/lenses', { name: 'made', files: { 'lens.yaml': text } });
const publishReply = await admin('POST', `/lenses/made/drafts/${createReply.body.id}/publish`);
expect(publishReply.status, publishReply.text).toBe(200);
const entry = { question: 'How many invoices are there?', sql: 'select count(*) as invoices from main.invoices' };
expect((await admin('POST', '/lenses/made/certified', { cert_id: 'invoices', ...entry })).status).toBe(201);
expect((await admin('POST', '/lenses/made/certified/invoices/approve', {})).status).toBe(200);
const test = { id: 'rows', question: 'number of invoices', expect: { status: 'answered' } };
expect((await admin('POST', '/lenses/made/evals', test)).status).toBe(201);

it('exports a lens created through the API byte for byte, with its certified entries and evals', async () => {
  const {
    ['lenses/made/certified/made-by-api.yaml']: certified,
    ['lenses/made/evals/made-by-api.yaml']: evals,
    ...files
  } = await exportFiles();
  expect(files).toEqual({ ...folder, 'lenses/made/lens.yaml': text });
  expect(parse(certified!)).toMatchObject([{ id: 'invoices', status: 'approved', approved_by: expect.any(String) }]);
  expect(parse(evals!)).toEqual([
    { id: 'rows', question: 'number of invoices', paraphrases: [], expect: { status: 'answered' } },
  ]);
});

it('reports a conflict with svc export as the remedy when the project has another file for that lens', async () => {
  const files = { ...folder, 'lenses/made/lens.yaml': text.replace('title: Billing', 'title: Other') };
  const { problems } = (await admin('POST', '/project/plan', { files })).body;
  expect(problems).toEqual([
    expect.objectContaining({ code: 'conflict', message: expect.stringContaining('svc export') }),
  ]);
});

it('turns a lens created through the API into a file lens with the same meaning when you apply the export', async () => {
  const planBody = (await admin('POST', '/project/plan', { files: await exportFiles() })).body;
  expect(planBody.problems).toEqual([]);
  expect(planBody.changes.filter(({ action }: { action: string }) => action !== 'none')).toEqual([
    expect.objectContaining({ name: 'made', action: 'update', summary: 'files differ, but not in meaning' }),
  ]);
  const applyReply = await admin('POST', '/project/apply', { files: await exportFiles() });
  expect(applyReply.status, applyReply.text).toBe(200);
  expect((await admin('GET', '/lenses/made')).body).toMatchObject({ version: 2, origin: 'file' });
  expect((await admin('GET', '/lenses/made/certified')).body.items).toMatchObject([
    { cert_id: 'invoices', origin: 'file', status: 'approved' },
  ]);
  expect((await admin('GET', '/lenses/made/evals')).body.items).toMatchObject([{ id: 'rows', origin: 'file' }]);
  const changedFiles = {
    ...(await exportFiles()),
    'lenses/made/lens.yaml': text.replace('title: Billing', 'title: Other'),
  };
  expect((await admin('POST', '/project/apply', { files: changedFiles })).status).toBe(200);
  expect((await admin('GET', '/lenses/made')).body).toMatchObject({ version: 3 });
});

it('exports a connection created through the API without its secret, and keeps the secret when you apply the export', async () => {
  const url = new URL(await createDatabase());
  const reader = `reader_of_${url.pathname.slice(1)}`;
  const owner = await connect(url.href);
  await owner.query(
    `create table parts (part_id int primary key); create role ${reader} login password 'the-word'; grant select on parts to ${reader}`,
  );
  await owner.end();
  const otherTenant = await app.addTenant('newcomer', { 'svc.config.yaml': 'connections: {}\n' });
  const send = (method: 'GET' | 'POST', path: string, payload?: object) =>
    app.send({ method, url: `/mgmt${path}`, token: otherTenant.adminToken, ...(payload && { payload }) });
  const made = {
    kind: 'postgres',
    host: url.hostname,
    port: Number(url.port),
    database: url.pathname.slice(1),
    user: reader,
    ssl: false,
  };
  const connected = await send('POST', '/connections', { name: 'core', ...made, password: 'the-word' });
  expect(connected.status, connected.text).toBe(201);
  const lens =
    'name: parts\nconnection: core\ndatasets: {parts: {source: public.parts, fields: {part_id: {datatype: integer}}}}\n';
  const draft = await send('POST', '/lenses', { name: 'parts', files: { 'lens.yaml': lens } });
  expect((await send('POST', `/lenses/parts/drafts/${draft.body.id}/publish`)).status).toBe(200);
  const { files } = (await send('GET', '/project/export')).body;
  expect(files['lenses/parts/lens.yaml']).toBe(lens);
  expect(parse(files['svc.config.yaml'])).toEqual({ connections: { core: { ...made, password: '(kept)' } } });
  const applyReply = await send('POST', '/project/apply', { files });
  expect(applyReply.status, applyReply.text).toBe(200);
  expect(applyReply.body.changes.filter(({ action }: { action: string }) => action !== 'none')).toEqual([]);
  expect((await send('GET', '/connections/core')).body.origin).toBe('file');
  expect((await send('POST', '/connections/core/test')).body.ok).toBe(true);
  expect((await send('GET', '/project/export')).body.files).toEqual(files);
});
