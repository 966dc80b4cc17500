// A word that restricts is never passed over: what happened to things, when, and of which of them, or there is no answer.
import { describe, expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, metric, relation, superstore } from '../../../test/support/planner-lenses.ts';
import type { Lens } from '../../lens/model/lens.ts';
import { readQuestion } from '../read-question.ts';

const workshop = lens('workshop', {
  datasets: [
    dataset(
      'owners',
      ['owner_id'],
      [
        field('owner_id', 'integer'),
        field('first_name', 'string', { values: ['Ida', 'Max'] }),
        field('last_name', 'string', { values: ['Berg', 'Lund'] }),
        field('risk_class', 'string', { values: ['low', 'high'] }),
        field('postal_code', 'string'),
      ],
    ),
    dataset(
      'cars',
      ['car_id'],
      [field('car_id', 'integer'), field('plate', 'string', { synonyms: ['name'] }), field('owner_id', 'integer')],
    ),
    dataset(
      'repairs',
      ['repair_id'],
      [
        field('repair_id', 'integer'),
        field('car_id', 'integer'),
        field('hours', 'decimal'),
        field('started_on', 'date'),
        field('invoiced_on', 'date'),
      ],
      { timeField: 'started_on' },
    ),
    dataset(
      'balances',
      ['balance_id'],
      [field('balance_id', 'integer'), field('owner_id', 'integer'), field('balance', 'decimal')],
    ),
  ],
  relationships: [
    relation('cars', 'owner_id', 'owners', 'owner_id'),
    relation('repairs', 'car_id', 'cars', 'car_id'),
    relation('balances', 'owner_id', 'owners', 'owner_id'),
  ],
  metrics: [metric('repair_count', 'count(repairs.repair_id)', 'repairs', { synonyms: ['number of repairs'] })],
});
const readOf =
  (over: Lens) =>
  (question: string): string => {
    const found = readQuestion({ question, lens: over, choices: {}, now: new Date('2024-12-31T12:00:00Z') });
    return found.kind === 'intent' ? intentBrief(found.intent) : found.kind;
  };
const read = readOf(workshop);

describe('a verb with nothing behind it restricts what it stands behind', () => {
  test.each([
    'How many repairs were paid?',
    'How many cars were sold?',
    'cars that were rated',
    'How many owners were fired?',
    'owners fired',
    'cars that were posted',
  ])('%s', (question) => expect(read(question)).toBe('refused'));
  test.each(['How many orders were paid?', 'How many orders were paid in 2016?', 'orders paid', 'customers served'])(
    'of orders: %s',
    (question) => expect(readOf(superstore)(question)).toBe('refused'),
  );
  test.each([
    ['How many repairs were carried out in 2023?', 'repair_count | time repairs.started_on 2023-01-01..2024-01-01'],
    ['How many repairs were invoiced in 2023?', 'repair_count | time repairs.invoiced_on 2023-01-01..2024-01-01'],
  ])('but not where nothing would be there without it: %s', (question, brief) => expect(read(question)).toBe(brief));
  test('nor where it is what the rows are', () => {
    expect(readOf(superstore)('How many orders were placed?')).toBe('order_count');
    expect(readOf(superstore)('How many orders were placed in 2016?')).toBe(
      'order_count | time orders.order_date 2016-01-01..2017-01-01',
    );
  });
});

describe('a period is about something that is asked for', () => {
  test.each([
    'Find the plates of the cars in 2015 whose repairs took more than 3 hours.',
    'owners in 2015 whose balance is above the average balance',
  ])('%s', (question) => expect(read(question)).not.toMatch(/^(?!.*2015)list/));
});

describe('a word that may describe any thing describes the one it stands beside', () => {
  test.each([
    ['How many high owners are there?', 'count(owners) | where owners.risk_class = high'],
    ['cars of owners that are high', 'list cars | by cars.plate | where owners.risk_class = high'],
    [
      'repairs of high risk class',
      'list repairs | by repairs.repair_id, repairs.car_id, repairs.hours, repairs.started_on, repairs.invoiced_on | where owners.risk_class = high',
    ],
  ])('%s', (question, brief) => expect(read(question)).toBe(brief));
  test.each([
    'How many high cars are there?',
    'number of high repairs',
    'owners with high balance',
    'How many repairs are high?',
    'number of high repairs by owner',
  ])('and no other: %s', (question) => expect(read(question)).toBe('refused'));
});

describe('a period in front of all is not taken for when the things came to be', () => {
  test.each([
    'In 2023, which cars had more than 2 repairs?',
    'In 2023, how many cars had no repairs?',
    'In 2023, which owners have cars that were in more than 3 repairs?',
  ])('%s', (question) => expect(read(question)).toBe('refused'));
  test('but for what is asked about', () => {
    const found = 'repair_count | time repairs.started_on 2023-01-01..2024-01-01';
    expect(read('In 2023, how many repairs were there?')).toBe(found);
    expect(read('In 2023, how many repairs were there')).toBe(found);
  });
});

test('a question means the same with and without its question mark', () => {
  for (const question of [
    'How many repairs in total',
    'list the plates in descending order',
    'How many cars are on file',
  ]) {
    expect(read(question)).not.toBe('refused');
    expect(read(`${question}?`)).toBe(read(question));
  }
});

test('a first and a last name make nothing first or last', () => {
  for (const question of ['first owners', 'How many last owners are there?', 'number of cars per first owner'])
    expect(read(question)).toBe('refused');
  expect(read('first names of owners')).toBe('list owners | by owners.first_name');
});

describe('polite words are polite where they stand as such', () => {
  test.each([
    'I want to see the number of repairs',
    "I'd like to know the number of repairs",
    'We would like the number of repairs.',
    'Could you please find out the number of repairs?',
  ])('%s', (question) => expect(read(question)).toBe('repair_count'));
  test.each(['What would the number of repairs be?', 'number of repairs like these', 'number of repairs out of order'])(
    'and no filler elsewhere: %s',
    (question) => expect(read(question)).toBe('refused'),
  );
});

test('a year in front of those at the top is no number of them', () => {
  const sold = readOf(superstore);
  expect(sold('top 20 states by revenue')).toContain('limit 20');
  for (const question of [
    '2016 top states by revenue',
    'top 2016 states by revenue',
    'What is paid revenue by region?',
  ])
    expect(sold(question)).toBe('refused');
});

test.each(['cars whose repairs were all in 2023', 'cars with repairs only in 2023'])(
  'what holds for each of them holds for one, and none is otherwise: %s',
  (question) =>
    expect(read(question)).toBe(
      'list cars | by cars.plate | where some repairs (repairs.started_on >= 2023-01-01 & repairs.started_on < 2024-01-01) & no repairs (any(repairs.started_on < 2023-01-01 ; repairs.started_on >= 2024-01-01 ; repairs.started_on is_null))',
    ),
);

describe('what holds for every one of them, or until then, is not what holds for some, or in it', () => {
  test.each([
    'owners with all cars',
    'cars whose latest repair was in 2023',
    'How many repairs were started by 2023?',
    'number of cars with repairs per year',
    'cars with repairs in every month of 2023',
    'How many cars and how many repairs are there?',
  ])('%s', (question) => expect(read(question)).toBe('refused'));
  test.each([
    ['repairs per year', 'repair_count | by repairs.started_on.year'],
    ['How many repairs were started in 2023?', 'repair_count | time repairs.started_on 2023-01-01..2024-01-01'],
  ])('%s', (question, brief) => expect(read(question)).toBe(brief));
});

test('namesakes are one group by their name, and told apart as persons', () => {
  expect(read('number of cars by owner last name')).toBe('count(cars) | by owners.last_name');
  expect(read('number of cars by owner')).toBe('count(cars) | by owners.first_name, owners.last_name | key owners');
});
