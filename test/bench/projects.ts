// The duration of plan and apply for 50 and 500 lenses: all new, unchanged, and with one changed lens. In the last
// case, the cost must depend on the number of changed lenses, not on the number of all lenses. Option: --json.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../../src/config.ts';
import { readCredentials } from '../../src/home.ts';
import { startService } from '../../src/main.ts';
import { lensText } from '../support/lens-text.ts';

const { values } = parseArgs({ strict: false, options: { json: { type: 'boolean', default: false } } });
const SIZES = [50, 500] as const;
const TIMES = 5; // repetitions of short operations; the report uses the median

const homeFolder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
const project = await mkdtemp(join(tmpdir(), 'svc-bench-project-'));
const rows = Array.from(
  { length: 1000 },
  (_, n) => `${n},${['North', 'South', 'West'][n % 3]},2024-01-${10 + (n % 20)},${n}.5`,
);
await writeFile(join(project, 'orders.csv'), ['order_id,region,order_date,amount', ...rows].join('\n'));
const CONFIG = 'connections:\n  shop: {kind: duckdb, files: {orders: {path: ./orders.csv}}}\n';
await writeFile(join(project, 'svc.config.yaml'), CONFIG);

const lensFile = (name: string, note: string): string =>
  lensText(`name: ${name}
description: ${note}
connection: shop
datasets:
  orders: main.orders (order_id integer key, region string auto, order_date date time, amount decimal) {description: One row per order.}
metrics:
  revenue: {expression: sum(orders.amount), description: Sum of amounts.}
  order_count: {expression: count(*), dataset: orders, description: Number of orders.}
`);
const certified = `- id: revenue-north
  question: What is revenue in the north?
  sql: select sum(orders.amount) as revenue from main.orders where orders.region = 'North'
  status: approved
`;
const files = (count: number, note: string): Record<string, string> => ({
  'svc.config.yaml': CONFIG,
  ...Object.fromEntries(
    Array.from({ length: count }, (_, n) => `lens-${count}-${n}`).flatMap((name, n) => [
      [`lenses/${name}/lens.yaml`, lensFile(name, n === 0 ? note : 'Orders.')],
      [`lenses/${name}/certified/core.yaml`, certified],
    ]),
  ),
});

const originalWrite = process.stdout.write.bind(process.stdout);
process.stdout.write = (() => true) as typeof process.stdout.write;
const running = await startService(
  readConfig({ ...process.env, SVC_HOME: homeFolder, SVC_PROJECT: project, SVC_PORT: '0', SVC_LOG_LEVEL: 'silent' }),
);
process.stdout.write = originalWrite;
const { admin_token, base_url } = (await readCredentials(homeFolder))!;

async function measureSeconds(kind: 'plan' | 'apply', body: Record<string, string>): Promise<number> {
  const startedAt = performance.now();
  const reply = await fetch(`${base_url}/mgmt/project/${kind}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ files: body }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${kind}: ${reply.status} ${text.slice(0, 500)}`);
  return (performance.now() - startedAt) / 1000;
}

async function median(measure: (time: number) => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < TIMES; time++) times.push(await measure(time));
  return times.sort((a, b) => a - b)[Math.floor(TIMES / 2)]!;
}

const table: Record<string, Record<string, number>> = {};
for (const size of SIZES) {
  const first = files(size, 'Orders.');
  const changed = (time: number) => files(size, `Orders, ${time}.`);
  const took = {
    'plan, all new': await measureSeconds('plan', first),
    'apply, all new': await measureSeconds('apply', first),
    'plan, identical': await median(() => measureSeconds('plan', first)),
    'apply, identical': await median(() => measureSeconds('apply', first)),
    'plan, one changed': await median((time) => measureSeconds('plan', changed(time))),
    'apply, one changed': await median((time) => measureSeconds('apply', changed(time))),
  };
  for (const [caseName, value] of Object.entries(took))
    table[caseName] = { ...table[caseName], [`${size} lenses`]: Math.round(value * 1000) / 1000 };
}
const [fewLenses, manyLenses] = SIZES.map((size) => `${size} lenses`) as [string, string];
for (const row of Object.values(table)) row['ratio'] = Math.round((row[manyLenses]! / row[fewLenses]!) * 10) / 10;
if (values.json) console.log(JSON.stringify({ seconds: table }, null, 2));
else console.table(table);
await running.stop();
await rm(homeFolder, { recursive: true, force: true });
await rm(project, { recursive: true, force: true });
process.exit(0);
