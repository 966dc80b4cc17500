// npm run bench: compares the cost of svc with a bare driver and with similar tools, in one run. Compare the ratios,
// because milliseconds depend on the machine. Options: --only LETTERS, --rounds N, --seconds N (each level of load),
// --scale F (of rounds, seconds and traces), --traces N, --json FILE, --plots FOLDER.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { ROOT } from '../support/own-process.ts';
import { measureCertifiedLibrary } from './certified-library.ts';
import { compareWithDriver } from './compare-driver.ts';
import { compareWithMalloy } from './compare-malloy.ts';
import { type LedgerStage, openLedgerStage } from './ledger-stage.ts';
import { measureDurableWriteMs, roundTo } from './measure.ts';
import { measureNamedQueries } from './named-queries.ts';
import { measureObserving } from './observe.ts';
import { measureOverMcp } from './over-mcp.ts';
import { measurePlanning } from './planning.ts';
import { plotsOf } from './plots.ts';
import { profileOfAsks } from './profile.ts';
import { measurePrompts } from './prompts.ts';
import { replicas, workers } from './replicas.ts';
import { measureRowLevelSecurity } from './row-level-security.ts';
import { openStage, type Stage } from './stage.ts';
import { measureBigResult, throughput } from './under-load.ts';
import { measureUnderPolicies } from './under-policies.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'abcdefghijopqtw' },
    rounds: { type: 'string', default: '150' },
    seconds: { type: 'string', default: '3' },
    scale: { type: 'string', default: '1' },
    traces: { type: 'string', default: '1000000' },
    json: { type: 'string' },
    plots: { type: 'string' },
  },
});
const scale = Number(values.scale);
const scaleOption = (value: string) => Math.max(1, Math.round(Number(value) * scale));
const [rounds, seconds, traces] = [
  scaleOption(values.rounds),
  Number(values.seconds) * scale,
  scaleOption(values.traces),
];

interface Part {
  title: string;
  run(): Promise<object>;
}
const open: { stage?: Stage; ledger?: LedgerStage } = {};
const onStage = async () => (open.stage ??= await openStage());
const onLedger = async () => (open.ledger ??= await openLedgerStage());

const PARTS: Record<string, Part> = {
  h: {
    title: 'From the start of the process to the welcome',
    run: async () => ({ start_up_ms: [(await onStage()).startUpMs] }),
  },
  a: {
    title:
      'Asks compared with their SQL through the bare driver: DuckDB, and three named queries on PostgreSQL; a lens with a row policy compared with one without',
    run: async () => ({
      duckdb: await compareWithDriver(await onStage(), rounds, seconds),
      postgres: await measureNamedQueries(await onLedger(), rounds, seconds),
      policies: await measureUnderPolicies(rounds),
    }),
  },
  b: {
    title: 'The sql tool over MCP compared with similar tools',
    run: async () => measureOverMcp(await onLedger(), rounds),
  },
  c: {
    title: 'From plan to SQL to rows, compared with Malloy',
    run: async () => compareWithMalloy(await onStage(), rounds),
  },
  d: {
    title: 'Certified search and matching as the library grows',
    run: async () => measureCertifiedLibrary(await onLedger(), Math.ceil(rounds / 3)),
  },
  e: {
    title: 'Reads of one tenant with and without row-level security',
    run: async () => measureRowLevelSecurity(traces, rounds),
  },
  f: {
    title: 'A result of 3,000,000 rows under the caps',
    run: async () => {
      const { truncated, ...found } = await measureBigResult(await onStage());
      return { big_result: [{ ...found, truncated: JSON.stringify(truncated) }] };
    },
  },
  g: {
    title: 'Metrics asks over 32 keys; client and server share the cores',
    run: async () => throughput(await onStage(), seconds),
  },
  i: {
    title: 'Replicas behind a balancer on one control database, all on the cores of this machine',
    run: async () => ({ replicas: await replicas(await onLedger(), seconds * 2) }),
  },
  q: { title: 'What a language model is sent to read a question, in signs', run: measurePrompts },
  j: {
    title: 'Plan and apply of 50 and 500 lenses, in seconds',
    run: async () => ({ projects: (await reportOf('projects.ts')).seconds }),
  },
  o: {
    title: 'Observing ten thousand traces and a million',
    run: async () => ({ observing: await measureObserving(traces, Math.ceil(rounds / 10)) }),
  },
  p: { title: 'Planning as the lens grows', run: async () => ({ lenses: await measurePlanning(rounds) }) },
  t: {
    title: 'Processor time of small asks by step, over HTTP and MCP',
    run: async () => profileOfAsks(rounds * 5, values.plots),
  },
  w: {
    title: 'One and two worker processes of one server, on the cores of this machine',
    run: async () => ({ workers: await workers(await onLedger(), seconds * 2) }),
  },
};

const unknownLetters = [...values.only].filter((letter) => !PARTS[letter]);
if (unknownLetters.length > 0)
  throw new Error(
    `--only ${values.only}: there is no part ${unknownLetters.join(', ')}; take some of ${Object.keys(PARTS).join('')}`,
  );

const report: Record<string, unknown> = {
  at: new Date().toISOString(),
  node: process.version,
  cpus: cpus().length,
  cpu: cpus()[0]?.model,
  load_before: loadavg()[0],
  durable_write_ms: roundTo(measureDurableWriteMs()),
};
console.log(
  `${report['cpu']}, ${report['cpus']} cores, Node ${report['node']}, load ${report['load_before']}, a durable write of 8 kB in ${report['durable_write_ms']} ms; milliseconds unless said otherwise.`,
);
const startedAt = performance.now();
try {
  for (const [letter, part] of Object.entries(PARTS)) {
    if (!values.only.includes(letter)) continue;
    const started = performance.now();
    const results = await part.run().catch((fault: Error) => {
      process.exitCode = 1;
      return { failed: fault.message.slice(0, 500) };
    });
    report[letter] = results;
    console.log(`\n(${letter}) ${part.title}, ${Math.round((performance.now() - started) / 1_000)} s`);
    show(results);
  }
} finally {
  await open.stage?.close();
  await open.ledger?.close();
}
report['took_s'] = Math.round((performance.now() - startedAt) / 1_000);
report['load_after'] = loadavg()[0];
if (values.json) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`);
if (values.plots) {
  await mkdir(values.plots, { recursive: true });
  for (const [name, svg] of Object.entries(plotsOf(report))) await writeFile(join(values.plots, `${name}.svg`), svg);
}
console.log(`\n${report['took_s']} s in all; load ${report['load_before']} before and ${report['load_after']} after.`);
process.exit();

/** Runs a benchmark that is a separate program, and returns its results. */
async function reportOf(script: string): Promise<{ seconds: object[] }> {
  const args = ['--import', 'tsx', join(ROOT, 'test/bench', script), '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  return JSON.parse(stdout.slice(stdout.indexOf('{'))) as { seconds: object[] };
}

/** Prints lists as tables, and other values one per line. */
function show(results: object, prefix = ''): void {
  for (const [name, value] of Object.entries(results)) {
    if (Array.isArray(value) && value.every((row) => typeof row === 'object')) {
      if (value.length > 0) console.table(value);
    } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) show(value, `${prefix}${name}.`);
    else console.log(`${prefix}${name}: ${Array.isArray(value) ? value.join('; ') || 'nothing' : value}`);
  }
}
