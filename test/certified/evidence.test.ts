// Certification keeps the evidence of an answer: units, filters, period, sources and data date stay the same. A
// certified answer states nothing that its approved SQL doesn't support.
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { startTestApp } from '../support/app.ts';

const SAMPLE = fileURLToPath(new URL('../..', import.meta.url));
const svc = await startTestApp({ project: SAMPLE });

const ask = async (q: string): Promise<Envelope> =>
  (await svc.post<Envelope>('/v1/lenses/superstore/query', { q, format: 'structured' })).body;
const certify = async (question: string, sql: string, parameters?: object): Promise<string> => {
  const path = '/mgmt/lenses/superstore/certified';
  const createReply = await svc.post(path, { question, sql, ...(parameters && { parameters }) }, svc.adminToken);
  expect(createReply.status, createReply.text).toBe(201);
  await svc.post(`${path}/${createReply.body.cert_id}/approve`, {}, svc.adminToken);
  return createReply.body.cert_id;
};
const run = async (id: string, parameters?: object): Promise<Envelope> =>
  (await svc.post<Envelope>(`/v1/lenses/superstore/certified/${id}/run`, { format: 'structured', parameters })).body;
const unitsOf = ({ columns }: Envelope) => columns!.map(({ unit }) => unit);
const told = (envelope: Envelope) => envelope.checks.map(({ name, outcome }) => [name, outcome]);

const IN_2016 = "order_date >= date '2016-01-01' and order_date < date '2017-01-01'";
const CASES: [question: string, sql: string][] = [
  [
    'What was revenue in the West in 2016?',
    `select sum(sales) as total from main.orders where region = 'West' and ${IN_2016}`,
  ],
  [
    'What was profit by segment in the East?',
    "select segment, sum(profit) as profit from main.orders where region = 'East' group by segment order by profit desc",
  ],
  ['Top 5 states by profit', 'select state, sum(profit) as p from main.orders group by state order by p desc limit 5'],
  ['Units in the category Technology', "select sum(quantity) as units from main.orders where category = 'Technology'"],
];

describe('an answer before and after certification of its question', () => {
  it.each(CASES)('keeps units, filters, time range, citations and data date: %s', async (question, sql) => {
    const before = await ask(question);
    expect(before).toMatchObject({ status: 'answered', certification: 'assisted' });
    await certify(question, sql);
    const after = await ask(question);
    expect(after).toMatchObject({ certification: 'certified', sql, data_as_of: before.data_as_of });
    expect(after.scope).toMatchObject({ filters: before.scope!.filters, time: before.scope!.time, joins: [] });
    expect(after.scope!.may_restrict_more).toBeUndefined();
    expect(unitsOf(after)).toEqual(unitsOf(before));
    expect(after.citations).toEqual(expect.arrayContaining(before.citations));
    expect(after.data!.map(Object.values)).toEqual(before.data!.map(Object.values));
    expect(told(after).map(([name]) => name)).toEqual(told(before).map(([name]) => name));
  });

  it('lists its parameters as filters, over HTTP and MCP', async () => {
    const before = await ask('What was profit by region in 2016?');
    const id = await certify(
      'What was profit by region in {year}?',
      'select region, sum(profit) as profit from main.orders where extract(year from order_date) = :year group by region order by 2 desc',
      { year: { datatype: 'integer' } },
    );
    const after = await run(id, { year: 2016 });
    expect(after.scope).toMatchObject({ filters: before.scope!.filters, time: before.scope!.time });
    expect(unitsOf(after)).toEqual(unitsOf(before));
    const best = await run('best-products-in-category', { category: 'Furniture' });
    expect(best.scope!.filters).toEqual([{ field: 'orders.category', op: '=', values: ['Furniture'] }]);
    const entry = { cert_id: 'best-products-in-category', parameters: { category: 'Furniture' } };
    const { content } = await svc.callTool('run_certified', { lens: 'superstore', ...entry });
    expect(content[0]!.text).toContain('Filters: orders.category = Furniture');
    expect(content[0]!.text).not.toContain('Filters: none');
  });

  it('returns a plan that the caller can change, if the approved SQL is the SQL of an earlier answer', async () => {
    const question = 'total profit by ship mode';
    const { sql } = await ask(question);
    expect(sql).toContain('LIMIT 5001');
    await certify(question, sql!);
    const path = '/v1/lenses/superstore';
    const { plan, certification } = (await svc.post<Envelope>(`${path}/query`, { q: question, plan: true })).body;
    expect([certification, plan]).toEqual(['certified', expect.objectContaining({ dimensions: ['orders.ship_mode'] })]);
    const changed = { ...(plan as object), filters: [{ field: 'orders.region', values: ['West'] }] };
    expect((await svc.post<Envelope>(`${path}/metrics`, changed)).body.status).toBe('answered');
  });

  it('lists a parameter as a filter when no plan equals the SQL', async () => {
    const id = await certify(
      'Zorp the {segment} people?',
      'select count(*) as n from main.orders where segment = :segment and length(city) > 4',
      { segment: { datatype: 'string' } },
    );
    const { scope } = await run(id, { segment: 'Corporate' });
    expect(scope).toMatchObject({
      filters: [{ field: 'orders.segment', op: '=', values: ['Corporate'] }],
      may_restrict_more: true,
    });
  });

  it('lists each condition of the SQL, also one that the question doesn’t name', async () => {
    const sql =
      "select category, sum(profit) as profit from main.orders where segment = 'Consumer' and discount > 0.3 group by category";
    const after = await run(await certify('What is profit per category?', sql));
    expect(after.scope).toMatchObject({
      filters: [
        { field: 'orders.segment', op: '=', values: ['Consumer'] },
        { field: 'orders.discount', op: '>', values: [0.3] },
      ],
    });
    expect(after.scope!.may_restrict_more).toBeUndefined();
    expect(unitsOf(after)).toEqual([null, 'USD']);
  });

  it.each([
    [
      'scales',
      'What was revenue in the South?',
      "select sum(sales) / 1000 as revenue from main.orders where region = 'South'",
    ],
    [
      'adds two queries',
      'What is profit per segment?',
      "select segment, sum(profit) as profit from main.orders where segment = 'Consumer' group by segment union all select 'Others', sum(profit) from main.orders where segment <> 'Consumer'",
    ],
  ])('claims no units for SQL that %s', async (_how, question, sql) => {
    const after = await run(await certify(question, sql));
    expect(unitsOf(after).filter((unit) => unit !== null)).toEqual([]);
  });
});
