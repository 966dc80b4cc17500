// (g) Overload: more callers than slots. Each caller waits as long as Retry-After says. An ask waits for a slot for at
// most two seconds. Once all slots have been taken for that long, svc refuses further asks immediately.
import { setTimeout as sleep } from 'node:timers/promises';
import { median, onLanes, quantile, rounded } from './measure.ts';

const CALLERS = 1_000;
const FILLING_MS = 3_000;

export async function overload(ask: (lane: number) => Promise<Response>, seconds: number) {
  const answered: number[] = [];
  const refused: number[] = [];
  const others: Record<string, number> = {};
  let withoutHint = 0;
  const began = performance.now();
  await onLanes(CALLERS, FILLING_MS + seconds * 1_000, async (lane) => {
    const started = performance.now();
    const reply = await ask(lane).catch((fault: Error) => fault);
    if (!(reply instanceof Error)) await reply.arrayBuffer();
    const ms = performance.now() - started;
    const counts = started - began > FILLING_MS;
    if (reply instanceof Error) others[reply.message] = (others[reply.message] ?? 0) + 1;
    else if (reply.status === 429) {
      const seconds = Number(reply.headers.get('retry-after'));
      if (!(seconds > 0)) withoutHint++;
      if (counts) refused.push(ms);
      await sleep(Math.max(1, seconds) * 1_000);
    } else if (reply.status !== 200) others[reply.status] = (others[reply.status] ?? 0) + 1;
    else if (counts) answered.push(ms);
  });
  const elapsed = (performance.now() - began - FILLING_MS) / 1_000;
  return {
    callers: CALLERS,
    answered_per_s: rounded(answered.length / elapsed, 1),
    p50: rounded(median(answered)),
    p99: rounded(quantile(answered, 0.99)),
    refused_per_s: rounded(refused.length / elapsed, 1),
    refused_p50: rounded(median(refused)),
    refused_p99: rounded(quantile(refused, 0.99)),
    without_retry_after: withoutHint,
    others: JSON.stringify(others),
  };
}
