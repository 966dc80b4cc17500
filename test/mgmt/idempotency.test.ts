// KEY-02: each Idempotency-Key has one effect, and no stored reply contains a readable token.
import { expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';

const svc = await startTestApp();
const caller = await svc.admin('POST', '/callers', { name: 'ada' });
const path = `/mgmt/callers/${caller.body.id}/keys`;

it('creates one key for repeated requests, and stores the reply without a readable token', async () => {
  const headers = { 'idempotency-key': 'retry-1' };
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => svc.post(path, { label: 'laptop' }, svc.adminToken, headers)),
  );
  const made = replies.filter(({ status }) => status === 201);
  expect(made.length).toBeGreaterThan(0);
  expect(replies.filter(({ status }) => status !== 201).every(({ status }) => status === 409)).toBe(true);
  const secondReply = await svc.post(path, { label: 'laptop' }, svc.adminToken, headers);
  expect(new Set([...made, secondReply].map(({ body }) => body.key)).size).toBe(1);
  const listed = await svc.get(path, svc.adminToken);
  expect(listed.body.items).toHaveLength(1);
  const storedRows = await svc.sql<{ row: string }>('select k::text as row from svc.idempotency_keys k');
  expect(storedRows).toHaveLength(1);
  expect(storedRows[0]!.row).not.toContain(secondReply.body.key.slice(12));
});

it.each([
  ['POST', '/callers', { name: 'bo' }],
  ['POST', '/connections', { name: 'far', kind: 'postgres', host: '127.0.0.1', port: 1, database: 'x', user: 'u' }],
  ['POST', '/lenses', { name: 'made', files: { 'lens.yaml': 'name: made' } }],
  ['POST', '/lenses/shop/drafts', {}],
  [
    'POST',
    '/lenses/shop/certified',
    { question: 'Revenue by segment?', sql: 'select segment, sum(sales) from orders group by 1' },
  ],
  ['PUT', '/lenses/shop/grants', { callers: ['ada'], groups: [] }],
] as const)('repeats the ETag of a change: %s /mgmt%s', async (method, url, payload) => {
  const change = () =>
    svc.send({ method, url: `/mgmt${url}`, payload, token: svc.adminToken, headers: { 'idempotency-key': url } });
  const firstReply = await change();
  expect(firstReply.status, firstReply.text).toBeLessThan(300);
  expect(firstReply.headers['etag']).toMatch(/^"[^"]+"$/);
  const secondReply = await change();
  expect([secondReply.text, secondReply.headers['etag']]).toEqual([firstReply.text, firstReply.headers['etag']]);
});

it('refuses an Idempotency-Key for another request, and does not keep failed requests', async () => {
  const headers = { 'idempotency-key': 'retry-1' };
  const other = await svc.post(path, { label: 'phone' }, svc.adminToken, headers);
  expect(other).toMatchObject({ status: 422, body: { error: { code: 'invalid' } } });
  const failing = { 'idempotency-key': 'retry-2' };
  expect((await svc.post(path, { nonsense: 1 }, svc.adminToken, failing)).status).toBe(422);
  expect((await svc.post(path, { label: 'phone' }, svc.adminToken, failing)).status).toBe(201);
});

it('without SVC_SECRET_KEY, stores no reply, and refuses to repeat the request', async () => {
  const keyless = await startTestApp({ env: { SVC_SECRET_KEY: '' } });
  const create = () => keyless.admin('POST', '/callers', { name: 'eve' }, { 'idempotency-key': 'once' });
  expect((await create()).status).toBe(201);
  expect(await create()).toMatchObject({
    status: 409,
    body: { error: { code: 'conflict', message: expect.stringContaining('already carried out') } },
  });
});
