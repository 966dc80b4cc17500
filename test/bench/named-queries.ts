// (a) Three approved queries on PostgreSQL, which take about 1, 5 and 20 ms in the warehouse, alternating with the same
// SQL in a bare route; then the fastest at concurrency 16. The first rows of both sides must be equal.
import type { Envelope } from '../../src/contract/ask.ts';
import { NAMED, namedSql } from '../support/ledger.ts';
import { startChild } from './child.ts';
import type { LedgerStage } from './ledger-stage.ts';
import { alternate, median, onLanes, post, quantile, rounded } from './measure.ts';

const LANES = 16;

export async function namedQueries(stage: LedgerStage, rounds: number, seconds: number) {
  const bare = await startChild('bare-server.ts', { BARE_POSTGRES: stage.warehouseUrl });
  const { callerKey } = stage.deployment;
  const ask = (name: string) => () =>
    post<Envelope>(`${stage.svc.url}/v1/lenses/ledger/certified/${name}/run`, { format: 'structured' }, callerKey);
  const run = (rows: number) => () => post<unknown[]>(`${bare.url}/bare-postgres`, { sql: namedSql(rows) });
  try {
    const results = [];
    for (const [name, rows] of Object.entries(NAMED)) {
      const [first, plain] = [await ask(name)(), await run(rows)()];
      if (first.status !== 200 || first.body.row_count !== plain.body.length)
        throw new Error(`${name}: ${JSON.stringify(first.body)}`);
      const warehouse: number[] = [];
      const { svc, bare: theirs } = await alternate(rounds, {
        svc: async () => {
          const { ms, body } = await ask(name)();
          warehouse.push(body.timings_ms.warehouse);
          return ms;
        },
        bare: async () => (await run(rows)()).ms,
      });
      results.push({
        query: name,
        warehouse_p50: rounded(median(warehouse.slice(-rounds))),
        svc_p50: rounded(median(svc)),
        svc_p95: rounded(quantile(svc, 0.95)),
        bare_p50: rounded(median(theirs)),
        bare_p95: rounded(quantile(theirs, 0.95)),
        on_top_p50: rounded(median(svc) - median(theirs)),
        ratio_p50: rounded(median(svc) / median(theirs)),
      });
    }
    const together = { svc: [] as number[], bare: [] as number[] };
    // The runs are interleaved in quarters, so that load on the machine slows both sides.
    for (let turn = 0; turn < 4; turn++) {
      await onLanes(LANES, seconds * 250, async () => {
        const { ms, status } = await ask('light')();
        if (status === 200) together.svc.push(ms);
      });
      await onLanes(LANES, seconds * 250, async () => {
        together.bare.push((await run(NAMED.light)()).ms);
      });
    }
    const [svc_p99, bare_p99] = [quantile(together.svc, 0.99), quantile(together.bare, 0.99)];
    return {
      queries: results,
      concurrency_16: {
        svc_p99: rounded(svc_p99),
        bare_p99: rounded(bare_p99),
        ratio_p99: rounded(svc_p99 / bare_p99),
      },
    };
  } finally {
    bare.stop();
  }
}
