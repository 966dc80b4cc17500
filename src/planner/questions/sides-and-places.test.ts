// What two readings would share: a condition beside an "or", a place whose name ends in a kind of place, a thing that
// another dataset counts in a column; and what a row is called by when others refer to it by a text.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const farms = lens('farms', {
  datasets: [
    dataset(
      'parcels',
      ['parcel_id'],
      [
        field('parcel_id', 'integer', { synonyms: ['number'] }),
        field('plot', 'string', { values: ['Alder Valley', 'Brook', 'Cedar Ridge'] }),
        field('valley', 'string', { values: ['Alder', 'Birch'] }),
        field('soil', 'string', { values: ['Clay', 'Loam'] }),
        field('acres', 'decimal'),
        field('workers', 'integer'),
      ],
    ),
    dataset('crops', ['crop_id'], [field('crop_id', 'integer'), field('crop_name', 'string'), field('plot', 'string')]),
    dataset(
      'workers',
      ['worker_id'],
      [field('worker_id', 'integer'), field('worker_name', 'string'), field('plot', 'string')],
    ),
  ],
  metrics: [],
  relationships: [relation('crops', 'plot', 'parcels', 'plot'), relation('workers', 'plot', 'parcels', 'plot')],
});
const read = (question: string): string => {
  const found = readQuestion({ question, lens: farms, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  if (found.kind === 'intent') return intentBrief(found.intent);
  return found.kind === 'clarification' ? 'asked back' : `refused ${found.words.join()}`;
};

test.each([
  'parcels with soil Clay with acres above 10 or with soil Loam with acres below 5',
  'How many parcels have Clay soil and acres above 10 or have Loam soil and acres below 5?',
])('conditions that may belong to one side of an "or" are not shared out: %s', (question) =>
  expect(read(question)).toMatch(/^refused (?:soil Loam|Loam soil)$/),
);
test.each([
  ['parcels with Clay soil or Loam soil', 'parcels.soil in Clay|Loam'],
  ['parcels in Birch valley with soil Clay or acres above 10', 'any('],
])('an "or" whose sides are plain is read: %s', (question, filter) => expect(read(question)).toContain(filter));

test('a value with the kind of place behind it asks back where both together are another value', () => {
  expect(read('How many crops are in Alder Valley?')).toBe('asked back');
  expect(read('crops in Birch Valley')).toContain('parcels.valley = Birch');
  expect(read('crops in Cedar Ridge')).toContain('parcels.plot = Cedar Ridge');
});

test('things that a named dataset counts in a column are not counted as rows', () => {
  expect(read('How many workers are on the parcels?')).toMatch(/^refused/);
  expect(read('How many workers are there?')).toBe('count(workers)');
});

test('"for different" things of another dataset are not left out of a listing', () => {
  expect(read('What are the names of the workers for different parcels?')).toMatch(/^refused/);
  expect(read('What is the number of crops for different parcels?')).toContain('count(crops) | by parcels.plot');
});

test('the text that others refer to a row by names it', () => {
  expect(read('Which parcel has the most crops?')).toContain('by parcels.plot');
  expect(read('List the crop names and parcels of all crops.')).toContain('by crops.crop_name, parcels.plot');
});
