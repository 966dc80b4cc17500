// (i) The same load on 1, 2 and 4 replicas behind a balancer, with one control database and one warehouse on the same
// machine. The benchmark measures the overhead and the consistency of replicas, but not how well they scale.
import pg from 'pg';
import { breachesOf, History, TRACES_OF, type TraceOnRecord } from '../support/history.ts';
import { startLoad, verifyAt } from '../support/load.ts';
import { type LedgerStage, withReplicas } from './ledger-stage.ts';
import { median, quantile, roundTo } from './measure.ts';

const LANES = 16;
const PROVEN = 100; // the number of replies whose traces and receipts are checked

export const replicas = (stage: LedgerStage, seconds: number) =>
  measureUnderLoad(stage, seconds, 'replicas', [1, 2, 4], (count, work) => withReplicas(stage, count, work));

/** (w) The same load on one and on two worker processes of a server. */
export const workers = (stage: LedgerStage, seconds: number) =>
  measureUnderLoad(stage, seconds, 'workers', [1, 2], async (count, work) => {
    const server = await stage.deployment.start({ SVC_WORKERS: String(count) });
    try {
      return await work(server.url);
    } finally {
      await server.end('SIGTERM');
    }
  });

async function measureUnderLoad(
  stage: LedgerStage,
  seconds: number,
  title: string,
  counts: number[],
  run: <T>(count: number, work: (url: string) => Promise<T>) => Promise<T>,
) {
  const control = new pg.Client({ connectionString: stage.controlUrl });
  await control.connect();
  const results = [];
  for (const count of counts) {
    const row = await run(count, async (url) => {
      const history = new History();
      const loadOptions = {
        url,
        orgId: stage.deployment.orgId,
        tokens: [stage.deployment.callerKey],
        lanes: LANES,
        next: () => ({ path: '/v1/lenses/ledger/certified/light/run', body: { format: 'structured' } }),
      };
      const warm = startLoad({ ...loadOptions, history: new History() });
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await warm.stop();
      const startedAt = performance.now();
      const load = startLoad({ ...loadOptions, history });
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
      await load.stop();
      const elapsed = (performance.now() - startedAt) / 1_000;
      const breaches = await breachesOf(history.served.slice(-PROVEN), {
        traces: async (ids) => (await control.query<TraceOnRecord>(TRACES_OF, [ids])).rows,
        verify: verifyAt(url),
      });
      const { 200: answeredCount = 0, ...others } = history.statuses();
      return {
        [title]: count,
        answered_per_s: roundTo(answeredCount / elapsed, 1),
        p50: roundTo(median(load.times)),
        p99: roundTo(quantile(load.times, 0.99)),
        others: JSON.stringify(others),
        broken: Object.keys(load.broken).length,
        breaches: breaches.length,
      };
    });
    results.push(row);
  }
  await control.end();
  return results;
}
