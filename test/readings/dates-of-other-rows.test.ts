// Questions about rows whose date belongs to other rows, about fields with a short name, about rows without a name, and
// about flags. An outside author found answers to such questions that were wrong or had too high a grade.
import { expect, it } from 'vitest';
import { caseRows } from '../support/case-rows.ts';
import { startDuckdbLens } from '../support/duckdb-lens.ts';

const LENS = `
name: ferries
title: Ferries
description: Trips of boats, their tickets and their delays.
connection: ferries
timezone: UTC
datasets:
  boats: main.boats (boat_id integer key, nickname string auto {synonyms: [boat name]})
  trips: main.trips (trip_id integer key, sailed date time, late_by integer {unit: minutes, aggregation: average, synonyms: [departure delay]}, fuel integer {aggregation: sum})
  tickets: main.tickets (ticket_id integer key, cabin string {values: [inside, outside]}, fare decimal {aggregation: sum}, taxes decimal {aggregation: sum}, checked_in date, gift boolean, wifi string {values: [Y, N]})
  delays: main.delays (delay_id integer key, cause string {values: [fog, engine], synonyms: [delay cause]}, delay_minutes integer {unit: minutes, aggregation: sum}) {synonyms: [delay causes]}
relationships:
  - {from: trips.boat_id, to: boats.boat_id}
  - {from: tickets.trip_id, to: trips.trip_id}
  - {from: delays.trip_id, to: trips.trip_id}
metrics:
  revenue: {expression: sum(tickets.fare), time_field: trips.sailed}
  fog_time: {expression: sum(delays.delay_minutes), filter: delays.cause = 'fog', unit: minutes}
  repair_time: {expression: sum(delays.delay_minutes), filter: delays.cause = 'engine', unit: minutes}
`;
const { ask } = await startDuckdbLens(
  [LENS],
  "create table boats as select n boat_id, case when n < 3 then 'Swan' when n = 3 then 'Tern' end nickname from range(1, 5) t(n)",
  "create table trips as select n trip_id, 1 + n % 4 boat_id, date '2023-10-01' + n::int * 20 sailed, n % 7 late_by, 10 * n fuel from range(1, 13) t(n)",
  "create table tickets as select n ticket_id, 1 + n % 12 trip_id, ['inside', 'outside'][1 + n % 2] cabin, 10 + n fare, 1 taxes, case when n % 5 > 0 then date '2023-09-01' + (n % 12)::int * 20 end checked_in, n % 3 = 0 gift, ['Y', 'N'][1 + n % 2] wifi from range(1, 61) t(n)",
  "create table delays as select n delay_id, 1 + n % 12 trip_id, ['fog', 'engine'][1 + n % 2] cause, n delay_minutes from range(1, 21) t(n)",
);

it.each<[q: string, sentence: string]>(caseRows(import.meta.dirname, 'dates-of-other-rows.jsonl', 'verifies'))(
  'verifies %s',
  async (q, sentence) => {
    const { confidence, scope } = await ask(q);
    expect([confidence, scope?.sentence]).toEqual(['verified', sentence]);
  },
);

it.each<[q: string, reason: string]>(
  caseRows(import.meta.dirname, 'dates-of-other-rows.jsonl', 'states what may differ'),
)('states what may differ: %s', async (q, reason) => {
  const { status, confidence, checks } = await ask(q);
  expect([status, confidence]).toEqual(['answered', 'partial']);
  expect(checks.map(({ detail }) => detail).join(' ')).toContain(reason);
});

it('returns the latest trip of each of two boats with the same name', async () => {
  const { data } = await ask('latest trip of each boat');
  expect(data?.map((row) => [row['nickname'], row['trip_id']])).toEqual([
    ['Swan', 12],
    ['Swan', 9],
    ['Tern', 10],
    [null, 11],
  ]);
});
