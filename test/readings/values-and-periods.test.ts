// Questions with a value that several fields have, with a period next to events other than the measured rows, with
// metrics that have dates of their own, or with an adjective for an amount. svc once graded one meaning of each as
// verified.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { startTestApp } from '../support/app.ts';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LENS = `
name: opera
title: Opera
description: Shows, their singers and their bookings.
connection: opera
timezone: UTC
data_as_of: {at: "2024-03-31T00:00:00Z"}
datasets:
  venues:
    source: main.venues
    primary_key: [venue_id]
    fields: {venue_id: {datatype: integer}, city: {datatype: string, values: [Vienna, Verona]}}
  productions:
    source: main.productions
    primary_key: [production_id]
    fields: {production_id: {datatype: integer}, title: {datatype: string, values: auto}, language: {datatype: string, values: [Italian, German]}, director_id: {datatype: integer}, designer_id: {datatype: integer}, est_cost: {datatype: decimal}, height: {datatype: integer}}
  shows:
    source: main.shows
    primary_key: [show_id]
    time_field: played
    fields: {show_id: {datatype: integer}, played: {datatype: date}, status: {datatype: string, values: [open, cancelled, played]}}
  singers:
    source: main.singers
    primary_key: [singer_id]
    fields: {singer_id: {datatype: integer}, singer_name: {datatype: string, values: auto}, nationality: {datatype: string, values: [Italian, German, Czech]}, city: {datatype: string}}
  castings:
    source: main.castings
    primary_key: [show_id, singer_id]
    fields: {show_id: {datatype: integer}, singer_id: {datatype: integer}, fee: {datatype: decimal, aggregation: sum}}
  patrons:
    source: main.patrons
    primary_key: [patron_id]
    time_field: joined
    fields: {patron_id: {datatype: integer}, patron_name: {datatype: string, values: auto}, joined: {datatype: date}, home_city: {datatype: string, values: [Vienna, Graz]}, tier: {datatype: string, values: [gold, basic]}}
  bookings:
    source: main.bookings
    primary_key: [booking_id]
    time_field: booked
    fields: {booking_id: {datatype: integer}, patron_id: {datatype: integer}, booked: {datatype: date}, refunded: {datatype: boolean}, refunded_on: {datatype: date}, channel: {datatype: string, values: [web, phone]}, seats: {datatype: integer, aggregation: sum}, price: {datatype: decimal, aggregation: sum}}
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
const folder = await temporaryFolder();
await createDuckdbFile(
  join(folder, 'opera.duckdb'),
  "create table venues as select * from (values (1, 'Vienna'), (2, 'Verona')) t(venue_id, city)",
  "create table productions as select * from (values (1, 'Tosca', 'Italian', 1, 2, 900, 8), (2, 'Fidelio', 'German', 2, 3, 700, 9)) t(production_id, title, language, director_id, designer_id, est_cost, height)",
  "create table shows as select n show_id, date '2023-11-01' + n::int * 9 played, ['open', 'cancelled'][1 + n % 2] status, 1 + n % 2 production_id, 1 + n // 5 venue_id, 1 + n % 6 host_id from range(1, 10) t(n)",
  "create table singers as select n singer_id, 'Singer ' || n singer_name, ['Italian', 'German', 'Czech'][1 + n % 3] nationality, 'Graz' city from range(1, 7) t(n)",
  'create table castings as select n show_id, m singer_id, 100 + n * m fee from range(1, 10) t(n), range(1, 7) u(m)',
  "create table patrons as select n patron_id, case n when 1 then 'Singer 1' else 'Patron ' || n end patron_name, date '2023-01-01' + n::int joined, ['Vienna', 'Graz'][1 + n % 2] home_city, ['gold', 'basic'][1 + n // 3] tier from range(1, 6) t(n)",
  "create table bookings as select n booking_id, date '2023-10-01' + n::int * 2 booked, n % 6 = 0 refunded, case when n % 6 = 0 then date '2023-12-01' + n::int * 2 end refunded_on, case n % 5 when 0 then 'web' when 1 then 'phone' end channel, 1 + n % 3 seats, 40 + n price, 1 + n % 9 show_id, 1 + n % 5 patron_id from range(1, 61) t(n)",
);
const svc = await startTestApp({
  project: folder,
  files: {
    'svc.config.yaml': 'connections: {opera: {kind: duckdb, path: ./opera.duckdb}}',
    'lenses/opera/lens.yaml': LENS,
  },
});
const ask = async (q: string): Promise<Envelope> => (await svc.post<Envelope>('/v1/lenses/opera/query', { q })).body;

it.each([
  ['revenue in Vienna', 'svc read "Vienna" as the home city of patrons, but it can also be the city of venues.'],
  [
    'fees of Italians',
    'svc read "Italians" as the nationality of singers, but it can also be the language of productions.',
  ],
  [
    'fees of Germans by played month',
    'svc read "Germans" as the nationality of singers, but it can also be the language',
  ],
  ['number of shows by city', 'svc read "city" as the city of venues, but it can also be the city of host.'],
  ['seats sold for open shows in 2023', 'svc did not apply "in 2023" to the date played of shows.'],
  ['revenue of Singer 1', 'svc read "Singer 1" as the patron name of patrons, but it can also be the singer name'],
  [
    'number of bookings refunded per month in 2024',
    'svc applied "in 2024" to the refunded on of the groups, not to the booked.',
  ],
  ['shows played per month in 2023', 'svc read "played" as the state of shows, not as a date.'],
  ['most common channel of bookings', 'The ranking includes a group without bookings.channel.'],
  ['most common channel of bookings in each tier', 'The ranking includes a group without bookings.channel.'],
  ['share of web bookings refunded in 2023', 'svc applied "in 2023" to the whole as well as to its part.'],
])('names the other meaning: %s', async (q, reason) => {
  const { status, confidence, checks } = await ask(q);
  expect([status, confidence]).toEqual(['answered', 'partial']);
  expect(JSON.stringify(checks)).toContain(JSON.stringify(reason).slice(1, -1));
});

it.each([
  ['fees of Czechs', 'Fees where nationality is Czech.'],
  ['payback growth by month', 'Growth of payback by refunded on month.'],
  [
    'running total of payback by month in 2024',
    'Running total of payback where refunded on is in 2024 by refunded on month.',
  ],
  [
    'difference between revenue in 2023 and payback in 2023',
    'Difference between revenue in 2023 and payback where refunded on is in 2023.',
  ],
  ['fees of Italian singers', 'Fees where nationality is Italian.'],
  ['patrons in Vienna', 'Patrons where home city is Vienna.'],
  ['shows in Vienna', 'Shows where venue city is Vienna.'],
  ['revenue of gold patrons in 2023', 'Revenue in 2023 where tier is gold.'],
  ['bookings in 2023', 'Bookings in 2023.'],
  ['tallest production', 'Production with the highest height.'],
  ['bookings refunded in 2023', 'Bookings where refunded on is in 2023.'],
  ['what share of bookings in 2023 are from the web', 'Share of number of bookings in 2023 where channel is web.'],
])('is certain of the only meaning: %s', async (q, sentence) => {
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

it('doesn’t take what patrons booked for what they are', async () => {
  expect((await ask('patrons who booked Vienna')).scope?.sentence).not.toBe('Patrons where home city is Vienna.');
});

it('takes only names for what patrons are called', async () => {
  expect((await ask('patrons called Vienna')).status).toBe('refused');
  expect((await ask('patrons called Patron 2')).scope?.sentence).toBe('Patrons where patron name is "Patron 2".');
});

it('isn’t certain that the most expensive production has the highest estimated cost', async () => {
  const { confidence, scope } = await ask('most expensive production');
  expect([confidence, scope?.sentence]).toEqual(['partial', 'Production with the highest est cost.']);
});

it('doesn’t take a large amount for a year after the data ends', async () => {
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
