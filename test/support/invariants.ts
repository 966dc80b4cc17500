// What must hold after every fault, whatever happened meanwhile (SECURITY 6): each 200 has exactly one trace of its own
// tenant whose hashes agree with what was handed out, each receipt verifies, nothing is left open, and the service is ready.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import type { Reply, TestApp } from './app.ts';

interface Served {
  orgId: string;
  token: string;
  status: number;
  requestId: string;
  body: Envelope;
}

/** Everything that clients were told, in the order in which they heard it. */
export class History {
  readonly served: Served[] = [];

  add(orgId: string, token: string, reply: Pick<Reply<Envelope>, 'status' | 'headers' | 'body'>): void {
    this.served.push({
      orgId,
      token,
      status: reply.status,
      requestId: String(reply.headers['x-request-id']),
      body: reply.body,
    });
  }

  statuses(): Record<number, number> {
    const counts: Record<number, number> = {};
    for (const { status } of this.served) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

export async function checkInvariants(svc: TestApp, history: History): Promise<void> {
  await becomesReady(svc);
  expect((await svc.get('/health', null)).status).toBe(200);
  const traces = new Map<string, { org_id: string; outcome: string; sql: string | null; receipt: object | null }[]>();
  const rows = await svc.sql<{
    org_id: string;
    request_id: string;
    outcome: string;
    sql: string | null;
    receipt: object | null;
  }>('select org_id, request_id, outcome, sql, receipt from svc.traces');
  for (const row of rows) traces.set(row.request_id, [...(traces.get(row.request_id) ?? []), row]);

  for (const { status, requestId, orgId, token, body } of history.served) {
    if (status !== 200) {
      expect(body.error, `a reply of status ${status} says what to do`).toBeTruthy();
      continue;
    }
    const found = traces.get(requestId) ?? [];
    expect(found, `the trace of ${requestId}`).toHaveLength(1);
    expect(found[0]).toMatchObject({ org_id: orgId, outcome: body.status, receipt: body.receipt });
    expect(body.request_id).toBe(requestId);
    if (!body.receipt) continue;
    expect(digest(found[0]!.sql!)).toBe(body.receipt.sql_sha256);
    const verified = await svc.post('/v1/verify-receipt', body.receipt, token);
    expect(verified.body, `the receipt of ${requestId}`).toMatchObject({ ok: true, mismatches: [] });
  }
  const dangling = await svc.sql(
    `select from svc.lenses l where active_version is not null and not exists
       (select from svc.lens_versions v where v.org_id = l.org_id and v.lens_id = l.id and v.version = l.active_version)`,
  );
  expect(dangling, 'lenses whose version in service does not exist').toHaveLength(0);
  await nothingLeftOpen(svc);
}

export async function becomesReady(svc: TestApp, withinMs = 5_000): Promise<number> {
  const started = Date.now();
  for (;;) {
    const reply = await svc.get('/ready', null);
    if (reply.status === 200) return Date.now() - started;
    if (Date.now() - started > withinMs) throw new Error(`not ready after ${withinMs} ms: ${reply.text}`);
    await sleep(100);
  }
}

/** Within two seconds: a session whose client vanished is noticed by its next check of the connection. */
async function nothingLeftOpen(svc: TestApp): Promise<void> {
  const open = () =>
    svc.sql(
      `select state, left(query, 80) as query from pg_stat_activity where datname = current_database()
         and pid <> pg_backend_pid() and (state like 'idle in transaction%' or (state = 'active' and now() - query_start > '1 s'))
       union all select 'advisory lock', objid::text from pg_locks
         where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
    );
  const until = Date.now() + 2_500;
  let left = await open();
  while (left.length > 0 && Date.now() < until) {
    await sleep(100);
    left = await open();
  }
  expect(left, 'transactions or locks that were left open').toEqual([]);
}
