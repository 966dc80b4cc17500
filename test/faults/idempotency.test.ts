// F18: requests repeated with the same Idempotency-Key: one after another, at the same time, and on two replicas.
import type { FastifyInstance } from 'fastify';
import { describe, expect, it, vi } from 'vitest';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { SHOP, startTestApp } from '../support/app.ts';
import { connect } from '../support/postgres.ts';

const svc = await startTestApp();
const second: FastifyInstance = await svc.replica();
const files = await loadProjectFolder(SHOP);
const operatorKeys = /^(instance|models|server|plugins|limits|sign_in|demo|typed_decisions|telemetry|retention):.*\n/gm;
files['svc.config.yaml'] = files['svc.config.yaml']!.replace(operatorKeys, '');

async function send(app: FastifyInstance, url: string, key: string, body: object, token = svc.adminToken) {
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': key };
  const reply = await app.inject({ method: 'POST', url, payload: body, headers });
  return { status: reply.statusCode, headers: reply.headers, body: reply.json() };
}
const count = async (table: string) => (await svc.sql<{ n: number }>(`select count(*)::int as n from ${table}`))[0]!.n;
const changed = (factor: number) => ({
  files: {
    ...files,
    'lenses/shop/lens.yaml': files['lenses/shop/lens.yaml']!.replace(
      'sum(orders.sales)',
      `sum(orders.sales * ${factor})`,
    ),
  },
});

describe('F18: an apply with an Idempotency-Key', () => {
  it('takes effect once across replicas, and a repeat gets the same reply', async () => {
    const before = await count('svc.deployments');
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, turn) =>
        send(turn % 2 ? svc.app : second, '/mgmt/project/apply', 'apply-1', changed(2)),
      ),
    );
    for (const { status, headers } of replies) {
      expect([200, 409]).toContain(status);
      if (status === 409) expect(headers['retry-after']).toBeDefined();
    }
    const again = await send(second, '/mgmt/project/apply', 'apply-1', changed(2));
    expect(again.status, JSON.stringify(again.body)).toBe(200);
    for (const reply of replies.filter(({ status }) => status === 200)) expect(reply.body).toEqual(again.body);
    expect(await count('svc.deployments')).toBe(before + 1);
  });

  it('is refused and changes nothing when its files differ from the first request', async () => {
    const before = await count('svc.deployments');
    const other = await send(svc.app, '/mgmt/project/apply', 'apply-1', changed(3));
    expect(other).toMatchObject({ status: 422, body: { error: { code: 'invalid' } } });
    expect(await count('svc.deployments')).toBe(before);
  });

  it('leaves the key free when it fails', async () => {
    const broken = { files: { ...files, 'lenses/shop/lens.yaml': 'name: shop' } };
    expect((await send(svc.app, '/mgmt/project/apply', 'apply-2', broken)).status).toBe(422);
    expect((await send(svc.app, '/mgmt/project/apply', 'apply-2', changed(4))).status).toBe(200);
  });
});

describe('F18: a review with an Idempotency-Key', () => {
  it('gets 409 while the first request runs, and the same ticket afterwards', async () => {
    const asked = await svc.post('/v1/lenses/shop/metrics', { metrics: ['revenue'] });
    const body = { request_id: asked.body.request_id, note: 'Is this with returns?' };
    const owner = await connect(svc.ownerUrl);
    await owner.query('begin; lock table svc.reviews in exclusive mode');
    const first = send(svc.app, '/v1/reviews', 'review-1', body, svc.callerKey);
    await vi.waitFor(async () => expect(await count(`svc.idempotency_keys where key = 'review-1'`)).toBe(1), 10_000);
    const meanwhile = await send(second, '/v1/reviews', 'review-1', body, svc.callerKey);
    expect(meanwhile).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    expect(meanwhile.headers['retry-after']).toBeDefined();
    await owner.query('commit');
    await owner.end();
    const made = await first;
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const again = await send(second, '/v1/reviews', 'review-1', body, svc.callerKey);
    expect(again).toMatchObject({ status: 201, body: made.body });
    expect(await count('svc.reviews')).toBe(1);
  });

  it('is separate from a review of another caller with the same key', async () => {
    const other = await svc.mintCaller({ name: 'other', lenses: ['shop'] });
    const asked = await svc.post('/v1/lenses/shop/metrics', { metrics: ['revenue'] }, other.key);
    const body = { request_id: asked.body.request_id, note: 'And this?' };
    const reply = await send(svc.app, '/v1/reviews', 'review-1', body, other.key);
    expect(reply.status, JSON.stringify(reply.body)).toBe(201);
    expect(await count('svc.reviews')).toBe(2);
  });
});
