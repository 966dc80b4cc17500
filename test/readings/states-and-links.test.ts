// Questions about the state of things at a date, about metrics that combine several dates, about negated comparisons,
// and about entities that two other datasets connect. svc once graded one meaning of each question verified, or left
// out rows without a warning.
import { expect, it } from 'vitest';
import { caseRows } from '../support/case-rows.ts';
import { startDuckdbLens } from '../support/duckdb-lens.ts';

const LENS = `
name: library
title: Library
description: Rooms, desks, their members and fines.
connection: library
timezone: UTC
datasets:
  rooms: main.rooms (room_id integer key, room_name string auto, opened_on date time, closed_on date)
  helpers: main.helpers (helper_id integer key, helper_name string auto) {synonyms: [employees]}
  members: main.members (member_id integer key, member_name string auto, segment string {values: [gold, basic]}, city string {values: [Bath, Leeds]}, birth_year integer {aggregation: none}, quiz_score decimal {aggregation: average})
  desks: main.desks (desk_id integer key, kind string {values: [quiet, shared]}, days integer {expression: desk_id * 3, description: Days since the desk was cleaned.})
  keepers: main.keepers (desk_id integer key, member_id integer key, role string {values: [main, joint]})
  passes: main.passes (pass_id integer key, desk_id integer, member_id integer)
  fines: main.fines (fine_id integer key, member_id integer, desk_id integer, amount decimal {aggregation: sum}, fined_on date time, paid_on date)
  repairs: main.repairs (repair_id integer key, desk_id integer, reported_on date time, started_on date, done_on date {description: Day when the repair was approved or refused.}, status string {values: [open, approved, refused, void]}, cost decimal {aggregation: sum, unit: EUR}, currency string {values: [EUR, USD]}, wait_days integer {aggregation: average, expression: done_on - started_on})
  bills: main.bills (bill_id integer key, repair_id integer, issued_on date time, paid_on date)
  lockers: main.lockers (locker_id integer key, built_year integer {aggregation: none}, zone string {values: [A]})
relationships:
  - {name: helper, from: members.helper_id, to: helpers.helper_id}
  - {name: desk, from: keepers.desk_id, to: desks.desk_id}
  - {from: keepers.member_id, to: members.member_id}
  - {name: pass_desk, from: passes.desk_id, to: desks.desk_id}
  - {from: passes.member_id, to: members.member_id}
  - {from: [passes.desk_id, passes.member_id], to: [keepers.desk_id, keepers.member_id]}
  - {name: fined_desk, from: fines.desk_id, to: desks.desk_id}
  - {from: fines.member_id, to: members.member_id}
  - {name: repaired_desk, from: repairs.desk_id, to: desks.desk_id}
  - {name: repair, from: bills.repair_id, to: repairs.repair_id}
metrics:
  repair_count: {expression: count(*), dataset: repairs, synonyms: [number of repairs], filter: repairs.status <> 'void'}
  spent: {expression: sum(repairs.cost), time_field: repairs.done_on, unit: EUR}
  fined: {expression: sum(fines.amount), synonyms: [levies]}
  paid: {expression: sum(fines.amount), synonyms: [receipts], filter: fines.paid_on is not null, time_field: fines.paid_on}
  arrears: {expression: metric(fined) - metric(paid)}
  high_scores: {expression: sum(case when members.quiz_score >= 70 then 1 else 0 end)}
definitions:
  - {term: risky member, meaning: A member with a score of at least 70., filter: members.quiz_score >= 70}
  - {term: older member, meaning: A gold member who was born in 1980 or 1981., filter: "members.birth_year in (1980, 1981) and members.segment = 'gold'"}
  - {term: tested, meaning: A member with a quiz score., filter: members.quiz_score is not null}
  - {term: shut, meaning: A room that was closed., filter: rooms.closed_on is not null}
  - {term: ordinary, meaning: A member without the gold segment., filter: members.segment <> 'gold'}
  - {term: unstarted, meaning: A repair that no one has started., filter: repairs.started_on is null}
  - {term: late, meaning: A repair that took more than 5 days., filter: repairs.wait_days > 5}
`;
const FESTIVAL = `
name: festival
title: Festival
description: Talks, their authors and the reviews of the talks.
connection: library
timezone: UTC
datasets:
  towns: main.towns (town_id integer key, town_name string auto, region string {values: [North, South]})
  authors: main.authors (author_id integer key, author_name string auto, birth_region string {values: [North, South]}, quiz_score integer {aggregation: average}, is_vegan boolean)
  talks: main.talks (talk_id integer key, title string auto)
  listeners: main.listeners (talk_id integer key, author_id integer key)
  reviews: main.reviews (review_id integer key, state string {values: [rejected, printed], synonyms: [verdict]}, sent_on date time, decided_on date)
  votes: main.votes (vote_id integer key, score integer {aggregation: average})
  fees: main.fees (fee_id integer key, since date time, ends_on date, fee decimal {aggregation: latest})
relationships:
  - {name: town, from: authors.town_id, to: towns.town_id}
  - {name: speaker, from: talks.speaker_id, to: authors.author_id}
  - {name: stage, from: talks.town_id, to: towns.town_id}
  - {name: talk, from: listeners.talk_id, to: talks.talk_id}
  - {name: listener, from: listeners.author_id, to: authors.author_id}
  - {name: reviewer, from: reviews.author_id, to: authors.author_id}
  - {name: reviewed, from: reviews.talk_id, to: talks.talk_id}
  - {name: voter, from: votes.author_id, to: authors.author_id}
  - {name: review, from: votes.review_id, to: reviews.review_id}
  - {name: payee, from: fees.author_id, to: authors.author_id}
metrics:
  northern_talks: {expression: count(talks.talk_id), filter: stage.region = 'North'}
  payroll: {expression: sum(fees.fee), filter: fees.since <= current_date and (fees.ends_on is null or fees.ends_on >= current_date)}
`;
const { ask } = await startDuckdbLens(
  [LENS, FESTIVAL],
  "create table rooms as select n room_id, 'Room ' || n room_name, date '2023-01-01' + n::int * 30 opened_on, case n when 2 then date '2024-06-01' end closed_on from range(1, 6) t(n)",
  "create table helpers as select n helper_id, case n when 3 then 'Adler' else 'Helper ' || n end helper_name from range(1, 4) t(n)",
  "create table members as select n member_id, case n when 7 then 'Adler Beck' else 'Member ' || n end member_name, ['gold', 'basic'][1 + n % 2] segment, ['Bath', 'Leeds'][1 + n % 2] city, 1980 + n % 3 birth_year, case when n > 2 then 60 + 3 * n end quiz_score, 1 + n % 3 helper_id from range(1, 8) t(n)",
  "create table desks as select n desk_id, ['quiet', 'shared'][1 + n % 2] kind from range(1, 5) t(n)",
  "create table keepers as select n desk_id, m member_id, case when m = n then 'main' else 'joint' end as role from range(1, 5) t(n), range(1, 8) u(m) where m - n in (0, 1)",
  'create table passes as select n pass_id, n desk_id, n + 1 member_id from range(1, 5) t(n)',
  "create table fines as select n fine_id, 1 + n % 7 member_id, 1 + n % 4 desk_id, 10 + n amount, date '2023-10-01' + n::int * 20 fined_on, case when n % 3 > 0 then date '2023-11-01' + n::int * 20 end paid_on from range(1, 20) t(n)",
  "create table repairs as select n repair_id, 1 + n % 4 desk_id, date '2023-12-01' + n::int * 9 reported_on, date '2023-12-03' + n::int * 9 started_on, date '2023-12-04' + n::int * 11 done_on, ['open', 'approved', 'refused', 'void'][1 + n % 4] status, 10 * n as cost, ['EUR', 'USD'][1 + n % 2] currency from range(1, 13) t(n)",
  "create table bills as select n bill_id, case when n < 12 then n end repair_id, date '2024-02-01' + n::int issued_on, date '2024-03-01' + n::int paid_on from range(1, 13) t(n)",
  'create table lockers as select n locker_id, 2018 + n % 4 built_year, case when n > 99 then chr(65) end as zone from range(1, 9) t(n)',
  "create table towns as select n town_id, case when n > 2 then 'Twin Town' else 'Town ' || n end town_name, ['North', 'South'][1 + n % 2] region from range(1, 5) t(n)",
  "create table authors as select n author_id, 'Author ' || n author_name, ['North', 'South'][1 + n // 4] birth_region, n % 5 quiz_score, case when n > 2 then n % 2 = 0 end is_vegan, 1 + n % 4 town_id from range(1, 8) t(n)",
  "create table talks as select n talk_id, 'Talk ' || n title, 1 + n % 3 speaker_id, 1 + n % 2 town_id from range(1, 6) t(n)",
  'create table listeners as select n talk_id, m author_id from range(1, 6) t(n), range(2, 5) u(m)',
  "create table reviews as select n review_id, ['rejected', 'printed'][1 + n % 2] state, date '2023-11-01' + n::int * 20 sent_on, date '2023-12-01' + n::int * 20 decided_on, 1 + n % 7 author_id, 1 + n % 5 talk_id from range(1, 9) t(n)",
  'create table votes as select n vote_id, n % 6 score, 1 + n % 7 author_id, 1 + n % 8 review_id from range(1, 20) t(n)',
  "create table fees as select n fee_id, date '2023-01-01' + (n % 2)::int * 365 since, case n when 1 then date '2023-06-30' end ends_on, 100 + n fee, 1 + n % 7 author_id from range(1, 15) t(n)",
);

it.each([
  ['an adjective as an event', 'how many rooms were open on 2023-03-02'],
  ['an adjective as an event of a group', 'number of rooms open per month'],
  ['one date to the metrics that a metric combines', 'arrears in 2024'],
  ['one date to the metrics that a metric combines, in groups', 'arrears by month'],
  ['a period to only the last of two metrics with different dates', 'levies and receipts in 2024'],
  ['a period to only the last of two metrics, in the other order', 'receipts and levies in 2024'],
  ['the year of other rows to metrics with different dates', 'fined and paid by year'],
  ['the verb of other rows to a condition on the rows themselves', 'how many members work in Bath'],
  ['a missing value next to a comparison with it', 'number of members with no quiz score over 80'],
  ['an average of single rows to things of several roles', 'average amount per desk'],
  ['a metric to rows that the metric leaves out', 'number of void repairs'],
  ['a field of other rows to a number of days', 'fines with more than 5 days'],
  ['a definition for other rows to how the rows were paid', 'bills paid late'],
  ['groups to who refused the repairs', 'number of repairs refused by the desk'],
])('doesn’t apply %s', async (_what, q) => {
  expect((await ask(q)).status).toBe('refused');
});

it.each<[q: string, reason: string]>(caseRows(import.meta.dirname, 'states-and-links.jsonl', 'states what may differ'))(
  'states what may differ: %s',
  async (q, reason) => {
    const { status, confidence, checks } = await ask(q);
    expect([status, confidence]).toEqual(['answered', 'partial']);
    expect(checks.map(({ detail }) => detail).join(' ')).toContain(reason);
  },
);

it('ranks by no number of distinct states when one state is required', async () => {
  expect((await ask('reviewer with the most rejected verdicts', 'festival')).status).toBe('refused');
});

it.each([
  // The metric requires a stage in the North, and the condition is about the speaker's town.
  [
    'northern talks in the South',
    'festival',
    'Northern talks where town region is South. The join to towns goes through speaker, town.',
  ],
  // Desks have no names.
  ['number of desks named quiet', 'library', 'Number of desks where kind is quiet.'],
])('answers %s', async (q, lens, sentence) => {
  const { status, scope } = await ask(q, lens);
  expect([status, scope?.sentence]).toEqual(['answered', sentence]);
});

it.each([
  ['a nearer role that the question doesn’t mention', 'number of talks by region', '"region" could be about'],
  ['a nearer role of a name', 'number of talks by town', '"town" could be about'],
  ['pairs next to a role', 'authors without talks', 'Author name without listeners, one row per author.'],
])('asks about %s', async (_what, q, question) => {
  const { status, clarification } = await ask(q, 'festival');
  expect([status, clarification?.message]).toEqual(['clarification', expect.stringContaining(question)]);
});

it.each<[q: string, reason: string]>(
  caseRows(import.meta.dirname, 'states-and-links.jsonl', 'names the other meaning'),
)('names the other meaning: %s', async (q, reason) => {
  const { status, confidence, checks } = await ask(q, 'festival');
  expect([status, confidence]).toEqual(['answered', 'partial']);
  expect(checks.map(({ detail }) => detail).join(' ')).toContain(reason);
});

it('sums a level over the rows that are valid today if the metric keeps only these', async () => {
  const { confidence, data } = await ask('payroll', 'festival');
  expect([confidence, data]).toEqual(['verified', [{ payroll: 1404 }]]);
});

it('applies a period to rows that also have a role', async () => {
  const { status, checks } = await ask('number of rejected reviews in 2024', 'festival');
  expect([status, JSON.stringify(checks)]).toEqual(['answered', expect.not.stringContaining('did not apply')]);
});

it('counts rows without a value as not meeting a comparison', async () => {
  const { data, scope } = await ask('how many members are not risky members');
  expect(Object.values(data![0]!)).toEqual([3]);
  expect(scope?.sentence).toBe('Number of members not (quiz score is given and quiz score is at least 70).');
});

it('counts no rows without a related row as rows whose related row lacks a value', async () => {
  const { data, scope } = await ask('number of bills of unstarted repairs');
  expect(scope?.sentence).toBe('Number of bills where repair started on is missing and repair repair id is given.');
  expect(Object.values(data![0]!)).toEqual([0]);
});

it.each([
  ['how many rooms were opened in 2023', 'Number of rooms in 2023.'],
  ['fined by year', 'Fined by fined on year.'],
  ['arrears', 'Arrears.'],
  ['high scores', 'High scores.'], // a sum that reads an average only in a condition
  ['fined growth by month', 'Growth of fined by month.'],
  ['total cost in 2024', 'Spent where done on is in 2024.'],
  ['number of open repairs in 2024', 'Repair count in 2024 where status is open.'],
  ['how many members live in Bath', 'Number of members where city is Bath.'],
  // Definitions with a list of values, with a missing value, and with a value that is excluded.
  ['how many tested members live in Bath', 'Number of members where city is Bath and quiz score is given.'],
  ['how many ordinary members are there', 'Number of members where segment is not gold.'],
  ['how many older members are there', 'Number of members where birth year is 1980 or 1981 and segment is gold.'],
])('grades the only meaning verified: %s', async (q, sentence) => {
  const { confidence, scope } = await ask(q);
  expect([confidence, scope?.sentence]).toEqual(['verified', sentence]);
});
