// (g) Overload: more callers than slots. Each caller waits as long as Retry-After says. An ask waits for a slot for at
// most two seconds. Once all slots have been taken for that long, svc refuses further asks immediately.
import { setTimeout as sleep } from 'node:timers/promises';
import { median, onLanes, quantile, roundTo } from './measure.ts';

const CALLERS = 1_000;
const FILLING_MS = 3_000;

export async function overload(ask: (lane: number) => Promise<Response>, seconds: number) {
  const answerTimes: number[] = [];
  const refusalTimes: number[] = [];
  const otherStatuses: Record<string, number> = {};
  let withoutHint = 0;
  const startedAt = performance.now();
  await onLanes(CALLERS, FILLING_MS + seconds * 1_000, async (lane) => {
    const started = performance.now();
    const reply = await ask(lane).catch((fault: Error) => fault);
    if (!(reply instanceof Error)) await reply.arrayBuffer();
    const ms = performance.now() - started;
    const counts = started - startedAt > FILLING_MS;
    if (reply instanceof Error) otherStatuses[reply.message] = (otherStatuses[reply.message] ?? 0) + 1;
    else if (reply.status === 429) {
      const seconds = Number(reply.headers.get('retry-after'));
      if (!(seconds > 0)) withoutHint++;
      if (counts) refusalTimes.push(ms);
      await sleep(Math.max(1, seconds) * 1_000);
    } else if (reply.status !== 200) otherStatuses[reply.status] = (otherStatuses[reply.status] ?? 0) + 1;
    else if (counts) answerTimes.push(ms);
  });
  const elapsed = (performance.now() - startedAt - FILLING_MS) / 1_000;
  return {
    callers: CALLERS,
    answered_per_s: roundTo(answerTimes.length / elapsed, 1),
    p50: roundTo(median(answerTimes)),
    p99: roundTo(quantile(answerTimes, 0.99)),
    refused_per_s: roundTo(refusalTimes.length / elapsed, 1),
    refused_p50: roundTo(median(refusalTimes)),
    refused_p99: roundTo(quantile(refusalTimes, 0.99)),
    without_retry_after: withoutHint,
    others: JSON.stringify(otherStatuses),
  };
}
