// Verbs that name one of two places or dates, kinds said by their own noun, what ever or never was, fields called maximum,
// and two fields under one aggregate.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const ferries = lens('ferries', {
  datasets: [
    dataset(
      'harbours',
      ['harbour_id'],
      [
        field('harbour_id', 'integer'),
        field('harbour_name', 'string', { values: ['Old Quay', 'New Quay'] }),
        field('town', 'string', { values: ['Skagen', 'Visby', 'Mo'] }),
        field('depth', 'decimal'),
        field('width', 'decimal'),
        field('max_draught', 'decimal', { synonyms: ['maximum draught'] }),
        field('berth_type', 'string', { values: ['deep', 'tidal'] }),
        field('berths', 'integer'),
      ],
    ),
    dataset(
      'crossings',
      ['crossing_id'],
      [
        field('crossing_id', 'integer'),
        field('start_date', 'date'),
        field('end_date', 'date'),
        field('min_speed', 'decimal', { synonyms: ['minimum speed'] }),
      ],
      { timeField: 'start_date' },
    ),
    dataset(
      'soundings',
      ['harbour_id', 'taken_on'],
      [field('harbour_id', 'integer'), field('taken_on', 'date'), field('boats_moored', 'integer')],
    ),
  ],
  metrics: [],
  relationships: [
    relation('crossings', 'start_harbour_id', 'harbours', 'harbour_id', 'start_harbour'),
    relation('crossings', 'end_harbour_id', 'harbours', 'harbour_id', 'end_harbour'),
    relation('soundings', 'harbour_id', 'harbours', 'harbour_id'),
  ],
});
const read = (question: string): string => {
  const reading = readQuestion({ question, lens: ferries, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  if (reading.kind === 'intent') return intentBrief(reading.intent);
  return reading.kind === 'refused' ? `refused ${reading.message}` : reading.clarification.message;
};

test.each([
  ['How many crossings ended in Visby?', 'count(crossings) | where end_harbour.town = Visby'],
  ['How many crossings did not end in Visby?', 'count(crossings) | where end_harbour.town != Visby or null'],
  ['How many crossings began in Skagen?', 'count(crossings) | where start_harbour.town = Skagen'],
  ['number of crossings that finished in Mo', 'count(crossings) | where end_harbour.town = Mo'],
  [
    'How many crossings started in Skagen and ended in Visby?',
    'count(crossings) | where start_harbour.town = Skagen & end_harbour.town = Visby',
  ],
  ['How many crossings began in May 2023?', 'count(crossings) | time crossings.start_date 2023-05-01..2023-06-01'],
  [
    'How many crossings were finished in May 2023?',
    'count(crossings) | time crossings.end_date 2023-05-01..2023-06-01',
  ],
])('%s', (question, expected) => {
  expect(read(question)).toBe(expected);
});
test('a place without a verb is asked about; with both verbs no answer to that question would be one', () => {
  expect(read('How many crossings in Visby?')).toContain('start_harbour.town or end_harbour.town');
  expect(read('How many crossings started and ended in Visby?')).toContain('refused');
});

test.each([
  ['How many harbours have a deep berth?', 'count(harbours) | where harbours.berth_type = deep'],
  [
    'names of harbours with deep or tidal berths',
    'list harbours | by harbours.harbour_name | where harbours.berth_type in deep|tidal',
  ],
  [
    'names of harbours without a tidal berth',
    'list harbours | by harbours.harbour_name | where harbours.berth_type != tidal or null',
  ],
])('%s: a kind said by its own noun', (question, expected) => {
  expect(read(question)).toBe(expected);
});
test('the things themselves are not counted by the rows of their kind', () => {
  expect(read('How many deep berths are there?')).not.toContain('count(harbours)');
});

const some = (rest: string): string => `list harbours | by harbours.harbour_name | where ${rest}`;
test.each([
  ['names of harbours that ever had 9 boats moored', some('some soundings (soundings.boats_moored = 9)')],
  ['names of harbours that never had more than 9 boats moored', some('no soundings (soundings.boats_moored > 9)')],
  [
    'names of harbours that have a depth above 4 and never had boats moored below 2',
    some('harbours.depth > 4 & no soundings (soundings.boats_moored < 2)'),
  ],
  [
    'names of harbours with both a depth above 4 and a width above 30',
    some('harbours.depth > 4 & harbours.width > 30'),
  ],
])('%s', (question, expected) => {
  expect(read(question)).toBe(expected);
});
test('without "ever" a number of related rows may be one or all together', () => {
  expect(read('names of harbours with more than 9 boats moored')).toContain('the total boats moored of each or');
});

test.each([
  [
    'Which harbour has the maximum draught?',
    'list harbours | by harbours.harbour_name | order harbours.max_draught desc | limit 1',
  ],
  [
    'start dates of the crossings with the minimum speed',
    'list crossings | by crossings.start_date | order crossings.min_speed asc | limit 1',
  ],
  ['names of harbours with a maximum draught above 6', some('harbours.max_draught > 6')],
  [
    'end dates of the crossings when the minimum speed was below 3',
    'list crossings | by crossings.end_date | where crossings.min_speed < 3',
  ],
  [
    'What is the average depth and width of harbours in Mo?',
    'avg(harbours.depth), avg(harbours.width) | where harbours.town = Mo',
  ],
  ['average depth and width per town', 'avg(harbours.depth), avg(harbours.width) | by harbours.town'],
])('%s', (question, expected) => {
  expect(read(question)).toBe(expected);
});
test('a field with an article of its own is not taken under the aggregate before it', () => {
  expect(read('the average depth and the width for each town')).not.toContain('avg(harbours.width)');
});
