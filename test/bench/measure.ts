// Timed requests and what is said of them.
import { readFileSync } from 'node:fs';

interface Timed<Body> {
  ms: number;
  status: number;
  body: Body;
}

export async function post<Body>(url: string, body: unknown, token = ''): Promise<Timed<Body>> {
  const started = performance.now();
  const reply = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await reply.json()) as Body;
  return { ms: performance.now() - started, status: reply.status, body: answer };
}

export const quantile = (values: number[], q: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
};
export const median = (values: number[]): number => quantile(values, 0.5);
export const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits));

const WARM_UP = { lanes: 8, ms: 4_000 };

/** As a process is that has served for a while: its hot paths compiled, its sessions open. */
export const warmUp = (ask: () => Promise<unknown>, forMs = WARM_UP.ms): Promise<void> =>
  onLanes(WARM_UP.lanes, forMs, async () => void (await ask()));

/** Each of `sides` once a round, in turns that begin with another one each time; milliseconds after warming up. */
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

/** `work` on so many lanes until the time is over. */
export async function onLanes(lanes: number, forMs: number, work: (lane: number) => Promise<void>): Promise<void> {
  const until = performance.now() + forMs;
  const run = async (lane: number) => {
    while (performance.now() < until) await work(lane);
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => run(lane)));
}

/** Resident memory of a process in MB, now and at its highest. */
export function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN);
  return { now: kilobytes('VmRSS') / 1024, peak: kilobytes('VmHWM') / 1024 };
}
