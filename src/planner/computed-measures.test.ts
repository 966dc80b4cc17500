// Changes, shares, ratios and means: what is read, and the neighbouring sentences that must not be read so.
import { describe, expect, test } from 'vitest';
import { intentBrief } from '../../test/support/intent-brief.ts';
import { flights, school, shop, superstore } from '../../test/support/planner-lenses.ts';
import { readQuestion } from './read-question.ts';

const now = new Date('2017-12-31T12:00:00Z');
const LENSES = { superstore, flights, shop, school };
type Asked = [lens: keyof typeof LENSES, question: string, brief: string];
const read = (lens: keyof typeof LENSES, question: string): string => {
  const reading = readQuestion({ question, lens: LENSES[lens], choices: {}, now });
  return reading.kind === 'intent' ? intentBrief(reading.intent) : reading.kind;
};

const YEARS = 'orders.order_date 2016-01-01..2017-01-01 to 2017-01-01..2018-01-01';
const both = (measure: string, periods = YEARS): string =>
  `absolute_change(${measure}; ${periods}), percent_change(${measure}; ${periods})`;
const CHANGES: Asked[] = [
  ['superstore', 'revenue growth 2016 vs 2017', both('revenue')],
  ['superstore', 'by how much did revenue grow from 2016 to 2017', both('revenue')],
  [
    'superstore',
    'how did revenue change from 2016 to 2017 in the West',
    `${both('revenue')} | where orders.region = West`,
  ],
  ['superstore', 'how much did sales grow between 2016 and 2017 by region', `${both('revenue')} | by orders.region`],
  ['superstore', 'increase in number of customers from 2016 to 2017', both('customers')],
  ['superstore', 'revenue growth in 2017', both('revenue')],
  ['superstore', 'profit change 2017 compared to 2016', both('profit')],
  ['superstore', 'revenue growth in 2017 vs the previous year', both('revenue')],
  ['superstore', 'What was the percentage change in revenue from 2016 to 2017?', `percent_change(revenue; ${YEARS})`],
  [
    'superstore',
    'difference in profit between 2016 and 2017 by segment',
    `absolute_change(profit; ${YEARS}) | by orders.segment`,
  ],
  ['superstore', 'the difference between 2016 and 2017 in revenue', `absolute_change(revenue; ${YEARS})`],
  [
    'superstore',
    'revenue change between March 2016 and March 2017 in percent',
    'percent_change(revenue; orders.order_date 2016-03-01..2016-04-01 to 2017-03-01..2017-04-01)',
  ],
  ['superstore', 'annual revenue growth rate', 'percent_change(revenue) | by orders.order_date.year'],
  [
    'superstore',
    'year over year growth of revenue by region',
    'change(revenue), percent_change(revenue) | by orders.region, orders.order_date.year',
  ],
  ['superstore', 'monthly revenue growth', 'change(revenue), percent_change(revenue) | by orders.order_date.month'],
  [
    'flights',
    'change in number of flights by origin city between 2000 and 2001',
    `${both('flight_count', 'flights.flight_date 2000-01-01..2001-01-01 to 2001-01-01..2002-01-01')} | by origin.city`,
  ],
  [
    'shop',
    'growth of revenue by country from 2015 to 2016',
    `${both('revenue', 'orders.order_date 2015-01-01..2016-01-01 to 2016-01-01..2017-01-01')} | by customers.country`,
  ],
];
const NO_CHANGE: [Asked[0], string][] = [
  ['superstore', 'revenue growth'],
  ['superstore', 'revenue growth since 2015'],
  ['superstore', 'revenue growth in March 2017'],
  ['superstore', 'revenue growth from Q1 2016 to 2017'],
  ['superstore', 'revenue growth target for 2017'],
  ['superstore', 'year over year growth of revenue by month'],
  ['superstore', 'population growth in 2017'],
  ['superstore', 'expected revenue growth from 2016 to 2017'],
  ['superstore', 'how much did revenue cost'],
  ['superstore', 'revenue in 2015 compared to last year'],
];

describe('a change is between two periods that the words name, in the figures they ask for', () => {
  test.each(CHANGES)('%s: %s', (lens, question, brief) => expect(read(lens, question)).toBe(brief));
  test.each(NO_CHANGE)('%s: %s is not guessed', (lens, question) => expect(read(lens, question)).toBe('refused'));
  test('the year before a named year does not depend on today', () => {
    expect(read('superstore', 'revenue in 2015 vs the previous year')).toBe(
      'revenue | by orders.order_date.year | time orders.order_date 2014-01-01..2016-01-01',
    );
  });
});
