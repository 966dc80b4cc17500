// Counts the work of one ask of each kind, in the process of a real server. The counts don't depend on the load of the
// machine.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { connect } from '../bench/over-mcp.ts';
import { ROOT, startSvc } from '../support/own-process.ts';
import { unlimitedSample } from '../support/unlimited-sample.ts';

interface Counted {
  characters: number;
  calls: { url: string; name: string; count: number }[];
}
export type Work = Record<(typeof MEASURES)[number], number>;

const MEASURES = [
  'functions of svc',
  'functions of libraries',
  'functions of Node.js',
  'statements on the control database',
  'round trips to the control database',
  'statements on the warehouse',
  'characters of JSON',
] as const;

const WARM_UP = 30;
/** The lowest count of several asks excludes background work, such as refreshed credentials. */
const ASKS = 9;

const LENS = 'superstore';
const METRICS = { metrics: ['revenue'], dimensions: ['region'] };
const QUESTION = { q: 'revenue by segment in 2016' };
const SQL = { sql: 'select region, sum(sales) as revenue from main.orders group by region' };

/** The amounts of each kind of work for one ask. A function that waits counts again each time it continues. */
export async function countWork(): Promise<Record<string, Work>> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-work-'));
  const file = join(folder, 'work.json');
  const { project } = await unlimitedSample(folder);
  const env = {
    SVC_PROJECT: project,
    NODE_OPTIONS: `--require ${join(ROOT, 'test/work/counter.cjs')}`,
    SVC_WORK_FILE: file,
  };
  // A bundle would mix the functions of svc with those of libraries.
  const svc = await startSvc(join(folder, 'home'), env, join(ROOT, 'dist/cli.js'));
  const headers = { authorization: `Bearer ${svc.callerKey}` };
  const client = await connect(`${svc.baseUrl}/mcp`, headers);
  const http = (path: string, body: object) => async () => {
    const reply = await fetch(`${svc.baseUrl}/v1/${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await reply.text();
    if (!text.includes('"status":"answered"')) throw new Error(`${path}: ${reply.status} ${text}`);
  };
  const callTool = (name: string, args: object) => async () => {
    const reply = await client.callTool({ name, arguments: { lens: LENS, ...args } });
    if (reply.isError) throw new Error(`${name}: ${JSON.stringify(reply)}`);
  };
  const kinds: Record<string, () => Promise<void>> = {
    certified: http(`lenses/${LENS}/certified/revenue-by-region/run`, {}),
    metrics: http(`lenses/${LENS}/metrics`, METRICS),
    question: http(`lenses/${LENS}/query`, QUESTION),
    SQL: http('sql', { lens: LENS, ...SQL }),
    'MCP run_certified': callTool('run_certified', { cert_id: 'revenue-by-region' }),
    'MCP query_metrics': callTool('query_metrics', METRICS),
    'MCP query': callTool('query', QUESTION),
    'MCP sql': callTool('sql', SQL),
  };
  const countAsk = async (ask: () => Promise<void>): Promise<Work> => {
    await ask(); // refreshes caches older than a second in the background
    svc.child.kill('SIGUSR2');
    await readCounts(file);
    await ask();
    svc.child.kill('SIGUSR2');
    return workOf(await readCounts(file));
  };
  try {
    const all: Record<string, Work> = {};
    for (const [kind, ask] of Object.entries(kinds)) {
      for (let asked = 0; asked < WARM_UP; asked++) await ask();
      const asks: Work[] = [];
      while (asks.length < ASKS) asks.push(await countAsk(ask));
      all[kind] = byMeasure((measure) => Math.min(...asks.map((work) => work[measure])));
    }
    return all;
  } finally {
    await client.close().catch(() => undefined);
    await svc.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
}

async function readCounts(file: string): Promise<Counted> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text !== null) {
      await rm(file);
      return JSON.parse(text) as Counted;
    }
    await sleep(20);
  }
}

const byMeasure = (value: (measure: keyof Work) => number): Work =>
  Object.fromEntries(MEASURES.map((measure) => [measure, value(measure)])) as Work;

const OWN = pathToFileURL(join(ROOT, 'dist/')).href;
const LIBRARIES = '/node_modules/';
const DATABASE = '/pg/lib/connection.js';
const WAREHOUSE = 'engines/duckdb/warehouse/parameters.js';

function workOf({ characters, calls }: Counted): Work {
  const sum = (where: (call: Counted['calls'][number]) => boolean) =>
    calls.filter(where).reduce((total, { count }) => total + count, 0);
  const of =
    (file: string, ...names: string[]) =>
    ({ url, name }: Counted['calls'][number]) =>
      url.endsWith(file) && names.includes(name);
  const counts: Record<keyof Work, number> = {
    'functions of svc': sum(({ url }) => url.startsWith(OWN)),
    'functions of libraries': sum(({ url }) => url.includes(LIBRARIES)),
    'functions of Node.js': sum(({ url }) => url.startsWith('node:')),
    'statements on the control database': sum(of(DATABASE, 'execute', 'query')),
    'round trips to the control database': sum(of(DATABASE, 'sync', 'query')),
    'statements on the warehouse': sum(of(WAREHOUSE, 'bindParameters')),
    'characters of JSON': characters,
  };
  return byMeasure((measure) => counts[measure]);
}
