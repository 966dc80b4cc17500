// Changes, shares, ratios and means: what is read, and the neighbouring sentences that must not be read so.
import { describe, expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { flights, school, shop, superstore } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

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

const SHARES: Asked[] = [
  ['superstore', 'What percentage of sales comes from the West', 'percent(revenue where orders.region = West)'],
  ['superstore', 'percentage of revenue from the West', 'percent(revenue where orders.region = West)'],
  [
    'superstore',
    'what share of revenue comes from furniture by region',
    'share(revenue where orders.category = Furniture) | by orders.region',
  ],
  [
    'superstore',
    'what percentage of 2016 furniture revenue came from the West',
    'percent(revenue where orders.region = West) | where orders.category = Furniture | time orders.order_date 2016-01-01..2017-01-01',
  ],
  ['superstore', 'percentage of revenue by segment', 'percent_share_of_total(revenue) | by orders.segment'],
  ['superstore', 'share of revenue by segment', 'share_of_total(revenue) | by orders.segment'],
  ['superstore', 'what percentage of customers bought Chairs', 'percent(customers where orders.sub_category = Chairs)'],
  [
    'flights',
    'what percentage of flights from Boston are on time in 2001',
    'percent(flight_count where flights.delay < 15) | where origin.city = Boston | time flights.flight_date 2001-01-01..2002-01-01',
  ],
  ['shop', 'what percentage of customers are active', 'percent(count(customers) where customers.is_active = true)'],
  ['shop', 'what percentage of customers have more than 5 orders', 'percent(count(customers) where some orders > 5)'],
  ['shop', 'what share of orders were not cancelled', 'share(count(orders) where orders.status != cancelled or null)'],
  ['shop', 'share of orders by status', 'share_of_total(count(orders)) | by orders.status'],
  ['school', 'what percentage of students are female', 'percent(count(student) where student.sex = F)'],
];
const NO_SHARE: [Asked[0], string][] = [
  ['superstore', 'what percentage of revenue came from 2016'],
  ['superstore', 'share of revenue'],
  ['superstore', 'share of revenue by category in the West'],
  ['superstore', 'percentage of revenue in the West in Texas'],
  ['superstore', 'what percentage of revenue is profit'],
  ['superstore', 'what percentage of revenue comes from Atlantis'],
  ['superstore', 'what percentage of the average discount comes from the West'],
  ['superstore', 'share price in the West'],
];
describe('a share is that of the part behind the verb in all that stands before it', () => {
  test.each(SHARES)('%s: %s', (lens, question, brief) => expect(read(lens, question)).toBe(brief));
  test.each(NO_SHARE)('%s: %s is not guessed', (lens, question) => expect(read(lens, question)).toBe('refused'));
});

const MEANS: Asked[] = [
  ['superstore', 'average revenue per customer', 'mean(revenue over orders.customer_id)'],
  ['superstore', 'average number of orders per customer', 'mean(order_count over orders.customer_id)'],
  [
    'superstore',
    'average revenue per month in 2016 by region',
    'mean(revenue over orders.order_date.month) | by orders.region | time orders.order_date 2016-01-01..2017-01-01',
  ],
  ['superstore', 'average daily profit', 'mean(profit over orders.order_date.day)'],
  ['superstore', 'orders per month on average', 'mean(order_count over orders.order_date.month)'],
  ['flights', 'average number of flights per origin city', 'mean(flight_count over origin.city)'],
  ['shop', 'average revenue per customer by country', 'mean(revenue over customers) | by customers.country'],
  ['shop', 'average orders per customer', 'mean(count(orders) over customers)'],
  ['school', 'average number of courses per teacher', 'mean(count(course) over teacher)'],
  ['school', 'average number of students per course', 'mean(count_distinct(enrollment.student_id) over course)'],
  // An average of a field, by a group: no mean of totals.
  ['school', 'average salary per hometown', 'avg(teacher.salary) | by teacher.hometown'],
  ['superstore', 'average discount per category', 'average_discount | by orders.category'],
];
const NO_MEAN: [Asked[0], string][] = [
  ['superstore', 'average revenue per region'],
  ['superstore', 'average sales per customer'],
  ['superstore', 'average revenue'],
  ['superstore', 'average revenue for each customer'],
  ['superstore', 'revenue on average'],
  ['shop', 'average revenue per customer per month'],
  ['shop', 'average daily special'],
];
describe('a mean over groups is of the total of each', () => {
  test.each(MEANS)('%s: %s', (lens, question, brief) => expect(read(lens, question)).toBe(brief));
  test.each(NO_MEAN)('%s: %s is not guessed', (lens, question) => expect(read(lens, question)).toBe('refused'));
  test('the reading says that groups without any are not counted', () => {
    const reading = readQuestion({ question: 'average orders per customer', lens: shop, choices: {}, now });
    expect(reading.kind === 'intent' && reading.sentence).toBe(
      'Average of number of orders over each of the customers that has any.',
    );
  });
});

const PLACES: Asked[] = [
  ['school', 'second highest salary', 'list teacher | by teacher.salary | order teacher.salary desc | limit 1 after 1'],
  ['school', 'the third oldest teacher', 'list teacher | by teacher.name | order teacher.age desc | limit 1 after 2'],
  [
    'superstore',
    'which region has the second highest revenue',
    'groups | by orders.region | where orders.region is_not_null | order revenue desc | limit 1 after 1',
  ],
  ['superstore', 'revenue of the second class', 'revenue | where orders.ship_mode = Second Class'],
  ['school', 'median salary of teachers by hometown', 'median(teacher.salary) | by teacher.hometown'],
  ['superstore', 'median sales by region', 'median(orders.sales) | by orders.region'],
];
describe('a place in an order, and the middle of one', () => {
  test.each(PLACES)('%s: %s', (lens, question, brief) => expect(read(lens, question)).toBe(brief));
  test.each([
    ['superstore', 'second highest profit'],
    ['superstore', 'top second region'],
    ['superstore', 'median revenue'],
    ['superstore', 'the second best region by average discount'],
  ] as const)('%s: %s is not guessed', (lens, question) => expect(read(lens, question)).toBe('refused'));
});

const RATIOS: Asked[] = [
  ['superstore', 'revenue per order', 'ratio(revenue, order_count)'],
  ['superstore', 'average revenue per order', 'ratio(revenue, order_count)'],
  ['shop', 'revenue per order by country', 'ratio(revenue, count(orders)) | by customers.country'],
  ['flights', 'average delay per flight', 'average_delay'],
  ['shop', 'average price per product', 'avg(products.price)'],
  // Per something else it is a group.
  ['shop', 'revenue per customer', 'revenue | by customers.name | key customers'],
  ['superstore', 'revenue per region', 'revenue | by orders.region'],
];
describe('per row of what is measured is a ratio, per anything else a group', () => {
  test.each(RATIOS)('%s: %s', (lens, question, brief) => expect(read(lens, question)).toBe(brief));
  test.each([['flights', 'number of flights per flight']] as const)('%s: %s is not guessed', (lens, question) =>
    expect(read(lens, question)).toBe('refused'),
  );
});
