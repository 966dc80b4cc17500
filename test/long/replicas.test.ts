// Four processes behind a balancer, with one control database, are killed in turn under load.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startBalancer } from '../support/balancer.ts';
import { breachesOf, History, TRACES_OF, type TraceOnRecord } from '../support/history.ts';
import { makeLedger } from '../support/ledger.ts';
import { startLoad, verifyAt } from '../support/load.ts';
import { connect, createDatabase } from '../support/postgres.ts';
import { deploy, type Replica } from '../support/replicas.ts';

const PROCESSES = 4;
const ROUNDS = Number(process.env['SVC_FAULT_ROUNDS'] ?? 8);
const replicas: Replica[] = [];
const ledger = await makeLedger(await createDatabase());
const controlUrl = await createDatabase();
const deployment = await deploy(controlUrl, ledger.files, { lenses: ['ledger'] });
for (let n = 0; n < PROCESSES; n++) replicas.push(await deployment.start());
const balancer = await startBalancer(replicas.map(({ url }) => url));
const control = await connect(controlUrl);

it('loses no receipt and breaks only connections while replicas are killed in turn under load', async () => {
  const history = new History();
  const load = startLoad({
    url: balancer.url,
    orgId: deployment.orgId,
    tokens: [deployment.callerKey],
    lanes: 8,
    history,
    next: (turn) =>
      turn % 2
        ? { path: '/v1/lenses/ledger/metrics', body: { metrics: ['revenue'], dimensions: ['lines.region'] } }
        : { path: '/v1/lenses/ledger/certified/light/run', body: { format: 'structured' } },
  });
  for (let round = 0; round < ROUNDS; round++) {
    await sleep(500 + Math.random() * 1_000);
    const at = round % PROCESSES;
    // Half of the processes get a SIGTERM and no new requests, as in a rolling restart.
    if (round % 2) {
      balancer.set(replicas.filter((_, n) => n !== at).map(({ url }) => url));
      expect(await replicas[at]!.end('SIGTERM')).toBe(0);
    } else await replicas[at]!.end('SIGKILL');
    replicas[at] = await deployment.start();
    balancer.set(replicas.map(({ url }) => url));
  }
  await load.stop();

  const statuses = history.statuses();
  expect(Object.keys(statuses)).toEqual(['200']);
  expect(statuses[200]).toBeGreaterThan(ROUNDS * 10);
  // Only connections of ended processes fail. Every reply is complete and matches a trace.
  for (const code of Object.keys(load.broken)) expect(['UND_ERR_SOCKET', 'ECONNRESET']).toContain(code);
  // Only requests that a killed process was serving may fail.
  const brokenCount = Object.values(load.broken).reduce((sum, n) => sum + n, 0);
  expect(brokenCount).toBeLessThanOrEqual(Math.ceil(ROUNDS / 2) * 8);
  const breaches = await breachesOf(history.served, {
    traces: async (ids) => (await control.query<TraceOnRecord>(TRACES_OF, [ids])).rows,
    verify: verifyAt(balancer.url),
  });
  expect(breaches).toEqual([]);
  const openSessions = await control.query(
    `select state, query from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
  );
  expect(openSessions.rows).toEqual([]);
});
