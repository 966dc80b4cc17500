// One number over all, or one for each; who did something; what a thing is called.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const mills = lens('mills', {
  datasets: [
    dataset(
      'mills',
      ['mill_id'],
      [
        field('mill_id', 'integer'),
        field('mill_name', 'string', { values: ['Upper', 'Lower'], synonyms: ['name'] }),
        field('workers', 'integer', { synonyms: ['number of workers'] }),
        field('valley', 'string', { values: ['Elm', 'Ash'] }),
      ],
    ),
    dataset(
      'bakers',
      ['baker_id'],
      [
        field('baker_id', 'integer'),
        field('first_name', 'string', { values: ['Ida'] }),
        field('last_name', 'string', { values: ['Holm'] }),
        field('no_of_orders', 'integer', { synonyms: ['number of orders'] }),
      ],
    ),
    dataset(
      'orders',
      ['order_id'],
      [
        field('order_id', 'integer'),
        field('amount', 'decimal', { synonyms: ['flour supplied'] }),
        field('flour', 'string', { values: ['Rye', 'Spelt'] }),
      ],
    ),
  ],
  metrics: [],
  relationships: [
    relation('orders', 'mill_id', 'mills', 'mill_id'),
    relation('orders', 'baker_id', 'bakers', 'baker_id'),
  ],
});
const read = (question: string): string => {
  const reading = readQuestion({ question, lens: mills, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  if (reading.kind === 'intent') return intentBrief(reading.intent);
  return reading.kind === 'refused' ? `refused ${reading.message}` : reading.clarification.message;
};

test('a total or an average across the things that have it is one number', () => {
  expect(read('What is the average number of workers across mills?')).toBe('avg(mills.workers)');
  expect(read('What is the total number of workers across the mills in the Elm valley?')).toBe(
    'sum(mills.workers) | where mills.valley = Elm',
  );
});

test('"across all" of what rows lead to is one number over the rows that lead to it', () => {
  expect(read('total amount across all mills')).toBe('sum(orders.amount) | where mills.mill_id is_not_null');
  expect(read('What is the average amount across all mills in the Ash valley?')).toBe(
    'avg(orders.amount) | where mills.valley = Ash',
  );
});

test('across things that rows merely lead to may be one number or one for each, so that is asked', () => {
  expect(read('What is the total amount across mills?')).toContain('Say "across all mills" or "for each of them"');
  expect(read('total amount across each of the mills')).not.toContain('sum(orders.amount) | where');
});

test('the amount of a thing is its own, not the number of those things that another has', () => {
  expect(read('What is the total amount of orders?')).toBe('sum(orders.amount)');
  expect(read('What is the total number of orders of all bakers?')).not.toContain('sum(orders.amount)');
});

test('who did something in the plural is no grouping, one of them for each is', () => {
  expect(read('What is the total flour supplied by mills in the Elm valley?')).toBe(
    'sum(orders.amount) | where mills.valley = Elm',
  );
  expect(read('total amount of orders provided by mills in the Elm valley')).toBe(
    'sum(orders.amount) | where mills.valley = Elm',
  );
  expect(read('total amount of orders provided by each mill')).toBe(
    'sum(orders.amount) | by mills.mill_name | key mills',
  );
  expect(read('total amount of orders by mill')).toBe('sum(orders.amount) | by mills.mill_name | key mills');
});

test('verbs that say no more than that two things belong together read as their relationship', () => {
  const some = 'list mills | by mills.mill_name | where some orders (orders.flour = Rye)';
  expect(read('names of the mills that provide Rye orders')).toBe(some);
  expect(read('Which mills have offered an order of Rye?')).toContain('where some orders (orders.flour = Rye)');
  expect(read('How many orders did Ida Holm make?')).toBe(
    'count(orders) | where bakers.first_name = Ida & bakers.last_name = Holm',
  );
  expect(read('the number of orders made by Ida Holm')).toBe(
    'count(orders) | where bakers.first_name = Ida & bakers.last_name = Holm',
  );
  expect(read('bakers who have taken out more than one order')).toContain('where some orders > 1');
  expect(read('names of the mills that provided some orders')).toBe(
    'list mills | by mills.mill_name | where some orders',
  );
});

test('the full name of what has no first and last name is what it is called', () => {
  expect(read("List the mill's full name and valley.")).toBe('list mills | by mills.mill_name, mills.valley');
  expect(read('the full names of the mills')).toBe('list mills | by mills.mill_name');
  expect(read('the full names of the bakers')).toBe('list bakers | by bakers.first_name, bakers.last_name');
});
