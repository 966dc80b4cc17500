import type { FastifyInstance } from 'fastify';
import { expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { lensText } from '../support/lens-text.ts';
import { connectionTo, createDatabase } from '../support/postgres.ts';

const LENS = lensText(`name: sales
connection: wh
datasets:
  sales: public.sales (id integer key, amount integer)
metrics: {total: {expression: sum(sales.amount), description: Total.}}
`);
const OTHER_KEY = 'another key that sealed nothing of this has over 32 bytes';
const url = await createDatabase(
  'create table sales(id int primary key, amount int)',
  'insert into sales values (1, 5), (2, 6)',
);
const wh = connectionTo(url);
const svc = await startTestApp();
const createReply = await svc.admin('POST', '/connections', { name: 'wh', ...wh });
expect(createReply.status, createReply.text).toBe(201);
const publishReply = await svc.publishLens('sales', LENS);
expect(publishReply.status, publishReply.text).toBeLessThan(300);
const rotated: FastifyInstance = await svc.replica({ SVC_SECRET_KEY: OTHER_KEY });

const ask = async (app: FastifyInstance, url: string, payload: object, token = svc.adminToken) => {
  const reply = await app.inject({ method: 'POST', url, payload, headers: { authorization: `Bearer ${token}` } });
  return { status: reply.statusCode, text: reply.payload, body: reply.json() };
};
const fetchReady = async (app: FastifyInstance) => (await app.inject({ method: 'GET', url: '/ready' })).json();
const WHY = /stored secret.*SVC_SECRET_KEY.*restart svc, or store the secret again/;

it('H6b: returns 503 for asks with advice for the admin, without the key or the secret', async () => {
  const { key } = await svc.mintCaller({ name: 'asks', lenses: ['sales'] });
  const requests: [string, object][] = [
    ['/v1/lenses/sales/metrics', { metrics: ['total'] }],
    ['/v1/lenses/sales/query', { q: 'total' }],
    ['/v1/sql', { sql: 'select sum(amount) from public.sales', lens: 'sales' }],
    ['/v1/chat/completions', { model: 'svc/sales', messages: [{ role: 'user', content: 'total' }] }],
  ];
  for (const [path, body] of requests) {
    expect([path, (await ask(svc.app, path, body, key)).status]).toEqual([path, 200]);
    const failed = await ask(rotated, path, body, key);
    expect([path, failed.status, failed.body.error]).toMatchObject([path, 503, { code: 'unreachable' }]);
    expect(failed.body.error.message).toMatch(WHY);
    expect(failed.text).not.toMatch(/sealed:|[0-9a-f]{12}:/);
    expect(failed.text).not.toContain(wh.password);
  }
});

it('H6b: fails the connection test, and states why', async () => {
  const tested = await ask(rotated, '/mgmt/connections/wh/test', {});
  expect([tested.status, tested.body]).toMatchObject([200, { ok: false, error: expect.stringMatching(WHY) }]);
  expect((await ask(svc.app, '/mgmt/connections/wh/test', {})).body).toMatchObject({ ok: true });
});

it('H6b: counts unreadable secrets in the info of /ready, and stays ready', async () => {
  expect(await fetchReady(rotated)).toMatchObject({
    status: 'ready',
    info: { secrets: { status: 'failing', detail: expect.stringMatching(/^1 connection .*SVC_SECRET_KEY/) } },
  });
  expect((await fetchReady(svc.app)).info.secrets).toMatchObject({ status: 'ok' });
});

it('H6b: keeps no secret that it can’t open when project files are applied', async () => {
  const planWith = (config: object) =>
    ask(rotated, '/mgmt/project/plan', {
      files: { 'svc.config.yaml': JSON.stringify({ connections: { wh: config } }) },
    });
  const kept = await planWith({ ...wh, password: '(kept)' });
  expect(JSON.stringify(kept.body.problems)).toContain('is (kept), but no secret is stored');
  const replaced = await planWith(wh);
  expect(JSON.stringify(replaced.body.problems)).not.toContain('(kept)');
  expect(kept.text + replaced.text).not.toContain(wh.password);
});

it('H6b: opens the secret after an admin stores it again', async () => {
  const headers = { authorization: `Bearer ${svc.adminToken}` };
  const change = { method: 'PATCH' as const, url: '/mgmt/connections/wh', headers };
  const keepReply = await rotated.inject({ ...change, payload: { database: wh.database } });
  expect(keepReply.statusCode).toBe(503);
  const storeReply = await rotated.inject({ ...change, payload: { password: wh.password } });
  expect([storeReply.statusCode, storeReply.payload]).toEqual([200, expect.not.stringContaining(wh.password)]);
  expect((await ask(rotated, '/mgmt/connections/wh/test', {})).body).toMatchObject({ ok: true });
});
