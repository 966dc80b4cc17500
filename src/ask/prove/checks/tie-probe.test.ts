import { expect, test } from 'vitest';
import { planBrief } from '../../../../test/support/plan-brief.ts';
import { shop, superstore } from '../../../../test/support/planner-lenses.ts';
import { readQuestion } from '../../../reader/read-question.ts';
import { createTieProbe } from './tie-probe.ts';

const createProbe = (lens: typeof shop, question: string) => {
  const reading = readQuestion({ question, lens, choices: {}, now: new Date('2017-12-31') });
  const probe = reading.kind === 'plan' ? createTieProbe(lens, reading.plan) : null;
  return probe === 'unknown' ? null : probe;
};

test.each([
  [superstore, 'top 5 states by profit', 'profit | by orders.state | order #0 desc | limit 6', '1', '5'],
  [
    shop,
    'most expensive product',
    'list products | by products.name, products.price | order products.price desc | limit 2',
    '1',
    '1',
  ],
  [
    shop,
    'Which customer has the most orders?',
    'count(orders) | by customers.name | key customers | where customers.id is_not_null | order #0 desc | limit 2',
    '1',
    '1',
  ],
] as const)(
  '%# reads one more row than the ranking, with the value that determines the order',
  (lens, question, brief, column, cut) => {
    const probe = createProbe(lens, question);
    expect(probe && { brief: planBrief(probe.lensPlan), column: probe.columns.join(), cut: probe.cuts.join() }).toEqual(
      {
        brief,
        column,
        cut,
      },
    );
  },
);
test('uses no probe for a question without a ranking', () => {
  expect(createProbe(superstore, 'revenue by region')).toBeNull();
});
