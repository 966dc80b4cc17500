// npm run bench: each kind of ask beside the same SQL through the bare driver, alternated in one run. What counts is the
// difference and the ratio; the milliseconds are this machine's. Options: --rounds N, --json.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import Fastify from 'fastify';
import { parse } from 'yaml';
import { readConfig } from '../../src/config.ts';
import type { Envelope } from '../../src/contract/ask.ts';
import { readCredentials } from '../../src/home.ts';
import { start } from '../../src/main.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, json: { type: 'boolean', default: false } },
});
const rounds = Number(values.rounds);

interface Kind {
  name: string;
  path: string;
  body: Record<string, unknown>;
}
const LENS = '/v1/lenses/superstore';
const BIG = '/v1/lenses/flights';
const KINDS: Kind[] = [
  { name: 'certified, structured', path: `${LENS}/certified/revenue-by-region/run`, body: { format: 'structured' } },
  { name: 'metrics', path: `${LENS}/metrics`, body: { metrics: ['revenue'], dimensions: ['region'] } },
  {
    name: 'question, structured',
    path: `${LENS}/query`,
    body: { q: 'revenue by segment in 2016', format: 'structured' },
  },
  { name: 'question, both', path: `${LENS}/query`, body: { q: 'revenue by segment in 2016' } },
  {
    name: 'guarded SQL',
    path: '/v1/sql',
    body: { lens: 'superstore', sql: 'select region, sum(sales) as revenue from main.orders group by region' },
  },
  {
    name: 'metrics, 3,000,000 rows',
    path: `${BIG}/metrics`,
    body: { metrics: ['flight_count'], dimensions: ['flights.origin'] },
  },
];

const home = await mkdtemp(join(tmpdir(), 'svc-bench-'));
const quiet = process.stdout.write.bind(process.stdout);
process.stdout.write = (() => true) as typeof process.stdout.write;
const running = await start(readConfig({ ...process.env, SVC_HOME: home, SVC_PORT: '0', SVC_LOG_LEVEL: 'silent' }));
process.stdout.write = quiet;
const { caller_key, base_url } = (await readCredentials(home))!;

const drivers = new Map<string, Awaited<ReturnType<DuckDBInstance['connect']>>>();
const bare = Fastify();
bare.post<{ Body: { sql: string; file: string } }>('/bare', async ({ body }) => {
  const reader = await drivers.get(body.file)!.runAndReadAll(body.sql);
  return reader.getRowObjectsJson();
});
const bareUrl = await bare.listen({ port: 0, host: '127.0.0.1' });

async function post(url: string, body: unknown): Promise<{ ms: number; answer: Envelope }> {
  const started = performance.now();
  const reply = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${caller_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await reply.json()) as Envelope;
  if (!reply.ok) throw new Error(`${url}: ${reply.status} ${JSON.stringify(answer)}`);
  return { ms: performance.now() - started, answer };
}

const quantile = (sorted: number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]!;

/** The same SQL on the same data as plain files, so that svc's own warehouse stays untouched. */
async function driverFor(path: string): Promise<string> {
  const file = path.startsWith(BIG) ? 'flights' : 'orders';
  if (drivers.has(file)) return file;
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect();
  // The connection of the sample project, statement for statement.
  const connections = (
    parse(readFileSync('svc.config.yaml', 'utf8')) as {
      connections: Record<string, { files: Record<string, { path: string; select?: string }> }>;
    }
  ).connections;
  for (const [table, { path: source, select }] of Object.entries({
    ...connections['shop']!.files,
    ...connections['air']!.files,
  })) {
    if ((table === 'orders') !== (file === 'orders')) continue;
    await connection.run(
      `create table ${table} as ${(select ?? 'select * from source').replace(/\bsource\b/, `'${source}'`)}`,
    );
  }
  drivers.set(file, connection);
  return file;
}

const results = [];
for (const kind of KINDS) {
  const file = await driverFor(kind.path);
  const { answer } = await post(base_url + kind.path, kind.body);
  const sql = answer.sql!.replaceAll(/\bmain\.(orders|flights)\b/g, '$1');
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < rounds + 20; round++) {
    const a = await post(base_url + kind.path, kind.body);
    const b = await post(`${bareUrl}/bare`, { sql, file });
    if (round < 20) continue;
    ours.push(a.ms);
    theirs.push(b.ms);
  }
  ours.sort((a, b) => a - b);
  theirs.sort((a, b) => a - b);
  const [p50, p95, bare50, bare95] = [
    quantile(ours, 0.5),
    quantile(ours, 0.95),
    quantile(theirs, 0.5),
    quantile(theirs, 0.95),
  ];
  results.push({
    kind: kind.name,
    rounds,
    svc_p50: p50,
    svc_p95: p95,
    bare_p50: bare50,
    bare_p95: bare95,
    overhead_p50: p50 - bare50,
    ratio_p50: p50 / bare50,
  });
}

if (values.json) console.log(JSON.stringify(results, null, 2));
else {
  console.log(
    'Milliseconds over HTTP; svc authenticates, plans, guards, signs and writes a durable trace, the bare route runs the SQL.',
  );
  console.table(
    Object.fromEntries(
      results.map(({ kind, svc_p50, svc_p95, bare_p50, bare_p95, overhead_p50, ratio_p50 }) => [
        kind,
        {
          'svc p50': svc_p50.toFixed(2),
          'svc p95': svc_p95.toFixed(2),
          'bare p50': bare_p50.toFixed(2),
          'bare p95': bare_p95.toFixed(2),
          'on top p50': overhead_p50.toFixed(2),
          ratio: ratio_p50.toFixed(2),
        },
      ]),
    ),
  );
}

await bare.close();
await running.stop();
await rm(home, { recursive: true, force: true });
process.exit(0);
