// (t) The processor time of a small ask by step, from a CPU profile of the svc process while one kind of ask repeats. A
// sample counts for the innermost step in its stack. Flame graphs are optional.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../support/own-process.ts';
import { median, post, roundTo, warmUp } from './measure.ts';
import { connect } from './over-mcp.ts';
import { openStage } from './stage.ts';

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[];
  samples: number[];
  timeDeltas: number[];
}

const LENS = 'superstore';
const GROUPED = 'select region, sum(sales) as revenue from main.orders group by region';
const QUESTION = 'revenue by segment in 2016';
const METRICS = { metrics: ['revenue'], dimensions: ['region'] };

/** The innermost match in a stack determines the step. Paths are those of the build. */
const STEPS: [step: string, path: RegExp][] = [
  ['profiler', /node:inspector|profiler\.cjs/],
  ['receipt', /sign-receipt|domain\/receipts/],
  ['trace', /domain\/observe|platform\/tenancy|node_modules\/pg/],
  ['authenticate', /authenticat|domain\/identity|rate-limit|limit-requests/],
  ['schedule', /platform\/schedule|charge-event-loop|unread/],
  ['lens', /resolve-lens|domain\/lenses/],
  ['plan equality', /prove\/lift/],
  ['guard', /dist\/guard|dialects\/|engines\/[a-z]+\/dialect|run\/guard-plan/],
  ['plan', /dist\/(reader|lens|plan)\/|ask\/read|domain\/certified/],
  ['checks', /ask\/prove/],
  ['freshness', /run\/freshness/],
  ['fetch', /engines\/|adapters\/|duckdb|run\/(fetch|governed)/],
  ['compose', /ask\/present|run\/cap/],
  ['MCP', /surfaces\/mcp|modelcontextprotocol/],
  ['validate', /node_modules\/zod/],
  [
    'HTTP',
    /fastify|node:http|node:net|node:stream|node:_http|surfaces|light-my|find-my-way|node:internal\/(stream|http)/,
  ],
  ['ask', /dist\/ask/],
];

/** `flames` is a folder for the profiles. Chrome's developer tools open them as flame graphs. */
export async function profileOfAsks(count: number, flames: string | undefined) {
  if (flames) await mkdir(flames, { recursive: true });
  const folder = await mkdtemp(join(tmpdir(), 'svc-profile-'));
  const file = join(folder, 'profile.json');
  const env = {
    NODE_OPTIONS: `--require ${join(ROOT, 'test/bench/profiler.cjs')}`,
    SVC_BENCH_PROFILE: file,
    UV_THREADPOOL_SIZE: '16', // as in svc.cjs
  };
  // The files of the bundle don't say from which module their code is.
  const stage = await openStage(env, join(ROOT, 'dist/cli.js'));
  const { baseUrl, callerKey, child } = stage.svc;
  const client = await connect(`${baseUrl}/mcp`, { authorization: `Bearer ${callerKey}` });
  const http = (path: string, body: object) => async () => {
    const { status, ms } = await post(baseUrl + path, body, callerKey);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    return ms;
  };
  const callTool = (name: string, args: Record<string, unknown>) => async () => {
    const startedAt = performance.now();
    const reply = await client.callTool({ name, arguments: { lens: LENS, ...args } });
    if (reply.isError) throw new Error(`${name}: ${JSON.stringify(reply)}`);
    return performance.now() - startedAt;
  };
  const kinds: Record<string, () => Promise<number>> = {
    certified: http(`/v1/lenses/${LENS}/certified/revenue-by-region/run`, { format: 'structured' }),
    metrics: http(`/v1/lenses/${LENS}/metrics`, METRICS),
    question: http(`/v1/lenses/${LENS}/query`, { q: QUESTION }),
    sql: http('/v1/sql', { lens: LENS, sql: GROUPED }),
    'MCP metrics': callTool('query_metrics', METRICS),
    'MCP question': callTool('query', { q: QUESTION }),
    'MCP sql': callTool('sql', { sql: GROUPED }),
  };
  try {
    const results = [];
    for (const [kind, ask] of Object.entries(kinds)) {
      await warmUp(ask);
      child.kill('SIGUSR2');
      await sleep(200);
      const wall: number[] = [];
      for (let done = 0; done < count; done++) wall.push(await ask());
      child.kill('SIGUSR2');
      const { cpuMicros, profile } = await readProfile(file);
      if (flames) await writeFile(join(flames, `${kind.replace(' ', '-')}.cpuprofile`), JSON.stringify(profile));
      const steps = microsByStep(profile);
      results.push({
        kind,
        wall_p50_ms: roundTo(median(wall)),
        cpu_ms: roundTo(cpuMicros / count / 1000),
        ...Object.fromEntries([...steps].map(([step, micros]) => [`${step}_us`, Math.round(micros / count)])),
      });
    }
    return { asks: results };
  } finally {
    await client.close().catch(() => undefined);
    await stage.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function readProfile(file: string): Promise<{ cpuMicros: number; profile: CpuProfile }> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text !== null) {
      await rm(file);
      return JSON.parse(text) as { cpuMicros: number; profile: CpuProfile };
    }
    await sleep(50);
  }
}

function microsByStep({ nodes, samples, timeDeltas }: CpuProfile): Map<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const stepOf = new Map<number, string>();
  const walk = (id: number, outerStep: string) => {
    const { callFrame, children } = byId.get(id)!;
    const { functionName, url } = callFrame;
    const matchedStep =
      functionName === '(garbage collector)'
        ? 'garbage collection'
        : functionName === '(program)'
          ? 'native'
          : functionName === '(idle)'
            ? 'idle'
            : STEPS.find(([, path]) => path.test(url))?.[0];
    stepOf.set(id, matchedStep ?? outerStep);
    for (const child of children ?? []) walk(child, matchedStep ?? outerStep);
  };
  walk(nodes[0]!.id, 'other');
  const micros = new Map<string, number>();
  samples.forEach((id, at) => {
    const step = stepOf.get(id)!;
    if (step !== 'idle' && step !== 'profiler') micros.set(step, (micros.get(step) ?? 0) + timeDeltas[at]!);
  });
  return new Map([...micros].sort(([, a], [, b]) => b - a));
}
