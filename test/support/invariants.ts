// Conditions that must hold after every fault: replies match traces, no connection stays open, and the service is
// ready.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ReceiptVerification } from '../../src/contract/receipt.ts';
import type { TestApp } from './app.ts';
import { breachesOf, type History, TRACES_OF, type TraceOnRecord } from './history.ts';

export async function checkInvariants(svc: TestApp, history: History): Promise<void> {
  await becomesReady(svc);
  expect((await svc.get('/health', null)).status).toBe(200);
  const breaches = await breachesOf(history.served, {
    traces: (ids) => svc.sql<TraceOnRecord & Record<string, unknown>>(TRACES_OF, [ids]),
    verify: async (receipt, token) => (await svc.post<ReceiptVerification>('/v1/verify-receipt', receipt, token)).body,
  });
  expect(breaches).toEqual([]);
  const dangling = await svc.sql(
    `select from svc.lenses l where active_version is not null and not exists
       (select from svc.lens_versions v where v.org_id = l.org_id and v.lens_id = l.id and v.version = l.active_version)`,
  );
  expect(dangling, 'lenses whose version in service does not exist').toHaveLength(0);
  await expectNothingOpen(svc);
}

export async function becomesReady(svc: TestApp, withinMs = 5_000): Promise<number> {
  const startedAt = Date.now();
  for (;;) {
    const reply = await svc.get('/ready', null);
    if (reply.status === 200) return Date.now() - startedAt;
    if (Date.now() - startedAt > withinMs) throw new Error(`not ready after ${withinMs} ms: ${reply.text}`);
    await sleep(100);
  }
}

/** Allows two seconds, because a session notices a lost client at its next check of the connection. */
async function expectNothingOpen(svc: TestApp): Promise<void> {
  const open = () =>
    svc.sql(
      `select state, left(query, 80) as query from pg_stat_activity where datname = current_database()
         and pid <> pg_backend_pid() and (state like 'idle in transaction%' or (state = 'active' and now() - query_start > '1 s'))
       union all select 'advisory lock', objid::text from pg_locks
         where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
    );
  const until = Date.now() + 2_500;
  let openCount = await open();
  while (openCount.length > 0 && Date.now() < until) {
    await sleep(100);
    openCount = await open();
  }
  expect(openCount, 'transactions or locks that were left open').toEqual([]);
}
