// The changes that an admin, a curator and a viewer can make, for every operation of the control plane. A curator's
// edit of a lens can't change access to data.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { controlPlaneOperations } from '../../src/surfaces/mgmt/index.ts';
import { startTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
let curator: string;
let viewer: string;
const signIn = async (role: string): Promise<string> => {
  const [email, password] = [`${role}@example.com`, 'a long enough pass phrase'];
  expect((await app.admin('POST', '/users', { email, password, role })).status).toBe(201);
  return (await app.post('/auth/login', { email, password }, null)).body.token;
};
beforeAll(async () => {
  app = await startTestApp();
  curator = await signIn('curator');
  viewer = await signIn('viewer');
});
afterAll(() => app.close());

const urlOf = (path: string): string => `/mgmt${path.replace('/*', '/lens.yaml').replaceAll(/:\w+/g, 'nothing')}`;
const refusals: Record<string, RegExp> = {
  viewer: /^A viewer can’t change anything/,
  curator: /^A curator can only change what lenses mean/,
};

describe('every operation of the control plane', () => {
  const changes = controlPlaneOperations.filter(({ method }) => method !== 'GET');

  it('is for admins only, unless the list allows it for curators', () => {
    const allowed = changes.filter(({ access }) => access === 'curator').map(({ id }) => id);
    expect(allowed.sort()).toMatchInlineSnapshot(`
      [
        "acceptDistillCandidate",
        "addSampleQuery",
        "approveCertifiedEntry",
        "approvePatch",
        "approveReviewPatch",
        "auditLensDrift",
        "cancelRun",
        "changeCertifiedEntry",
        "changeDefinition",
        "changeDraft",
        "changeEval",
        "checkCertifiedEntries",
        "checkCertifiedEntry",
        "claimReview",
        "commentReview",
        "confirmFacts",
        "createCertifiedEntry",
        "createDefinition",
        "createDraft",
        "createEval",
        "createPatch",
        "deleteCertifiedEntry",
        "deleteDraft",
        "deleteEval",
        "delete_definition",
        "dismissDistillCandidate",
        "distill",
        "findJoinCandidates",
        "previewPatch",
        "profileLens",
        "publishDraft",
        "refreshGapMap",
        "rejectPatch",
        "rejectReviewPatch",
        "removeSampleQuery",
        "resolveGap",
        "restoreVersion",
        "retireCertifiedEntry",
        "ruleReview",
        "runEvals",
        "tryDraft",
        "validateDraft",
      ]
    `);
  });

  it.each(['viewer', 'curator'])(
    'refuses a change that a %s may not make, before it reads the request',
    async (role) => {
      const token = role === 'viewer' ? viewer : curator;
      for (const { method, path, id, access } of changes) {
        const { status, body } = await app.send({ method: method as 'POST', url: urlOf(path), token, payload: {} });
        const isRefused = status === 403 && refusals[role]!.test(body.error.message);
        expect([id, isRefused]).toEqual([id, !(role === 'curator' && access === 'curator')]);
      }
    },
  );

  it('is allowed for an admin', async () => {
    for (const { method, path, id } of changes.filter(({ path }) => !/^.project/.test(path))) {
      const { status } = await app.send({
        method: method as 'POST',
        url: urlOf(path),
        token: app.adminToken,
        payload: {},
      });
      expect([id, status === 403]).toEqual([id, false]);
    }
  });

  it('is allowed for a curator if it only reads', async () => {
    for (const { path, id } of controlPlaneOperations.filter(({ method }) => method === 'GET'))
      expect([id, (await app.get(urlOf(path), curator)).status === 403]).toEqual([id, false]);
  });

  it('excludes uploads and SQL on a connection, which a curator may not use', async () => {
    expect((await app.post('/mgmt/uploads', {}, curator)).status).toBe(403);
    const sql = { connection: 'shop', sql: 'select 1 as one from stock' };
    expect((await app.post('/v1/sql', sql, curator)).status).toBe(403);
    expect((await app.post('/v1/sql', sql, app.adminToken)).status).toBe(200);
  });
});

const change = (from: string, to: string) => (text: string) => text.replace(from, to);
const FIELD = 'profit: {datatype: decimal, unit: USD}';
const POLICY = 'row_policies:\n';
const ACCESS: [string, (text: string) => string][] = [
  ['row_policies', change('orders.region = {caller.region}', 'true')],
  ['row_policies', (text) => text.replace(/row_policies:\n.*\n/, '')],
  ['datasets.orders.fields.customer_name', change('mask: true', 'mask: false')],
  [
    'datasets.orders.fields.profit',
    change(FIELD, `${FIELD}\n      who: {datatype: string, expression: customer_name}`),
  ],
  ['datasets.orders.fields.profit', change(FIELD, 'profit: {datatype: decimal, unit: USD, expression: row_id}')],
  ['datasets.orders', change('source: main.orders', 'source: main.stock')],
  ['datasets.stock', change('metrics:\n', '  stock: {source: main.stock, fields: {}}\nmetrics:\n')],
  ['grants', (text) => `${text}\ngrants: {callers: [quickstart]}\n`],
  ['max_rows_to_return', change('max_rows_to_return: 5', 'max_rows_to_return: 500')],
  ['max_rows_to_compose', change('max_rows_to_return: 5', 'max_rows_to_return: 5\nmax_rows_to_compose: 999')],
  ['data_as_of', change('{field: orders.order_date}', '{sql: select max(order_date) from main.orders}')],
  ['relationships', change(POLICY, `relationships: [{from: orders.row_id, to: orders.row_id}]\n${POLICY}`)],
];
const MEANING: [string, (text: string) => string][] = [
  ['synonyms', change('synonyms: [area]', 'synonyms: [area, zone]')],
  ['a metric', change('metrics:\n', 'metrics:\n  lines: {expression: count(orders.row_id), description: Lines.}\n')],
  [
    'a definition',
    change('definitions:\n', 'definitions:\n  - {term: loss, meaning: Below zero., filter: "orders.profit < 0"}\n'),
  ],
  ['units and descriptions', change(FIELD, 'profit: {datatype: decimal, unit: EUR, description: What is left.}')],
];

describe('a lens that a curator edits', () => {
  const drafts = '/mgmt/lenses/shop/drafts';
  const draftOf = async (edit: (text: string) => string): Promise<string> => {
    const { body } = await app.post(drafts, {}, curator);
    const text = body.files['lens.yaml'];
    expect(edit(text)).not.toBe(text);
    const payload = { files: { 'lens.yaml': edit(text) } };
    const changeReply = await app.send({ method: 'PUT', url: `${drafts}/${body.id}`, token: curator, payload });
    expect(changeReply.status).toBe(200);
    return body.id;
  };
  const question = { q: 'What was revenue in 2016?' };

  it.each(ACCESS)('can’t be validated, tried or published after a change of %s (%#)', async (place, edit) => {
    const id = await draftOf(edit);
    for (const [step, payload] of [
      ['validate', undefined],
      ['try', question],
      ['publish', undefined],
    ] as const) {
      const { status, body } = await app.post(`${drafts}/${id}/${step}`, payload, curator);
      expect([step, status]).toEqual([step, 403]);
      expect(body.error.message).toMatch(/^Only an admin can change /);
      if (!/fields/.test(place)) expect(body.error.message).toContain(`change ${place},`);
    }
  });

  it.each(MEANING)('is published after a change of %s', async (_, edit) => {
    const id = await draftOf(edit);
    expect((await app.post(`${drafts}/${id}/validate`, undefined, curator)).body.valid).toBe(true);
    expect((await app.post(`${drafts}/${id}/try`, question, curator)).body.status).toBe('answered');
    const publishReply = await app.post(`${drafts}/${id}/publish`, undefined, curator);
    expect(publishReply.status, publishReply.text).toBe(200);
  });

  it('shows no masked value through a metric', async () => {
    const patchBody = {
      change: { kind: 'metric', name: 'last_name', expression: 'max(orders.customer_name)', description: 'Z.' },
    };
    const patch = await app.post('/mgmt/lenses/shop/patches', patchBody, curator);
    expect(patch.status, patch.text).toBe(201);
    const approved = await app.post(`/mgmt/lenses/shop/patches/${patch.body.id}/approve`, {}, curator);
    expect(approved.status, approved.text).toBe(422);
    expect(approved.body.error.message).toContain('orders.customer_name is masked');
  });

  it('is restored only to a version with the same access rules', async () => {
    const before = (await app.admin('GET', '/lenses/shop')).body;
    const { body } = await app.post(drafts, {}, app.adminToken);
    const text = body.files['lens.yaml'].replace('max_rows_to_return: 5', 'max_rows_to_return: 4');
    const payload = { files: { 'lens.yaml': text } };
    await app.send({ method: 'PUT', url: `${drafts}/${body.id}`, token: app.adminToken, payload });
    expect((await app.post(`${drafts}/${body.id}/publish`, undefined, app.adminToken)).status).toBe(200);
    const restore = (version: number, token: string) =>
      app.post(`/mgmt/lenses/shop/versions/${version}/restore`, undefined, token);
    const restoreReply = await restore(before.version, curator);
    expect(restoreReply.status, restoreReply.text).toBe(403);
    expect(restoreReply.body.error.message).toContain('max_rows_to_return');
    expect((await restore(before.version, app.adminToken)).status).toBe(200);
    expect((await restore(before.version - 1, curator)).status).toBe(200);
  });
});
