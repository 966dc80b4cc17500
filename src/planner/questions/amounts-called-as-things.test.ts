// Rows that hold a number of what they are called after, and places written with the place around them.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const parks = lens('parks', {
  datasets: [
    dataset(
      'parks',
      ['park_id'],
      [
        field('park_id', 'integer'),
        field('park_name', 'string', { values: ['Oakley', 'Fenwood'] }),
        field('town', 'string', { values: ['Lund', 'Sund', 'Halm', 'Gill'] }),
        field('county', 'string', { values: ['Halm', 'Gill'] }),
      ],
    ),
    dataset(
      'trees',
      ['park_id', 'year'],
      [
        field('park_id', 'integer'),
        field('year', 'integer'),
        field('trees', 'integer', { synonyms: ['trees planted'] }),
      ],
    ),
    dataset(
      'lawn_fees',
      ['park_id', 'year'],
      [field('park_id', 'integer'), field('year', 'integer'), field('lawn_fee', 'decimal')],
    ),
    dataset(
      'benches',
      ['bench_id'],
      [field('bench_id', 'integer'), field('park_id', 'integer'), field('wood', 'string', { values: ['oak', 'elm'] })],
    ),
  ],
  metrics: [],
  relationships: [
    relation('lawn_fees', 'park_id', 'parks', 'park_id'),
    relation('trees', 'park_id', 'parks', 'park_id'),
    relation('benches', 'park_id', 'parks', 'park_id'),
  ],
});
const read = (question: string): string => {
  const reading = readQuestion({ question, lens: parks, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  if (reading.kind === 'intent') return intentBrief(reading.intent);
  return reading.kind === 'refused' ? `refused ${reading.message}` : reading.clarification.message;
};

test('a number kept in a column called like its rows is added up, never counted by rows', () => {
  expect(read('How many trees did Oakley have in 2010?')).toBe(
    'sum(trees.trees) | where parks.park_name = Oakley & trees.year = 2010',
  );
  expect(read('Which park has the most trees?')).toContain('order sum(trees.trees) desc | limit 1');
  expect(read('names of the parks with more than 500 trees')).toBe(
    'groups | by parks.park_name | key parks | where parks.park_id is_not_null | having sum(trees.trees) > 500',
  );
});
test('things without such a column are counted by their rows', () => {
  expect(read('How many benches does Oakley have?')).toBe('count(benches) | where parks.park_name = Oakley');
  expect(read('names of the parks with more than 5 benches')).toBe(
    'list parks | by parks.park_name | where some benches > 5',
  );
});
test('the amount is shown where the one amount is asked for, and amounts of money are not what how many adds up', () => {
  expect(read('What is the lawn fee of Oakley in 2010?')).toBe(
    'list lawn_fees | by lawn_fees.lawn_fee | where parks.park_name = Oakley & lawn_fees.year = 2010',
  );
  expect(read('How many lawn fees are there?')).toBe('count(lawn_fees)');
  expect(read('total lawn fee by year')).toBe('sum(lawn_fees.lawn_fee) | by lawn_fees.year');
});
test('a key of what may have both values is not listed for either', () => {
  expect(read('Show the park id of benches with wood oak and elm')).toContain('both at once or either');
  expect(read('Show the park id of benches with wood oak or elm')).toBe(
    'list benches | by benches.park_id | where benches.wood in oak|elm',
  );
});
test('years behind a verb are no numbers of what the verb is about', () => {
  expect(read('How many trees were planted between 1998 and 2002?')).not.toContain('trees.trees between');
});

test('a place with the place around it is no list of two places', () => {
  expect(read('parks in Lund, Halm')).toContain('refused');
  expect(read('parks in Lund, Halm or in Sund, Gill')).toContain('refused');
  expect(read('parks in Lund, Sund')).toBe('list parks | by parks.park_name | where parks.town in Lund|Sund');
  expect(read('parks in Lund, Sund or Halm')).toBe(
    'list parks | by parks.park_name | where parks.town in Lund|Sund|Halm',
  );
});
