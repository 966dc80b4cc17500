// Timed requests and their statistics.
import { closeSync, fdatasyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Timed<Body> {
  ms: number;
  status: number;
  body: Body;
}

export async function post<Body>(url: string, body: unknown, token = ''): Promise<Timed<Body>> {
  const startedAt = performance.now();
  const reply = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await reply.json()) as Body;
  return { ms: performance.now() - startedAt, status: reply.status, body: answer };
}

export const quantile = (values: number[], q: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
};
export const median = (values: number[]): number => quantile(values, 0.5);
export const roundTo = (value: number, digits = 2): number => Number(value.toFixed(digits));

const WARM_UP = { lanes: 8, ms: 4_000 };

/** Sends requests until the hot paths are compiled and the sessions are open. */
export const warmUp = (ask: () => Promise<unknown>, forMs = WARM_UP.ms): Promise<void> =>
  onLanes(WARM_UP.lanes, forMs, async () => void (await ask()));

/**
 * Returns the times of each side in milliseconds, after a warm-up. Each round runs every side once and starts with a
 * different side.
 */
export async function alternate<Side extends string>(
  rounds: number,
  sides: Record<Side, () => Promise<number>>,
  warmUpMs?: number,
): Promise<Record<Side, number[]>> {
  const names = Object.keys(sides) as Side[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Side, number[]>;
  for (const name of names) await warmUp(sides[name], warmUpMs);
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length]!;
      times[name].push(await sides[name]());
    }
  }
  return times;
}

/** Runs `work` in this many concurrent loops until the time is over. */
export async function onLanes(loopCount: number, forMs: number, work: (lane: number) => Promise<void>): Promise<void> {
  const until = performance.now() + forMs;
  const run = async (lane: number) => {
    while (performance.now() < until) await work(lane);
  };
  await Promise.all(Array.from({ length: loopCount }, (_, lane) => run(lane)));
}

/**
 * The 99th percentiles of both sides with concurrent loops, in rounds that alternate the sides, because load on the
 * machine swings. `ratio_p99` is the median of the rounds.
 */
export async function compareTails(
  loopCount: number,
  forMs: number,
  sides: { svc(): Promise<{ status: number; ms: number }>; bare(): Promise<{ ms: number }> },
) {
  const ROUNDS = 5;
  const rounds: { svc: number; bare: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const times = { svc: [] as number[], bare: [] as number[] };
    await onLanes(loopCount, forMs / ROUNDS, async () => {
      const { status, ms } = await sides.svc();
      if (status === 200) times.svc.push(ms);
    });
    await onLanes(loopCount, forMs / ROUNDS, async () => void times.bare.push((await sides.bare()).ms));
    rounds.push({ svc: quantile(times.svc, 0.99), bare: quantile(times.bare, 0.99) });
  }
  const ratios = rounds.map(({ svc, bare }) => svc / bare);
  return {
    svc_p99: roundTo(median(rounds.map(({ svc }) => svc))),
    bare_p99: roundTo(median(rounds.map(({ bare }) => bare))),
    ratio_p99: roundTo(median(ratios)),
    lowest_ratio: roundTo(Math.min(...ratios)),
    highest_ratio: roundTo(Math.max(...ratios)),
  };
}

/** The current and the peak resident memory of a process in MB. */
export function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN);
  return { now: kilobytes('VmRSS') / 1024, peak: kilobytes('VmHWM') / 1024 };
}

/** The lower bound for a durable answer: the time of one 8 kB write that reaches the disk. */
export function measureDurableWriteMs(): number {
  const path = join(tmpdir(), `svc-bench-write-${process.pid}`);
  const file = openSync(path, 'w');
  const page = Buffer.alloc(8_192, 1);
  const write = (at: number) => {
    const startedAt = performance.now();
    writeSync(file, page, 0, page.length, at * page.length);
    fdatasyncSync(file);
    return performance.now() - startedAt;
  };
  try {
    for (let at = 0; at < 100; at++) write(at); // the file gets its full size first, like a preallocated log segment
    return median(Array.from({ length: 100 }, (_, at) => write(at)));
  } finally {
    closeSync(file);
    rmSync(path);
  }
}
