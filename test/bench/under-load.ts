// (f) The memory that a result of 3,000,000 rows takes under the caps, and (g) throughput by concurrency over 32 keys.
import type { Envelope } from '../../src/contract/ask.ts';
import { median, memoryOf, onLanes, post, quantile, roundTo } from './measure.ts';
import { overload } from './overload.ts';
import type { Stage } from './stage.ts';

const LISTING = {
  metrics: [],
  dimensions: ['flights.origin', 'flights.destination', 'flights.delay', 'flights.distance'],
};
const KEYS = 32;
const LEVELS = [1, 4, 16, 32, 64, 128, 256];

export async function measureBigResult({ svc }: Stage) {
  const pid = svc.child.pid!;
  const run = () => post<Envelope>(`${svc.baseUrl}/v1/lenses/flights/metrics`, LISTING, svc.callerKey);
  await run();
  const before = memoryOf(pid).now;
  const times: number[] = [];
  let highest = before;
  let last = await run();
  for (let round = 0; round < 20; round++) {
    last = await run();
    times.push(last.ms);
    highest = Math.max(highest, memoryOf(pid).now);
  }
  return {
    rows_in_warehouse: 3_000_000,
    row_count: last.body.row_count,
    truncated: last.body.truncated,
    idle_mb: roundTo(before, 1),
    on_top_mb: roundTo(highest - before, 1),
    p50_ms: roundTo(median(times)),
  };
}

export async function throughput({ svc, bareUrl }: Stage, seconds: number) {
  const keys = await mintKeys(svc);
  const body = { metrics: ['revenue'], dimensions: ['region'] };
  const levels = [];
  for (const concurrency of LEVELS) {
    const times: number[] = [];
    const otherStatuses: Record<number, number> = {};
    const startedAt = performance.now();
    await onLanes(concurrency, seconds * 1_000, async (lane) => {
      const reply = await post(`${svc.baseUrl}/v1/lenses/superstore/metrics`, body, keys[lane % KEYS]!);
      if (reply.status === 200) times.push(reply.ms);
      else otherStatuses[reply.status] = (otherStatuses[reply.status] ?? 0) + 1;
    });
    const elapsed = (performance.now() - startedAt) / 1_000;
    let bareAsks = 0;
    const sql = 'select region, sum(sales) as revenue from orders group by region order by revenue desc';
    const bareStarted = performance.now();
    await onLanes(concurrency, seconds * 1_000, async () => {
      await post(`${bareUrl}/bare`, { sql });
      bareAsks++;
    });
    levels.push({
      concurrency,
      bare_per_s: roundTo(bareAsks / ((performance.now() - bareStarted) / 1_000), 1),
      answered_per_s: roundTo(times.length / elapsed, 1),
      p50: roundTo(median(times)),
      p99: roundTo(quantile(times, 0.99)),
      others: JSON.stringify(otherStatuses),
    });
  }
  const overloadResult = await overload(
    (lane) =>
      fetch(`${svc.baseUrl}/v1/lenses/superstore/metrics`, {
        method: 'POST',
        headers: { authorization: `Bearer ${keys[lane % KEYS]}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    seconds * 2,
  );
  return { levels, beyond_the_limits: [overloadResult] };
}

async function mintKeys(svc: Stage['svc']): Promise<string[]> {
  const keys: string[] = [];
  for (let n = 0; n < KEYS; n++) {
    const caller = await post<{ id: string }>(`${svc.baseUrl}/mgmt/callers`, { name: `bench-${n}` }, svc.adminToken);
    const key = await post<{ key: string }>(`${svc.baseUrl}/mgmt/callers/${caller.body.id}/keys`, {}, svc.adminToken);
    await fetch(`${svc.baseUrl}/mgmt/callers/${caller.body.id}/grants`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${svc.adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ lenses: ['superstore'] }),
    });
    keys.push(key.body.key);
  }
  return keys;
}
