// A project that leaves out a connection which lenses made by API ask through is refused, and names them.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';

const LENS = `name: extra
title: Extra
description: Made by API.
connection: shop
datasets: {orders: {source: main.orders, description: Lines., fields: {region: {datatype: string}}}}
`;
let svc: TestApp;
const admin = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
  svc.send({ method, url, ...(payload && { payload }), token: svc.adminToken });
beforeAll(async () => {
  svc = await startTestApp();
  const draft = (await admin('POST', '/mgmt/lenses', { name: 'extra', files: { 'lens.yaml': LENS } })).body;
  expect((await admin('POST', `/mgmt/lenses/extra/drafts/${draft.id}/publish`, {})).status).toBe(200);
});
afterAll(() => svc?.close());

it('refuses to take the connection away, and to delete it, until the lenses are gone', async () => {
  const files = { 'svc.config.yaml': 'connections: {}\n' };
  const planned = await admin('POST', '/mgmt/project/plan', { files });
  expect(planned.body.problems).toMatchObject([
    { path: 'svc.config.yaml', line: 1, code: 'conflict', message: expect.stringMatching(/"shop".*API.*: extra\./) },
  ]);
  expect((await admin('POST', '/mgmt/project/apply', { files })).status).toBe(422);
  expect((await svc.post('/v1/lenses/extra/query', { q: 'How many orders?' }, svc.adminToken)).status).toBe(200);

  const turned = 'connections: {shop: {kind: postgres, host: 127.0.0.1, port: 1, database: x, user: reader}}\n';
  const other = await admin('POST', '/mgmt/project/plan', { files: { 'svc.config.yaml': turned } });
  expect(JSON.stringify(other.body.warnings)).toContain('changes from duckdb to postgres under lenses made by API');

  expect((await admin('DELETE', '/mgmt/lenses/extra')).status).toBe(200);
  expect((await admin('POST', '/mgmt/project/plan', { files })).body.problems).toEqual([]);
});
