// "every", "all" and "never" said of what belongs to a thing: one related row that is so, or is not there, doesn't tell.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const festival = lens('festival', {
  datasets: [
    dataset('artists', ['artist_id'], [field('artist_id', 'integer'), field('artist_name', 'string')]),
    dataset(
      'stages',
      ['stage_id'],
      [
        field('stage_id', 'integer'),
        field('stage_name', 'string'),
        field('stage_type', 'string', { values: ['open air', 'indoor'] }),
      ],
    ),
    dataset(
      'performances',
      ['performance_id'],
      [
        field('performance_id', 'integer'),
        field('starts_on', 'date'),
        field('status', 'string', { values: ['planned', 'played', 'cancelled'] }),
      ],
      { timeField: 'starts_on' },
    ),
    dataset('sponsors', ['sponsor_id'], [field('sponsor_id', 'integer'), field('sponsor_name', 'string')]),
  ],
  metrics: [],
  relationships: [
    relation('performances', 'artist_id', 'artists', 'artist_id'),
    relation('performances', 'stage_id', 'stages', 'stage_id'),
    relation('stages', 'sponsor_id', 'sponsors', 'sponsor_id'),
  ],
});
const read = (question: string) => {
  const reading = readQuestion({ question, lens: festival, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  return reading.kind === 'intent' ? intentBrief(reading.intent) : reading.kind;
};

test.each([
  'Which artists have played on every open air stage?',
  'artists who played on all the open air stages',
  'artists that performed on each stage',
  'artists with performances at every indoor stage',
  'how many artists performed on every stage',
  'artists all of whose performances were cancelled',
  'stages used by every artist',
])('what holds for all related rows is not what holds for one: %s', (question) => {
  expect(read(question)).toBe('refused');
});

test('what is missing is missing to the thing it is said of', () => {
  expect(read('performances of artists who never had a stage')).toBe('refused');
});
test('what each row leads to may be missing', () => {
  expect(read('how many performances are without a stage')).toBe('count(performances) | where stages.stage_id is_null');
});

test.each([
  ['How many performances started in each year from 2020 on?', 'performances.starts_on >= 2020-01-01'],
  ['number of performances per month since 2021', 'performances.starts_on >= 2021-01-01'],
  ['number of performances per month in 2021', 'time performances.starts_on 2021-01-01..2022-01-01'],
])('a period that goes on has no end: %s', (question, said) => expect(read(question)).toContain(said));
test('"per month from 2021" is of that year or from then on', () => {
  expect(read('number of performances per month from 2021')).toBe('refused');
});
