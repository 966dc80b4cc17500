// Sends adversarial inputs to each interface of a separate process, and checks the process: /health is never late,
// every request ends in time, other callers get answers, and memory returns to its initial level.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import {
  adversarialFiles,
  adversarialMetrics,
  adversarialQuestions,
  adversarialSql,
  adversarialTurns,
} from './adversarial.ts';
import type { EngineStage } from './engine-stage.ts';
import { openSilentReader } from './silent-readers.ts';
import type { StallWatch } from './stall-watch.ts';
import { pace } from './stalls.ts';

export const INPUTS = 400;
export const LANES = 6;
/** The time limit of a statement, which is long enough for an ordinary ask on a busy machine. */
export const WAREHOUSE_MS = 5_000;
/** The sum of the timeouts of the warehouse and the parser, and the longest wait for a slot of each. */
const REQUEST_MS = WAREHOUSE_MS + 10_000 + 2 * 10_000 + 4_000;
const HEALTH_MS = 250;

export interface Attack {
  door: string;
  method?: string;
  path: string;
  body: unknown;
  headers?: Record<string, string>;
  /** Uses an admin token instead of a caller's key. */
  admin?: boolean;
  /** Uses this token instead. */
  token?: string;
  /** True if the client doesn't read the answer. */
  silent?: boolean;
  /** Additional time allowed for this attack. */
  moreMs?: number;
}

export type Doors = 'statements' | 'words';

/** Attacks on each interface in turn, in mixed order of size, with at least `minPerDoor` attacks on each interface. */
export function attacksAt(
  { engines }: EngineStage,
  doorsOf: Doors,
  { from, ms, minPerDoor }: { from: number; ms: number; minPerDoor: number },
): Sending {
  const sql = engines.map((lens) =>
    adversarialSql(lens === 'duck').map(
      (text): Attack => ({ door: `sql ${lens}`, path: '/v1/sql', body: { sql: text, lens } }),
    ),
  );
  const mcp = adversarialSql(false).map(
    (text): Attack => ({
      door: 'mcp',
      path: '/mcp',
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'sql', arguments: { sql: text, lens: 'pg' } },
      },
      headers: { accept: 'application/json, text/event-stream' },
    }),
  );
  const query = adversarialQuestions().map(
    (q): Attack => ({ door: 'query', path: '/v1/lenses/duck/query', body: { q } }),
  );
  const metrics = adversarialMetrics().map(
    (body): Attack => ({ door: 'metrics', path: '/v1/lenses/pg/metrics', body }),
  );
  const chat = adversarialTurns().map(
    (messages): Attack => ({ door: 'chat', path: '/v1/chat/completions', body: { model: 'svc/duck', messages } }),
  );
  const plan = adversarialFiles().map(
    (text): Attack => ({
      door: 'plan',
      path: '/mgmt/project/plan',
      body: { files: { 'svc.config.yaml': '', 'lenses/odd/lens.yaml': text } },
      admin: true,
    }),
  );
  const verify = verifications().map((body): Attack => ({ door: 'verify', path: '/v1/verify', body }));
  const doors = doorsOf === 'statements' ? [...sql, mcp, metrics] : [query, chat, plan, verify, oddBodies()];
  const attacks = Array.from({ length: INPUTS }, (_, turn) => doors.map((door) => door[(from + turn * 7) % INPUTS]!));
  return { attacks: attacks.flat(), from, ms, minCount: minPerDoor * doors.length };
}

const odd = (path: string, body: object, admin = false): Attack => ({ door: 'bodies', path, body, admin });
const members = (count: number, value: unknown): object =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, value]));

/** Bodies that break a rule many times, up to the maximum size of a body. */
function oddBodies(): Attack[] {
  const receipt = { request_id: '01a202c4-d9b5-74d5-a93a-3ab20e3b608a', lens: null, served_at: '' };
  const bodies = [1_000, 10_000, 40_000].flatMap((count) => [
    odd('/v1/lenses/pg/metrics', { metrics: ['revenue'], choices: members(count, 'v') }),
    odd('/v1/lenses/pg/metrics', members(count, 1)),
    odd('/v1/lenses/pg/metrics', { metrics: ['revenue'], filters: Array(count).fill({ field: 1 }) }),
    odd('/v1/lenses/duck/query', { q: 'revenue', choices: members(count, 'v') }),
    odd('/v1/query', { q: '('.repeat(Math.min(count, 9_000)) }),
    odd('/v1/verify', { receipt, rows: Array(count).fill({ a: [] }) }),
    odd('/v1/verify', { receipt, rows: Array(count * 9).fill(1) }),
    odd('/v1/verify', { receipt, rows: [members(count, 1)], text: '1 2' }),
    odd('/v1/verify-receipt', { ...receipt, ...members(count, 'x') }),
    odd('/v1/reviews', { ...receipt, ...members(count, 1) }),
    odd('/v1/chat/completions', { model: 'svc/auto', messages: Array(count).fill(1) }),
    odd('/mcp', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'query', arguments: members(count, 1) },
    }),
    odd('/mgmt/semantic/entities', { name: 'odd', entity: { source: 'a.b', fields: members(count, 1) } }, true),
    odd('/mgmt/project/plan', { files: members(count, '') }, true),
  ]);
  return Array.from({ length: INPUTS }, (_, n) => bodies[n % bodies.length]!);
}

/** Rows up to the maximum size of a body, with a text of as many numbers as svc compares. */
function verifications(): object[] {
  const receipt = { request_id: '01a202c4-d9b5-74d5-a93a-3ab20e3b608a', lens: null, served_at: '' };
  const text = Array.from({ length: 200 }, (_, n) => n + 0.5).join(' ');
  const bodies = [10, 1_000, 10_000, 20_000].flatMap((size) => {
    const rows = Array.from({ length: size }, (_, n) => ({ a: n + 0.1, b: n + 0.2, c: n + 0.3, d: `x${n}` }));
    return [
      { receipt, rows, text },
      { receipt, rows, text: text.repeat(20) },
    ];
  });
  return Array.from({ length: INPUTS }, (_, n) => bodies[n % bodies.length]!);
}

interface Seen {
  attack: Attack;
  began: number;
  ended: number;
  status: number;
}

export interface Sending {
  attacks: Attack[];
  /** The first attack of the run, for error messages. */
  from: number;
  /** Starts no attack after this time, unless fewer than `minCount` were sent. */
  ms: number;
  minCount: number;
  /** The time limit of each request. */
  requestMs?: number;
}

/** On a slow machine, /health may take proportionally longer. */
const healthMs = (): number => HEALTH_MS * Math.max(1, pace() / 10);

export async function withstand(stage: EngineStage, watch: StallWatch, options: Sending): Promise<void> {
  const { engines, own } = stage;
  const { requestMs = REQUEST_MS } = options;
  const ask = (lens: string) =>
    stage.post(`/v1/lenses/${lens}/metrics`, { metrics: ['revenue'] }, stage.calm.callerKey);
  for (const lens of engines) expect(await ask(lens)).toBe(200);
  const threads = own.threads();
  const unanswered: string[] = [];
  const askTimes: number[] = [];
  let attacking = true;
  const calmAsks = (async () => {
    for (let turn = 0; attacking; turn++) {
      const lens = engines[turn % engines.length]!;
      const startedAt = performance.now();
      const status = await ask(lens).catch((error: Error) => error.name);
      askTimes.push(performance.now() - startedAt);
      if (status !== 200) unanswered.push(`${status} ${lens} ${Math.round(askTimes.at(-1)!)} ms`);
      await sleep(100);
    }
  })();
  const { seen, suspects } = await attackWith(stage, watch, options);
  attacking = false;
  await calmAsks;

  const sent = new Map<string, number>();
  for (const { attack } of seen) sent.set(attack.door, (sent.get(attack.door) ?? 0) + 1);
  const longest = Math.round(Math.max(...askTimes));
  const surfaceList =
    sent.size > MOST_TOLD ? `${seen.length} requests` : [...sent].map((item) => item.join(' ')).join(', ');
  console.info(`of ${options.attacks.length} from ${options.from}: ${surfaceList}; calm: ${longest} ms`);
  const attackText = ({ attack }: { attack: Attack }) =>
    `${attack.door}: ${attack.body instanceof Uint8Array ? 'as bytes' : JSON.stringify(attack.body)?.slice(0, 160)}`;
  const brokenRequests = seen.filter(({ status }) => status === 0 || status === 500 || status === 502);
  const lateRequests = seen.filter(({ attack, began, ended }) => ended - began > requestMs + (attack.moreMs ?? 0));
  const stalls: string[] = [];
  for (const attack of suspects) {
    const ms = await stallOf(stage, watch, attack);
    if (ms > healthMs()) stalls.push(`${Math.round(ms)} ms ${attackText({ attack })}`);
  }
  expect({
    'requests that were not answered': brokenRequests.map((item) => `${item.status} ${attackText(item)}`),
    'requests beyond their time': lateRequests.map(
      (item) => `${Math.round(item.ended - item.began)} ms ${attackText(item)}`,
    ),
    'asks of everybody else': unanswered,
    'inputs during which /health was late': stalls,
  }).toEqual({
    'requests that were not answered': [],
    'requests beyond their time': [],
    'asks of everybody else': [],
    'inputs during which /health was late': [],
  });

  expect(own.child.exitCode).toBeNull();
  await sleep(500);
  const before = own.burnt();
  await sleep(1_000);
  expect(own.burnt() - before, 'processor time that is still spent').toBeLessThan(500);
  expect(own.threads()).toBeLessThanOrEqual(threads + 4);
  const together = await Promise.all(Array.from({ length: 12 }, (_, n) => ask(engines[n % engines.length]!)));
  expect(new Set(together)).toEqual(new Set([200]));
}

const MOST_TOLD = 20;

async function send(stage: EngineStage, attack: Attack, lane: number): Promise<number> {
  const { method, path, body, headers, admin, silent } = attack;
  const token = attack.token ?? (admin ? stage.svc.adminToken : stage.keys[lane]!);
  if (!silent) return stage.send({ method, path, body, token, headers });
  const reader = await openSilentReader(stage.own.url, { method, path, body, token, headers });
  await sleep(UNREAD_MS);
  reader.close();
  return SILENT;
}
const UNREAD_MS = 300;
/** Used as the status of a request whose answer the client doesn't read. */
const SILENT = 1;

async function attackWith(
  stage: EngineStage,
  watch: StallWatch,
  { attacks, ms, minCount }: Sending,
): Promise<{ seen: Seen[]; suspects: Set<Attack> }> {
  const sentAttacks: Seen[] = [];
  const suspects = new Set<Attack>();
  const runningAttacks = new Set<Attack>();
  let next = 0;
  const until = performance.now() + ms;
  const suspectTimer = setInterval(() => {
    if (watch.worst() > HEALTH_MS) for (const attack of runningAttacks) suspects.add(attack);
  }, 300);
  const runLoop = async (_: unknown, at: number) => {
    while (next < attacks.length && (next < minCount || performance.now() < until)) {
      const attack = attacks[next++]!;
      runningAttacks.add(attack);
      const startedAt = performance.now();
      const status = await send(stage, attack, at).catch(() => 0);
      sentAttacks.push({ attack, began: startedAt, ended: performance.now(), status });
      // A stall becomes visible only after it ends.
      setTimeout(() => runningAttacks.delete(attack), 350);
    }
  };
  await Promise.all(Array.from({ length: LANES }, runLoop));
  clearInterval(suspectTimer);
  return { seen: sentAttacks, suspects };
}

/** Repeats the attack alone, to see whether it causes a stall itself. */
async function stallOf(stage: EngineStage, watch: StallWatch, attack: Attack): Promise<number> {
  const delaysAlone: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    await sleep(100);
    watch.worst();
    await send(stage, attack, 0).catch(() => 0);
    await sleep(50);
    delaysAlone.push(watch.worst());
    if (delaysAlone.at(-1)! <= HEALTH_MS) break;
  }
  return Math.min(...delaysAlone);
}

const MEMORY_MB = 64;
/** The time that svc needs to read the files of two projects, one after the other. */
const FILES_MS = 30_000;

/** Runs the attacks on each route, and checks that memory returns to its initial level. */
export async function withstandOnRoutes(
  stage: EngineStage,
  watch: StallWatch,
  routes: Attack[][],
  options: Sending,
): Promise<void> {
  const { own } = stage;
  // Memory for data that svc loads or caches at the first use of a route isn't a leak.
  const refusedExamples: string[] = [];
  for (const [plain] of routes) {
    if (plain!.moreMs) continue;
    const status = await send(stage, plain!, 0).catch(() => 0);
    if (status >= 400) refusedExamples.push(`${status} ${plain!.door}`);
  }
  console.info(`${routes.length} routes and tools; of these refuse their example: ${refusedExamples.join(', ')}`);
  await own.collectGarbage();
  const before = own.memoryMb();
  try {
    await withstand(stage, watch, { ...options, requestMs: REQUEST_MS + FILES_MS });
  } finally {
    console.info(`${Math.round(before)} MB before, ${Math.round(await settledMemoryMb(own, before))} MB after`);
  }
  const after = await settledMemoryMb(own, before + MEMORY_MB);
  expect(after - before, 'MB that are held').toBeLessThan(MEMORY_MB);
}

/** Waits until memory is low enough. Freed memory returns within seconds, and idle threads end within half a minute. */
async function settledMemoryMb({ collectGarbage, memoryMb }: EngineStage['own'], enough: number): Promise<number> {
  let lowestMb = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 60 && lowestMb > enough; turn++) {
    await collectGarbage();
    lowestMb = Math.min(lowestMb, memoryMb());
  }
  return lowestMb;
}
