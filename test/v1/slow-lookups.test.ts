import { expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { startTestApp } from '../support/app.ts';
import { lensText } from '../support/lens-text.ts';
import { connect, connectionTo, createDatabase } from '../support/postgres.ts';

const LENS = (name: string, policy = ''): string =>
  lensText(`
name: ${name}
title: Slow
description: Parcels, most of which are slow to read.
connection: depot
timezone: UTC
datasets:
  parcels: public.slow_parcels (id integer key, code string {values: [A1, B2, C3]})
metrics:
  parcel_count: {expression: count(parcels.id), description: Parcels.}
${policy}`);
const url = await createDatabase();
const db = await connect(url);
// A statement is slow only if it reads a parcel other than the first.
await db.query(`create table parcels (id int primary key, code text);
  insert into parcels values (1, 'Z9'), (2, 'A1'), (3, 'B2');
  create view slow_parcels as select id, code from parcels where id = 1 or pg_sleep(3) is not null`);
const svc = await startTestApp({
  operator: {
    limits: { requests_per_minute: 100, asks_in_flight: 2, warehouse_timeout_ms: 500, max_result_bytes: 16_777_216 },
  },
  files: {
    'svc.config.yaml': `connections: ${JSON.stringify({ depot: connectionTo(url) })}\ngroups: {field: {}}\n`,
    'lenses/slow/lens.yaml': LENS('slow'),
    'lenses/own/lens.yaml': LENS(
      'own',
      'row_policies:\n  - {name: own, dataset: parcels, filter: "parcels.code = {caller.code}", groups: [field]}\n',
    ),
  },
});

it('answers, but doesn’t verify, if the lookup of a value takes too long', async () => {
  const count = async (code: string): Promise<Envelope> =>
    (
      await svc.post<Envelope>('/v1/lenses/slow/metrics', {
        metrics: ['parcel_count'],
        filters: [
          { field: 'parcels.id', op: '=', values: [1] },
          { field: 'parcels.code', op: '=', values: [code] },
        ],
      })
    ).body;
  const answer = await count('Z9');
  expect(answer).toMatchObject({ status: 'answered', confidence: 'partial', data: [{ parcel_count: 1 }] });
  expect(answer.checks.find(({ name }) => name === 'values_known')).toMatchObject({
    outcome: 'unknown',
    detail: 'svc can’t tell whether “Z9” is a value of parcels.code: the lookup took too long.',
  });
});

it('lists the values of the lens file, unless a row policy may hide some of them', async () => {
  const { body } = await svc.get('/v1/lenses/slow/values?field=code&q=c');
  expect(body).toMatchObject({ field: 'parcels.code', items: ['C3', 'A1', 'B2'], complete: false });
  const { key } = await svc.mintCaller({ name: 'eva', lenses: ['own'], groups: ['field'], attributes: { code: 'A1' } });
  expect(await svc.get('/v1/lenses/own/values?field=code', key)).toMatchObject({
    status: 504,
    body: { error: { code: 'timeout' } },
  });
});
