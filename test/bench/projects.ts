// Deploying many lenses: seconds of plan and apply for 50 and 500 new ones, one changed among them, and the same again.
// What must hold is the growth: the cost follows the lenses that changed, not those that exist. Option: --json.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../../src/config.ts';
import { readCredentials } from '../../src/home.ts';
import { start } from '../../src/main.ts';

const { values } = parseArgs({ strict: false, options: { json: { type: 'boolean', default: false } } });
const SIZES = [50, 500];

const home = await mkdtemp(join(tmpdir(), 'svc-bench-'));
const project = await mkdtemp(join(tmpdir(), 'svc-bench-project-'));
const rows = Array.from(
  { length: 1000 },
  (_, n) => `${n},${['North', 'South', 'West'][n % 3]},2024-01-${10 + (n % 20)},${n}.5`,
);
await writeFile(join(project, 'orders.csv'), ['order_id,region,order_date,amount', ...rows].join('\n'));
const CONFIG = 'connections:\n  shop: {kind: duckdb, files: {orders: {path: ./orders.csv}}}\n';
await writeFile(join(project, 'svc.config.yaml'), CONFIG);

const lens = (name: string, note: string): string => `name: ${name}
description: ${note}
connection: shop
datasets:
  orders:
    source: main.orders
    description: One row per order.
    primary_key: [order_id]
    time_field: order_date
    fields:
      order_id: {datatype: integer}
      region: {datatype: string, values: auto}
      order_date: {datatype: date}
      amount: {datatype: decimal}
metrics:
  revenue: {expression: sum(orders.amount), description: Sum of amounts.}
  order_count: {expression: count(*), dataset: orders, description: Number of orders.}
`;
const files = (count: number, note: string): Record<string, string> => ({
  'svc.config.yaml': CONFIG,
  ...Object.fromEntries(
    Array.from({ length: count }, (_, n) => [
      `lenses/lens-${count}-${n}/lens.yaml`,
      lens(`lens-${count}-${n}`, n === 0 ? note : 'Orders.'),
    ]),
  ),
});

const quiet = process.stdout.write.bind(process.stdout);
process.stdout.write = (() => true) as typeof process.stdout.write;
const running = await start(
  readConfig({ ...process.env, SVC_HOME: home, SVC_PROJECT: project, SVC_PORT: '0', SVC_LOG_LEVEL: 'silent' }),
);
process.stdout.write = quiet;
const { admin_token, base_url } = (await readCredentials(home))!;

async function seconds(kind: 'plan' | 'apply', body: Record<string, string>): Promise<number> {
  const started = performance.now();
  const reply = await fetch(`${base_url}/mgmt/project/${kind}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ files: body }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${kind}: ${reply.status} ${text.slice(0, 500)}`);
  return Math.round((performance.now() - started) / 10) / 100;
}

const results = [];
for (const size of SIZES) {
  const [first, changed] = [files(size, 'Orders.'), files(size, 'Orders of the shop.')];
  results.push({
    lenses: size,
    'plan new': await seconds('plan', first),
    'apply new': await seconds('apply', first),
    'apply same': await seconds('apply', first),
    'plan one changed': await seconds('plan', changed),
    'apply one changed': await seconds('apply', changed),
  });
}
if (values.json) console.log(JSON.stringify({ seconds: results }, null, 2));
else console.table(results);
await running.stop();
await rm(home, { recursive: true, force: true });
await rm(project, { recursive: true, force: true });
process.exit(0);
