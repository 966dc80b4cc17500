// npm run bench: what svc costs, beside what costs nothing, in one run. Ratios are what counts; the milliseconds are this
// machine's. Options: --rounds N, --seconds N (each level of load), --traces N, --only LETTERS (of aefgh), --json.
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { besideDriver } from './beside-driver.ts';
import { rowLevelSecurity } from './row-level-security.ts';
import { openStage } from './stage.ts';
import { bigResult, throughput } from './under-load.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '5' },
    traces: { type: 'string', default: '1000000' },
    only: { type: 'string', default: 'aefgh' },
    json: { type: 'boolean', default: false },
  },
});
const wanted = (letter: string) => values.only.includes(letter);
const seconds = Number(values.seconds);
const show = (title: string, rows: unknown) => {
  if (values.json) return;
  console.log(`\n${title}`);
  console.table(rows);
};

const report: Record<string, unknown> = {
  at: new Date().toISOString(),
  node: process.version,
  cpus: cpus().length,
  cpu: cpus()[0]?.model,
};
if (!values.json)
  console.log(`${report['cpu']}, ${report['cpus']} cores, Node ${report['node']}; milliseconds unless said otherwise.`);
if ([...'afgh'].some(wanted)) {
  const stage = await openStage();
  try {
    if (wanted('h')) {
      report['start_up_ms'] = stage.startUpMs;
      show('(h) From the start of the process to the welcome', [stage.startUpMs]);
    }
    if (wanted('a')) {
      const found = await besideDriver(stage, Number(values.rounds), seconds);
      report['beside_driver'] = found;
      show('(a) svc beside the bare driver; svc signs and writes a durable trace', found.alternated);
      show('(a) The certified ask and its SQL at concurrency 16', [found.concurrency_16]);
    }
    if (wanted('f')) {
      const found = await bigResult(stage);
      report['big_result'] = found;
      show('(f) A result of 3,000,000 rows under the caps', [{ ...found, truncated: JSON.stringify(found.truncated) }]);
    }
    if (wanted('g')) {
      const found = await throughput(stage, seconds);
      report['throughput'] = found;
      show('(g) Metrics asks over 32 keys; client and server share the cores', found);
    }
  } finally {
    await stage.close();
  }
}
if (wanted('e')) {
  const found = await rowLevelSecurity(Number(values.traces), Number(values.rounds));
  report['row_level_security'] = found;
  show(`(e) Reads of one of ${found.tenants} tenants among ${found.traces} traces`, found.results);
}
if (!values.json) {
  console.log('\nLeft out: (b) and (c), whose peers are not installed here; (d) and (i), which have no bench yet.');
} else console.log(JSON.stringify(report, null, 2));
process.exit(0);
