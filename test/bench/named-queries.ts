// (a) Three approved queries on PostgreSQL, which take about 1, 5 and 20 ms in the warehouse, alternating with the same
// SQL in a bare route; then the fastest at concurrency 16. The first rows of both sides must be equal.
import type { Envelope } from '../../src/contract/ask.ts';
import { NAMED, namedSql } from '../support/ledger.ts';
import { startChild } from './child.ts';
import type { LedgerStage } from './ledger-stage.ts';
import { alternate, compareTails, median, post, quantile, roundTo } from './measure.ts';

const LANES = 16;

export async function measureNamedQueries(stage: LedgerStage, rounds: number, seconds: number) {
  const bareServer = await startChild('bare-server.ts', { BARE_POSTGRES: stage.warehouseUrl });
  const { callerKey } = stage.deployment;
  const ask = (name: string) => () =>
    post<Envelope>(`${stage.svc.url}/v1/lenses/ledger/certified/${name}/run`, { format: 'structured' }, callerKey);
  const run = (rows: number) => () => post<unknown[]>(`${bareServer.url}/bare-postgres`, { sql: namedSql(rows) });
  try {
    const results = [];
    for (const [name, rows] of Object.entries(NAMED)) {
      const [first, plain] = [await ask(name)(), await run(rows)()];
      if (first.status !== 200 || first.body.row_count !== plain.body.length)
        throw new Error(`${name}: ${JSON.stringify(first.body)}`);
      const warehouse: number[] = [];
      const { svc, bare: driverTimes } = await alternate(rounds, {
        svc: async () => {
          const { ms, body } = await ask(name)();
          warehouse.push(body.timings_ms.warehouse);
          return ms;
        },
        bare: async () => (await run(rows)()).ms,
      });
      results.push({
        query: name,
        warehouse_p50: roundTo(median(warehouse.slice(-rounds))),
        svc_p50: roundTo(median(svc)),
        svc_p95: roundTo(quantile(svc, 0.95)),
        bare_p50: roundTo(median(driverTimes)),
        bare_p95: roundTo(quantile(driverTimes, 0.95)),
        on_top_p50: roundTo(median(svc) - median(driverTimes)),
        ratio_p50: roundTo(median(svc) / median(driverTimes)),
      });
    }
    const tails = await compareTails(LANES, seconds * 1_000, { svc: ask('light'), bare: run(NAMED.light) });
    return { queries: results, concurrency_16: tails };
  } finally {
    bareServer.stop();
  }
}
