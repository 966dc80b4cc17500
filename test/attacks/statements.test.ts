// Statements that an engine or a spreadsheet takes for something else than they are.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
}, 120_000);
afterAll(() => service?.close());

const ask = (sql: string, headers = {}) => service.post('/v1/sql', { lens: 'shop', sql }, undefined, headers);

describe('calls that the engine would fail over', () => {
  it.each([
    ['select try(distinct region) from orders group by rollup (region)', /try/],
    ['select try(region) from orders group by region', /try/],
    ['select upper(distinct region) from orders', /DISTINCT/],
  ])('are refused by name: %s', async (sql, message) => {
    const { status, body } = await ask(sql);
    expect([status, body.error?.code, body.error?.message]).toEqual([
      422,
      'guard_refused',
      expect.stringMatching(message),
    ]);
  });

  it('are answered where they mean something', async () => {
    const { status, body } = await ask(
      "select count(distinct region) as n, string_agg(distinct region, ',' order by region) as named from orders",
    );
    expect([status, body.data]).toEqual([200, [{ n: 4, named: 'Central,East,South,West' }]]);
  });
});

it.each(['=HYPERLINK(1)', '+1', '-1', '@x'])('the header of a CSV is no formula: %s', async (name) => {
  const { text } = await ask(`select count(*) as "${name}" from orders`, { accept: 'text/csv' });
  expect(text.split('\r\n')[0]).toBe(`'${name}`);
});
