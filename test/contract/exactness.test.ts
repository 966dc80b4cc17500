// Exact values: svc refuses numbers that lost digits in JSON and values that no warehouse can bind, with 422. Such a
// request never suspends a certified entry.
import { describe, expect, it } from 'vitest';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { SHOP, startTestApp } from '../support/app.ts';

const TYPED = `- id: typed
  question: Orders after {day}, {moment}, {clock}, over {amount}
  sql: >-
    select count(*) as n from main.orders
    where order_date > :day and cast(order_date as timestamp) > :moment and :clock < time '23:00' and sales > :amount
  parameters: {day: {datatype: date}, moment: {datatype: datetime}, clock: {datatype: time}, amount: {datatype: decimal}}
  approved_by: ops@example.com
  approved_at: 2026-01-31
`;
const FITTING = { day: '2016-01-31', moment: '2016-01-31 12:00:00', clock: '12:30', amount: '0.5' };
const files = await loadProjectFolder(SHOP);
const svc = await startTestApp({ files: { ...files, 'lenses/shop/certified/typed.yaml': TYPED } });

const run = (parameters: Record<string, unknown>) =>
  svc.post('/v1/lenses/shop/certified/typed/run', { parameters: { ...FITTING, ...parameters } });

describe('exactness of values in requests and answers', () => {
  it('refuses an integer beyond 2^53 sent as a JSON number, and accepts it as a string', async () => {
    const filterByValues = (values: unknown[]) =>
      svc.post('/v1/lenses/shop/metrics', { metrics: ['revenue'], filters: [{ field: 'sales', op: '>', values }] });
    const inexactReply = await filterByValues([2 ** 53 + 2]);
    expect(inexactReply.status).toBe(422);
    expect(inexactReply.body.error).toMatchObject({ code: 'invalid' });
    const exact = await filterByValues(['9007199254740993']);
    expect(exact.body).toMatchObject({
      status: 'answered',
      scope: { filters: [{ op: '>', values: ['9007199254740993'] }] },
    });
  });

  it.each([
    ['clock', '2016-01-31'],
    ['moment', '2016'],
    ['moment', '2016-W05'],
    ['day', '2016-02-30'],
    ['amount', 1e300],
    ['amount', `1.${'1'.repeat(40)}`],
  ])('refuses %s = %s in a certified run with 422 and names the parameter', async (name, value) => {
    const { status, body } = await run({ [name]: value });
    expect(status).toBe(422);
    expect(body.error.details).toMatchObject([{ path: `parameters.${name}` }]);
    expect((await run({})).body).toMatchObject({ status: 'answered', certification: 'certified' });
  });
});

it('rounds a quotient in the text of an answer, and keeps every digit in its rows', async () => {
  const { body } = await svc.post('/v1/lenses/shop/metrics', {
    ...{ metrics: ['profit_ratio'], dimensions: ['orders.region'], format: 'both' },
  });
  expect(body.status).toBe('answered');
  const long = body.data.filter(({ profit_ratio }: { profit_ratio: number }) => String(profit_ratio).length > 12);
  expect(long.length).toBeGreaterThan(0);
  for (const { profit_ratio } of long) {
    expect(body.answer).not.toContain(String(profit_ratio));
    expect(body.answer).toContain(String(Number(profit_ratio.toPrecision(7))));
  }
});
