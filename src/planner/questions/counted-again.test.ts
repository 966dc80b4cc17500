// "List the number and the shelf id" behind a question that counts: the number is the one that was asked for.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const store = lens('store', {
  datasets: [
    dataset(
      'shelves',
      ['shelf_id'],
      [field('shelf_id', 'integer'), field('shelf_name', 'string'), field('number', 'integer')],
      { synonyms: ['shelf'] },
    ),
    dataset('boxes', ['box_id'], [field('box_id', 'integer'), field('label', 'string')], { synonyms: ['box'] }),
  ],
  relationships: [relation('boxes', 'shelf_id', 'shelves', 'shelf_id')],
  metrics: [],
});
const read = (question: string): string => {
  const reading = readQuestion({ question, lens: store, choices: {}, now: new Date('2026-03-01T12:00:00Z') });
  return reading.kind === 'intent' ? intentBrief(reading.intent) : reading.kind;
};

test.each([
  [
    'How many boxes does each shelf hold? List the count and the shelf id.',
    'count(boxes) | by shelves.shelf_id | key shelves',
  ],
  [
    'How many boxes does each shelf hold? Show the shelf name and the count.',
    'count(boxes) | by shelves.shelf_name | key shelves',
  ],
  // Shelves have a number of their own.
  [
    'Which shelves are there? List the number and the shelf name.',
    'list shelves | by shelves.number, shelves.shelf_name',
  ],
])('the number is the one asked for: %s', (question, brief) => {
  expect(read(question)).toBe(brief);
});
