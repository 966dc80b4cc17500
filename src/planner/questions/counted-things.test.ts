// One wide table whose things have a number but no table of their own: "customers" is their count, and the customers.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { superstore } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const read = (question: string): string => {
  const reading = readQuestion({ question, lens: superstore, choices: {}, now: new Date('2018-01-15T12:00:00Z') });
  return reading.kind === 'intent' ? intentBrief(reading.intent) : reading.kind;
};

test.each([
  ['top 10 customers by revenue', 'revenue | by orders.customer_id | order #0 desc | limit 10'],
  [
    'which customer had the highest revenue',
    'groups | by orders.customer_id | where orders.customer_id is_not_null | order revenue desc | limit 1',
  ],
  ['the 10 customers with the most orders', 'groups | by orders.customer_id | order order_count desc | limit 10'],
  ['list customers in the West', 'list orders | by orders.customer_id | where orders.region = West | distinct'],
  ['customers by region', 'customers | by orders.region'],
  ['customers with more than 10 orders', 'groups | by orders.customer_id | having order_count > 10'],
  [
    'customers who bought Chairs',
    'list orders | by orders.customer_id | where orders.sub_category = Chairs | distinct',
  ],
  ['how many customers are in the West', 'customers | where orders.region = West'],
])('A word that names a count and its things means what is asked for: %s', (question, intent) => {
  expect(read(question)).toBe(intent);
});

test.each([
  [
    'states with the most orders',
    'groups | by orders.state | where orders.state is_not_null | order order_count desc | limit 1',
  ],
  ['which states have more than 10 orders', 'groups | by orders.state | having order_count > 10'],
])('Where rows are lines of orders, orders are counted once each: %s', (question, intent) => {
  expect(read(question)).toBe(intent);
});

test.each([
  [
    'which year had the highest profit',
    'groups | by orders.order_date.year | where orders.order_date is_not_null | order profit desc | limit 1',
  ],
  [
    'which month of 2016 had the highest revenue',
    'groups | by orders.order_date.month | where orders.order_date is_not_null | time orders.order_date 2016-01-01..2017-01-01 | order revenue desc | limit 1',
  ],
  ['how many orders were placed in 2016', 'order_count | time orders.order_date 2016-01-01..2017-01-01'],
  ['how many orders did we ship in 2016', 'order_count | time orders.ship_date 2016-01-01..2017-01-01'],
  [
    'which customers placed more than 3 orders in 2016',
    'groups | by orders.customer_id | time orders.order_date 2016-01-01..2017-01-01 | having order_count > 3',
  ],
])('Periods are ranked, and a verb says which date is meant: %s', (question, intent) => {
  expect(read(question)).toBe(intent);
});

test.each([
  'which month had the most orders',
  'revenue from top customers',
  'revenue of the top 10 customers',
  'average discount of the biggest customers',
  'top states by profit',
])('A rank without a number, or of what is not listed, is refused: %s', (question) => {
  expect(read(question)).toBe('refused');
});
