// Words that compute in one sentence and name something stored in the next, dates that belong to another verb, and
// units that are amounts: what was read wrongly, and the neighbours that must still be read.
import { describe, expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, metric, relation, superstore } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';
import { tieProbe } from '../tie-probe.ts';

const gear = lens('gear', {
  datasets: [
    dataset(
      'customers',
      ['customer_id'],
      [
        field('customer_id', 'integer'),
        field('customer_name', 'string', { values: ['Ann Lee'] }),
        field('region', 'string', { values: ['North', 'South'] }),
        field('joined_on', 'date', { synonyms: ['joined'] }),
      ],
    ),
    dataset(
      'sales',
      ['sale_id'],
      [
        field('sale_id', 'integer'),
        field('customer_id', 'integer'),
        field('sold_on', 'date', { synonyms: ['sold'] }),
        field('delivered_on', 'date'),
        field('qty', 'integer', { synonyms: ['units'] }),
        field('amount', 'decimal'),
        field('stage', 'string', { values: ['Growth', 'Mature'] }),
        field('side', 'string', { values: ['buy', 'sell'] }),
      ],
      { timeField: 'sold_on' },
    ),
    dataset(
      'returns',
      ['return_id'],
      [
        field('return_id', 'integer'),
        field('customer_id', 'integer'),
        field('returned_on', 'date'),
        field('refunded_on', 'date'),
        field('refund', 'decimal'),
      ],
      { timeField: 'returned_on' },
    ),
  ],
  relationships: [
    relation('sales', 'customer_id', 'customers', 'customer_id'),
    relation('returns', 'customer_id', 'customers', 'customer_id'),
  ],
  metrics: [
    metric('revenue', 'sum(sales.amount)', 'sales', { timeField: { dataset: 'sales', field: 'sold_on' } }),
    metric('refunds', 'sum(returns.refund)', 'returns', { timeField: { dataset: 'returns', field: 'refunded_on' } }),
    metric('return_count', 'count(returns.return_id)', 'returns', {
      synonyms: ['number of returns'],
      timeField: { dataset: 'returns', field: 'returned_on' },
    }),
  ],
});
const reading = (question: string) =>
  readQuestion({ question, lens: gear, choices: {}, now: new Date('2024-12-31T12:00:00Z') });
const read = (question: string): string => {
  const found = reading(question);
  return found.kind === 'intent' ? intentBrief(found.intent) : found.kind;
};

describe('a word with two senses is not guessed', () => {
  test.each([
    ['a stored value behind what is ranked by', 'top 3 regions by revenue growth from 2022 to 2023'],
    ['a stored value before a measure', 'growth revenue in 2023'],
    ['an amount as a unit', 'revenue per unit'],
    ['an amount as a unit beside a group', 'revenue per unit by region'],
    ['two dates in one ratio', 'refunds per return in 2023'],
    [
      'an exclusion from the part or from the whole',
      'what percentage of revenue comes from the North excluding mature',
    ],
    ['rows for a ratio', 'units per sale by region'],
    ['a verb that is stored', 'How many units were bought in 2023?'],
  ])('%s: %s', (_why, question) => expect(read(question)).toBe('refused'));

  test('a mean of totals or of rows is asked back', () =>
    expect(read('average units per customer')).toBe('clarification'));
});

test('of two dates each is told by its own verb', () => {
  expect(read('How many sales sold in 2022 were delivered in 2023?')).toBe(
    'count(sales) | where sales.delivered_on >= 2023-01-01 & sales.delivered_on < 2024-01-01 | time sales.sold_on 2022-01-01..2023-01-01',
  );
});

test('a mean per order is not one of the lines of orders', () => {
  const found = readQuestion({
    question: 'average quantity per order',
    lens: superstore,
    choices: {},
    now: new Date(),
  });
  expect(found.kind).toBe('refused');
});

describe('what stands beside them is read', () => {
  test.each([
    [
      'revenue growth from 2022 to 2023',
      'absolute_change(revenue; sales.sold_on 2022-01-01..2023-01-01 to 2023-01-01..2024-01-01), percent_change(revenue; sales.sold_on 2022-01-01..2023-01-01 to 2023-01-01..2024-01-01)',
    ],
    ['revenue of sales in the growth stage', 'revenue | where sales.stage = Growth'],
    ['refunds per return', 'ratio(refunds, return_count)'],
    [
      'How many customers without returns joined in 2021?',
      'count(customers) | where no returns | time customers.joined_on 2021-01-01..2022-01-01',
    ],
  ])('%s', (question, brief) => expect(read(question)).toBe(brief));
});

test('the top of each group is probed for ties within the group', () => {
  const found = reading('top customer per region by revenue');
  const probe = found.kind === 'intent' ? tieProbe(found.intent) : null;
  expect(probe).toMatchObject({ column: 2, cuts: [1], within: [1] });
  expect(probe?.intent.perGroup?.limit).toBe(2);
});
