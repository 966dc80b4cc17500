// Periods that are left out or run "until", percentages of what is kept as a share of 1, the change between two times, and
// what is best; each beside the sentences that mean something else.
import { describe, expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { flights, superstore as plain } from '../../../test/support/planner-lenses.ts';
import type { Lens as LensModel } from '../../lens/model/lens.ts';
import { readQuestion } from '../read-question.ts';

const now = new Date('2017-12-31T12:00:00Z');
/** What is kept as a share of 1 says so. */
const told = <T extends { name: string }>(one: T): T =>
  /discount/.test(one.name) ? { ...one, description: 'Share taken off the list price, 0 to 1.' } : one;
const superstore: LensModel = {
  ...plain,
  datasets: plain.datasets.map((dataset) => ({ ...dataset, fields: dataset.fields.map(told) })),
  metrics: plain.metrics.map(told),
};
const LENSES = { superstore, plain, flights };
type Lens = keyof typeof LENSES;
const reading = (lens: Lens, question: string, choices: Record<string, string> = {}) =>
  readQuestion({ question, lens: LENSES[lens], choices, now });
const read = (lens: Lens, question: string): string => {
  const found = reading(lens, question);
  return found.kind === 'intent' ? intentBrief(found.intent) : found.kind;
};
const holds = (cases: [Lens, string, string][]) =>
  test.each(cases)('%s: %s', (lens, question, brief) => expect(read(lens, question)).toBe(brief));
const leftOut = (field: string, from: number) =>
  `any(${field} < ${from}-01-01 ; ${field} >= ${from + 1}-01-01 ; ${field} is_null)`;

describe('a period that is left out leaves all other rows, those without a date too', () => {
  const not2016 = leftOut('orders.order_date', 2016);
  holds([
    ['superstore', 'revenue except in 2016', `revenue | where ${not2016}`],
    ['superstore', 'revenue by region excluding 2016', `revenue | by orders.region | where ${not2016}`],
    ['superstore', 'how many orders were not in 2016', `order_count | where ${not2016}`],
    [
      'superstore',
      'revenue except in 2015 and 2016',
      `revenue | where ${leftOut('orders.order_date', 2015)} & ${not2016}`,
    ],
    ['superstore', 'revenue in the West except in 2016', `revenue | where orders.region = West & ${not2016}`],
    ['flights', 'average delay outside 2001', `average_delay | where ${leftOut('flights.flight_date', 2001)}`],
    // What does not say which rows are left, or leaves none.
    ['superstore', 'revenue in 2016 but not in 2016', 'refused'],
    ['superstore', 'revenue in 2015 except in 2016', 'refused'],
    ['superstore', 'revenue except in 2016 in the West', 'refused'],
    ['superstore', 'revenue except in March', 'refused'],
    ['superstore', 'how many customers did not order in 2016', 'refused'],
    ['superstore', 'compare revenue except in 2015 and 2016', 'refused'],
  ]);
});

describe('outside a value is not that value', () => {
  holds([
    ['superstore', 'revenue outside the West', 'revenue | where orders.region != West or null'],
    ['superstore', 'profit outside of Texas', 'profit | where orders.state != Texas or null'],
    ['superstore', 'revenue excluding those in the West', 'revenue | where orders.region != West or null'],
    ['superstore', 'revenue excluding those who ordered in 2016', 'refused'],
    ['superstore', 'revenue outside working hours', 'refused'],
  ]);
});

describe('until takes in what it names to some, and not to others', () => {
  test.each([
    ['superstore', 'revenue until 2016', 'until 2016'],
    ['superstore', 'revenue by region until March 2016', 'until March 2016'],
    ['superstore', 'revenue up to 2016', 'up to 2016'],
    ['superstore', 'profit from 2014 until 2016', 'until 2016'],
    ['flights', 'average delay till March 2001', 'till March 2001'],
  ] as [Lens, string, string][])('%s: %s', (lens, question, term) => {
    const found = reading(lens, question);
    if (found.kind !== 'clarification') throw new Error(`${question}: ${found.kind}`);
    expect(found.clarification.term).toBe(term);
    const windows = found.clarification.options.map((option) => {
      const key = typeof option === 'string' ? option : option.key;
      const settled = reading(lens, question, { [term]: key });
      return settled.kind === 'intent' ? intentBrief(settled.intent) : settled.kind;
    });
    expect(new Set(windows).size).toBe(2);
    expect(windows.join()).not.toMatch(/refused|clarification/);
  });
  holds([
    ['superstore', 'the meaning of life until 2016', 'refused'],
    ['superstore', 'number of order lines with quantity up to 5', 'count(orders) | where orders.quantity <= 5'],
    ['superstore', 'revenue through 2016', 'revenue | where orders.order_date < 2017-01-01'],
  ]);
});

describe('a percentage of what is kept as a share of 1 is divided by a hundred', () => {
  holds([
    ['superstore', 'number of order lines with a discount above 50 %', 'count(orders) | where orders.discount > 0.5'],
    ['superstore', 'number of order lines with a discount of 20%', 'count(orders) | where orders.discount = 0.2'],
    [
      'superstore',
      'number of order lines with a discount between 10 and 20 percent',
      'count(orders) | where orders.discount between 0.1|0.2',
    ],
    ['superstore', 'states with a profit ratio over 20%', 'groups | by orders.state | having profit_ratio > 0.2'],
    [
      'superstore',
      'states with an average discount above 20 %',
      'groups | by orders.state | having average_discount > 0.2',
    ],
    // Nothing says how it is kept.
    ['plain', 'number of order lines with a discount above 50 %', 'refused'],
    // Money is no share, and no other field is one in its place.
    ['superstore', 'order lines with sales above 50 %', 'refused'],
    ['superstore', 'categories with revenue over 20%', 'refused'],
    ['superstore', 'segments with an average order value over 50%', 'refused'],
    ['flights', 'flights with a delay over 50%', 'refused'],
  ]);
  test('the answer says so', () => {
    const found = reading('superstore', 'number of order lines with a discount above 50 %');
    expect(found.kind === 'intent' && found.notes.join()).toContain('50 % is 0.5');
  });
});

describe('the difference between one measure at two times is its change', () => {
  const years = 'orders.order_date 2016-01-01..2017-01-01 to 2017-01-01..2018-01-01';
  holds([
    ['superstore', 'difference between revenue in 2017 and 2016', `absolute_change(revenue; ${years})`],
    [
      'superstore',
      'What is the difference between revenue in 2016 and revenue in 2017?',
      `absolute_change(revenue; ${years})`,
    ],
    [
      'superstore',
      'difference between profit in 2016 and 2017 by region',
      `absolute_change(profit; ${years}) | by orders.region`,
    ],
    [
      'superstore',
      'difference between revenue in 2017 and profit in 2016',
      'difference(revenue where orders.order_date >= 2017-01-01 & orders.order_date < 2018-01-01, profit where orders.order_date >= 2016-01-01 & orders.order_date < 2017-01-01)',
    ],
    ['superstore', 'difference between revenue in March 2016 and 2017', 'refused'],
    ['superstore', 'difference between revenue in the West and the East', 'refused'],
  ]);
});

describe('best is the highest of what everybody wants more of', () => {
  holds([
    ['superstore', 'best region by revenue', 'revenue | by orders.region | order #0 desc | limit 1'],
    ['superstore', 'second best region by revenue', 'revenue | by orders.region | order #0 desc | limit 1 after 1'],
    ['superstore', 'third worst category by profit', 'profit | by orders.category | order #0 asc | limit 1 after 2'],
    ['superstore', 'best region by average discount', 'refused'],
    ['flights', 'best origin state by average delay', 'refused'],
    ['superstore', 'what is the best region', 'clarification'],
  ]);
});
