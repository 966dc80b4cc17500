// Questions about rows that are parts of an entity, about names that don't identify a row, and about the first rows by
// a date. Outside authors found wrong verified answers to such questions.
import { expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { startDuckdbLens } from '../support/duckdb-lens.ts';

const LENS = `
name: hangar
title: Hangar
description: Gliders and their repairs.
connection: hangar
timezone: UTC
datasets:
  gliders: main.gliders (glider_id integer key, type_name string auto, seats integer {aggregation: average}, delivered date time, sold_on date, cause_cd string {values: [ST, NG]}, status string {values: [{value: SLD, synonyms: [sold]}, AVL]})
  repairs: main.repairs (repair_no integer key, part_no integer key, glider_id integer, cost decimal {aggregation: sum}, payer_name string auto {synonyms: [payer, payers]})
  inspections: main.inspections (inspection_id integer key, glider_id integer, st_cd string {values: [ERL, OFF]}, condition string {values: [new, used]}, done_by string {values: [owner, pilot]})
  pilots: main.pilots (pilot_id integer key, pilot_name string auto)
  checks: main.checks (check_no integer key, revision integer key)
  engineers: main.engineers (engineer_id integer key, first_name string auto, last_name string auto)
  owners: main.owners (owner_key integer key, owner_no string, owner_name string auto, segment string {values: [club, school]}, valid_from date, valid_to date, is_current boolean)
  hires: main.hires (hire_id integer key, hours integer {aggregation: sum})
  works: main.works (work_id integer key, title string auto)
  shifts: main.shifts (shift_id integer key)
metrics: {inspection_count: {expression: count(inspections.inspection_id), synonyms: [number of inspections]}, off_count: {expression: count(inspections.inspection_id), filter: "inspections.st_cd = 'OFF'"}, work_count: {expression: count(distinct works.work_id), synonyms: [number of works]}}
relationships:
  - {name: lead, from: works.lead_id, to: engineers.engineer_id}
  - {name: checker, from: works.checker_id, to: engineers.engineer_id}
  - {from: shifts.engineer_id, to: engineers.engineer_id}
  - {from: shifts.work_id, to: works.work_id}
  - {from: inspections.engineer_id, to: engineers.engineer_id}
  - {from: inspections.glider_id, to: gliders.glider_id}
  - {from: inspections.pilot_id, to: pilots.pilot_id}
  - {from: repairs.glider_id, to: gliders.glider_id}
  - {from: hires.owner_key, to: owners.owner_key}
`;
const { ask } = await startDuckdbLens(
  [LENS],
  'create table gliders (glider_id int primary key, type_name varchar, seats int, delivered date, cause_cd varchar, sold_on date, status varchar)',
  "insert into gliders select n, ['Alpha', 'Beta', 'Gamma'][1 + n % 3], 1 + n % 2, date '2020-01-01' + (n % 10)::int, ['ST', 'NG'][1 + n % 2], case when n < 6 then date '2020-02-01' + n::int end, case when n < 8 then 'SLD' else 'AVL' end from range(1, 31) t(n)",
  'create table repairs (repair_no int, part_no int, glider_id int, cost decimal(8, 2), payer_name varchar, primary key (repair_no, part_no))',
  "insert into repairs select n // 3, n % 3, 1 + n // 6, n, 'Ltd ' || n % 4 from range(0, 60) t(n)",
  'create table inspections (inspection_id int primary key, glider_id int, st_cd varchar, condition varchar, done_by varchar, pilot_id int, engineer_id int)',
  "insert into inspections select n, 1 + n % 20, ['ERL', 'OFF'][1 + n % 2], ['new', 'used'][1 + n % 2], ['owner', 'pilot'][1 + n % 2], 1 + n % 3, 1 + n % 3 from range(0, 50) t(n)",
  'create table engineers (engineer_id int primary key, first_name varchar, last_name varchar)',
  "insert into engineers values (1, 'Cy', 'Lee'), (2, 'Di', 'Lee'), (3, 'Ed', 'Ray')",
  'create table works (work_id int primary key, title varchar, lead_id int, checker_id int)',
  "insert into works values (1, 'Overhaul', 1, 2), (2, 'Painting', 3, 1)",
  'create table shifts (shift_id int primary key, engineer_id int, work_id int)',
  'insert into shifts values (1, 3, 1), (2, 3, 2), (3, 1, 2)',
  'create table pilots (pilot_id int primary key, pilot_name varchar)',
  "insert into pilots values (1, 'Ann Lee'), (2, 'Ann Lee'), (3, 'Bo Day')",
  'create table checks (check_no int, revision int, primary key (check_no, revision))',
  'insert into checks select n, 1 from range(0, 8) t(n)',
  'create table owners (owner_key int primary key, owner_no varchar, owner_name varchar, segment varchar, valid_from date, valid_to date, is_current boolean)',
  "insert into owners select n, 'O' || (n // 2), 'Owner ' || (n // 2), ['club', 'school'][1 + n % 3 // 2], date '2020-01-01' + n::int, case when n % 2 = 0 then date '2021-01-01' end, n % 2 = 1 from range(0, 10) t(n)",
  'create table hires (hire_id int primary key, owner_key int, hours int)',
  'insert into hires select n, n % 7, n from range(0, 30) t(n)',
);
const countedOnce = ({ checks }: Envelope) => checks.find(({ name }) => name === 'counted_once');

it('groups by a name that isn’t the name of a row', async () => {
  const { confidence, data } = await ask('average seats by type name');
  expect([confidence, data?.length]).toEqual(['verified', 3]);
});

it('never confuses the first rows of each day with “the first 5 gliders by delivered”', async () => {
  for (const q of ['first 5 gliders by delivered', 'glider ids of the first 5 gliders by delivered']) {
    expect([q, (await ask(q)).status]).toEqual([q, 'refused']);
  }
});

it('says that the rows which name an entity may not name all of them', async () => {
  const detail = 'svc knows only the payer name values that occur in repairs.';
  for (const q of ['how many payers do we have', 'list the payers']) {
    const { confidence, checks } = await ask(q);
    expect([q, confidence, checks.map((check) => check.detail)]).toEqual([
      q,
      'partial',
      expect.arrayContaining([detail]),
    ]);
  }
  const different = await ask('how many different payers are there');
  expect([different.confidence, different.data]).toEqual(['verified', [{ count_distinct_payer_name: 4 }]]);
});

it('never takes a verb about an entity for a link to the rows that name it', async () => {
  expect((await ask('which payers used Alpha')).status).toBe('refused');
});

it.each([
  ['how many repairs', 'repairs has 60 rows but only 20 different values of repair_no, and the answer uses every row.'],
  ['which type name has the most repairs', 'repairs has 60 rows but only 20 different values of repair_no'],
  ['how many gliders have exactly 1 repair', 'repairs has 60 rows but only 20 different values of repair_no'],
  ['how many gliders have at least 4 repairs', 'repairs has 60 rows but only 20 different values of repair_no'],
  ['how many owners', 'owners has 10 rows but only 5 different values of owner_no'],
  ['owner with the most hires', 'owners has 10 rows but only 5 different values of owner_no'],
  ['total hours by owner', 'owners has 10 rows but only 5 different values of owner_no'],
  ['list the owners', 'owners has 10 rows but only 5 different values of owner_no'],
])('warns that each row is only a part of a counted thing: %s', async (q, detail) => {
  const answer = await ask(q);
  expect([answer.status, answer.confidence]).toEqual(['answered', 'partial']);
  expect(countedOnce(answer)).toMatchObject({ outcome: 'fail', detail: expect.stringContaining(detail) });
  expect(answer.warnings.join(' ')).toContain(detail);
});

it.each(['how many owners where is current', 'total hours by segment'])(
  'doesn’t warn about versions if one is left, or if no owner is counted: %s',
  async (q) => expect(await ask(q)).toMatchObject({ status: 'answered', confidence: 'verified' }),
);

it.each([
  'average number of inspections per glider',
  'lowest number of inspections per glider',
  'gliders with inspection count below 3',
  'bottom 10 gliders by number of inspections',
])('warns that some groups without rows are left out: %s', async (q) => {
  const answer = await ask(q);
  expect([answer.status, answer.confidence, answer.answer]).toEqual(['answered', 'partial', expect.anything()]);
  expect(answer.warnings).toContain('svc leaves out gliders without matching inspections: 10.');
});
it.each([
  ['bottom 3 gliders by off count', 'svc may leave out gliders without matching inspections.'],
  ['average number of works per lead', 'svc leaves out engineers without matching works: 1.'],
])('counts the groups in their role, and says if it can’t count them: %s', async (q, detail) => {
  const { confidence, checks } = await ask(q);
  expect(checks.find(({ name }) => name === 'groups_complete')?.detail).toBe(detail);
  expect(confidence).toBe('partial');
});
it('doesn’t warn if groups without rows can’t change the answer', async () => {
  const { status, warnings } = await ask('highest number of inspections per glider');
  expect([status, warnings.join(' ')]).toEqual(['answered', expect.not.stringContaining('leaves out')]);
});

it.each(['inspections of Ann Lee', 'number of inspections of Ann Lee'])(
  'warns that two rows have one name: %s',
  async (q) => {
    const { status, confidence, warnings } = await ask(q);
    expect([status, confidence]).toEqual(['answered', 'partial']);
    expect(warnings).toContain('Several pilots have the name Ann Lee. The answer combines their rows.');
  },
);

it('warns that a last name belongs to several people', async () => {
  const { confidence, warnings } = await ask('number of inspections of Lee');
  expect([confidence, warnings.join(' ')]).toEqual(['partial', expect.stringContaining('have the name Lee')]);
});

it('doesn’t verify a count of values that the question names', async () => {
  expect(await ask('number of new conditions')).toMatchObject({ status: 'answered', confidence: 'partial' });
  expect(await ask('number of conditions')).toMatchObject({ status: 'answered', confidence: 'verified' });
});

it('asks which role is meant if people lead, check and do the work', async () => {
  const { clarification } = await ask('engineers on Overhaul');
  expect(clarification?.options.map((option) => (typeof option === 'string' ? option : option.label))).toEqual([
    'works.title by lead',
    'works.title by checker',
    'works.title through shifts',
  ]);
});

it('doesn’t verify a stored value that is also the name of a dataset', async () => {
  const confidenceOf = async (q: string) => (await ask(q)).confidence;
  expect(await confidenceOf('number of inspections with a pilot')).toBe('partial');
  expect(await confidenceOf('number of inspections with done by pilot')).toBe('verified');
});

it('reads the name of a field whose first word is a value of another field', async () => {
  expect(await ask('how many inspections with st cd ERL')).toMatchObject({
    confidence: 'verified',
    scope: { filters: [{ field: 'inspections.st_cd', op: '=', values: ['ERL'] }] },
  });
  expect(await ask('number of inspections by st cd')).toMatchObject({ status: 'answered', row_count: 2 });
});

it('applies a period to the date of a state that the lens stores as a code', async () => {
  expect(await ask('how many gliders were sold in February 2020')).toMatchObject({
    status: 'answered',
    scope: { time: { field: 'gliders.sold_on' } },
  });
});

it('verifies a count of rows if each row is a whole thing, and a count of distinct keys', async () => {
  expect(await ask('how many checks')).toMatchObject({ confidence: 'verified' });
  expect(await ask('number of distinct repair no')).toMatchObject({
    status: 'answered',
    data: [{ count_distinct_repair_no: 20 }],
  });
  expect(await ask('how many gliders')).toMatchObject({ confidence: 'verified' });
});
