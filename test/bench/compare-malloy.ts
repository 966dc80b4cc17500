// (c) Compares governed metrics asks with Malloy for the same plans and DuckDB data: compilation, execution and the
// whole request. A number in each plan prevents cache hits on both sides.
import type { Envelope } from '../../src/contract/ask.ts';
import { startChild } from './child.ts';
import { alternate, median, post, quantile, roundTo } from './measure.ts';
import { install, MALLOY } from './peers.ts';
import type { Stage } from './stage.ts';

interface MalloyReply {
  sql: string;
  rows: { rows: Record<string, unknown>[] };
  compile_ms: number;
  run_ms: number;
}
const DIMENSIONS = ['region', 'segment', 'category', 'ship_mode'];

export async function compareWithMalloy({ svc, tables }: Stage, rounds: number) {
  const installed = await install(MALLOY);
  if ('missing' in installed) return { left_out: installed.missing };
  const malloy = await startChild('malloy-server.ts', {
    MALLOY_FOLDER: installed.folder,
    BARE_TABLES: JSON.stringify(tables),
  });
  const plan = (turn: number) => ({
    dimension: DIMENSIONS[turn % DIMENSIONS.length]!,
    above: Number((turn * 0.001).toFixed(3)),
  });
  const askSvc = async (turn: number) => {
    const { dimension, above } = plan(turn);
    const body = {
      metrics: ['revenue', 'units', 'order_count'],
      dimensions: [`orders.${dimension}`],
      filters: [{ field: 'orders.sales', op: '>', values: [above] }],
      format: 'structured',
    };
    return post<Envelope>(`${svc.baseUrl}/v1/lenses/superstore/metrics`, body, svc.callerKey);
  };
  const askMalloy = (turn: number) => {
    const { dimension, above } = plan(turn);
    const query = `run: orders -> { where: sales > ${above}; group_by: ${dimension}; aggregate: revenue, units, order_count }`;
    return post<MalloyReply>(`${malloy.url}/malloy`, { query });
  };
  try {
    const [a, b] = [await askSvc(0), await askMalloy(0)];
    if (a.status !== 200 || a.body.row_count !== b.body.rows?.rows.length)
      throw new Error(`the sides differ: ${JSON.stringify([a.body, b.body])}`);
    const parts = {
      svc: { compile: [] as number[], run: [] as number[] },
      malloy: { compile: [] as number[], run: [] as number[] },
    };
    let [ourTurn, theirTurn] = [1, 1];
    const requestTimes = await alternate(rounds, {
      svc: async () => {
        const { ms, body } = await askSvc(ourTurn++);
        parts.svc.compile.push(body.timings_ms.plan);
        parts.svc.run.push(body.timings_ms.warehouse);
        return ms;
      },
      malloy: async () => {
        const { ms, body } = await askMalloy(theirTurn++);
        parts.malloy.compile.push(body.compile_ms);
        parts.malloy.run.push(body.run_ms);
        return ms;
      },
    });
    const row = (side: 'svc' | 'malloy') => ({
      side,
      compile_p50: roundTo(median(parts[side].compile.slice(-rounds))),
      compile_p95: roundTo(quantile(parts[side].compile.slice(-rounds), 0.95)),
      run_p50: roundTo(median(parts[side].run.slice(-rounds))),
      whole_p50: roundTo(median(requestTimes[side])),
      whole_p95: roundTo(quantile(requestTimes[side], 0.95)),
    });
    const [svcRow, malloyRow] = [row('svc'), row('malloy')];
    return {
      sides: [svcRow, malloyRow],
      compile_malloy_to_svc: roundTo(malloyRow.compile_p50 / svcRow.compile_p50),
      whole_svc_to_malloy: roundTo(svcRow.whole_p50 / malloyRow.whole_p50),
    };
  } finally {
    malloy.stop();
  }
}
