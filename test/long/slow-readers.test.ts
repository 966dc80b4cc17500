// 400 connections to each surface send large requests and read nothing. Memory stays bounded, other callers get
// answers, and the server closes the connections.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openEngineStage } from '../support/engine-stage.ts';
import { lensText } from '../support/lens-text.ts';
import { openSilentReader, type SilentRequest } from '../support/silent-readers.ts';

const CONNECTIONS = 400;
const ABOVE_IDLE_MB = 300;
const UNREAD_S = 2;
/** The time in which svc must serve each request, refuse it after its wait, or close its connection. */
const PATIENCE_MS = 40_000;
const SMALL_BYTES = 100_000;
const LARGE_BYTES = 8_000_000;
const ROWS = 400;
const NOTE = 'a note that fills a cell, and another. '.repeat(200);

const LENS = lensText(`name: notes
title: Notes
description: Long notes.
connection: notes
datasets:
  notes: main.notes (note_id integer key, remark string, amount decimal) {description: One row per note.}
metrics:
  revenue: {expression: sum(notes.amount), description: Sum of amounts.}
`);
const rows = Array.from({ length: ROWS }, (_, n) => `${n},${n} ${NOTE.replaceAll(',', ';')},${n}.5`);
const stage = await openEngineStage({
  callers: 8,
  mysql: false,
  warehouseMs: 20_000,
  limits: { slow_reader_s: UNREAD_S },
  notes: { csv: ['note_id,remark,amount', ...rows].join('\n'), lens: LENS },
});

const columns = Array.from({ length: 40 }, (_, n) => `repeat(remark, 1) as c${n}`).join(', ');
const WIDE = { sql: `select ${columns} from notes where note_id < 50`, lens: 'notes' };
const MANY = `select ${Array.from({ length: 400 }, (_, n) => `note_id + ${n} as c${n}`).join(', ')} from notes`;
const QUESTION = 'revenue by remark';

const SURFACES: [string, (token: string) => SilentRequest][] = [
  ['/v1/sql, wide cells', (token) => ({ path: '/v1/sql', token, body: WIDE })],
  ['/v1/sql, many cells', (token) => ({ path: '/v1/sql', token, body: { ...WIDE, sql: MANY } })],
  [
    '/v1/query, as CSV',
    (token) => ({ path: '/v1/query', token, body: { q: QUESTION }, headers: { accept: 'text/csv' } }),
  ],
  [
    '/mcp',
    (token) => ({
      path: '/mcp',
      token,
      headers: { accept: 'application/json, text/event-stream' },
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'sql', arguments: { ...WIDE, limit: 500 } },
      },
    }),
  ],
  [
    '/v1/chat/completions, streamed',
    (token) => ({
      path: '/v1/chat/completions',
      token,
      body: { model: 'svc/notes', stream: true, messages: [{ role: 'user', content: QUESTION }] },
    }),
  ],
  [
    '/mgmt/observe/export',
    () => ({ method: 'GET', path: '/mgmt/observe/export?format=ndjson', token: stage.svc.adminToken }),
  ],
];

/** Long questions make the export large. */
const fillLog = () =>
  stage.svc.sql(
    `insert into svc.traces (org_id, request_id, caller, surface, route, question, status, outcome, confidence, certification,
       total_ms, warehouse_ms, envelope, detail)
     select $1, gen_random_uuid(), 'somebody', 'v1', 'query', repeat('long ', 2000), 'answered', 'answered', 'verified', 'none',
       1, 1, '{}', '{}' from generate_series(1, 2000)`,
    [stage.svc.orgId],
  );

it.each(SURFACES)(
  'bounds memory and serves others while 400 connections to %s read nothing',
  async (name, requestOf) => {
    const { own, calm } = stage;
    const ask = () => stage.post('/v1/lenses/duck/metrics', { metrics: ['revenue'] }, calm.callerKey);
    expect(await ask()).toBe(200);
    if (name.startsWith('/mgmt')) await fillLog();
    const { method = 'POST', path, token, body, headers } = requestOf(stage.keys[0]!);
    let size = 0;
    const isAnswered = async () => {
      const first = await fetch(own.url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...headers,
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      size = (await first.arrayBuffer()).byteLength;
      return first.status === 200 && size > SMALL_BYTES;
    };
    // Earlier requests may still be running.
    await expect.poll(isAnswered, { timeout: 60_000, interval: 1_000 }).toBe(true);
    await sleep(500);
    await own.collectGarbage();
    const idle = own.memoryMb();
    let peakMb = idle;
    let slowest = 0;
    const unanswered: number[] = [];
    let watching = true;
    const watch = (async () => {
      while (watching) {
        const startedAt = performance.now();
        const status = await ask().catch(() => 0);
        slowest = Math.max(slowest, performance.now() - startedAt);
        if (status !== 200) unanswered.push(status);
        peakMb = Math.max(peakMb, own.memoryMb());
        await sleep(50);
      }
    })();
    const readers = await Promise.all(
      Array.from({ length: CONNECTIONS }, (_, n) =>
        openSilentReader(own.url, requestOf(stage.keys[n % stage.keys.length]!)),
      ),
    );
    await sleep(PATIENCE_MS);
    watching = false;
    await watch;
    const drained = await Promise.all(readers.map((reader) => reader.drain()));
    const cutReplies = drained.filter(({ closed, whole }) => closed && !whole).length;
    const total = drained.reduce((sum, { bytes }) => sum + bytes, 0);
    console.info(
      `${name}: idle ${Math.round(idle)} MB, most ${Math.round(peakMb)} MB, slowest ask of others ${Math.round(slowest)} ms; ` +
        `an answer has ${Math.round(size / 1e3)} kB; ${cutReplies} of ${CONNECTIONS} closed before theirs was read, ${Math.round(total / 1e6)} MB read in the end`,
    );
    // The system buffers less than LARGE_BYTES, so a client that got more had an open connection.
    expect(drained.filter(({ bytes }) => bytes > LARGE_BYTES).length, 'unread and still open').toBe(0);
    expect(own.child.exitCode).toBeNull();
    expect(peakMb - idle, 'MB above idle').toBeLessThan(ABOVE_IDLE_MB);
    expect(unanswered, 'asks of another organization').toEqual([]);
  },
);
