// Measures how many asks one svc process can handle while Trino is slow. The tables of the test delay Trino without
// using the processor. docs/measurements/trino-concurrency.md has the results.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../../support/app.ts';
import { lensText } from '../../support/lens-text.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ENGINES_FOLDER } from '../engines-folder.ts';
import { READER, startTrino } from './start-trino.ts';

const WAITS = [1, 10];
const lens = lensText(`name: jobs
title: Jobs
description: Jobs.
connection: lake
timezone: UTC
datasets:
${WAITS.map((seconds) => `  jobs_${seconds}: shop.jobs_${seconds} (job_id integer key, kind string, price decimal {aggregation: sum}) {description: One row per job.}\n`).join('')}`);
const trino = await startTrino({ catalogs: { lake: { 'connector.name': 'blackhole' } }, rules: false });
await trino.owner('create schema lake.shop');
for (const seconds of WAITS)
  await trino.owner(
    `create table lake.shop.jobs_${seconds} (job_id bigint, kind varchar, price decimal(12, 2))
       with (split_count = 1, pages_per_split = 1, rows_per_page = 1, page_processing_delay = '${seconds}s')`,
  );
const folder = await temporaryFolder(ENGINES_FOLDER);
await writeFile(join(folder, 'svc.config.yaml'), 'limits: {requests_per_minute: 1000000}\n');
const lake = { kind: 'trino', host: '127.0.0.1', port: trino.port, catalog: 'lake', schema: 'shop', ...READER };
const svc = await startTestApp({
  project: folder,
  files: { 'svc.config.yaml': JSON.stringify({ connections: { lake } }), 'lenses/jobs/lens.yaml': lens },
});
const address = await svc.listen();

/** The peak number of concurrent statements from svc in Trino, and their total, since the previous call. */
async function measureConcurrency(): Promise<{ most: number; statements: number }> {
  const since = new Set(countedIds);
  const rows = await trino.owner(
    `select query_id, to_unixtime(started), to_unixtime("end") from system.runtime.queries
     where "user" = 'reader' and query like '%jobs_%' and query not like '%information_schema%' and started is not null`,
  );
  const ownRows = rows.filter(([id]) => !since.has(String(id)));
  for (const [id] of ownRows) countedIds.add(String(id));
  const moments = ownRows.flatMap(([, from, to]) => [
    { at: Number(from), more: 1 },
    { at: Number(to ?? Number.MAX_VALUE), more: -1 },
  ]);
  moments.sort((a, b) => a.at - b.at || a.more - b.more);
  let [now, maxAtOnce] = [0, 0];
  for (const { more } of moments) {
    now += more;
    maxAtOnce = Math.max(maxAtOnce, now);
  }
  return { most: maxAtOnce, statements: ownRows.length };
}
const countedIds = new Set<string>();

let askCount = 0;
async function ask(seconds: number): Promise<{ status: number; ms: number }> {
  const startedAt = performance.now();
  const reply = await fetch(`${address}/v1/lenses/jobs/metrics`, {
    method: 'POST',
    headers: { authorization: `Bearer ${svc.callerKey}`, 'content-type': 'application/json' },
    // Each question is different, so that no cache answers it.
    body: JSON.stringify({
      measures: [{ fn: 'count', rows: `jobs_${seconds}` }],
      filters: [{ field: `jobs_${seconds}.job_id`, op: '>', values: [++askCount] }],
    }),
  });
  await reply.arrayBuffer();
  return { status: reply.status, ms: performance.now() - startedAt };
}

describe('asks on a slow engine', () => {
  it.each([
    { wait: 1, callers: 5, rounds: 4 },
    { wait: 1, callers: 50, rounds: 4 },
    { wait: 1, callers: 200, rounds: 2 },
    { wait: 10, callers: 5, rounds: 1 },
    { wait: 10, callers: 50, rounds: 1 },
  ])(
    'get an answer, 429, 503 or 504: $callers callers, $wait s',
    { timeout: 300_000 },
    async ({ wait, callers, rounds }) => {
      await measureConcurrency();
      const startedAt = performance.now();
      const cpu = process.cpuUsage();
      let memory = 0;
      const watch = setInterval(() => {
        memory = Math.max(memory, process.memoryUsage().rss);
      }, 200);
      const replies = (
        await Promise.all(
          Array.from({ length: callers }, async () => {
            const own = [];
            for (let round = 0; round < rounds; round++) own.push(await ask(wait));
            return own;
          }),
        )
      ).flat();
      clearInterval(watch);
      const seconds = (performance.now() - startedAt) / 1000;
      const { user, system } = process.cpuUsage(cpu);
      const { most, statements } = await measureConcurrency();
      const answeredReplies = replies.filter(({ status }) => status === 200);
      const times = answeredReplies.map(({ ms }) => ms).sort((a, b) => a - b);
      const percentile = (part: number): number => Math.round(times[Math.floor(part * (times.length - 1))] ?? 0);
      const statuses = [200, 429, 503, 504].map(
        (item) => `${item}: ${replies.filter(({ status }) => status === item).length}`,
      );
      console.log(
        `engine ${wait} s, ${callers} callers: ${(answeredReplies.length / seconds).toFixed(1)}/s answered (${statuses.join(', ')}), ` +
          `median ${percentile(0.5)} ms, p95 ${percentile(0.95)} ms, ${statements} statements, at most ${most} at once, ` +
          `${Math.round(memory / 1e6)} MB, ${((user + system) / 1000 / replies.length).toFixed(1)} ms of processor per ask`,
      );
      // Every ask without an answer gets a documented error.
      expect(replies.filter(({ status }) => ![200, 429, 503, 504].includes(status))).toEqual([]);
      expect(answeredReplies.length).toBeGreaterThan(0);
    },
  );
});
