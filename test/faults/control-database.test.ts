// F04, F05, F12: the control database restarts, hangs, or rejects traces. Its sessions run through a proxy.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { History } from '../support/history.ts';
import { becomesReady, checkInvariants } from '../support/invariants.ts';

let proxy: FaultProxy;
const BODY = { metrics: ['revenue'], dimensions: ['orders.region'] };
const svc = await startTestApp({
  async sessionsVia(url) {
    const to = new URL(url);
    proxy = await startFaultProxy({ host: to.hostname, port: Number(to.port) });
    to.port = String(proxy.port);
    return to.href;
  },
});
await svc.post('/v1/lenses/shop/metrics', BODY);

/** Sends asks in `loopCount` concurrent loops. The returned function stops them. */
function load(history: History, loopCount: number): () => Promise<void> {
  let asking = true;
  const runLoop = async () => {
    while (asking) {
      history.add(svc.orgId, svc.callerKey, await svc.post('/v1/lenses/shop/metrics', BODY));
      await sleep(5);
    }
  };
  const running = Promise.all(Array.from({ length: loopCount }, runLoop));
  return async () => {
    asking = false;
    await running;
  };
}

describe('a control database that fails', () => {
  it('F04: restarts under load: svc answers 503 with Retry-After, and recovers without a restart', async () => {
    const history = new History();
    const stop = load(history, 4);
    await sleep(500);
    proxy.set({ kind: 'refuse' });
    await sleep(1_200);
    const away = await svc.post('/v1/lenses/shop/metrics', BODY);
    expect(away.status).toBe(503);
    expect(away.headers['retry-after']).toBeDefined();
    expect(away.body.error).toMatchObject({ code: 'unreachable' });
    expect(away.text).not.toMatch(/127\.0\.0\.1|ECONN|svc_app/);
    expect((await svc.get('/ready', null)).status).toBe(503);
    proxy.set({ kind: 'pass' });
    expect(await becomesReady(svc)).toBeLessThan(5_000);
    await sleep(300);
    await stop();
    expect(Object.keys(history.statuses()).sort()).toEqual(['200', '503']);
    expect(history.served.at(-1)!.status).toBe(200);
    await checkInvariants(svc, history);
  });

  it('F04: ends sessions as soon as they are ready: svc answers 503 and keeps running', async () => {
    const history = new History();
    const stop = load(history, 4);
    proxy.set({ kind: 'terminate' });
    await sleep(1_500);
    expect((await svc.post('/v1/lenses/shop/metrics', BODY)).status).toBe(503);
    proxy.set({ kind: 'pass' });
    expect(await becomesReady(svc)).toBeLessThan(5_000);
    await sleep(300);
    await stop();
    expect(history.served.at(-1)!.status).toBe(200);
    await checkInvariants(svc, history);
  });

  it('F05: hangs: every ask ends in 503 within a limit, /health stays 200, /ready fails and recovers', async () => {
    const history = new History();
    const before = performance.now();
    proxy.set({ kind: 'hang' });
    await sleep(900); // the authenticator's cached result expires
    const asks = Array.from({ length: 30 }, async () => {
      history.add(svc.orgId, svc.callerKey, await svc.post('/v1/lenses/shop/metrics', BODY));
    });
    expect((await svc.get('/health', null)).status).toBe(200);
    expect((await svc.get('/ready', null)).status).toBe(503);
    await Promise.all(asks);
    expect(performance.now() - before).toBeLessThan(15_000);
    expect(Object.keys(history.statuses())).toEqual(['503']);
    proxy.set({ kind: 'pass' });
    await becomesReady(svc);
    history.add(svc.orgId, svc.callerKey, await svc.post('/v1/lenses/shop/metrics', BODY));
    expect(history.served.at(-1)!.status).toBe(200);
    await checkInvariants(svc, history);
  });

  it.each([
    [
      'INSERT on the hourly sums is revoked',
      'revoke insert on svc.trace_tallies from svc_app',
      'grant insert on svc.trace_tallies to svc_app',
    ],
    [
      'the disk is full',
      `create function svc.full_disk() returns trigger language plpgsql as $$ begin raise exception 'disk full' using errcode = '53100'; end $$;
       create trigger full_disk before insert on svc.traces for each row execute function svc.full_disk()`,
      'drop trigger full_disk on svc.traces; drop function svc.full_disk()',
    ],
    [
      'only the writes of asks fail, and the probe succeeds',
      `create function svc.full_disk() returns trigger language plpgsql as $$ begin if new.caller = 'quickstart' then raise exception 'no'; end if; return new; end $$;
       create trigger full_disk before insert on svc.traces for each row execute function svc.full_disk()`,
      'drop trigger full_disk on svc.traces; drop function svc.full_disk()',
    ],
  ])('rejects traces: /ready reports it while asks get 503, and both recover: %s', async (_what, breaks, mends) => {
    expect((await svc.post('/v1/lenses/shop/metrics', BODY)).status).toBe(200);
    await svc.sql(breaks);
    try {
      expect((await svc.post('/v1/lenses/shop/metrics', BODY)).status).toBe(503);
      await sleep(1_000); // the cached result of the check expires
      const ready = await svc.get('/ready', null);
      expect([ready.status, ready.body.checks.trace_writes.status]).toEqual([503, 'failing']);
    } finally {
      await svc.sql(mends);
    }
    await becomesReady(svc);
    expect((await svc.post('/v1/lenses/shop/metrics', BODY)).status).toBe(200);
  });

  it.each([
    ['is read only', '25006'],
    ['has a full disk', '53100'],
  ])('%s: a change gets 503 with Retry-After', async (_what, code) => {
    await svc.sql(`create function svc.no_changes() returns trigger language plpgsql as $$ begin raise exception 'no' using errcode = '${code}'; end $$;
      create trigger no_changes before insert on svc.callers for each row execute function svc.no_changes()`);
    const reply = await svc
      .admin('POST', '/callers', { name: 'unsaved' })
      .finally(() => svc.sql('drop trigger no_changes on svc.callers; drop function svc.no_changes()'));
    expect([reply.status, reply.headers['retry-after']], reply.text).toEqual([503, '1']);
    expect(reply.body.error.message).toBe('The control database accepts no changes at the moment. Try again shortly.');
  });

  it('rejects traces: /ready detects it by a test write without an ask, and the test write leaves no row', async () => {
    const rows = () =>
      svc.sql('select (select count(*) from svc.traces) as traces, (select sum(asks) from svc.trace_tallies) as sums');
    const before = await rows();
    await sleep(4_100); // the cached result of the last ask expires
    expect((await svc.get('/ready', null)).status).toBe(200);
    expect(await rows()).toEqual(before);
    await svc.sql('revoke insert on svc.trace_tallies from svc_app');
    await sleep(1_000);
    expect((await svc.get('/ready', null)).body.checks.trace_writes.status).toBe('failing');
    await svc.sql('grant insert on svc.trace_tallies to svc_app');
    await becomesReady(svc);
  });

  it('F12, RCP-06: rejects traces: an ask gets 503 and no data, /ready reports it, and both recover', async () => {
    const history = new History();
    await svc.sql('revoke insert on svc.traces from svc_app');
    const refusal = await svc.post('/v1/lenses/shop/metrics', BODY);
    history.add(svc.orgId, svc.callerKey, refusal);
    expect(refusal.status).toBe(503);
    expect(refusal.body).toMatchObject({ error: { code: 'unreachable' } });
    expect(refusal.body.data).toBeUndefined();
    const until = Date.now() + 5_000;
    let ready = await svc.get('/ready', null);
    while (ready.status === 200 && Date.now() < until) {
      await sleep(100);
      ready = await svc.get('/ready', null);
    }
    expect(ready.body.checks.trace_writes.status).toBe('failing');
    await svc.sql('grant insert on svc.traces to svc_app');
    await becomesReady(svc);
    history.add(svc.orgId, svc.callerKey, await svc.post('/v1/lenses/shop/metrics', BODY));
    expect(history.served.at(-1)!.status).toBe(200);
    await checkInvariants(svc, history);
  });
});
