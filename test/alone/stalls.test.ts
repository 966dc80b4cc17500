// Stage 9: 400 adversarial inputs to each door. /health of the process is never late, every request ends in its time,
// everybody else's asks are answered, and what the process holds is as it was.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  adversarialFiles,
  adversarialMetrics,
  adversarialQuestions,
  adversarialSql,
  adversarialTurns,
} from '../support/adversarial.ts';
import { type EngineStage, openEngineStage } from '../support/engine-stage.ts';
import { NEEDS_MARIADB } from '../support/mariadb.ts';
import { type StallWatch, watchStalls } from '../support/stall-watch.ts';

const HEALTH_MS = 250;
/** So long that a calm ask is in time on a machine that is busy otherwise, too. */
const WAREHOUSE_MS = 5_000;
/** The time-out of the warehouse, of reading a statement, and the longest waits for a place of each. */
const REQUEST_MS = WAREHOUSE_MS + 10_000 + 2 * 10_000 + 4_000;
const LANES = 6;
const INPUTS = 400;
/** A machine that is busy otherwise sends fewer of them; where a run begins is drawn, and told when it fails. */
const SENDING_MS = 50_000;
const FEWEST = 30;
const FROM = Number(process.env['SVC_STALLS_FROM'] ?? Math.floor(Math.random() * INPUTS));

let stage: EngineStage;
let watch: StallWatch;
beforeAll(async () => {
  stage = await openEngineStage({ callers: LANES, mysql: true, warehouseMs: WAREHOUSE_MS });
  watch = await watchStalls(stage.own.url);
}, 240_000);
afterAll(async () => {
  watch?.stop();
  await stage?.close();
});

interface Attack {
  door: string;
  path: string;
  body: unknown;
  headers?: Record<string, string>;
  /** With an admin's token, where a caller's does not do. */
  admin?: boolean;
}

type Doors = 'statements' | 'words';

function attacksAt(doorsOf: Doors): Attack[] {
  const { engines } = stage;
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
  const doors = doorsOf === 'statements' ? [...sql, mcp, metrics] : [query, chat, plan];
  // Each door in turn, and no door from its largest to its smallest.
  return Array.from({ length: INPUTS }, (_, turn) => doors.map((door) => door[(FROM + turn * 7) % INPUTS]!)).flat();
}

const send = ({ path, body, headers, admin }: Attack, lane: number): Promise<number> =>
  stage.post(path, body, admin ? stage.svc.adminToken : stage.keys[lane]!, headers);

interface Seen {
  attack: Attack;
  began: number;
  ended: number;
  status: number;
}

async function attackWith(attacks: Attack[]): Promise<{ seen: Seen[]; suspects: Set<Attack> }> {
  const seen: Seen[] = [];
  const suspects = new Set<Attack>();
  const flying = new Set<Attack>();
  let next = 0;
  const until = performance.now() + SENDING_MS;
  const looking = setInterval(() => {
    if (watch.worst() > HEALTH_MS) for (const attack of flying) suspects.add(attack);
  }, 300);
  const lane = async (_: unknown, at: number) => {
    while (next < attacks.length && performance.now() < until) {
      const attack = attacks[next++]!;
      flying.add(attack);
      const began = performance.now();
      const status = await send(attack, at).catch(() => 0);
      seen.push({ attack, began, ended: performance.now(), status });
      // A stall shows when it is over.
      setTimeout(() => flying.delete(attack), 350);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  clearInterval(looking);
  return { seen, suspects };
}

/** Alone, and again: what is late then is late of itself. */
async function stallOf(attack: Attack): Promise<number> {
  const alone: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    await sleep(100);
    watch.worst();
    await send(attack, 0).catch(() => 0);
    await sleep(50);
    alone.push(watch.worst());
    if (alone.at(-1)! <= HEALTH_MS) break;
  }
  return Math.min(...alone);
}

const DOORS: [Doors, string][] = [
  ['statements', `sql on each engine, the sql tool of MCP, metrics${NEEDS_MARIADB}`],
  ['words', 'questions, turns of a conversation, files of a project'],
];
it.each(DOORS)('9, G15: 400 inputs to each door stall nobody: %s (%s)', { timeout: 600_000 }, async (doors) => {
  const { engines, own } = stage;
  const ask = (lens: string) =>
    stage.post(`/v1/lenses/${lens}/metrics`, { metrics: ['revenue'] }, stage.calm.callerKey);
  for (const lens of engines) expect(await ask(lens)).toBe(200);
  const threads = own.threads();
  const unanswered: string[] = [];
  let attacking = true;
  const others = (async () => {
    for (let turn = 0; attacking; turn++) {
      const lens = engines[turn % engines.length]!;
      const began = performance.now();
      const status = await ask(lens);
      if (status !== 200) unanswered.push(`${status} ${lens} ${Math.round(performance.now() - began)} ms`);
      await sleep(100);
    }
  })();
  const { seen, suspects } = await attackWith(attacksAt(doors));
  attacking = false;
  await others;

  const sent = [...new Set(seen.map(({ attack }) => attack.door))].map(
    (door) => `${door} ${seen.filter(({ attack }) => attack.door === door).length}`,
  );
  console.info(`sent from ${FROM}: ${sent.join(', ')}`);
  const told = ({ attack }: { attack: Attack }) => `${attack.door}: ${JSON.stringify(attack.body).slice(0, 160)}`;
  for (const door of new Set(seen.map(({ attack }) => attack.door))) {
    expect(seen.filter(({ attack }) => attack.door === door).length, door).toBeGreaterThanOrEqual(FEWEST);
  }
  const broken = seen.filter(({ status }) => status === 0 || status === 500 || status === 502);
  expect(
    broken.map((one) => `${one.status} ${told(one)}`),
    'requests that were not answered',
  ).toEqual([]);
  const late = seen.filter(({ began, ended }) => ended - began > REQUEST_MS);
  expect(late.map(told), 'requests beyond their time').toEqual([]);
  expect(unanswered, 'asks of everybody else').toEqual([]);

  const stalls: string[] = [];
  for (const attack of suspects) {
    const ms = await stallOf(attack);
    if (ms > HEALTH_MS) stalls.push(`${Math.round(ms)} ms ${told({ attack })}`);
  }
  expect(stalls, 'inputs during which /health was late').toEqual([]);

  expect(own.child.exitCode).toBeNull();
  await sleep(500);
  const before = own.burnt();
  await sleep(1_000);
  expect(own.burnt() - before, 'processor time that is still spent').toBeLessThan(500);
  expect(own.threads()).toBeLessThanOrEqual(threads + 4);
  const together = await Promise.all(Array.from({ length: 12 }, (_, n) => ask(engines[n % engines.length]!)));
  expect(new Set(together)).toEqual(new Set([200]));
});
