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
const filesWithFactor = (factor: number) => ({
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
        send(turn % 2 ? svc.app : second, '/mgmt/project/apply', 'apply-1', filesWithFactor(2)),
      ),
    );
    for (const { status, headers } of replies) {
      expect([200, 409]).toContain(status);
      if (status === 409) expect(headers['retry-after']).toBeDefined();
    }
    const secondReply = await send(second, '/mgmt/project/apply', 'apply-1', filesWithFactor(2));
    expect(secondReply.status, JSON.stringify(secondReply.body)).toBe(200);
    for (const reply of replies.filter(({ status }) => status === 200)) expect(reply.body).toEqual(secondReply.body);
    expect(await count('svc.deployments')).toBe(before + 1);
  });

  it('is refused and changes nothing when its files differ from the first request', async () => {
    const before = await count('svc.deployments');
    const otherKeyReply = await send(svc.app, '/mgmt/project/apply', 'apply-1', filesWithFactor(3));
    expect(otherKeyReply).toMatchObject({ status: 422, body: { error: { code: 'invalid' } } });
    expect(await count('svc.deployments')).toBe(before);
  });

  it('leaves the key free when it fails', async () => {
    const brokenFiles = { files: { ...files, 'lenses/shop/lens.yaml': 'name: shop' } };
    expect((await send(svc.app, '/mgmt/project/apply', 'apply-2', brokenFiles)).status).toBe(422);
    expect((await send(svc.app, '/mgmt/project/apply', 'apply-2', filesWithFactor(4))).status).toBe(200);
  });
});

describe('F18: a review with an Idempotency-Key', () => {
  it('gets 409 while the first request runs, and the same ticket afterwards', async () => {
    const answerReply = await svc.post('/v1/lenses/shop/metrics', { metrics: ['revenue'] });
    const body = { request_id: answerReply.body.request_id, note: 'Is this with returns?' };
    const owner = await connect(svc.ownerUrl);
    await owner.query('begin; lock table svc.reviews in exclusive mode');
    const first = send(svc.app, '/v1/reviews', 'review-1', body, svc.callerKey);
    await vi.waitFor(async () => expect(await count(`svc.idempotency_keys where key = 'review-1'`)).toBe(1), 10_000);
    const meanwhile = await send(second, '/v1/reviews', 'review-1', body, svc.callerKey);
    expect(meanwhile).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    expect(meanwhile.headers['retry-after']).toBeDefined();
    await owner.query('commit');
    await owner.end();
    const firstReply = await first;
    expect(firstReply.status, JSON.stringify(firstReply.body)).toBe(201);
    const secondReply = await send(second, '/v1/reviews', 'review-1', body, svc.callerKey);
    expect(secondReply).toMatchObject({ status: 201, body: firstReply.body });
    expect(await count('svc.reviews')).toBe(1);
  });

  it('is separate from a review of another caller with the same key', async () => {
    const otherCaller = await svc.mintCaller({ name: 'other', lenses: ['shop'] });
    const answerReply = await svc.post('/v1/lenses/shop/metrics', { metrics: ['revenue'] }, otherCaller.key);
    const body = { request_id: answerReply.body.request_id, note: 'And this?' };
    const reply = await send(svc.app, '/v1/reviews', 'review-1', body, otherCaller.key);
    expect(reply.status, JSON.stringify(reply.body)).toBe(201);
    expect(await count('svc.reviews')).toBe(2);
  });
});
