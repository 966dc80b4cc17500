import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { startTestApp } from '../support/app.ts';

const QUESTION = 'What was revenue in the West in 2016?';
const BY_CUSTOMER = { metrics: ['revenue'], dimensions: ['orders.customer_id'] };
const svc = await startTestApp();
const field = (await svc.mintCaller({ name: 'field', groups: ['field'], attributes: { region: 'West' } })).key;

describe('answers', () => {
  it('a question with its data, grade, freshness, request id and receipt', async () => {
    const reply = await svc.post('/v1/lenses/shop/query', { q: QUESTION });
    expect(reply.body).toMatchObject({
      status: 'answered',
      lens: 'shop',
      lens_version: 1,
      question: QUESTION,
      data: [{ revenue: 350.5 }],
      row_count: 1,
      confidence: 'verified',
      certification: 'assisted',
      plan: 'compiled',
      data_as_of: '2017-12-24T00:00:00.000Z',
      clarification: null,
      error: null,
    });
    expect(reply.status).toBe(200);
    expect(reply.headers['x-request-id']).toBe(reply.body.request_id);
    expect(reply.body.receipt.request_id).toBe(reply.body.request_id);
    expect(reply.body).not.toHaveProperty('truncated');
  });

  it('Z25: SQL that equals no plan, and cites the datasets and fields that the guard found in it', async () => {
    const citationsOf = async (sql: string, where: object = { lens: 'shop' }) => {
      const { body } = await svc.post('/v1/sql', { sql, ...where }, svc.adminToken);
      expect([body.status, body.equals ?? null], JSON.stringify(body)).toEqual(['answered', null]);
      return body.citations.map(({ kind, name, lens }: Record<string, string>) => `${kind} ${name} of ${lens}`);
    };
    const odd = "select sqrt(sum(sales)) as x from main.orders where sales > 3 or region = 'West'";
    expect(await citationsOf(odd)).toEqual([
      'dataset orders of shop',
      'field orders.region of shop',
      'field orders.sales of shop',
    ]);
    expect(await citationsOf('select count(*) % 7 as x from main.orders')).toEqual(['dataset orders of shop']);
    expect(await citationsOf('select 1 as one')).toEqual([]);
    expect(await citationsOf(odd, { connection: 'shop' })).toEqual([]);
  });

  it('a statement with the plan that it equals, or with the nearest plan', async () => {
    const sent = async (sql: string) => (await svc.post('/v1/sql', { sql, lens: 'shop' })).body;
    const equalReply = await sent('select region, sum(sales) as revenue from main.orders group by region');
    expect(equalReply).toMatchObject({
      confidence: 'verified',
      equals: { plan: { dimensions: ['orders.region'] } },
      nearest: null,
    });
    expect(equalReply.equals.sentence).toContain('by region');
    const planEnvelope = (await svc.post('/v1/lenses/shop/metrics', equalReply.equals.plan)).body;
    const sortRows = (rows: object[]) => rows.map((row) => JSON.stringify(Object.values(row))).sort();
    expect(sortRows(planEnvelope.data)).toEqual(sortRows(equalReply.data));
    const otherReply = await sent('select sqrt(sum(sales)) as x from main.orders');
    expect(otherReply).toMatchObject({ confidence: 'partial', equals: null });
    expect(Object.keys(otherReply)).toContain('nearest');
    expect(Object.keys((await svc.post('/v1/lenses/shop/query', { q: QUESTION })).body)).not.toContain('equals');
  });

  it('a median as equal to its plan only if both have the same digits', async () => {
    const plan = { measures: [{ fn: 'median', field: 'orders.sales' }] };
    const [planned] = Object.values((await svc.post('/v1/lenses/shop/metrics', plan)).body.data[0]);
    const send = async (value: string) =>
      (await svc.post('/v1/sql', { lens: 'shop', sql: `select median(${value}) as middle from main.orders` })).body;
    const equal = await send('cast(sales as double)');
    expect(equal).toMatchObject({ confidence: 'verified', data: [{ middle: planned }], equals: { plan } });
    expect((await send('sales')).data[0].middle).not.toBe(planned);
    for (const value of ['sales', 'cast(sales as numeric)', 'distinct cast(sales as double)'])
      expect(await send(value), value).toMatchObject({ confidence: 'partial', equals: null });
    expect(JSON.stringify((await send('sales')).checks)).toContain('cut to the decimal places');
  });

  it('a statement with its difference from the nearest plan', async () => {
    const differs = async (sql: string) => (await svc.post('/v1/sql', { lens: 'shop', sql })).body.nearest.differs;
    expect(await differs('select region, sum(sales) / count(*) as mean from main.orders group by region')).toMatch(
      /^The nearest plan differs: only the statement has the column sum\(.*\) \/ count\(\*\), and only the plan has the column .*nullif"?\(/,
    );
  });

  it('in each format: rows and prose, rows only (data is an alias), prose only', async () => {
    const ask = async (format?: string) => (await svc.post('/v1/lenses/shop/query', { q: QUESTION, format })).body;
    const fullAnswer = await ask();
    const [structured, data, prose] = [await ask('structured'), await ask('data'), await ask('prose')];
    expect([fullAnswer.answer, fullAnswer.data]).toEqual([expect.stringContaining('350.5'), [{ revenue: 350.5 }]]);
    for (const rows of [structured, data]) expect([rows.answer, rows.data]).toEqual([null, [{ revenue: 350.5 }]]);
    expect([prose.answer, prose.data, prose.columns]).toEqual([expect.stringContaining('350.5'), null, null]);
    const { sql, confidence, citations } = fullAnswer;
    for (const item of [structured, data, prose]) expect(item).toMatchObject({ sql, confidence, citations });
  });

  it('a plan with rows only by default, and reports the rows that the return cap leaves out', async () => {
    const { body } = await svc.post('/v1/lenses/shop/metrics', BY_CUSTOMER);
    expect(body).toMatchObject({ answer: null, row_count: 7, truncated: { returned: 5, total: 7 } });
    expect(body.data).toHaveLength(5);
    const prose = await svc.post('/v1/lenses/shop/metrics', { ...BY_CUSTOMER, format: 'prose' });
    expect(prose.body).toMatchObject({ data: null, truncated: { returned: 5, total: 7 } });
  });

  it('a certified entry with its SQL unchanged and its parameters bound', async () => {
    const run = await svc.post('/v1/lenses/shop/certified/revenue-in-year/run', { parameters: { year: 2016 } });
    expect(run.body).toMatchObject({
      status: 'answered',
      certification: 'certified',
      certified_id: 'revenue-in-year',
      plan: 'certified',
      parameters: { year: 2016 },
      data: [{ revenue: 425.75 }],
    });
    expect(run.body.sql).toBe(
      'select sum(sales) as revenue from main.orders where extract(year from order_date) = :year',
    );
    const bareRun = await svc.send({ method: 'POST', url: '/v1/lenses/shop/certified/revenue-by-region/run' });
    expect(bareRun.body).toMatchObject({ certification: 'certified', row_count: 4 });
  });

  it('a certified entry with an equal plan on request, and that plan returns the same rows', async () => {
    for (const [id, body, plan] of [
      ['revenue-in-year', { parameters: { year: 2016 } }, { metrics: ['revenue'], time: { from: '2016-01-01' } }],
      ['revenue-by-region', {}, { metrics: ['revenue'], dimensions: ['orders.region'] }],
    ] as const) {
      const run = await svc.post(`/v1/lenses/shop/certified/${id}/run`, { ...body, plan: true });
      expect(run.body).toMatchObject({ certification: 'certified', certified_id: id, plan });
      const secondReply = await svc.post('/v1/lenses/shop/metrics', run.body.plan);
      expect(secondReply.body.certification).toBe('assisted');
      const rows = (of: object[]) => of.map((row) => JSON.stringify(row)).sort();
      expect(rows(secondReply.body.data)).toEqual(rows(run.body.data));
    }
  });

  it('guarded SQL in a lens, and for an admin on a connection', async () => {
    const sql = 'select row_id from main.orders order by row_id';
    const inLens = await svc.post('/v1/sql', { lens: 'shop', sql, limit: 2 });
    expect(inLens.body).toMatchObject({
      plan: 'caller_sql',
      confidence: 'verified',
      data: [{ row_id: 1 }, { row_id: 2 }],
      truncated: { returned: 2 },
    });
    const { total } = inLens.body.truncated;
    expect(total).toBeGreaterThan(2);
    expect([inLens.body.row_count, inLens.body.receipt.row_count]).toEqual([total, total]);
    const counting = { connection: 'shop', sql: 'select count(*) as n from main.stock' };
    const onConnection = await svc.post('/v1/sql', counting, svc.adminToken);
    expect(onConnection.body).toMatchObject({ lens: null, data: [{ n: 3 }] });
  });

  it('a routed question with its lens, and an uncovered one with status 200 and no receipt', async () => {
    const routed = await svc.post('/v1/query', { q: QUESTION });
    expect(routed.body).toMatchObject({ status: 'answered', lens: 'shop', routing: { lens: 'shop' } });
    const uncovered = await svc.post('/v1/query', { q: 'Which supplier is cheapest?' });
    expect([uncovered.status, uncovered.body.status, uncovered.body.receipt]).toEqual([200, 'uncovered', null]);
    const { key } = await svc.mintCaller({ name: 'without lenses', lenses: [] });
    const { body } = await svc.post('/v1/query', { q: QUESTION }, key);
    expect([body.status, body.answer]).toEqual(['uncovered', 'No lens is granted to you. Ask an admin to grant one.']);
  });

  it('a list that repeats values as partial, because the question doesn’t say if it wants each value once', async () => {
    const ask = async (q: string) => (await svc.post<Envelope>('/v1/lenses/shop/query', { q })).body;
    const often = await ask('show the segment and region of the orders');
    expect(often).toMatchObject({ status: 'answered', confidence: 'partial' });
    expect(often.checks.find(({ name }) => name === 'question_covered')).toMatchObject({ outcome: 'unknown' });
    expect(often.warnings.join()).toMatch(/occurs several times/);
    const once = await ask('show the different regions of the orders');
    expect(once).toMatchObject({ status: 'answered', confidence: 'verified', row_count: 4, warnings: [] });
    // No row repeats, so the question has only one meaning.
    const envelope = await ask('show the row id and region of the orders');
    expect(envelope).toMatchObject({ status: 'answered', confidence: 'verified' });
  });

  it('a dry run with SQL, but without rows or receipt', async () => {
    const { body } = await svc.post('/v1/lenses/shop/query', { q: QUESTION, dry_run: true });
    expect(body.sql).toContain('sum');
    expect([body.data, body.receipt]).toEqual([null, null]);
  });

  it('a dry run graded by its checks, at most as partial', async () => {
    const statuses = async (path: string, ask: object) => {
      const { confidence, certification, checks } = (await svc.post(`/v1/${path}`, { ...ask, dry_run: true })).body;
      const open = checks.filter(({ outcome }: { outcome: string }) => outcome === 'unknown' || outcome === 'fail');
      return [confidence, certification, open.map(({ name }: { name: string }) => name).join(' ')];
    };
    const rows = 'rows_complete data_fresh';
    expect(await statuses('lenses/shop/query', { q: QUESTION })).toEqual(['partial', 'assisted', rows]);
    expect(await statuses('lenses/shop/metrics', { metrics: ['revenue'] })).toEqual(['partial', 'assisted', rows]);
    const sql = 'select region, sum(sales) as revenue from main.orders group by region';
    expect(await statuses('sql', { lens: 'shop', sql })).toEqual(['partial', 'none', rows]);
    const odd = 'select sum(a.sales) as s from main.orders a, main.orders b';
    expect((await statuses('sql', { lens: 'shop', sql: odd }))[0]).toBe('unverified');
  });

  it('CSV when Accept asks for it, with the grade, the request id and truncation in headers', async () => {
    const asCsv = (path: string, body: object) =>
      svc.post(`/v1/lenses/shop/${path}`, body, undefined, { accept: 'text/csv' });
    const csv = await asCsv('metrics', { metrics: ['revenue'], dimensions: ['orders.region'] });
    expect(csv.headers['content-type']).toContain('text/csv');
    expect(csv.text).toBe('region,revenue\r\nWest,710.5\r\nEast,215.25\r\nSouth,20\r\nCentral,15.75\r\n');
    expect(csv.headers).toMatchObject({
      'x-svc-confidence': 'verified',
      'x-svc-certification': 'assisted',
      'x-svc-row-count': '4',
    });
    const cutReply = await asCsv('metrics', BY_CUSTOMER);
    expect(cutReply.headers['x-svc-truncated']).toBe('returned=5; total=7');
    const clarified = await asCsv('query', { q: 'What is our margin?' });
    expect(clarified.body.clarification.kind).toBe('ambiguous_term');
  });
});

describe('refuses', () => {
  it('a wrapped receipt with 422, and names request_id, lens and served_at as missing', async () => {
    const { status, body } = await svc.post('/v1/verify-receipt', { receipt: {} });
    expect(status).toBe(422);
    expect(body.error.details.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)).toEqual([
      'request_id missing',
      'lens missing',
      'served_at missing',
    ]);
  });

  it('an unknown parameter of the URL, and names it', async () => {
    const { status, body } = await svc.post('/v1/lenses/shop/query?format=prose', { q: QUESTION });
    expect([status, body.error.code]).toEqual([422, 'invalid']);
    expect(JSON.stringify(body.error.details)).toContain('format');
  });

  it('SQL that breaks the guard, SQL without a lens, a caller’s SQL on a connection, and a limit above 500', async () => {
    const refusal = await svc.post('/v1/sql', { lens: 'shop', sql: 'select * from main.stock' });
    expect([refusal.status, refusal.body.error.code]).toEqual([422, 'guard_refused']);
    expect(refusal.body.error.details.length).toBeGreaterThan(0);
    expect((await svc.post('/v1/sql', { sql: 'select 1' })).status).toBe(422);
    expect((await svc.post('/v1/sql', { lens: 'shop', sql: 'select 1', limit: 501 })).status).toBe(422);
    expect((await svc.post('/v1/sql', { connection: 'shop', sql: 'select 1' })).status).toBe(403);
  });

  it.each(['2016-02-30', '2016-01-01T25:00:00', '2016-1-1'])('%s as a bound of time', async (from) => {
    const { status, body } = await svc.post('/v1/lenses/shop/metrics', {
      metrics: ['revenue'],
      time: { from, to: '2017-01-01' },
    });
    expect([status, body.error.code, body.error.param]).toEqual([422, 'invalid', 'time.from']);
  });

  it('an unknown metric with the nearest name, an unknown certified id, and wrong parameters', async () => {
    const metric = await svc.post('/v1/lenses/shop/metrics', { metrics: ['revenu'] });
    expect([metric.status, metric.body.error.message]).toEqual([422, expect.stringContaining('revenue')]);
    expect((await svc.post('/v1/lenses/shop/certified/nope/run', {})).status).toBe(404);
    expect(
      (await svc.post('/v1/lenses/shop/certified/revenue-in-year/run', { parameters: { yeer: 1 } })).body.error.details,
    ).toHaveLength(2);
  });
});

describe('isolation', () => {
  it('applies a row policy to plans, questions, SQL and certified entries, and names it in scope', async () => {
    const requests = [
      await svc.post('/v1/lenses/shop/metrics', { metrics: ['revenue'] }, field),
      await svc.post('/v1/lenses/shop/query', { q: 'What was revenue?' }, field),
      await svc.post('/v1/sql', { lens: 'shop', sql: 'select sum(sales) as revenue from main.orders' }, field),
      await svc.post('/v1/lenses/shop/certified/revenue-by-region/run', {}, field),
    ];
    for (const { body } of requests) {
      expect(body.data).toEqual([expect.objectContaining({ revenue: 710.5 })]);
      expect(body.scope.row_policies).toEqual(['own-region']);
    }
  });

  it('returns question and caller to another caller only for a receipt with a valid signature', async () => {
    const sibling = await svc.mintCaller({ name: 'colleague', lenses: ['shop'] });
    const { receipt } = (await svc.post('/v1/lenses/shop/query', { q: QUESTION })).body;
    const verify = async (presented: object, key?: string) =>
      (await svc.post('/v1/verify-receipt', presented, key)).body;
    const told = { question: QUESTION, caller: 'quickstart' };
    const untold = { ok: false, question: null, caller: null, ruling: null };
    const { digest: _digest, alg: _alg, key_id: _key, ...unsigned } = receipt;
    const { request_id, lens, served_at } = receipt;
    const forged = { ...receipt, digest: 'f'.repeat(64) };
    for (const [presented, signature] of [
      [unsigned, 'unsigned'],
      [{ request_id, lens, served_at }, 'unsigned'],
      [forged, 'invalid'],
      [{ ...receipt, row_count: 7 }, 'invalid'],
    ] as const) {
      expect(await verify(presented, sibling.key)).toMatchObject({ ...untold, signature });
      expect(await verify(presented)).toMatchObject({ ...told, ok: false, signature });
      expect(await verify(presented, svc.adminToken)).toMatchObject({ ...told, ok: false, signature });
    }
    expect(await verify(receipt, sibling.key)).toMatchObject({ ...told, ok: true });
  });

  it('RCP-05 reports a receipt of another tenant as not found, without its question and caller', async () => {
    const otherTenant = await svc.addTenant('other');
    const { receipt } = (await svc.post('/v1/lenses/shop/query', { q: QUESTION })).body;
    const { body } = await svc.post('/v1/verify-receipt', receipt, otherTenant.callerKey);
    expect(body).toMatchObject({ ok: false, trace_found: false, question: null, caller: null });
  });
});
