import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { applyPatchToLensFiles } from '../../src/domain/patches/change-files.ts';
import { startTestApp } from '../support/app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// On a busy machine, polling can take a long time.
vi.setConfig({ testTimeout: 120_000 });

const run = promisify(execFile);
const ask = async (q: string) => (await app.post('/v1/lenses/shop/query', { q })).body;
const app = await startTestApp();
const { admin } = app;
const folder = await temporaryFolder();

/** The project files after `git apply` of the diff. */
async function applyWithGit(diff: string): Promise<Record<string, string>> {
  const { files } = (await admin('GET', '/project/export')).body as { files: Record<string, string> };
  const checkout = await mkdtemp(join(folder, 'checkout-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(checkout, path)), { recursive: true });
    await writeFile(join(checkout, path), text);
  }
  await run('git', ['init', '-q'], { cwd: checkout });
  await writeFile(join(checkout, 'fix.diff'), diff);
  await run('git', ['apply', '--whitespace=error-all', 'fix.diff'], { cwd: checkout });
  const texts = await Promise.all(Object.keys(files).map((path) => readFile(join(checkout, path), 'utf8')));
  return Object.fromEntries(Object.keys(files).map((path, at) => [path, texts[at]!]));
}

describe('the diff of a patch', () => {
  it.each([
    ['a synonym', { kind: 'synonym', of: 'metric', name: 'profit', synonym: 'earnings' }],
    ['a synonym of a value', { kind: 'value_synonym', field: 'orders.region', value: 'West', synonym: 'the coast' }],
    ['a definition', { kind: 'definition', term: 'bulk', meaning: 'Above 100 USD.', filter: 'orders.sales > 100' }],
    [
      'another sense of a definition',
      {
        kind: 'definition_sense',
        term: 'margin',
        sense: { key: 'sales', label: 'Sales', meaning: 'All of it.', metric: 'revenue' },
      },
    ],
    ['a metric', { kind: 'metric', name: 'lines', expression: 'count(orders.row_id)', description: 'Order lines.' }],
    ['a filter of a metric', { kind: 'metric_filter', metric: 'revenue', filter: 'orders.sales > 10' }],
    ['a synonym of a shared definition', { kind: 'synonym', of: 'definition', name: 'turnover', synonym: 'billing' }],
    ['a shared definition', { kind: 'definition', term: 'turnover', meaning: 'Money taken in, after returns.' }],
  ])('for %s applies with git, changes nothing else, and plans without problems', async (_what, change) => {
    const { files } = (await admin('GET', '/project/export')).body;
    const draftReply = await admin('POST', '/lenses/shop/patches', { change });
    expect(draftReply.status, draftReply.text).toBe(201);
    const after = await applyWithGit(draftReply.body.diff);
    expect(after).toEqual({ ...files, ...draftReply.body.files });
    const plan = await admin('POST', '/project/plan', { files: after });
    expect(plan.body.problems).toEqual([]);
    // The diff removes only lines that the patch is about.
    expect(draftReply.body.diff.split('\n').filter((line: string) => /^-[^-]/.test(line)).length).toBeLessThan(3);
  });
});

it('keeps the formatting of a file that it changes', () => {
  const files = {
    'lens.yaml':
      '# Ours.\nname:   shop\ndatasets:\n  orders: { fields: { region: { datatype: string } } }   # where\nmetrics:\n  revenue:\n    expression: "sum(orders.sales)"\n\n\ndefinitions:\n- term: big\n  meaning: Big.\n',
  };
  const after = applyPatchToLensFiles(files, { kind: 'synonym', of: 'definition', name: 'big', synonym: 'large' });
  expect(after['lens.yaml']).toBe(`${files['lens.yaml']}  synonyms: [ large ]\n`);
});

describe('a patch of a metric filter', () => {
  it('previews the numbers that it changes, and takes effect when deployed', async () => {
    const QUESTION = 'What was revenue in the West in 2016?';
    const before = await ask(QUESTION);
    const { id } = (
      await admin('POST', '/lenses/shop/patches', {
        change: { kind: 'metric_filter', metric: 'revenue', filter: "orders.segment = 'Consumer'" },
      })
    ).body;
    const preview = await admin('POST', `/lenses/shop/patches/${id}/preview`);
    expect(preview.body.problems).toEqual([]);
    const changedAnswer = preview.body.answer_changes.find(
      (answer_Change: { question: string }) => answer_Change.question === QUESTION,
    );
    expect(changedAnswer).toMatchObject({ lens: 'shop', kind: 'request', before: { value: before.data[0].revenue } });
    expect(changedAnswer.after.value).toBeLessThan(before.data[0].revenue);
    const approved = await admin('POST', `/lenses/shop/patches/${id}/approve`, { deploy: true });
    expect(approved.body.outcome).toMatchObject({ applied: true });
    expect((await ask(QUESTION)).data[0].revenue).toBe(changedAnswer.after.value);
    const gone = await admin('POST', '/lenses/shop/patches', {
      change: { kind: 'metric_filter', metric: 'revenue', filter: null },
    });
    await admin('POST', `/lenses/shop/patches/${gone.body.id}/approve`, { deploy: true });
    expect((await ask(QUESTION)).data[0].revenue).toBe(before.data[0].revenue);
  });
});

describe('a shared definition', () => {
  it('is patched in its shared file, previewed and deployed', async () => {
    const newMeaning = 'Money taken in, after returns.';
    const { body } = await admin('POST', '/lenses/shop/patches', {
      change: { kind: 'definition', term: 'turnover', meaning: newMeaning },
    });
    expect(Object.keys(body.files)).toEqual(['semantic/definitions.yaml']);
    const preview = await admin('POST', `/lenses/shop/patches/${body.id}/preview`);
    expect(preview).toMatchObject({ status: 200, body: { problems: [] } });
    const approved = await admin('POST', `/lenses/shop/patches/${body.id}/approve`, { deploy: true });
    expect(approved.body.outcome).toMatchObject({ applied: true });
    const found = await app.get('/v1/definitions?term=turnover');
    expect(found.body.items[0].meaning).toBe(newMeaning);
  });

  it('created through the API is changed in place, previewed in each lens that shares it, and served at once', async () => {
    const createReply = await admin('POST', '/semantic/definitions', {
      ...{ term: 'takings net', meaning: 'Money kept.', metric: 'revenue' },
    });
    expect(createReply.status).toBe(201);
    const text = (await admin('GET', '/lenses/shop/repo/lens.yaml')).body.text as string;
    for (const name of ['twin', 'sister']) {
      const lensText = text.replace(/^name: shop$/m, `name: ${name}`).replace(/^grants:.*$/m, '');
      const draft = await admin('POST', '/lenses', { name, files: { 'lens.yaml': lensText } });
      expect(await admin('POST', `/lenses/${name}/drafts/${draft.body.id}/publish`)).toMatchObject({ status: 200 });
    }
    const newMeaning = 'Money kept, after returns.';
    const patch = await admin('POST', '/lenses/twin/patches', {
      change: { kind: 'definition', term: 'takings net', meaning: newMeaning, metric: 'profit' },
    });
    expect(patch.body).toMatchObject({ files: null, diff: expect.stringContaining(`+  meaning: ${newMeaning}`) });
    const key = (await app.mintCaller({ name: 'both', lenses: ['twin', 'sister'] })).key;
    const askLens = async (lens: string) =>
      (await app.post(`/v1/lenses/${lens}/query`, { q: 'What was takings net in 2016?' }, key)).body;
    const before = await askLens('sister');
    const preview = await admin('POST', `/lenses/twin/patches/${patch.body.id}/preview`);
    expect(preview).toMatchObject({ status: 200, body: { problems: [] } });
    expect(preview.body.answer_changes.map(({ lens }: { lens: string }) => lens)).toContain('sister');
    const approved = await admin('POST', `/lenses/twin/patches/${patch.body.id}/approve`, {});
    expect(approved.body.outcome).toMatchObject({
      applied: true,
      how: expect.stringMatching(/sister as version 2.*twin/),
    });
    const after = await askLens('sister');
    expect([before.status, after.status]).toEqual(['answered', 'answered']);
    expect(after.data).not.toEqual(before.data);
    expect((await app.get('/v1/definitions?term=takings%20net', key)).body.items[0].meaning).toBe(newMeaning);
  });

  it('is not drafted for a review ticket about another lens', async () => {
    const { request_id } = await ask('What was revenue in 2016?');
    const { body } = await app.post('/v1/reviews', { request_id, note: 'Wrong.' });
    const change = { kind: 'synonym', of: 'metric', name: 'revenue', synonym: 'intake' };
    const draft = (lens: string) => admin('POST', `/lenses/${lens}/patches`, { change, review_id: body.ticket_id });
    expect(await draft('twin')).toMatchObject({
      status: 422,
      body: { error: { param: 'review_id', message: expect.stringContaining('about the lens shop') } },
    });
    expect((await draft('shop')).status).toBe(201);
  });

  it('created through the API is not changed if that breaks a lens, which the message names', async () => {
    const patch = await admin('POST', '/lenses/twin/patches', {
      change: { kind: 'definition', term: 'takings net', meaning: 'Nonsense.', filter: 'orders.nothing > (' },
    });
    const approved = await admin('POST', `/lenses/twin/patches/${patch.body.id}/approve`, {});
    const [now] = (await admin('GET', '/semantic/definitions?limit=500')).body.items.filter(
      ({ name }: { name: string }) => name === 'takings net',
    );
    expect(approved).toMatchObject({
      status: 422,
      body: { error: { message: expect.stringContaining('lens sister') } },
    });
    expect(now.definition).toMatchObject({ meaning: 'Money kept, after returns.', metric: 'profit' });
  });

  it('keeps its term when changed through the API, and requires a meaning', async () => {
    const change = (payload: object) => app.admin('PATCH', '/semantic/definitions/takings%20net', payload);
    expect(await change({ synonyms: ['kept'] })).toMatchObject({ status: 422, body: { error: { param: 'meaning' } } });
    const changeReply = await change({ meaning: 'Money kept.', metric: 'revenue', synonyms: ['kept'] });
    expect(changeReply.body.definition).toMatchObject({ term: 'takings net', meaning: 'Money kept.' });
    expect(await admin('POST', '/lenses/sister/versions/1/restore')).toMatchObject({ status: 200 });
    const { key } = await app.mintCaller({ name: 'keeper', lenses: ['sister'] });
    expect((await app.get('/v1/definitions?term=kept&lens=sister', key)).body.items).toMatchObject([
      { term: 'takings net', meaning: 'Money kept.' },
    ]);
  });

  it('is refused if it does not exist, with the file that was searched', async () => {
    const refusal = await admin('POST', '/lenses/shop/patches', {
      change: { kind: 'synonym', of: 'definition', name: 'unheard', synonym: 'of' },
    });
    expect(refusal).toMatchObject({ status: 422 });
    expect(refusal.body.error.message).toContain('semantic/definitions.yaml');
  });
});
