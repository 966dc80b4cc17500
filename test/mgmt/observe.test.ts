import { describe, expect, it } from 'vitest';
import { listRequests } from '../../src/domain/observe/request-repository.ts';
import { compactRecentTallies, expireTraces } from '../../src/domain/observe/retention.ts';
import type { TenantClient } from '../../src/platform/tenancy/tenant.ts';
import { startTestApp } from '../support/app.ts';

const admin = (path: string) => app.get(`/mgmt${path}`, app.adminToken);
const QUESTIONS = [
  'What was revenue by region in 2016?',
  'What was revenue in the West in 2016?',
  'What was the margin?',
  'How many unicorns sold?',
];
const app = await startTestApp();
for (const q of QUESTIONS) await app.post('/v1/lenses/shop/query', { q });

describe('the request log', () => {
  it('lists every ask newest first, page by page', async () => {
    const first = await admin('/observe/requests?limit=3');
    expect(first.status).toBe(200);
    expect(first.body.items.map((item: { question: string }) => item.question)).toEqual(QUESTIONS.slice(1).reverse());
    const second = await admin(`/observe/requests?limit=3&cursor=${first.body.next_cursor}`);
    expect(second.body.items.map((item: { question: string }) => item.question)).toEqual([QUESTIONS[0]]);
    expect(second.body.next_cursor).toBeNull();
  });

  it('filters by caller, lens, status, grade, time and text, alone and combined', async () => {
    const refusal = await admin('/observe/requests?status=refused&caller=quickstart&lens=shop&surface=v1');
    expect(refusal.body.items.map((item: { question: string }) => item.question)).toEqual(['How many unicorns sold?']);
    expect((await admin('/observe/requests?q=REVENUE')).body.items).toHaveLength(2);
    expect((await admin('/observe/requests?q=100%25')).body.items).toHaveLength(0);
    expect((await admin('/observe/requests?confidence=verified')).body.items).toHaveLength(2);
    expect((await admin('/observe/requests?until=2020-01-01')).body.items).toHaveLength(0);
    expect((await admin('/observe/requests?since=2020-01-01T00:00:00Z')).body.items).toHaveLength(4);
  });

  it('shows one request in full, with its steps, checks, guard report and receipt', async () => {
    const envelope = await app.post('/v1/lenses/shop/query', { q: QUESTIONS[1] });
    const { status, body } = await admin(`/observe/requests/${envelope.body.request_id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      request_id: envelope.body.request_id,
      question: QUESTIONS[1],
      sql: envelope.body.sql,
      status: 'answered',
      caller: 'quickstart',
      surface: 'v1',
      lens: 'shop',
      model_calls: [],
      reviews: [],
      receipt: envelope.body.receipt,
      checks: envelope.body.checks,
    });
    expect(body.envelope.data).toBeUndefined();
    expect(body.steps.map((step: { name: string }) => step.name)).toEqual(
      expect.arrayContaining(['plan', 'guard', 'fetch']),
    );
    expect(body.guard.relations.length).toBeGreaterThan(0);
  });

  it('summarizes requests as KPIs, by caller and over time', async () => {
    const { body } = await admin('/observe/kpis');
    expect(body).toMatchObject({
      asks: 5,
      status: { answered: 3, clarification: 1, refused: 1 },
      confidence: { verified: 3 },
      callers: 1,
      coverage: 0.8,
    });
    expect(body.top_questions[0]).toMatchObject({ question: QUESTIONS[1], asks: 2, lens: 'shop' });
    expect(body.top_gaps).toEqual([{ question: QUESTIONS[3], lens: 'shop', status: 'refused', asks: 1 }]);
    expect(body.latency_ms.of).toBe(5);
    const times = body.slowest.map(({ total_ms }: { total_ms: number }) => total_ms);
    expect(times).toHaveLength(5);
    expect(times).toEqual([...times].sort((a, b) => b - a));
    const slowest = await admin(`/observe/requests/${body.slowest[0].request_id}`);
    expect(slowest.body.question).toBe(body.slowest[0].question);
    expect((await admin('/observe/kpis?lens=stock')).body.asks).toBe(0);
    expect((await admin('/observe/kpis?lens=shop&caller=quickstart&surface=v1')).body.asks).toBe(5);
    expect((await admin('/observe/kpis?lens=stock&caller=quickstart')).body).toMatchObject({ asks: 0, callers: 0 });
    expect((await admin('/observe/timeseries?lens=shop&caller=nobody')).body.items).toEqual([]);
    const callers = await admin('/observe/callers');
    expect(callers.body.items).toMatchObject([{ name: 'quickstart', asks: 5 }]);
    const one = await admin(`/observe/callers/${callers.body.items[0].id}`);
    expect(one.body).toMatchObject({ name: 'quickstart', asks: 5 });
    expect(one.body.recent).toHaveLength(5);
    const series = await admin('/observe/timeseries?bucket=day');
    expect(series.body.items.reduce((sum: number, { asks }: { asks: number }) => sum + asks, 0)).toBe(5);
  });

  it('exports the listed requests as CSV and NDJSON', async () => {
    const csv = await admin('/observe/export?format=csv&status=refused');
    expect(csv.headers['content-type']).toContain('text/csv');
    expect(csv.text.trim().split('\n')).toHaveLength(2);
    expect(csv.text).toContain('How many unicorns sold?');
    const lines = (await admin('/observe/export?format=ndjson')).text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(5);
  });

  it('exports every page of a long list, without formulas that a spreadsheet would run', async () => {
    await app.post('/v1/lenses/shop/query', { q: '=HYPERLINK("http://evil.example";"revenue")' });
    const hostileTenant = await app.addTenant('exporter');
    await app.sql(
      `insert into svc.traces (org_id, request_id, at, caller, surface, route, question, status, outcome, confidence, certification, total_ms, warehouse_ms, envelope, detail)
       select $1, gen_random_uuid(), now() - i * interval '1 second', '@sum', 'v1', 'query', (array['=1+1', '+1', '-1', E'\\t=1'])[i % 4 + 1], 'answered', 'answered', 'verified', 'assisted', 1, 1, '{}', '{}'
       from generate_series(1, 2500) i`,
      [hostileTenant.orgId],
    );
    const csv = await app.get('/mgmt/observe/export?format=csv', hostileTenant.adminToken);
    const lines = csv.text.trim().split('\n');
    expect(lines).toHaveLength(2_501);
    expect(lines.slice(1).filter((line) => /(^|,)"?[=+@\t-][^,]/.test(line))).toEqual([]);
    expect((await admin('/observe/export?format=csv')).text).toContain(`"'=HYPERLINK(`);
    const ndjson = await app.get('/mgmt/observe/export?format=ndjson', hostileTenant.adminToken);
    expect(
      new Set(
        ndjson.text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).request_id),
      ).size,
    ).toBe(2_500);
  });

  it('serves Prometheus metrics to admin tokens and to the local machine', async () => {
    const text = await app.get('/metrics', app.adminToken);
    expect(text.status).toBe(200);
    expect(text.text).toMatch(
      /svc_asks_total\{surface="v1",status="answered",confidence="verified",certification="assisted"\} 3/,
    );
    expect((await app.get('/metrics', null)).status).toBe(200);
  });
});

describe('the request log refuses', () => {
  it('invalid cursors and unknown filters, and metrics for caller keys and other machines', async () => {
    expect((await admin('/observe/requests?cursor=bm9uc2Vuc2U')).status).toBe(422);
    expect((await admin('/observe/requests?colour=red')).status).toBe(422);
    expect((await app.get('/metrics')).status).toBe(403);
    expect((await app.get('/metrics', null, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(401);
  });
});

describe('a large request log', () => {
  it('reads a page by an index on the organization, however much other organizations store', async () => {
    const otherTenant = await app.addTenant('big');
    await app.sql(
      `insert into svc.traces (org_id, request_id, at, caller, surface, route, lens, question, status, outcome, confidence, certification, total_ms, warehouse_ms, envelope, detail)
       select $1, gen_random_uuid(), now() - i * interval '5 seconds', 'caller' || i % 9, 'v1', 'query', 'shop', 'question ' || i, 'answered', 'answered', 'verified', 'assisted', 1, 1, '{}', '{}'
       from generate_series(1, 20000) i`,
      [otherTenant.orgId],
    );
    await app.sql('analyze svc.traces');
    for (const filter of [
      {},
      { caller: 'quickstart' },
      { status: 'refused' },
      { confidence: 'partial' },
      { lens: 'shop', q: 'revenue' },
      { lens: 'shop', status: 'refused' },
      { caller: 'quickstart', surface: 'mcp', certification: 'none' },
      { surface: 'mcp' },
    ] as const) {
      const plan: string[] = [];
      await app.deps.tenancy.inTenant(app.orgId, (db) =>
        listRequests(
          {
            orgId: db.orgId,
            rows: async (sql: string, values?: unknown[]) => {
              const rows = await db.rows<{ 'QUERY PLAN': string }>(`explain ${sql}`, values);
              plan.push(...rows.map((row) => row['QUERY PLAN']));
              return [];
            },
          } as unknown as TenantClient,
          filter,
          { limit: 50, after: null },
        ),
      );
      expect(plan.join('\n')).toMatch(/Index.* on traces|Bitmap Index Scan on traces/);
      expect(plan.join('\n'), JSON.stringify(filter)).not.toContain('Seq Scan on traces');
      expect(plan.join('\n')).toContain('org_id = ');
    }
    expect((await app.get('/mgmt/observe/kpis', otherTenant.adminToken)).body.asks).toBe(20_000);
    // svc searches a limited part of the log for two filters that match nothing. The page is empty and has a cursor.
    const page = await app.get('/mgmt/observe/requests?lens=shop&status=refused', otherTenant.adminToken);
    expect(page.body).toMatchObject({ items: [], next_cursor: expect.any(String) });
    const rest = await app.get(
      `/mgmt/observe/requests?lens=shop&status=refused&cursor=${page.body.next_cursor}`,
      otherTenant.adminToken,
    );
    expect(rest.body.items).toEqual([]);
  });

  it('compacts the tallies of an hour without changing the sums', async () => {
    const before = (await admin('/observe/kpis')).body;
    const rows = async () =>
      (
        await app.sql<{ n: number }>('select count(*)::int as n from svc.trace_tallies where org_id = $1', [app.orgId])
      )[0]!.n;
    for (const q of QUESTIONS) await app.post('/v1/lenses/shop/query', { q });
    const rowCount = await rows();
    await compactRecentTallies(app.deps.tenancy, new Date());
    expect(await rows()).toBeLessThan(rowCount);
    expect((await admin('/observe/kpis')).body).toMatchObject({ asks: before.asks + QUESTIONS.length, callers: 1 });
  });
});

describe('trace retention', () => {
  it('deletes expired traces, threads and boards, but keeps reviewed traces', async () => {
    const [kept, gone] = (await admin('/observe/requests')).body.items;
    await app.post('/v1/reviews', { request_id: kept.request_id, note: 'Check this.' });
    await app.sql(`update svc.traces set at = now() - interval '3 days' where request_id = any($1)`, [
      [kept.request_id, gone.request_id],
    ]);
    const threads = await Promise.all(
      [kept, gone].map(async ({ request_id }) => (await app.post('/v1/threads', { request_id })).body.id as string),
    );
    await app.sql(`update svc.threads set updated_at = now() - interval '3 days' where id = $1`, [threads[1]]);
    const boards = await Promise.all(
      ['Kept', 'Gone'].map(async (title) => (await app.post('/v1/boards', { title })).body.id as string),
    );
    await app.sql(`update svc.boards set opened_at = now() - interval '3 days' where id = any($1)`, [boards]);
    await app.get(`/v1/boards/${boards[0]}`);
    expect(await expireTraces(app.deps.tenancy, new Date(), 'P2D')).toBe(1);
    const left = await Promise.all(threads.map(async (id) => (await app.get(`/v1/threads/${id}`)).status));
    expect(left).toEqual([200, 404]);
    const open = await Promise.all(boards.map(async (id) => (await app.get(`/v1/boards/${id}`)).status));
    expect(open).toEqual([200, 404]);
    expect((await admin(`/observe/requests/${kept.request_id}`)).status).toBe(200);
    expect((await admin(`/observe/requests/${gone.request_id}`)).status).toBe(404);
  });

  it.each(['PT0S', 'P0D', 'PT23H59M', 'P101Y', 'P999999999D'])('refuses a retention of %s', async (traces) => {
    const files = { 'svc.config.yaml': `connections: {}\nretention: {traces: ${traces}}\n` };
    const { status, body } = await app.admin('POST', '/project/apply', { files });
    expect([status, body.error.message]).toEqual([422, expect.stringContaining('from P1D to P100Y')]);
  });

  it('uses the retention of the applied project', async () => {
    const files = { 'svc.config.yaml': 'connections: {}\nretention: {traces: P1D}\n' };
    const brief = await app.addTenant('brief', files);
    await app.sql(
      `insert into svc.traces (org_id, request_id, at, caller, surface, route, status, outcome, confidence, certification, total_ms, warehouse_ms, envelope, detail)
       select $1, gen_random_uuid(), now() - i * interval '20 hours', 'ada', 'v1', 'query', 'answered', 'answered', 'verified', 'assisted', 1, 1, '{}', '{}' from generate_series(1, 3) i`,
      [brief.orgId],
    );
    expect(await expireTraces(app.deps.tenancy, new Date(), 'P300D')).toBe(2);
    expect((await app.get('/mgmt/observe/requests', brief.adminToken)).body.items).toHaveLength(1);
  });
});

it('counts no ask if someone opens an answer again, but lists the request', async () => {
  const figures = async (query = '') => (await admin(`/observe/kpis${query}`)).body;
  const asked = (await admin('/observe/requests?limit=1')).body.items[0].request_id;
  const before = await figures();
  expect((await app.get(`/v1/answers/${asked}`)).status).toBe(200);
  const { asks, top_questions } = await figures();
  expect({ asks, top_questions }).toEqual({ asks: before.asks, top_questions: before.top_questions });
  expect((await figures('?surface=view')).asks).toBe(1);
  const opened = (await admin('/observe/requests?surface=view')).body.items;
  expect(opened).toHaveLength(1);
});
