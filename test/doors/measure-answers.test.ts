import { afterAll, beforeAll, it } from 'vitest';
import { writeFileSync } from 'node:fs';
import { startTestApp, type TestApp } from '../support/app.ts';
let sample: TestApp;
beforeAll(async () => { sample = await startTestApp({ project: '.' }); });
afterAll(async () => { await sample?.close(); });
const Q: [string, string][] = [
  ['superstore', 'What was revenue in the West in 2016?'],
  ['superstore', 'What was revenue by region in 2016?'],
  ['superstore', 'Top 5 states by profit'],
  ['superstore', 'How many customers bought furniture in California last quarter of 2017?'],
  ['superstore', 'Average discount per category and year'],
  ['superstore', 'profit by segment'],
  ['superstore', 'revenue by month in 2017'],
  ['superstore', 'units by sub-category'],
  ['superstore', 'number of orders by ship mode'],
  ['superstore', 'revenue by product'],
  ['superstore', 'average order value by region'],
  ['superstore', 'profit ratio by category and region'],
  ['superstore', 'How many order lines were loss-making in 2017?'],
  ['superstore', 'revenue by city in Texas'],
  ['superstore', 'average shipping time by ship mode'],
  ['superstore', 'which state had the lowest profit'],
  ['superstore', 'number of products by category'],
  ['superstore', 'revenue by quarter'],
  ['superstore', 'customers by state'],
  ['superstore', 'top 10 products by revenue in 2017'],
  ['flights', 'Average delay by origin city'],
  ['flights', 'How many flights were on time in March 2001?'],
  ['flights', 'On-time rate by month'],
  ['flights', 'number of flights by origin state'],
  ['flights', 'longest delay by month'],
  ['flights', 'miles flown by month'],
  ['flights', 'top 5 destination cities by number of flights'],
  ['flights', 'how many airports are there by state'],
  ['flights', 'average delay in January 2001'],
  ['flights', 'number of late flights by destination city'],
];
it('measure', async () => {
  const out: string[] = [];
  const call = async (name: string, args: object) => {
    const { body } = await sample.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }, sample.callerKey, { accept: 'application/json, text/event-stream' });
    return body.result;
  };
  for (const [lens, q] of Q) {
    const r = await call('query', { lens, q });
    out.push(JSON.stringify({ lens, q, status: r.structuredContent.status ?? r.structuredContent.error, text: r.content[0].text, structured: JSON.stringify(r.structuredContent).length, sql: r.structuredContent.sql }));
  }
  for (const [lens, , k] of Q.map((x, i) => [...x, i] as const)) {
    if (k > 9) break;
    const sql = JSON.parse(out[k]!).sql;
    if (!sql || sql.includes('$') || sql.includes('?')) continue;
    const r = await call('sql', { lens, sql });
    out.push(JSON.stringify({ lens, q: 'sql ' + sql, status: r.structuredContent.status ?? r.structuredContent.error, text: r.content[0].text, structured: JSON.stringify(r.structuredContent).length, sql }));
  }
  for (const name of ['describe_lens']) for (const lens of ['superstore', 'flights']) {
    const r = await call(name, { lens });
    out.push(JSON.stringify({ describe: lens, text: r.content[0].text }));
  }
  writeFileSync(process.env.OUT ?? '/tmp/doors-measure.jsonl', out.join('\n'));
}, 200000);
