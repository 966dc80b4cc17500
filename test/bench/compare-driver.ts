// (a) Compares each kind of ask with its SQL in the bare driver, alternating in one run, then both at concurrency 16.
import type { Envelope } from '../../src/contract/ask.ts';
import { compareTails, median, post, quantile, roundTo, warmUp } from './measure.ts';
import type { Stage } from './stage.ts';

const LENS = '/v1/lenses/superstore';
const GROUPED = 'select region, sum(sales) as revenue from main.orders group by region';
const KINDS: { name: string; path: string; body: Record<string, unknown> }[] = [
  { name: 'certified, structured', path: `${LENS}/certified/revenue-by-region/run`, body: { format: 'structured' } },
  { name: 'metrics', path: `${LENS}/metrics`, body: { metrics: ['revenue'], dimensions: ['region'] } },
  {
    name: 'question, structured',
    path: `${LENS}/query`,
    body: { q: 'revenue by segment in 2016', format: 'structured' },
  },
  { name: 'question, both', path: `${LENS}/query`, body: { q: 'revenue by segment in 2016' } },
  { name: 'guarded SQL', path: '/v1/sql', body: { lens: 'superstore', sql: GROUPED } },
  {
    name: 'metrics, 3,000,000 rows',
    path: '/v1/lenses/flights/metrics',
    body: { metrics: ['flight_count'], dimensions: ['flights.origin'] },
  },
];
const LANES = 16;

export async function compareWithDriver({ svc, bareUrl }: Stage, rounds: number, seconds: number) {
  const results = [];
  for (const { name, path, body } of KINDS) {
    const ask = () => post<Envelope>(svc.baseUrl + path, body, svc.callerKey);
    const first = await ask();
    if (first.status !== 200 || !first.body.sql) throw new Error(`${name}: ${JSON.stringify(first.body)}`);
    const sql = first.body.sql.replaceAll(/\bmain\.(orders|flights)\b/g, '$1');
    const postToDriver = () => post(`${bareUrl}/bare`, { sql });
    const [svcTimes, driverTimes, plan, warehouse, total]: number[][] = [[], [], [], [], []];
    await warmUp(ask);
    await warmUp(postToDriver);
    for (let round = 0; round < rounds; round++) {
      const [a, b] = [await ask(), await postToDriver()];
      svcTimes!.push(a.ms);
      driverTimes!.push(b.ms);
      plan!.push(a.body.timings_ms.plan);
      warehouse!.push(a.body.timings_ms.warehouse);
      total!.push(a.body.timings_ms.total);
    }
    results.push({
      kind: name,
      svc_p50: roundTo(median(svcTimes!)),
      svc_p95: roundTo(quantile(svcTimes!, 0.95)),
      bare_p50: roundTo(median(driverTimes!)),
      bare_p95: roundTo(quantile(driverTimes!, 0.95)),
      on_top_p50: roundTo(median(svcTimes!) - median(driverTimes!)),
      ratio_p50: roundTo(median(svcTimes!) / median(driverTimes!)),
      plan_p50: roundTo(median(plan!)),
      warehouse_p50: roundTo(median(warehouse!)),
    });
  }
  const sql = GROUPED.replace('main.', '');
  const tails = await compareTails(LANES, seconds * 1_000, {
    svc: () => post(`${svc.baseUrl}${KINDS[0]!.path}`, KINDS[0]!.body, svc.callerKey),
    bare: () => post(`${bareUrl}/bare`, { sql }),
  });
  return { alternated: results, concurrency_16: tails };
}
