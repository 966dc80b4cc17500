// Questions with a value that several fields have, with a period next to events other than the measured rows, with
// metrics that have dates of their own, or with an adjective for an amount. svc once graded one meaning of each
// question verified.
import { expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { caseRows } from '../support/case-rows.ts';
import { startDuckdbLens } from '../support/duckdb-lens.ts';

const LENS = `
name: opera
title: Opera
description: Shows, their singers and their bookings.
connection: opera
timezone: UTC
data_as_of: {at: "2024-03-31T00:00:00Z"}
datasets:
  venues: main.venues (venue_id integer key, city string {values: [Vienna, Verona]})
  productions: main.productions (production_id integer key, title string auto, language string {values: [Italian, German]}, director_id integer, designer_id integer, est_cost decimal, height integer)
  shows: main.shows (show_id integer key, played date time, status string {values: [open, cancelled, played]})
  singers: main.singers (singer_id integer key, singer_name string auto, nationality string {values: [Italian, German, Czech]}, city string)
  castings: main.castings (show_id integer key, singer_id integer key, fee decimal {aggregation: sum})
  patrons: main.patrons (patron_id integer key, patron_name string auto, joined date time, home_city string {values: [Vienna, Graz]}, tier string {values: [gold, basic]})
  bookings: main.bookings (booking_id integer key, patron_id integer, booked date time, refunded boolean, refunded_on date, channel string {values: [web, phone]}, seats integer {aggregation: sum}, price decimal {aggregation: sum})
relationships:
  - {from: shows.production_id, to: productions.production_id}
  - {from: shows.venue_id, to: venues.venue_id}
  - {name: host, from: shows.host_id, to: singers.singer_id}
  - {name: director, from: productions.director_id, to: singers.singer_id}
  - {name: designer, from: productions.designer_id, to: singers.singer_id}
  - {from: castings.show_id, to: shows.show_id}
  - {from: castings.singer_id, to: singers.singer_id}
  - {from: bookings.show_id, to: shows.show_id}
  - {from: bookings.patron_id, to: patrons.patron_id}
metrics:
  revenue: {expression: sum(bookings.price)}
  seats_sold: {expression: sum(bookings.seats)}
  fees: {expression: sum(castings.fee)}
  guests: {expression: count(distinct bookings.patron_id)}
  payback: {expression: sum(bookings.price), filter: bookings.refunded = true, time_field: bookings.refunded_on}
`;
const { ask, svc } = await startDuckdbLens(
  [LENS],
  "create table venues as select * from (values (1, 'Vienna'), (2, 'Verona')) t(venue_id, city)",
  "create table productions as select * from (values (1, 'Tosca', 'Italian', 1, 2, 900, 8), (2, 'Fidelio', 'German', 2, 3, 700, 9)) t(production_id, title, language, director_id, designer_id, est_cost, height)",
  "create table shows as select n show_id, date '2023-11-01' + n::int * 9 played, ['open', 'cancelled'][1 + n % 2] status, 1 + n % 2 production_id, 1 + n // 5 venue_id, 1 + n % 6 host_id from range(1, 10) t(n)",
  "create table singers as select n singer_id, 'Singer ' || n singer_name, ['Italian', 'German', 'Czech'][1 + n % 3] nationality, 'Graz' city from range(1, 7) t(n)",
  'create table castings as select n show_id, m singer_id, 100 + n * m fee from range(1, 10) t(n), range(1, 7) u(m)',
  "create table patrons as select n patron_id, case n when 1 then 'Singer 1' else 'Patron ' || n end patron_name, date '2023-01-01' + n::int joined, ['Vienna', 'Graz'][1 + n % 2] home_city, ['gold', 'basic'][1 + n // 3] tier from range(1, 6) t(n)",
  "create table bookings as select n booking_id, date '2023-10-01' + n::int * 2 booked, n % 6 = 0 refunded, case when n % 6 = 0 then date '2023-12-01' + n::int * 2 end refunded_on, case n % 5 when 0 then 'web' when 1 then 'phone' end channel, 1 + n % 3 seats, 40 + n price, 1 + n % 9 show_id, 1 + n % 5 patron_id from range(1, 61) t(n)",
);

it.each<[q: string, said: string]>(
  caseRows(import.meta.dirname, 'values-and-periods.jsonl', 'names the other meaning'),
)('names the other meaning: %s', async (q, reason) => {
  const { status, confidence, checks } = await ask(q);
  expect([status, confidence]).toEqual(['answered', 'partial']);
  expect(JSON.stringify(checks)).toContain(JSON.stringify(reason).slice(1, -1));
});

it.each<[q: string, said: string]>(
  caseRows(import.meta.dirname, 'values-and-periods.jsonl', 'grades the only meaning verified'),
)('grades the only meaning verified: %s', async (q, sentence) => {
  const { confidence, scope } = await ask(q);
  expect([confidence, scope?.sentence]).toEqual(['verified', sentence]);
});

it.each([
  ['the booking date to refunded bookings', 'number of refunded bookings in 2023'],
  ['a condition on single bookings to the growth of guests', 'growth of guests with price over 50 by month'],
  ['one date to metrics with different dates', 'revenue and payback by month in 2023'],
  ['a period to only one of two metrics', 'number of patrons and payback in 2023'],
  ['the date of patrons to their bookings', 'number of patrons and payback by year'],
  ['no condition to “with” and a metric', 'number of patrons with payback'],
  ['no condition to “with” and a metric of other rows', 'total height of productions with fees'],
  ['both conditions to the part of a share', 'what share of web bookings have seats over 1 by tier'],
])('doesn’t apply %s', async (_what, q) => {
  expect((await ask(q)).status).toBe('refused');
});

it('asks whether a condition chooses the part or the whole of a share, also after a period', async () => {
  const { clarification } = await ask('what percentage of revenue in 2023 comes from gold patrons by home city');
  expect(clarification?.options).toMatchObject([
    { label: 'Percentage of each home city in revenue in 2023 where tier is gold.' },
    { label: 'For each home city, percentage of revenue in 2023 where tier is gold.' },
  ]);
});

it.each([
  ['channels with revenue over 100', ['phone', 'web']],
  ['channels with at least 5 bookings', ['phone', 'web']],
  ['channels with total revenue', ['phone', 'web']],
])('leaves rows without a name out of the things that the question lists: %s', async (q, names) => {
  const { data } = await ask(q);
  expect(data?.map(({ channel }) => channel).sort()).toEqual(names);
});

it('doesn’t confuse what patrons booked with what they are', async () => {
  expect((await ask('patrons who booked Vienna')).scope?.sentence).not.toBe('Patrons where home city is Vienna.');
});

it('compares what patrons are called only with their names', async () => {
  expect((await ask('patrons called Vienna')).status).toBe('refused');
  expect((await ask('patrons called Patron 2')).scope?.sentence).toBe('Patrons where patron name is "Patron 2".');
});

it('doesn’t verify that the most expensive production has the highest estimated cost', async () => {
  const { confidence, scope } = await ask('most expensive production');
  expect([confidence, scope?.sentence]).toEqual(['partial', 'Production with the highest est cost.']);
});

it('doesn’t mistake a large amount for a year after the data ends', async () => {
  const { confidence, scope } = await ask('channels with revenue over 3000');
  expect([confidence, scope?.sentence]).toEqual(['verified', 'Channels with revenue more than 3000.']);
});

it.each([
  ['average number of bookings per month', 'verified', 'pass', 'Each group has rows.'],
  ['average number of bookings per day', 'partial', 'fail', 'svc leaves out each day without bookings: 59.'],
  ['day with the lowest revenue', 'partial', 'fail', 'svc leaves out each day without bookings: 59.'],
])('looks for periods without rows: %s', async (q, grade, outcome, detail) => {
  const { confidence, checks } = await ask(q);
  expect([confidence, checks.find(({ name }) => name === 'groups_complete')]).toEqual([
    grade,
    expect.objectContaining({ outcome, detail }),
  ]);
});

const in2023 = { time: { field: 'bookings.booked', during: '2023' } };
it.each([
  [{ metrics: ['payback'], ...in2023 }, 'Payback where booked is in 2023.'],
  [{ metrics: ['payback'], dimensions: ['bookings.booked.month'] }, 'Payback by booked month.'],
  [
    { metrics: ['revenue'], dimensions: ['bookings.refunded_on.month'], ...in2023 },
    'Revenue by refunded on month where booked is in 2023.',
  ],
  [{ metrics: ['revenue'], dimensions: ['bookings.booked.month'], ...in2023 }, 'Revenue in 2023 by month.'],
])('names the date of a plan if the words could mean another date: %j', async (plan, sentence) => {
  const { body } = await svc.post<Envelope>('/v1/lenses/opera/metrics', plan);
  expect(body.scope?.sentence, JSON.stringify(body.error)).toBe(sentence);
});
