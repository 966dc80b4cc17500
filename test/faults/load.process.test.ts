// F02, F03, F10, F14, F17, F19: many asks at the same time, changes under load, key rotation, and unusual questions.
// With several replicas.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { SECRET_KEY, SHOP, startTestApp } from '../support/app.ts';
import { History } from '../support/history.ts';
import { checkInvariants } from '../support/invariants.ts';
import { runSvc } from '../support/own-process.ts';

const METRICS = { metrics: ['revenue'] };
const NEW_KEY = 'a second test key that also has over 32 bytes';
const THIRD_KEY = 'a third test key that has over 32 bytes too';
const TOTAL = 961.5;
const svc = await startTestApp({
  operator: {
    limits: {
      requests_per_minute: 100_000,
      asks_in_flight: 32,
      warehouse_timeout_ms: 10_000,
      max_result_bytes: 16_777_216,
    },
  },
});
const second: FastifyInstance = await svc.replica();

async function askOn(app: FastifyInstance, key: string, url = '/v1/lenses/shop/metrics', body: object = METRICS) {
  const reply = await app.inject({
    method: 'POST',
    url,
    payload: body,
    headers: { authorization: `Bearer ${key}` },
  });
  return { status: reply.statusCode, headers: reply.headers, body: reply.json() };
}

describe('many requests at once', () => {
  it('F10: 1,000 asks get an answer, or 429 or 503 with Retry-After, and /health stays fast', async () => {
    const history = new History();
    const before = process.memoryUsage().rss;
    const health: number[] = [];
    let isBusy = true;
    const watching = (async () => {
      while (isBusy) {
        const startedAt = performance.now();
        expect((await svc.get('/health', null)).status).toBe(200);
        health.push(performance.now() - startedAt);
        await sleep(20);
      }
    })();
    await Promise.all(
      Array.from({ length: 1_000 }, async () => {
        const reply = await askOn(svc.app, svc.callerKey);
        history.add(svc.orgId, svc.callerKey, reply);
        if (reply.status !== 200) expect(reply.headers['retry-after']).toBeDefined();
      }),
    );
    isBusy = false;
    await watching;
    const { 200: answeredCount = 0, 429: limited = 0, 503: away = 0, ...others } = history.statuses();
    expect(others).toEqual({});
    expect(answeredCount).toBeGreaterThanOrEqual(32); // the number of slots
    expect(answeredCount + limited + away).toBe(1_000);
    expect(health.length).toBeGreaterThan(3);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
    history.served.splice(120); // a sample is enough, because each reply is checked in the same way
    await checkInvariants(svc, history);
  });

  it('F10: a busy key doesn’t starve another key', async () => {
    const { key } = await svc.mintCaller({ name: 'patient', lenses: ['shop'] });
    let floodedAsks = 0;
    const flood = Array.from({ length: 300 }, () => askOn(svc.app, svc.callerKey).finally(() => floodedAsks++));
    const calmReply = await askOn(svc.app, key);
    expect(calmReply.status).toBe(200);
    expect(floodedAsks, 'asks of the busy key that came first').toBeLessThan(150);
    await Promise.all(flood);
  });
});

/** The shop project without operator keys, and with another expression for revenue. */
async function loadShopWith(revenue: string): Promise<Record<string, string>> {
  const files = await loadProjectFolder(SHOP);
  const lens = files['lenses/shop/lens.yaml']!.replace('expression: sum(orders.sales)', `expression: ${revenue}`);
  expect(lens).toContain(revenue);
  const operatorKeys =
    /^(instance|models|server|plugins|limits|sign_in|demo|typed_decisions|telemetry|retention):.*\n/gm;
  const config = files['svc.config.yaml']!.replace(operatorKeys, '');
  return { ...files, 'lenses/shop/lens.yaml': lens, 'svc.config.yaml': config };
}

describe('changes under load', () => {
  it('F02 and F03: applies at the same time get 200 or 409, and each ask sees one version', async () => {
    const changedFiles = await loadShopWith('sum(orders.sales * 2)');
    const history = new History();
    let asking = true;
    const loops = Array.from({ length: 4 }, async (_, lane) => {
      while (asking) {
        const reply = await askOn(lane % 2 ? svc.app : second, svc.callerKey);
        history.add(svc.orgId, svc.callerKey, reply);
      }
    });
    await sleep(300);
    const applies = await Promise.all(
      Array.from({ length: 10 }, () => askOn(svc.app, svc.adminToken, '/mgmt/project/apply', { files: changedFiles })),
    );
    const statuses = applies.map(({ status }) => status).sort();
    expect(statuses, JSON.stringify(applies[0]!.body)).toContain(200);
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect(statuses).toContain(409);
    // On both replicas, the next ask uses the new version.
    for (const app of [svc.app, second]) {
      expect((await askOn(app, svc.callerKey)).body).toMatchObject({ lens_version: 2, data: [{ revenue: 2 * TOTAL }] });
    }
    await sleep(200);
    asking = false;
    await Promise.all(loops);
    expect(Object.keys(history.statuses())).toEqual(['200']);
    for (const { body } of history.served) {
      const old = body.lens_version === 1;
      expect(body.data).toEqual([{ revenue: old ? TOTAL : 2 * TOTAL }]);
      expect(body.receipt!.lens_version).toBe(body.lens_version);
    }
    expect(new Set(history.served.map(({ body }) => body.lens_version))).toEqual(new Set([1, 2]));
    history.served.splice(100, history.served.length - 200);
    await checkInvariants(svc, history);
  });

  it('F03: 50 asks a second during 20 applies get no error, and each answer is of one version', async () => {
    const history = new History();
    const timesOf = new Map<number, number>();
    const { version: before } = (await svc.get('/v1/lenses/shop', svc.callerKey)).body as { version: number };
    let applying = true;
    const asks: Promise<void>[] = [];
    const caller = (async () => {
      for (let turn = 0; applying; turn++) {
        const pendingReply = askOn(turn % 2 ? svc.app : second, svc.callerKey);
        asks.push(pendingReply.then((reply) => history.add(svc.orgId, svc.callerKey, reply)));
        await sleep(20);
      }
    })();
    for (let apply = 1; apply <= 20; apply++) {
      const times = 2 + apply;
      const files = await loadShopWith(`sum(orders.sales * ${times})`);
      const reply = await askOn(svc.app, svc.adminToken, '/mgmt/project/apply', { files });
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      timesOf.set(before + apply, times);
    }
    applying = false;
    await caller;
    await Promise.all(asks);
    expect(Object.keys(history.statuses())).toEqual(['200']);
    const versions = new Set(history.served.map(({ body }) => body.lens_version));
    expect(versions.size).toBeGreaterThan(5);
    for (const { body } of history.served) {
      const times = timesOf.get(body.lens_version!) ?? 2;
      expect([body.lens_version, body.data]).toEqual([body.receipt!.lens_version, [{ revenue: times * TOTAL }]]);
    }
    history.served.splice(100, history.served.length - 200);
    await checkInvariants(svc, history);
  });

  it('F19: refuses a revoked key at once on one replica, and within a second on the other', async () => {
    const { key, keyId, id } = await svc.mintCaller({ name: 'leaver', lenses: ['shop'] });
    for (const app of [svc.app, second]) expect((await askOn(app, key)).status).toBe(200);
    const pendingAsks = Array.from({ length: 40 }, (_, turn) => askOn(turn % 2 ? svc.app : second, key));
    const revokeReply = await svc.admin('DELETE', `/callers/${id}/keys/${keyId}`);
    expect(revokeReply.status, revokeReply.text).toBeLessThan(300);
    const revokedAt = performance.now();
    expect((await askOn(svc.app, key)).status).toBe(401);
    for (const { status } of await Promise.all(pendingAsks)) expect([200, 401]).toContain(status);
    await sleep(Math.max(0, 1_000 - (performance.now() - revokedAt)));
    expect((await askOn(second, key)).status).toBe(401);
  });

  it('F14: rotates the signing key in three steps, with every receipt valid until its key is revoked', async () => {
    const envelope = (await askOn(svc.app, svc.callerKey)).body;
    const verify = async (app: FastifyInstance, receipt: object) =>
      (await askOn(app, svc.callerKey, '/v1/verify-receipt', receipt)).body;
    const added = await svc.replica({ SVC_SECRET_KEY: `${SECRET_KEY},${NEW_KEY}` });
    const promoted = await svc.replica({ SVC_SECRET_KEY: `${NEW_KEY},${SECRET_KEY}` });
    const newer = (await askOn(promoted, svc.callerKey)).body;
    for (const app of [added, promoted]) {
      for (const { receipt } of [envelope, newer]) expect(await verify(app, receipt)).toMatchObject({ ok: true });
    }
    const dropped = await svc.replica({ SVC_SECRET_KEY: NEW_KEY });
    expect(await verify(dropped, newer.receipt)).toMatchObject({ ok: true });
    // Z10: receipts of the retired key verify until the key is revoked. An edited receipt still fails.
    await expect.poll(() => verify(dropped, envelope.receipt)).toMatchObject({ ok: true, signature: 'valid' });
    expect(await verify(dropped, { ...envelope.receipt, row_count: 7 })).toMatchObject({ signature: 'invalid' });
    const foreignReceipt = { ...newer.receipt, key_id: '0123456789ab' };
    expect(await verify(dropped, foreignReceipt)).toMatchObject({ ok: false, signature: 'unkeyed' });
    const retired = await svc.replica({ SVC_SECRET_KEY: THIRD_KEY });
    expect(await verify(retired, newer.receipt)).toMatchObject({ ok: false, signature: 'unkeyed' });
    const revoke = async (id: string) => {
      const env = { DATABASE_URL: svc.ownerUrl, SVC_SECRET_KEY: NEW_KEY, SVC_HOME: svc.home };
      const [code] = await once(runSvc(['revoke-signing-key', id], env), 'close');
      return code;
    };
    expect(await revoke(newer.receipt.key_id)).toBe(1);
    expect(await revoke('0123456789ab')).toBe(1);
    expect(await revoke(envelope.receipt.key_id)).toBe(0);
    expect(await verify(dropped, envelope.receipt)).toMatchObject({ ok: false, signature: 'invalid' });
    const unkeyed = await svc.replica({ SVC_SECRET_KEY: '' });
    expect(await verify(unkeyed, envelope.receipt)).toMatchObject({ ok: false, signature: 'unkeyed' });
  }, 60_000);
});

describe('F17: questions in every script', () => {
  it.each([
    ['right to left', 'ما هي الإيرادات \u202E؟'],
    ['emoji and joiners', 'revenue 👩‍👩‍👧‍👦🏳️‍🌈 by region'],
    ['endless combining marks', `r${'\u0301'.repeat(500)}evenue`],
    ['100 kB', 'revenue by region '.repeat(5_700)],
    ['a NUL', 'revenue by\u0000 region'],
    ['SQL', "revenue'; drop table svc.traces; --"],
    ['a homoglyph', 'revеnue by region'],
  ])('gets an answer, a clarification or a refusal, and is stored word for word: %s', async (_name, q) => {
    const history = new History();
    const reply = await askOn(svc.app, svc.callerKey, '/v1/lenses/shop/query', { q });
    expect([200, 422, 400, 413]).toContain(reply.status);
    if (reply.status !== 200) return;
    history.add(svc.orgId, svc.callerKey, reply);
    const [trace] = await svc.sql<{ question: string }>('select question from svc.traces where request_id = $1', [
      reply.body.request_id,
    ]);
    expect(trace!.question).toBe(q.replaceAll('\u0000', '\ufffd'));
    if (reply.body.status === 'answered' && reply.body.receipt) await checkInvariants(svc, history);
  });
});
