// How often something occurs, a number for different things, measures named again by one word, and rows named by their number.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const harbour = lens('harbour', {
  datasets: [
    dataset(
      'berths',
      ['berth_id'],
      [
        field('berth_id', 'integer'),
        field('berth_number', 'string', { values: ['B1', 'B2'] }),
        field('kind', 'string', { values: ['dry', 'wet'], synonyms: ['berth kind'] }),
        field('pole_count', 'integer', { synonyms: ['poles', 'number of poles'] }),
      ],
    ),
    dataset('owners', ['owner_id'], [field('owner_id', 'integer'), field('remarks', 'string')]),
    dataset(
      'charge_types',
      ['charge_code'],
      [
        field('charge_code', 'string', { values: ['M', 'W'] }),
        field('charge_text', 'string', { values: ['mooring', 'water'], synonyms: ['description'] }),
      ],
    ),
    dataset(
      'charges',
      ['charge_id'],
      [
        field('charge_id', 'integer'),
        field('charge_code', 'string', { values: ['M', 'W'] }),
        field('amount', 'decimal'),
        field('paid_with', 'string', { values: ['card', 'cash'], synonyms: ['means of payment'] }),
        field('charge_start_date', 'date', { synonyms: ['start date'] }),
        field('charge_end_date', 'date', { synonyms: ['end date'] }),
      ],
      { timeField: 'charge_start_date' },
    ),
  ],
  metrics: [],
  relationships: [
    relation('charges', 'berth_id', 'berths', 'berth_id'),
    relation('charges', 'owner_id', 'owners', 'owner_id'),
    relation('charges', 'charge_code', 'charge_types', 'charge_code'),
  ],
});
const read = (question: string): string => {
  const reading = readQuestion({ question, lens: harbour, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  if (reading.kind === 'intent') return intentBrief(reading.intent);
  return reading.kind === 'refused' ? 'refused' : 'asked back';
};

const OFTEN = 'groups | by charges.paid_with | where charges.paid_with is_not_null | order count(charges)';
test.each([
  ['Show the means of payment that occurs most frequently.', `${OFTEN} desc | limit 1`],
  ['Show the means of payment that is used most often', `${OFTEN} desc | limit 1`],
  ['Which means of payment occurs the fewest times?', `${OFTEN} asc | limit 1`],
  ['Which means of payment is the least common?', `${OFTEN} asc | limit 1`],
  ['Show the charge code that occurs the most frequently.', OFTEN.replaceAll('paid_with', 'charge_code')],
  ['Show the description of the charge type that occurs most often', 'by charge_types.charge_text | key charge_types'],
])('what occurs how often is counted where it occurs: %s', (question, brief) => {
  expect(read(question)).toContain(brief);
});

test('how often a thing occurs that nothing refers to, or a name of which there is one each, is not guessed', () => {
  expect(read('Show the berth number that occurs most frequently.')).not.toContain('count(berths)');
  expect(read('Show the remarks that are used most often for water')).toBe('refused');
});

test.each([
  ['Show the average amount of charges for different berth kinds.', 'avg(charges.amount) | by berths.kind'],
  ['Show the maximum and minimum amount of different charge types', 'by charge_types.charge_code | key charge_types'],
  ['Show the number of charges for different owners', 'count(charges) | by owners.owner_id | key owners'],
  ['total amount of charges of each owner', 'sum(charges.amount) | by owners.owner_id | key owners'],
])('a number for different things is one for each of them: %s', (question, brief) => {
  expect(read(question)).toContain(brief);
});

test('different things that are counted or added up are no groups', () => {
  expect(read('number of different owners')).toBe('count(owners)');
  expect(read('total amount of different charges')).not.toContain('key');
});

test.each([
  'Show each berth kind and the corresponding count of berths sorted by the count in descending order.',
  'Sort the berth kinds in descending order of their corresponding number of berths. Return both the berth kinds and counts.',
  'Return each berth kind with the number of berths having that berth kind, in descending order of the number of berths.',
])(
  'a measure named again by its first word, and the group again behind "that", stay what they were: %s',
  (question) => {
    expect(read(question)).toBe('count(berths) | by berths.kind | order #0 desc');
  },
);

test('"the top 3 kinds sorted by their average" are ranked by it, unless the order says the opposite', () => {
  const sorted = 'Show the top 3 berth kinds sorted by the average number of poles in';
  expect(read(`${sorted} descending order.`)).toBe('avg(berths.pole_count) | by berths.kind | order #0 desc | limit 3');
  expect(read(`${sorted} ascending order.`)).toBe('refused');
});

test('the number of a thing names it as well as the thing does, its kind does not', () => {
  expect(read('Return all the berth numbers sorted by the poles')).toBe(
    'list berths | by berths.berth_number | order berths.pole_count asc',
  );
  expect(read('Return the berth number with the largest number of poles.')).toContain('order berths.pole_count desc');
  expect(read('the berth kinds sorted by the poles')).toBe('refused');
  expect(read('the berth kind with the largest number of poles')).toBe('asked back');
});

test('two fields share the words around what tells them apart', () => {
  expect(read('What are the charge start and end dates of the berths with kind dry?')).toBe(
    'list charges | by charges.charge_start_date, charges.charge_end_date | where berths.kind = dry',
  );
});

test('the average amount of rows that have an amount, and more than one of something in words', () => {
  expect(read('average amount of charges')).toBe('avg(charges.amount)');
  expect(read('berths with more than one pole')).toMatch(/where berths.pole_count > 1$/);
});

test('a condition said twice is one', () => {
  expect(read('amounts of charges of dry berths (kind dry)')).not.toBe('refused');
  expect(read('amounts of charges of dry berths (kind wet)')).toBe('refused');
});

test.each([
  ['Count the berths', 'count(berths)'],
  ['Count all the berths with kind dry.', 'count(berths) | where berths.kind = dry'],
  ['Please count the dry berths', 'count(berths) | where berths.kind = dry'],
  ['Count the number of berths', 'count(berths)'],
  ['Count how many berths there are', 'count(berths)'],
  ['Count the different berth kinds', 'count_distinct(berths.kind)'],
  ['Count the berths that have the kind dry or have more than 9 poles', 'count(berths) | where any('],
])('to count things is to count them, not to list them: %s', (question, brief) => {
  expect(read(question)).toContain(brief);
});

test.each([
  ['charges more expensive than 10', 'where charges.amount > 10'],
  ['charges that are less expensive than the average of all charges', 'where charges.amount < avg(charges.amount)'],
  ['charges that have their means of payment recorded as card', 'where charges.paid_with = card'],
  [
    'For each charge, return its start date and means of payment',
    'list charges | by charges.charge_start_date, charges.paid_with',
  ],
  [
    'For each berth kind, give the berth kind and the number of berths of that berth kind',
    'count(berths) | by berths.kind',
  ],
])('ordinary ways to compare, to describe and to ask behind what it is asked of: %s', (question, brief) => {
  expect(read(question)).toContain(brief);
});
