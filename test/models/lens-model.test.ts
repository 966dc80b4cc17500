import { expect, it } from 'vitest';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { SHOP } from '../support/app.ts';
import { scriptRoles, startModelsApp } from './models-app.ts';

const LENS = 'lenses/shop/lens.yaml';
const app = await startModelsApp();
const lens = (await loadProjectFolder(SHOP))[LENS]!;

const countRunning = (model: string): string =>
  lens.replace('connection: shop\n', `connection: shop\nmodel: ${model}\n`);
const draftOf = async (text: string) => {
  const { svc } = app;
  const createReply = await svc.admin('POST', '/lenses', { name: 'copy', files: { 'lens.yaml': text } });
  expect([201, 409]).toContain(createReply.status);
  const draft = createReply.body.id
    ? createReply
    : await svc.admin('POST', '/lenses/copy/drafts', { files: { 'lens.yaml': text } });
  return `/mgmt/lenses/copy/drafts/${draft.body.id}`;
};

it.each([
  ['smrat', 'There is no model "smrat". Did you mean smart?'],
  ['does-not-exist', 'There is no model "does-not-exist". Valid: fast, smart.'],
  ['embedder', 'There is no model "embedder". Valid: fast, smart.'],
])('N2: reports the unknown model %s in plan, apply and draft, at its line', async (model, message) => {
  const { svc } = app;
  const files = { ...(await loadProjectFolder(SHOP)), [LENS]: countRunning(model) };
  const fault = { path: LENS, pointer: '/model', code: 'unknown_name', message };
  const line = countRunning(model).split('\n').indexOf(`model: ${model}`) + 1;
  const planReply = await svc.admin('POST', '/project/plan', { files });
  expect(planReply.body.problems).toEqual([expect.objectContaining({ ...fault, line })]);
  const applyReply = await svc.admin('POST', '/project/apply', { files });
  expect([applyReply.status, applyReply.text]).toEqual([
    422,
    expect.stringContaining(JSON.stringify(message).slice(1, -1)),
  ]);
  const draft = await draftOf(countRunning(model).replace('name: shop\n', 'name: copy\n'));
  const checked = await svc.post(`${draft}/validate`, {}, svc.adminToken);
  expect(checked.body).toMatchObject({ valid: false, problems: [{ code: 'unknown_name', message }] });
});

it.each(['fast', 'smart'])('N2: writes the sentences of a lens with the model %s that it names', async (entry) => {
  const draft = await draftOf(countRunning(entry).replace('name: shop\n', 'name: copy\n'));
  const publishReply = await app.svc.post(`${draft}/publish`, {}, app.svc.adminToken);
  expect(publishReply.status, publishReply.text).toBeLessThan(300);
  const { key } = await app.svc.mintCaller({ name: `asks-${entry}`, lenses: ['copy'] });
  app.models.script(scriptRoles({ composes: { say: 'Revenue is shown above.' } }));
  const reply = await app.svc.post('/v1/lenses/copy/query', { q: 'revenue by region', format: 'both' }, key);
  expect(reply.body.status, reply.text).toBe('answered');
  expect((await app.modelCalls(reply.body.request_id)).map((call) => [call.entry, call.model])).toEqual([
    [entry, `${entry}-1`],
  ]);
});

it('Z5: refuses auto as the name of a lens in plan, apply and API', async () => {
  const { svc } = app;
  const lensNamedAuto = lens.replace('name: shop\n', 'name: auto\n');
  const files = { ...(await loadProjectFolder(SHOP)), 'lenses/auto/lens.yaml': lensNamedAuto };
  const why = 'auto is reserved: the model svc/auto picks a lens. Choose another name';
  const planReply = await svc.admin('POST', '/project/plan', { files });
  expect(planReply.body.problems).toMatchObject([
    { path: 'lenses/auto/lens.yaml', pointer: '/name', message: expect.stringContaining(why) },
  ]);
  expect((await svc.admin('POST', '/project/apply', { files })).status).toBe(422);
  const createReply = await svc.admin('POST', '/lenses', { name: 'auto', files: { 'lens.yaml': lensNamedAuto } });
  expect([createReply.status, createReply.body.error?.details?.[0]]).toMatchObject([
    422,
    { message: expect.stringContaining(why) },
  ]);
});
