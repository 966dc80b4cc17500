import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';

const LIMIT = 100;
const svc = await startTestApp({
  operator: {
    limits: {
      requests_per_minute: LIMIT,
      asks_in_flight: 2,
      warehouse_timeout_ms: 30_000,
      max_result_bytes: 16_777_216,
    },
  },
});
const second: FastifyInstance = await svc.replica();
// Waits for the next minute if the current one could end during the count.
const msLeft = 60_000 - (Date.now() % 60_000);
if (msLeft < 15_000) await sleep(msLeft + 50);

const ask = (app: FastifyInstance, key: string) =>
  app.inject({ method: 'GET', url: '/v1/models', headers: { authorization: `Bearer ${key}` } });

describe('requests per minute', () => {
  it('are counted by key, reported in headers, and refused with 429 and Retry-After', async () => {
    const { key } = await svc.mintCaller({ name: 'busy' });
    const first = await ask(svc.app, key);
    expect(first.headers['ratelimit-policy']).toBe(`"key";q=${LIMIT};w=60`);
    expect(first.headers['ratelimit']).toMatch(new RegExp(`^"key";r=${LIMIT - 1};t=\\d+$`));
    let allowed = 1;
    let last = first;
    for (let i = 0; i < LIMIT + 20; i++) {
      last = await ask(svc.app, key);
      if (last.statusCode === 200) allowed++;
    }
    expect(allowed).toBe(LIMIT);
    expect(last.statusCode).toBe(429);
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
    expect(last.headers['ratelimit']).toMatch(/;r=0;/);
    expect(last.json().error.code).toBe('rate_limited');
    const { key: another } = await svc.mintCaller({ name: 'calm' });
    expect((await ask(svc.app, another)).statusCode).toBe(200);
  });

  it('agree between two replicas within 10 %', async () => {
    const { key } = await svc.mintCaller({ name: 'spread' });
    let allowed = 0;
    for (let i = 0; i < 2 * LIMIT; i += 10) {
      const replies = await Promise.all(Array.from({ length: 10 }, (_, turn) => ask(turn % 2 ? svc.app : second, key)));
      allowed += replies.filter(({ statusCode }) => statusCode === 200).length;
    }
    expect(allowed).toBeGreaterThanOrEqual(LIMIT * 0.9);
    expect(allowed).toBeLessThanOrEqual(LIMIT * 1.1);
  });

  it('are limited by address for wrong tokens, without blocking a valid key', async () => {
    const statuses = [];
    for (let i = 0; i < 25; i++) statuses.push((await ask(svc.app, `svc_wrong${i}`)).statusCode);
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401));
    expect(statuses.at(-1)).toBe(429);
    const { key } = await svc.mintCaller({ name: 'innocent' });
    expect((await ask(svc.app, key)).statusCode).toBe(200);
  });
});
