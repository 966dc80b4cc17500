import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';

type Files = Record<string, string>;
let folder: Files;
const CORE = 'lenses/shop/certified/core.yaml';
const EVALS = 'lenses/shop/evals/own.yaml';
const LENS = 'lenses/shop/lens.yaml';
const EVAL = '# Ours.\n- {id: rows, question: What was revenue in 2016?, expect: {status: answered}}\n';

const exportFiles = async (): Promise<Files> => (await admin('GET', '/project/export')).body.files;
const listEdits = async () => (await admin('GET', '/project/edits')).body.items as { path: string; diff: string }[];
const apply = (files: Files) => admin('POST', '/project/apply', { files });
const plan = async (files: Files) => (await admin('POST', '/project/plan', { files })).body;
const ask = async (q: string) => (await app.post('/v1/lenses/shop/query', { q })).body;
const app = await startTestApp();
const { admin } = app;
folder = { ...(await exportFiles()), [EVALS]: EVAL };
expect((await apply(folder)).status).toBe(200);

describe('an edit through the API of a file-based project', () => {
  it('publishes a draft into its files, and keeps the rest of their text', async () => {
    const draft = (await admin('POST', '/lenses/shop/drafts', {})).body;
    const servedVersion = (await admin('GET', '/lenses/shop')).body.version;
    expect(Object.keys(draft.files).sort()).toEqual(['certified/core.yaml', 'evals/own.yaml', 'lens.yaml']);
    const text = draft.files['lens.yaml'].replace('synonyms: [sales]', 'synonyms: [sales, billings]');
    const message = 'They say billings';
    await app.admin('PUT', `/lenses/shop/drafts/${draft.id}`, { files: { 'lens.yaml': text }, message });
    expect((await ask('What were billings in 2016?')).status).not.toBe('answered');
    const publishReply = await admin('POST', `/lenses/shop/drafts/${draft.id}/publish`);
    expect(publishReply, publishReply.text).toMatchObject({ status: 200, body: { version: servedVersion + 1 } });
    expect((await ask('What were billings in 2016?')).status).toBe('answered');
    expect(await exportFiles()).toEqual({ ...folder, [LENS]: text });
    const diff = expect.stringContaining('+    synonyms: [sales, billings]');
    expect(await listEdits()).toMatchObject([{ path: LENS, action: 'changed', message, diff }]);
    const [last] = (await admin('GET', '/project/deployments')).body.items;
    expect(last).toMatchObject({ message, changes: [{ kind: 'lens', name: 'shop' }] });
  });

  it('is kept when the same files are applied again, with a warning', async () => {
    const planReply = await plan(folder);
    expect(planReply.problems).toEqual([]);
    expect(planReply.changes.filter(({ action }: { action: string }) => action !== 'none')).toEqual([]);
    expect(planReply.warnings).toEqual([
      expect.stringMatching(/^lenses\/shop\/lens\.yaml: the API edit by .+ is kept/),
    ]);
    expect((await apply(folder)).status).toBe(200);
    expect((await ask('What were billings in 2016?')).status).toBe('answered');
    expect((await listEdits()).map(({ path }) => path)).toEqual([LENS]);
  });

  it('is merged with another change of the same file', async () => {
    folder = { ...folder, [LENS]: folder[LENS]!.replace('title: Shop', 'title: The shop') };
    const applyReply = await apply(folder);
    expect(applyReply.body.warnings).toContainEqual(expect.stringContaining('was merged into these files'));
    expect((await exportFiles())[LENS]).toContain('title: The shop');
    expect((await exportFiles())[LENS]).toContain('synonyms: [sales, billings]');
    expect((await ask('What were billings in 2016?')).status).toBe('answered');
  });

  it('conflicts with another change at the same place, and plan and apply change nothing', async () => {
    const authorFiles = { ...folder, [LENS]: folder[LENS]!.replace('synonyms: [sales]', 'synonyms: [sales, income]') };
    const expected = expect.objectContaining({
      path: LENS,
      code: 'conflict',
      message: expect.stringMatching(
        /through the API.*GET \/mgmt\/project\/edits.*DELETE \/mgmt\/project\/edits\?path=lenses\/shop/,
      ),
    });
    expect((await plan(authorFiles)).problems).toEqual([expected]);
    const line = authorFiles[LENS]!.split('\n').findIndex((item) => item.includes('income')) + 1;
    expect((await plan(authorFiles)).problems[0].line).toBe(line);
    expect(await apply(authorFiles)).toMatchObject({ status: 422, body: { problems: [expected] } });
    expect((await ask('What were billings in 2016?')).status).toBe('answered');
    const { 'lenses/shop/lens.yaml': _gone, ...without } = folder;
    const left = Object.fromEntries(Object.entries(without).filter(([path]) => !path.startsWith('lenses/shop/')));
    expect((await plan(left)).problems).toContainEqual(expect.objectContaining({ path: LENS, code: 'conflict' }));
  });

  it('conflicts if the file sets the same key, and other problems keep the line of the file', async () => {
    const lineOf = (text: string, part: string) => text.split('\n').findIndex((item) => item.includes(part)) + 1;
    const [{ cert_id: id }] = (await admin('GET', '/lenses/shop/certified')).body.items;
    const notes = 'Said through the API.';
    expect((await admin('PATCH', `/lenses/shop/certified/${id}`, { notes })).status).toBe(200);
    const at = folder[CORE]!.split('\n').findIndex((item) => item.includes(`id: ${id}`));
    const authorText = folder[CORE]!.split('\n')
      .toSpliced(at + 1, 0, '  notes: Said in the file.')
      .join('\n');
    const authorFiles = { ...folder, [CORE]: authorText };
    expect((await plan(authorFiles)).problems).toEqual([
      expect.objectContaining({ path: CORE, code: 'conflict', message: expect.stringContaining('through the API') }),
    ]);
    expect((await plan(authorFiles)).problems[0].line).toBe(lineOf(authorText, '- id: revenue-in-year'));
    expect((await apply(authorFiles)).status).toBe(422);

    const wrong = { ...folder, [CORE]: `${folder[CORE]!.trimEnd()}\n- {id: one-more, question: x, sqll: select 1}\n` };
    const { problems } = await plan(wrong);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.map(({ line }: { line: number }) => line)).toEqual(
      problems.map(() => lineOf(wrong[CORE]!, 'one-more')),
    );
    expect(problems[0].code).not.toBe('conflict');
    expect((await admin('DELETE', `/project/edits?path=${CORE}`)).status).toBe(200);

    expect((await admin('DELETE', '/lenses/shop/certified/revenue-by-region')).status).toBe(200);
    const sql = 'extract(year from ordered)';
    const faulty = { ...folder, [CORE]: folder[CORE]!.replace('extract(year from order_date)', sql) };
    expect((await plan(faulty)).problems).toMatchObject([{ path: CORE, line: lineOf(faulty[CORE]!, sql) }]);
    expect((await admin('DELETE', `/project/edits?path=${CORE}`)).status).toBe(200);
  });

  it('ends once the applied files contain the edit', async () => {
    folder = { ...folder, [LENS]: (await exportFiles())[LENS]! };
    const before = (await admin('GET', '/project')).body.version;
    expect(await apply(folder)).toMatchObject({ status: 200, body: { version: before, warnings: [] } });
    expect(await listEdits()).toEqual([]);
  });

  it('changes, approves, retires and deletes a certified entry in its file', async () => {
    const [{ cert_id: id, question }] = (await admin('GET', '/lenses/shop/certified')).body.items;
    const at = `/lenses/shop/certified/${id}`;
    expect((await ask(question)).certification).toBe('certified');
    const sql = 'select count(*) as lines from main.orders';
    const changeReply = await admin('PATCH', at, { sql, notes: 'Lines, not money' });
    const changed = { status: 'draft', sql, origin: 'file' };
    expect(changeReply, changeReply.text).toMatchObject({ status: 200, body: changed });
    expect((await ask(question)).certification).not.toBe('certified');
    const approved = await admin('POST', `${at}/approve`, {});
    expect(approved, approved.text).toMatchObject({ status: 200, body: { status: 'approved', sql, path: CORE } });
    expect((await ask(question)).sql).toBe(sql);
    expect((await listEdits()).map(({ path }) => path)).toEqual([CORE]);
    expect((await listEdits())[0]!.diff).toContain(`+`);

    const retired = await admin('POST', `${at}/retire`, { reason: 'Asked no more' });
    expect(retired.body).toMatchObject({ status: 'retired', status_reason: 'Asked no more' });
    expect((await ask(question)).certification).not.toBe('certified');
    expect((await exportFiles())[CORE]).toContain('status: retired');
    expect((await admin('DELETE', at)).status).toBe(200);
    expect((await admin('GET', at)).status).toBe(404);
    expect((await exportFiles())[CORE]).not.toContain(`id: ${id}`);
    // The rest of the file stays as its author wrote it.
    const discardReply = await admin('DELETE', `/project/edits?path=${CORE}`);
    expect(discardReply, discardReply.text).toMatchObject({ status: 200 });
    expect(await exportFiles()).toEqual(folder);
    expect((await ask(question)).certification).toBe('certified');
    expect((await admin('DELETE', '/project/edits')).status).toBe(404);
  });

  it('changes and removes an eval in its file, and changes a shared definition in its own', async () => {
    const change = { expect: { status: 'refused' } };
    const changedEval = await admin('PATCH', '/lenses/shop/evals/rows', change);
    expect(changedEval).toMatchObject({ status: 200, body: { ...change, origin: 'file' } });
    expect((await exportFiles())[EVALS]).toBe(EVAL.replace('status: answered', 'status: refused'));
    expect((await admin('DELETE', '/lenses/shop/evals/rows')).status).toBe(200);
    expect((await admin('GET', '/lenses/shop/evals')).body.items).toEqual([]);
    const [{ id, name }] = (await admin('GET', '/semantic/definitions')).body.items;
    const newMeaning = 'Said anew by finance.';
    const changeReply = await admin('PATCH', `/semantic/definitions/${id}`, { meaning: newMeaning });
    const definition = { meaning: newMeaning };
    expect(changeReply, changeReply.text).toMatchObject({ status: 200, body: { origin: 'file', definition } });
    expect((await app.get(`/v1/definitions?term=${encodeURIComponent(name)}`)).body.items[0].meaning).toBe(newMeaning);
    expect(
      (await listEdits()).map(({ path, action }: { path: string; action?: string }) => `${action} ${path}`),
    ).toEqual([`removed ${EVALS}`, 'changed semantic/definitions.yaml']);
    expect((await admin('DELETE', '/project/edits')).status).toBe(200);
    expect(await exportFiles()).toEqual(folder);
    expect((await admin('GET', '/lenses/shop/evals')).body.items).toMatchObject([{ id: 'rows' }]);
  });

  it('applies an approved patch, and returns the diff for the files', async () => {
    const change = { kind: 'synonym', of: 'metric', name: 'profit', synonym: 'earnings' };
    const { id } = (await admin('POST', '/lenses/shop/patches', { change })).body;
    const approved = await admin('POST', `/lenses/shop/patches/${id}/approve`, {});
    expect(approved.body.outcome).toMatchObject({ applied: true, diff: expect.stringContaining('earnings') });
    expect((await ask('What were earnings in 2016?')).status).toBe('answered');
    expect((await listEdits())[0]!.diff).toBe(approved.body.outcome.diff);
    const sql = 'select sum(profit) as profit from main.orders';
    const [{ cert_id, question }] = (await admin('GET', '/lenses/shop/certified')).body.items;
    const certify = { change: { kind: 'certified', cert_id, question, sql } };
    const second = (await admin('POST', '/lenses/shop/patches', certify)).body;
    expect((await admin('POST', `/lenses/shop/patches/${second.id}/approve`, {})).body.outcome.applied).toBe(true);
    expect((await admin('GET', `/lenses/shop/certified/${cert_id}`)).body).toMatchObject({
      ...{ sql, status: 'approved', origin: 'file' },
      approved_by: expect.not.stringContaining('ops@example.com'),
    });
  });

  it('is discarded by a rollback, and is how an older version of a lens is restored', async () => {
    const { items } = (await admin('GET', '/project/deployments')).body;
    const before = items.find(({ message }: { message: string | null }) => message?.startsWith('Discard'));
    expect((await admin('POST', `/project/deployments/${before.id}/rollback`, {})).status).toBe(200);
    expect(await exportFiles()).toEqual(folder);
    expect(await listEdits()).toEqual([]);
    const restored = await admin('POST', '/lenses/shop/versions/1/restore');
    expect(restored, restored.text).toMatchObject({ status: 200 });
    expect((await exportFiles())[LENS]).not.toContain('billings');
    expect((await listEdits()).map(({ path }) => path)).toEqual([LENS]);
    await admin('DELETE', '/project/edits');
  });

  it('is refused if a newer version changed the same place, and merged otherwise', async () => {
    const makeDraft = async () => (await admin('POST', '/lenses/shop/drafts', {})).body;
    const [a, b] = [await makeDraft(), await makeDraft()];
    const put = (id: string, from: string, to: string) =>
      app.admin('PUT', `/lenses/shop/drafts/${id}`, { files: { 'lens.yaml': folder[LENS]!.replace(from, to) } });
    await put(a.id, 'title: The shop', 'title: Our shop');
    await put(b.id, 'title: The shop', 'title: Their shop');
    expect((await admin('POST', `/lenses/shop/drafts/${a.id}/publish`)).status).toBe(200);
    expect(await admin('POST', `/lenses/shop/drafts/${b.id}/publish`)).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining(LENS) } },
    });
    await put(b.id, 'synonyms: [area]', 'synonyms: [area, part of town]');
    expect((await admin('POST', `/lenses/shop/drafts/${b.id}/publish`)).status).toBe(200);
    const text = (await exportFiles())[LENS];
    expect(text).toContain('title: Our shop');
    expect(text).toContain('part of town');
  });
});

describe('a shared entity in semantic/entities.yaml', () => {
  it('is changed in its file, and its lenses follow', async () => {
    const path = 'semantic/entities.yaml';
    const text = `# Shared.
entities:
  things: {source: main.stock, fields: {item: {datatype: string}}}
  places: {source: main.stock, fields: {warehouse: {datatype: string}}} # Also here.
`;
    const own = await startTestApp();
    const send = own.admin;
    const files: Files = { ...(await send('GET', '/project/export')).body.files, [path]: text };
    files[LENS] = files[LENS]!.replace('metrics:', '  things: {entity: things}\nmetrics:');
    const applied = await send('POST', '/project/apply', { files });
    expect(applied.status, applied.text).toBe(200);
    const { items } = (await send('GET', '/semantic/entities')).body;
    const idOf = (name: string) => items.find((item: { name: string }) => item.name === name).id;
    const entity = { source: 'main.stock' };
    const fields = { item: { datatype: 'string' }, on_hand: { datatype: 'integer' } };
    const changed = await send('PATCH', `/semantic/entities/${idOf('things')}`, { entity: { ...entity, fields } });
    expect(changed.status, changed.text).toBe(200);
    expect(await own.post('/v1/sql', { lens: 'shop', sql: 'select sum(on_hand) as n from things' })).toMatchObject({
      body: { data: [{ n: 22 }] },
    });
    const edited = (await send('GET', '/project/export')).body.files[path];
    expect(edited).toContain('# Shared.');
    expect(edited).toContain('# Also here.');
    expect(edited).toContain('on_hand');
    expect((await send('DELETE', `/semantic/entities/${idOf('things')}`)).status).toBe(422);
    expect((await send('DELETE', `/semantic/entities/${idOf('places')}`)).status).toBe(200);
    expect((await send('GET', '/project/export')).body.files[path]).not.toContain('places');
  });
});
