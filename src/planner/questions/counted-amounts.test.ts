// "How many" of a governed measure: whole numbers added up are a count, an amount of money is none.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { metric, superstore } from '../../../test/support/planner-lenses.ts';
import type { Lens } from '../../lens/model/lens.ts';
import { readQuestion } from '../read-question.ts';

const lens: Lens = {
  ...superstore,
  metrics: [...superstore.metrics, metric('units', 'sum(orders.quantity)', 'orders', { synonyms: ['units sold'] })],
};
const read = (question: string) => {
  const reading = readQuestion({ question, lens, choices: {}, now: new Date('2017-12-31T12:00:00Z') });
  return reading.kind === 'intent' ? intentBrief(reading.intent) : reading.kind;
};

test.each([
  ['How many units were sold?', 'units'],
  ['How many units were sold in the category Technology?', 'units | where orders.category = Technology'],
  ['What is the number of units?', 'units'],
  ['How many revenue in 2016?', 'refused'],
])('%s', (question, brief) => {
  expect(read(question)).toBe(brief);
});
