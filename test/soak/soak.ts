// npm run soak: two replicas and two tenants under mixed load, with random faults and a check of the history after each
// fault. Options: --minutes N (2), --lanes N (6), --seed N. Prints figures, and exits with 1 on any violation.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { median, quantile, roundTo } from '../bench/measure.ts';
import { startThrowawayPostgres } from '../bench/throwaway-postgres.ts';
import { startBalancer } from '../support/balancer.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { breachesOf, type Served, TRACES_OF, type TraceOnRecord } from '../support/history.ts';
import { makeLedger } from '../support/ledger.ts';
import { verifyAt } from '../support/load.ts';
import { deploy, type Replica } from '../support/replicas.ts';
import { createRandom } from '../support/seeded.ts';
import { closeOpened } from '../support/until-file-ends.ts';
import { linesFiles, TenantLoad } from './tenant-load.ts';
import { watch } from './watch.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    lanes: { type: 'string', default: '6' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const [minutes, loopCount] = [Number(values.minutes), Number(values.lanes)];
/** The same seed gives the same faults. */
const random = createRandom(Number(values.seed));
const shuffle = (names: string[]): string[] =>
  names
    .map((name) => ({ name, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => name);
const VERIFIED_A_ROUND = 40; // the receipts that are verified after each fault; every trace is checked
const EXPECTED = new Set([200, 429, 503, 504]);

const postgres = await startThrowawayPostgres();
const violations: string[] = [];
const statuses: Record<number, number> = {};
const faultCounts: Record<string, number> = {};
try {
  const warehouseUrl = await postgres.createDatabase('warehouse');
  const controlUrl = await postgres.createDatabase('control');
  const { hostname, port } = new URL(controlUrl);
  const target = { host: hostname, port: Number(port) };
  const [toWarehouse, toControl] = [await startFaultProxy(target), await startFaultProxy(target)];
  const ledger = await makeLedger(warehouseUrl, toWarehouse.port);
  const total = await sumOf(warehouseUrl);
  const throughProxy = Object.assign(new URL(controlUrl), { port: String(toControl.port) }).href;
  const deployment = await deploy(throughProxy, linesFiles(ledger.files, 1), { lenses: ['ledger'] });
  // The test measures the memory of the first replica, so it never restarts this replica.
  const replicas: [Replica, Replica] = [await deployment.start(), await deployment.start()];
  const balancer = await startBalancer(replicas.map(({ url }) => url));
  const otherTenant = await deployment.addTenant(replicas[0].url, 'other', linesFiles(ledger.files, 2), ['ledger']);
  const tenants = [
    new TenantLoad(deployment, ledger.files, total, 1),
    new TenantLoad(otherTenant, ledger.files, total, 2),
  ];
  const control = new pg.Client({ connectionString: controlUrl });
  control.on('error', () => undefined); // the server was already stopped because of another failure
  await control.connect();

  const restart = async (signal: NodeJS.Signals) => {
    if (signal === 'SIGTERM') balancer.set([replicas[0].url]);
    await replicas[1].end(signal);
    replicas[1] = await deployment.start();
    balancer.set(replicas.map(({ url }) => url));
  };
  const withFault = async (ms: number, startFault: () => void, endFault: () => void) => {
    startFault();
    await sleep(ms);
    endFault();
  };
  const pass = { kind: 'pass' } as const;
  const FAULTS: Record<string, () => Promise<unknown>> = {
    'warehouse hangs': () =>
      withFault(
        3_000,
        () => toWarehouse.set({ kind: 'hang' }),
        () => toWarehouse.set(pass),
      ),
    'warehouse refuses': () =>
      withFault(
        2_000,
        () => toWarehouse.set({ kind: 'refuse' }),
        () => toWarehouse.set(pass),
      ),
    'warehouse breaks off': () =>
      withFault(
        1_000,
        () => toWarehouse.set({ kind: 'cut', bytes: 300 }),
        () => toWarehouse.set(pass),
      ),
    'control database refuses': () =>
      withFault(
        1_500,
        () => toControl.set({ kind: 'refuse' }),
        () => toControl.set(pass),
      ),
    'control database hangs': () =>
      withFault(
        2_500,
        () => toControl.set({ kind: 'hang' }),
        () => toControl.set(pass),
      ),
    'replica killed': () => restart('SIGKILL'),
    'replica replaced': () => restart('SIGTERM'),
    'lens changed': async () => {
      for (const tenant of tenants) await tenant.change(replicas[0].url);
    },
    nothing: () => sleep(2_000),
  };

  for (const tenant of tenants) tenant.start(balancer.url, loopCount / 2);
  const watched = watch(replicas[0].child.pid!);
  const deck: string[] = []; // every fault occurs once before any repeats
  const until = performance.now() + minutes * 60_000;
  while (performance.now() < until) {
    if (deck.length === 0) deck.push(...shuffle(Object.keys(FAULTS)));
    const fault = deck.pop()!;
    faultCounts[fault] = (faultCounts[fault] ?? 0) + 1;
    await FAULTS[fault]!();
    await expectReadyAgain(replicas, fault);
    await sleep(1_500);
    for (const tenant of tenants) await check(tenant, tenant.history.served.splice(0), fault);
  }
  for (const tenant of tenants) await tenant.stop();
  for (const tenant of tenants) await check(tenant, tenant.history.served.splice(0), 'the end');
  await sleep(3_000);
  const { figures, breaches } = watched.stop();
  violations.push(...breaches);
  const openSessions = await control.query(
    `select pid from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'
     union all select pid from pg_locks where locktype = 'advisory'`,
  );
  if (openSessions.rows.length > 0) violations.push(`${openSessions.rows.length} transactions or locks were left open`);
  const times = tenants.flatMap((tenant) => tenant.times);
  console.log(
    JSON.stringify(
      {
        minutes,
        seed: Number(values.seed),
        asks_by_status: statuses,
        broken_connections: tenants.map(({ broken }) => broken),
        p50_ms: roundTo(median(times)),
        p99_ms: roundTo(quantile(times, 0.99)),
        faults: faultCounts,
        ...figures,
        violations: violations.slice(0, 20),
        violations_in_all: violations.length,
      },
      null,
      2,
    ),
  );
  await control.end();
  await closeOpened();

  async function check(tenant: TenantLoad, servedReplies: Served[], after: string): Promise<void> {
    for (const { status, requestId } of servedReplies) {
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (!EXPECTED.has(status)) violations.push(`after ${after}: ${requestId} was answered ${status}`);
    }
    const verifiedIds = new Set(servedReplies.slice(-VERIFIED_A_ROUND).map(({ requestId }) => requestId));
    const verify = verifyAt(replicas[0].url);
    const breaches = await breachesOf(servedReplies, {
      traces: async (ids) => (await control.query<TraceOnRecord>(TRACES_OF, [ids])).rows,
      verify: async (receipt, token) =>
        verifiedIds.has(receipt.request_id) ? verify(receipt, token) : { ok: true, mismatches: [] },
    });
    violations.push(...[...breaches, ...tenant.wrong(servedReplies)].map((what) => `after ${after}: ${what}`));
  }
} catch (fault) {
  console.error(fault);
  violations.push(`the soak itself failed: ${(fault as Error).message}`);
} finally {
  await postgres.stop();
}
process.exit(violations.length > 0 ? 1 : 0);

/** /ready becomes correct without help within five seconds after the fault. */
async function expectReadyAgain(replicas: readonly Replica[], fault: string): Promise<void> {
  const startedAt = performance.now();
  for (const { url } of replicas) {
    for (;;) {
      const reply = await fetch(`${url}/ready`).catch(() => null);
      if (reply?.status === 200) break;
      if (performance.now() - startedAt > 5_000) {
        violations.push(`after ${fault}: ${url} was not ready within 5 s: ${await reply?.text()}`);
        return;
      }
      await sleep(100);
    }
    const health = await fetch(`${url}/health`).catch(() => null);
    if (health?.status !== 200) violations.push(`after ${fault}: /health answered ${health?.status}`);
  }
}

async function sumOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ total: string }>('select sum(amount) as total from lines');
  await client.end();
  return Number(rows[0]!.total);
}
