import { expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { startTestApp } from '../support/app.ts';
import { lensText } from '../support/lens-text.ts';
import { connectionTo, createDatabase } from '../support/postgres.ts';

const url = await createDatabase(
  `create function check_kind(kind text) returns text stable cost 100000 language plpgsql as
     $$ begin if kind = 'old' then perform pg_sleep(20); end if; return 'checked'; end $$`,
  'create table items (id int primary key, buyer int, kind text)',
  `insert into items values (1, 1, 'new'), (2, 1, 'old'), (3, 2, 'new')`,
  'create view checked_items as select id, buyer, kind, check_kind(kind) as state from items',
);
const app = await startTestApp({
  files: {
    'svc.config.yaml': JSON.stringify({ connections: { core: connectionTo(url) } }),
    'lenses/core/lens.yaml': lensText(`name: core
connection: core
datasets:
  items: public.checked_items (id integer key, buyer integer, kind string {values: [new, old]}, state string {values: [checked]})
`),
  },
});

it('grades an answer partial if a check runs out of time', async () => {
  const { body } = await app.post<Envelope>('/v1/lenses/core/metrics', {
    measures: [{ fn: 'count_distinct', field: 'items.buyer' }],
    filters: [
      { field: 'items.kind', op: '!=', values: ['old'] },
      { field: 'items.state', op: '=', values: ['checked'] },
    ],
  });
  expect(body.data).toEqual([{ count_distinct_buyer: 2 }]);
  expect(body.confidence).toBe('partial');
  expect(body.checks.find(({ name }) => name === 'counted_once')).toMatchObject({
    outcome: 'unknown',
    detail: 'The warehouse did not respond in time.',
  });
});
