import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { caseRows } from '../support/case-rows.ts';

const svc = await startTestApp();

const faults = async (body: unknown): Promise<{ status: number; paths: string[]; message: string }> => {
  const reply = await svc.post('/v1/lenses/shop/metrics', body);
  const { details = [], message = '' } = reply.body.error ?? {};
  return { status: reply.status, paths: details.map(({ path }: { path: string }) => path), message };
};

describe('a metrics body', () => {
  it('is refused with the path if order_by names a metric that the listing doesn’t have', async () => {
    const listing = { dimensions: ['region'], order_by: [{ field: 'revenue', direction: 'desc' }] };
    expect(await faults(listing)).toMatchObject({
      status: 422,
      paths: ['order_by[0].field'],
      message: expect.stringContaining('Add "revenue" to metrics'),
    });
    expect(await faults({ ...listing, distinct: true })).toMatchObject({ status: 422, paths: ['order_by[0].field'] });
    const { body } = await svc.post('/v1/lenses/shop/metrics', { ...listing, metrics: ['revenue'] });
    expect(body.data.map(({ region }: { region: string }) => region)).toEqual(['West', 'East', 'South', 'Central']);
  });

  it('is refused in the same way over MCP', async () => {
    const args = { lens: 'shop', dimensions: ['region'], order_by: [{ field: 'revenue' }] };
    const { isError, structuredContent } = await svc.callTool('query_metrics', args);
    expect(isError).toBe(true);
    expect(JSON.stringify(structuredContent)).toContain('order_by[0].field');
  });

  it.each(caseRows<[string, object, string]>(import.meta.dirname, 'metrics-body.jsonl'))(
    'is refused with the path for %s',
    async (_name, body, path) => {
      expect(await faults(body)).toMatchObject({ status: 422, paths: [path] });
    },
  );

  it('is returned with the question that it answers', async () => {
    const answers = { question: 'revenue on the moon', leaves_out: ['moon'] };
    const { body } = await svc.post('/v1/lenses/shop/metrics', { metrics: ['revenue'], answers, plan: true });
    expect(body).toMatchObject({ status: 'answered', confidence: 'partial' });
    expect(body.plan).toEqual({ metrics: ['revenue'], answers });
  });

  it('drops the unit of a measure if a factor converts it', async () => {
    const unitOf = async (measure: object | string) => {
      const { body } = await svc.post('/v1/lenses/shop/metrics', { measures: [measure] });
      return body.columns[0].unit;
    };
    const unit = await unitOf('revenue');
    expect(unit).toMatch(/./);
    expect(await unitOf({ fn: 'quotient', of: 'revenue', by: 2 })).toBe(unit);
    expect(await unitOf({ fn: 'quotient', of: 'revenue', by: 1000 })).toBeNull();
    expect(await unitOf({ fn: 'product', of: 'revenue', by: 100 })).toBeNull();
  });

  it('is refused as a plan if its statement exceeds a limit of the guard', async () => {
    const measures = Array.from({ length: 41 }, (_item, index) => ({
      ...{ fn: 'over_groups', take: 'avg', of: 'revenue', by: ['orders.region'], as: `m${index}` },
      having: [{ measure: 'revenue', op: '>', values: [index] }],
    }));
    const { status, message } = await faults({ measures });
    expect([status, message]).toEqual([
      422,
      expect.stringMatching(/^svc can’t run the statement of this plan. .*too many tables.* Ask for fewer measures/),
    ]);
  });

  it('G15: is graded without multiplying out products of sums', async () => {
    const sum = { op: '+', of: Array.from({ length: 8 }, () => 'orders.sales') };
    const product = { fn: 'sum', value: { op: '*', of: Array.from({ length: 8 }, () => sum) } };
    const { body } = await svc.post('/v1/lenses/shop/metrics', { measures: [product], dry_run: true });
    const check = body.checks.find(({ name }: { name: string }) => name === 'measures_additive');
    expect(check).toMatchObject({ outcome: 'pass' });
  });

  it('G15: is refused if it has more than 5,000 names and values', async () => {
    const values = Array.from({ length: 1_000 }, (_item, index) => index);
    const filters = (count: number) =>
      Array.from({ length: count }, () => ({ field: 'orders.row_id', op: 'in', values }));
    expect(await faults({ metrics: ['revenue'], filters: filters(5) })).toMatchObject({
      status: 422,
      message: expect.stringContaining('more than 5,000 names and values'),
    });
    expect((await svc.post('/v1/lenses/shop/metrics', { metrics: ['revenue'], filters: filters(2) })).status).toBe(200);
  });

  it('takes a choice for the unknown value of a list only', async () => {
    const { body } = await svc.post('/v1/lenses/shop/metrics', {
      metrics: ['revenue'],
      filters: [{ field: 'region', op: 'in', values: ['West', 'Eest'] }],
      choices: { 'orders.region': 'East' },
    });
    expect(body.scope.filters).toEqual([{ field: 'orders.region', op: 'in', values: ['West', 'East'] }]);
    expect(body.data).toEqual([{ revenue: 925.75 }]);
  });
});

it('returns the plan of a condition with an aggregate over all rows', async () => {
  const filters = [{ field: 'orders.sales', op: '>', values: [], than: { fn: 'avg', field: 'orders.sales' } }];
  const { body } = await svc.post('/v1/lenses/shop/metrics', { metrics: ['revenue'], filters, plan: true });
  expect(body.plan).toEqual({ metrics: ['revenue'], filters });
});

it('returns the plan of dimensions that svc computes', async () => {
  const dimensions = [
    { when: [{ field: 'orders.sales', op: '>', values: [100] }], as: 'large' },
    { field: 'orders.sales', bin: 100 },
    { field: 'orders.region', as: 'area' },
  ];
  const { body } = await svc.post('/v1/lenses/shop/metrics', { metrics: ['revenue'], dimensions, plan: true });
  expect(body.plan).toEqual({ metrics: ['revenue'], dimensions });
});

it('grades a plan partial if its open period begins after the data ends', async () => {
  const ask = async (since: string, field = 'orders.order_date') => {
    const filters = [{ field, op: '>=', values: [since] }];
    const { body } = await svc.post('/v1/lenses/shop/metrics', { metrics: ['revenue'], filters });
    return [body.confidence, body.checks.find(({ name }: { name: string }) => name === 'data_fresh').outcome];
  };
  expect(await ask('2016-01-01')).toEqual(['verified', 'not_applicable']);
  for (const field of ['orders.order_date', 'orders.order_date.year'])
    expect([field, await ask('2030-01-01', field)]).toEqual([field, ['partial', 'fail']]);
});

it.each<[string, (year: string) => object]>([
  [
    'condition of a measure',
    (year) => ({ fn: 'count', rows: 'orders', where: [{ field: 'order_date', during: year }] }),
  ],
  ['share', (year) => ({ fn: 'share', of: 'revenue', where: [{ all: [{ field: 'order_date', during: year }] }] })],
  [
    'later period of a change',
    (year) => ({ fn: 'change', of: 'revenue', from: { during: '2015' }, to: { during: year } }),
  ],
  [
    'month',
    (year) => ({ fn: 'count', rows: 'orders', where: [{ field: 'order_date.month', values: [`${year}-01`] }] }),
  ],
])('grades a plan partial if the %s begins after the data ends', async (_name, measureIn) => {
  for (const [year, expected] of [
    ['2016', ['verified', 'not_applicable']],
    ['2030', ['partial', 'fail']],
  ] as const) {
    const { body } = await svc.post('/v1/lenses/shop/metrics', { measures: [measureIn(year)] });
    const { outcome } = body.checks.find(({ name }: { name: string }) => name === 'data_fresh');
    expect([year, body.confidence, outcome]).toEqual([year, ...expected]);
  }
});

it('F6: grades a plan unverified if it leaves out a restricting word of its question', async () => {
  const plan = { metrics: ['customers'], filters: [{ field: 'region', op: '=', values: ['West'] }] };
  const askWithQuestion = async (question: string) => {
    const { body } = await svc.post('/v1/lenses/shop/metrics', { ...plan, answers: { question, leaves_out: [] } });
    const { outcome, critical, detail } = body.checks.find(({ name }: { name: string }) => name === 'words_mean');
    return [body.confidence, outcome, critical, detail];
  };
  expect(await askWithQuestion('how many customers in the West')).toEqual([
    'verified',
    'not_applicable',
    true,
    'No word of the question restricts or quantifies.',
  ]);
  for (const question of ['how many customers ordered only in the West', 'how many customers except in the West'])
    expect(await askWithQuestion(question), question).toEqual([
      'unverified',
      'fail',
      true,
      `The plan does not express “${question.includes('only') ? 'only' : 'except'}”.`,
    ]);
  // An unknown word can be the word that "only" restricts.
  expect(await askWithQuestion('how many customers in the West, gizmos only')).toEqual([
    'partial',
    'unknown',
    true,
    'svc can’t tell whether the plan expresses “only”, because svc doesn’t know “gizmos”.',
  ]);
});

describe('a period by name', () => {
  const now = new Date();
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const dateOf = (y: number, m: number, d: number) => new Date(Date.UTC(y, m, d)).toISOString().slice(0, 10);
  const firstOfQuarter = month - (month % 3);
  const monday = day - ((now.getUTCDay() + 6) % 7);

  it.each([
    ['today', dateOf(year, month, day), dateOf(year, month, day + 1)],
    ['yesterday', dateOf(year, month, day - 1), dateOf(year, month, day)],
    ['this month', dateOf(year, month, 1), dateOf(year, month + 1, 1)],
    ['current week', dateOf(year, month, monday), dateOf(year, month, monday + 7)],
    ['this year so far', dateOf(year, 0, 1), dateOf(year, month, day + 1)],
    ['quarter to date', dateOf(year, firstOfQuarter, 1), dateOf(year, month, day + 1)],
    ['previous quarter', dateOf(year, firstOfQuarter - 3, 1), dateOf(year, firstOfQuarter, 1)],
    ['last 3 months', dateOf(year, month - 3, 1), dateOf(year, month, 1)],
    ['last year', dateOf(year - 1, 0, 1), dateOf(year, 0, 1)],
    ['past 2 weeks', dateOf(year, month, monday - 14), dateOf(year, month, monday)],
    ['last 7 days', dateOf(year, month, day - 7), dateOf(year, month, day)],
    ['last 7 days from today', dateOf(year, month, day - 7), dateOf(year, month, day + 1)],
    ['last 7 days including today', dateOf(year, month, day - 6), dateOf(year, month, day + 1)],
  ])('is resolved in the time zone of the lens: %s', async (during, from, to) => {
    const { body } = await svc.post('/v1/lenses/shop/metrics', { metrics: ['revenue'], time: { during } });
    expect(body.scope.time).toMatchObject({ from, to });
  });

  it('is refused if it names no period', async () => {
    for (const during of ['last 0 days', 'last days from today', 'this fortnight', '2024-Q5', '2024-13'])
      expect(await faults({ metrics: ['revenue'], time: { during } }), during).toMatchObject({ status: 422 });
  });
});
