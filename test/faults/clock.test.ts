// F13: the clock of the host is wrong by a day, or jumps back. The clock of the database determines all dates.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { completeFlow, makePerson, PASSWORD } from '../oauth/oauth-flow.ts';
import { startTestApp } from '../support/app.ts';
import { History } from '../support/history.ts';
import { checkInvariants } from '../support/invariants.ts';

const DAY = 86_400_000;
const LEEWAY_S = 60;
const METRICS = { metrics: ['revenue'] };

/** Changes only the wall clock of the host. Timers and the monotonic clock stay correct. */
function putClock(byMs: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + byMs });
}
const svc = await startTestApp();
afterEach(() => {
  vi.useRealTimers();
});

/** The difference in seconds between a column of the newest row and `now() + expected`, in the database. */
async function measureSecondsOff(column: string, table: string, expectedSeconds: number): Promise<number> {
  const [row] = await svc.sql<{ off: number }>(
    `select extract(epoch from ${column} - now())::float8 - $1 as off from ${table} where ${column} is not null
     order by created_at desc limit 1`,
    [expectedSeconds],
  );
  return Math.abs(row!.off);
}

describe.each([
  ['a day ahead', DAY],
  ['a day behind', -DAY],
])('F13: a host %s', (name, skew) => {
  // Both cases must work: a clock that is wrong at the start, and one that jumps during operation.
  it.each(['running', 'started'])(
    'dates answers by the database clock, and records no negative duration (%s)',
    async (moment) => {
      const history = new History();
      putClock(skew);
      const app = moment === 'started' ? await svc.replica() : svc.app;
      const headers = { authorization: `Bearer ${svc.callerKey}` };
      const reply = await app.inject({ method: 'POST', url: '/v1/lenses/shop/metrics', payload: METRICS, headers });
      const body = reply.json();
      history.add(svc.orgId, svc.callerKey, { status: reply.statusCode, headers: reply.headers, body });
      expect(reply.statusCode, reply.payload).toBe(200);
      const [trace] = await svc.sql<{
        apart: number;
        total_ms: number;
        detail: { steps: { started_at: string; ms: number }[] };
      }>(
        `select extract(epoch from at - (receipt->>'served_at')::timestamptz)::float8 as apart, total_ms, detail
       from svc.traces where request_id = $1`,
        [body.request_id],
      );
      expect(Math.abs(trace!.apart)).toBeLessThan(LEEWAY_S);
      expect(Math.min(trace!.total_ms, ...trace!.detail.steps.map(({ ms }) => ms))).toBeGreaterThanOrEqual(0);
      const starts = trace!.detail.steps.map(({ started_at }) => Date.parse(started_at));
      expect(starts).toEqual([...starts].sort((a, b) => a - b));
      await checkInvariants(svc, history);
    },
  );

  it('gives sessions and tokens their full lifetime, and no more', async () => {
    putClock(skew);
    await makePerson(svc, `${skew}@example.com`);
    const login = await svc.post('/auth/login', { email: `${skew}@example.com`, password: PASSWORD }, null);
    expect(login.status, login.text).toBe(200);
    const [session] = await svc.sql<{ life: number; idle: number }>(
      `select extract(epoch from expires_at - created_at)::float8 as life, extract(epoch from idle_expires_at - created_at)::float8 as idle
       from svc.credentials where kind = 'session' order by created_at desc limit 1`,
    );
    expect(session).toEqual({ life: 7 * 86_400, idle: 12 * 3_600 });
    expect((await svc.get('/auth/me', login.body.token)).status).toBe(200);
    const dance = await completeFlow(svc, String(login.headers['set-cookie']).split(';')[0]!);
    expect(dance.reply.status, dance.reply.text).toBe(200);
    expect(
      await measureSecondsOff('expires_at', `(select * from svc.credentials where kind = 'oauth') c`, 3_600),
    ).toBeLessThan(LEEWAY_S);
    expect((await svc.post('/v1/lenses/shop/metrics', METRICS, dance.reply.body.access_token)).status).toBe(200);
  });

  it('compares an expiry with the database clock: accepts one in an hour, refuses one an hour ago', async () => {
    const mintedCaller = await svc.mintCaller({ name: `clocked${name.length}` });
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
    putClock(skew);
    const keys = `/mgmt/callers/${mintedCaller.id}/keys`;
    const lives = await svc.post(keys, { expires_at: inAnHour }, svc.adminToken);
    expect(lives.status, lives.text).toBe(201);
    expect((await svc.get('/v1/lenses', lives.body.key)).status).toBe(200);
    expect((await svc.post(keys, { expires_at: anHourAgo }, svc.adminToken)).status).toBe(422);
  });
});

it('F13: detects failing trace writes in /ready after the clock is set back, and recovers', async () => {
  expect((await svc.get('/ready', null)).status).toBe(200);
  putClock(-DAY);
  await svc.sql('revoke insert on svc.traces from svc_app');
  try {
    expect((await svc.post('/v1/lenses/shop/metrics', METRICS)).status).toBe(503);
    await vi.waitFor(async () => expect((await svc.get('/ready', null)).status).toBe(503), {
      timeout: 10_000,
      interval: 200,
    });
  } finally {
    await svc.sql('grant insert on svc.traces to svc_app');
  }
  await vi.waitFor(async () => expect((await svc.get('/ready', null)).status).toBe(200), {
    timeout: 10_000,
    interval: 200,
  });
  const reply = await svc.post('/v1/lenses/shop/metrics', METRICS);
  expect(reply.status).toBe(200);
});
