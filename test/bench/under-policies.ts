// (a) The cost of row policies: the same asks to a lens with a policy that hides nothing and to one without,
// alternating.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Envelope } from '../../src/contract/ask.ts';
import { makeLedger } from '../support/ledger.ts';
import { lensText } from '../support/lens-text.ts';
import { deploy, type Replica } from '../support/replicas.ts';
import { alternate, median, post, quantile, roundTo } from './measure.ts';
import { startThrowawayPostgres } from './throwaway-postgres.ts';

const LINES = 120_000;
const REGIONS = ['North', 'East', 'South', 'West'];
const SEGMENTS = ['Consumer', 'Corporate', 'Home Office'];
const WARM_UP_MS = 1_000;
const POLICY = `row_policies: [{name: own, dataset: lines, filter: "lines.segment <> {caller.name}"}]\n`;

const lensFile = (name: string, connection: string, policy: string): string =>
  lensText(`name: ${name}
connection: ${connection}
datasets:
  lines: ${connection === 'duck' ? 'main' : 'public'}.lines (line_id integer key, region string auto, segment string, amount decimal)
metrics:
  revenue: {expression: sum(lines.amount), description: Sum of amounts.}
${policy}`);

const KINDS: { name: string; ask: (lens: string, round: number) => [path: string, body: object] }[] = [
  {
    name: 'metrics by region',
    ask: (lens) => [`/v1/lenses/${lens}/metrics`, { metrics: ['revenue'], dimensions: ['lines.region'] }],
  },
  {
    name: 'metrics of one key',
    ask: (lens, round) => [
      `/v1/lenses/${lens}/metrics`,
      { metrics: ['revenue'], filters: [{ field: 'lines.line_id', op: '=', values: [1 + ((round * 7_919) % LINES)] }] },
    ],
  },
  {
    name: 'SQL by region',
    ask: (lens) => ['/v1/sql', { lens, sql: 'select region, sum(amount) as revenue from lines group by region' }],
  },
  {
    name: 'SQL of one key',
    ask: (lens, round) => [
      '/v1/sql',
      { lens, sql: `select region, amount from lines where line_id = ${1 + ((round * 7_919) % LINES)}` },
    ],
  },
];

export async function measureUnderPolicies(rounds: number) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-policies-'));
  const postgres = await startThrowawayPostgres();
  let svc: Replica | undefined;
  try {
    const rows = Array.from(
      { length: LINES },
      (_, n) => `${n + 1},${REGIONS[n % 4]},${SEGMENTS[n % 3]},${(n % 1000) + 0.25}`,
    );
    await writeFile(join(folder, 'lines.csv'), ['line_id,region,segment,amount', ...rows].join('\n'));
    await writeFile(join(folder, 'svc.config.yaml'), 'limits: {requests_per_minute: 100000000}\n');
    const ledger = await makeLedger(await postgres.createDatabase('ledger'));
    const lenses = ['postgres', 'duckdb'].flatMap((engine) => [`${engine}-open`, `${engine}-own`]);
    const files = {
      'svc.config.yaml': `${ledger.files['svc.config.yaml']}  duck: {kind: duckdb, files: {lines: {path: ./lines.csv}}}\n`,
      ...Object.fromEntries(
        lenses.map((name) => {
          const connection = name.startsWith('duckdb') ? 'duck' : 'ledger';
          return [`lenses/${name}/lens.yaml`, lensFile(name, connection, name.endsWith('own') ? POLICY : '')];
        }),
      ),
    };
    const deployment = await deploy(await postgres.createDatabase('control'), files, {
      lenses,
      env: { SVC_PROJECT: folder },
    });
    svc = await deployment.start();
    const { url } = svc;
    const { callerKey } = deployment;
    const results = [];
    for (const engine of ['PostgreSQL', 'DuckDB']) {
      for (const { name, ask } of KINDS) {
        const warehouse: Record<string, number[]> = { open: [], own: [] };
        let round = 0;
        const side = (lensName: string) => async () => {
          const [path, body] = ask(`${engine === 'DuckDB' ? 'duckdb' : 'postgres'}-${lensName}`, round++);
          const { ms, status, body: answer } = await post<Envelope>(url + path, body, callerKey);
          if (status !== 200) throw new Error(`${name}: ${JSON.stringify(answer)}`);
          warehouse[lensName]!.push(answer.timings_ms.warehouse);
          return ms;
        };
        const { open, own } = await alternate(rounds, { open: side('open'), own: side('own') }, WARM_UP_MS);
        const [openWarehouse, ownWarehouse] = [warehouse['open']!.slice(-rounds), warehouse['own']!.slice(-rounds)];
        results.push({
          query: `${engine}, ${name}`,
          open_p50: roundTo(median(open)),
          own_p50: roundTo(median(own)),
          open_p95: roundTo(quantile(open, 0.95)),
          own_p95: roundTo(quantile(own, 0.95)),
          ratio_p50: roundTo(median(own) / median(open)),
          warehouse_ratio_p50: roundTo(median(ownWarehouse) / median(openWarehouse)),
        });
      }
    }
    return { results };
  } finally {
    await svc?.end('SIGTERM');
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
