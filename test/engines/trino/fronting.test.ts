// How many asks one svc fronts while the engine takes its time. The engine is a server that speaks Trino's protocol and
// waits: what is measured is svc. The figures go into docs/operations.md.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { ENGINES_FOLDER } from '../engines-folder.ts';
import { READER } from './start-trino.ts';

const LENS = `name: jobs
title: Jobs
description: Jobs.
connection: lake
timezone: UTC
datasets:
  jobs:
    source: shop.jobs
    description: One row per job.
    primary_key: [job_id]
    fields:
      job_id: {datatype: integer}
      kind: {datatype: string}
      price: {datatype: decimal, aggregation: sum}
`;
let server: ChildProcess;
let engine: string;
let svc: TestApp;
let address: string;
let folder: string;
beforeAll(async () => {
  server = spawn(process.execPath, [fileURLToPath(new URL('./waiting-server.mjs', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<number>((resolve) => server.stdout!.once('data', (line) => resolve(Number(line))));
  engine = `http://127.0.0.1:${port}`;
  folder = await mkdtemp(join(ENGINES_FOLDER, 'project-'));
  await writeFile(join(folder, 'svc.config.yaml'), 'limits: {requests_per_minute: 1000000}\n');
  const lake = { kind: 'trino', host: '127.0.0.1', port, catalog: 'lake', schema: 'shop', ...READER };
  svc = await startTestApp({
    project: folder,
    files: { 'svc.config.yaml': JSON.stringify({ connections: { lake } }), 'lenses/jobs/lens.yaml': LENS },
  });
  address = await svc.listen();
}, 120_000);
afterAll(async () => {
  await svc?.close();
  server?.kill();
  await rm(folder, { recursive: true, force: true });
});

let asked = 0;
async function ask(): Promise<{ status: number; ms: number }> {
  const started = performance.now();
  const reply = await fetch(`${address}/v1/lenses/jobs/metrics`, {
    method: 'POST',
    headers: { authorization: `Bearer ${svc.callerKey}`, 'content-type': 'application/json' },
    // Each is another question, so that nothing is remembered.
    body: JSON.stringify({
      measures: [{ fn: 'count', rows: 'jobs' }],
      filters: [{ field: 'jobs.job_id', op: '>', values: [++asked] }],
    }),
  });
  await reply.arrayBuffer();
  return { status: reply.status, ms: performance.now() - started };
}

describe('15.6 an engine that takes its time', () => {
  it.each([
    { wait: 1_000, askers: 5, rounds: 4 },
    { wait: 1_000, askers: 50, rounds: 4 },
    { wait: 1_000, askers: 200, rounds: 2 },
    { wait: 10_000, askers: 5, rounds: 1 },
    { wait: 10_000, askers: 50, rounds: 1 },
  ])('15.6: $askers askers, $wait ms', { timeout: 300_000 }, async ({ wait, askers, rounds }) => {
    await fetch(`${engine}/wait`, { method: 'POST', body: String(wait) });
    const started = performance.now();
    const cpu = process.cpuUsage();
    let memory = 0;
    const watch = setInterval(() => {
      memory = Math.max(memory, process.memoryUsage().rss);
    }, 200);
    const replies = (
      await Promise.all(
        Array.from({ length: askers }, async () => {
          const own = [];
          for (let round = 0; round < rounds; round++) own.push(await ask());
          return own;
        }),
      )
    ).flat();
    clearInterval(watch);
    const seconds = (performance.now() - started) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    const { most, statements } = (await (await fetch(`${engine}/most`)).json()) as { most: number; statements: number };
    const answered = replies.filter(({ status }) => status === 200);
    const times = answered.map(({ ms }) => ms).sort((a, b) => a - b);
    const at = (part: number): number => Math.round(times[Math.floor(part * (times.length - 1))] ?? 0);
    const statuses = [200, 429, 503, 504].map(
      (one) => `${one}: ${replies.filter(({ status }) => status === one).length}`,
    );
    console.log(
      `engine ${wait} ms, ${askers} askers: ${(answered.length / seconds).toFixed(1)}/s answered (${statuses.join(', ')}), ` +
        `median ${at(0.5)} ms, p95 ${at(0.95)} ms, ${statements} statements, at most ${most} at once, ` +
        `${Math.round(memory / 1e6)} MB, ${((user + system) / 1000 / replies.length).toFixed(1)} ms of processor per ask`,
    );
    // What is not answered is told so; nothing hangs or breaks.
    expect(replies.filter(({ status }) => ![200, 429, 503, 504].includes(status))).toEqual([]);
    expect(answered.length).toBeGreaterThan(0);
  });
});
