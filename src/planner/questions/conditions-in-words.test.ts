// Conditions as people say them: what is missing, what is left out, quantities in their units, and columns whose names
// are words of the grammar; with the neighbouring sentences that mean something else.
import { describe, expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { flights, ledger, school, shop, superstore } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const now = new Date('2017-12-31T12:00:00Z');
const LENSES = { superstore, flights, shop, school, ledger };
type Asked = [lens: keyof typeof LENSES, question: string, brief: string];
const read = (lens: keyof typeof LENSES, question: string, choices: Record<string, string> = {}): string => {
  const reading = readQuestion({ question, lens: LENSES[lens], choices, now });
  return reading.kind === 'intent' ? intentBrief(reading.intent) : reading.kind;
};
const holds = (cases: Asked[]) =>
  test.each(cases)('%s: %s', (lens, question, brief) => expect(read(lens, question)).toBe(brief));

describe('what has no value is found by what it lacks', () => {
  holds([
    ['shop', 'customers without email', 'list customers | by customers.name | where customers.email is_null'],
    [
      'shop',
      'how many customers have no email in Germany',
      'count(customers) | where customers.email is_null & customers.country = Germany',
    ],
    ['shop', 'number of orders without a customer', 'count(orders) | where customers.id is_null'],
    ['shop', 'number of orders with a customer', 'count(orders) | where customers.id is_not_null'],
    ['ledger', 'number of entries with no rating', 'count(entries) | where entries.rating is_null'],
    ['ledger', 'number of entries with a note', 'count(entries) | where entries.note is_not_null'],
    ['school', 'number of students without an advisor', 'count(student) | where advisor.teacher_id is_null'],
    [
      'school',
      'how many enrollments have no grade in 2015',
      'count(enrollment) | where enrollment.grade is_null | time enrollment.enrolled_on 2015-01-01..2016-01-01',
    ],
    // Neighbours: no related rows, a compared value, a named one.
    ['shop', 'number of customers without orders', 'count(customers) | where no orders'],
    ['shop', 'number of products with a weight over 3', 'count(products) | where products.weight > 3'],
    ['school', 'number of students whose advisor is Brown', 'count(student) | where advisor.name = Brown'],
    ['shop', 'number of orders of customers in Germany', 'count(orders) | where customers.country = Germany'],
  ]);
  test('none of a number may be zero: the asker says which', () => {
    const brief = 'count(orders) | where orders.discount';
    const asked = 'number of order lines without discount';
    expect(read('superstore', asked)).toBe('clarification');
    expect(read('superstore', asked, { 'without discount': 'zero' })).toBe(`${brief} = 0`);
    expect(read('superstore', asked, { 'without discount': 'missing' })).toBe(`${brief} is_null`);
  });
  test('a row that a policy may hide is not called missing', () => {
    const policy = { name: 'own', dataset: 'customers', filter: "customers.country = 'Germany'", groups: [] };
    const lens = { ...shop, rowPolicies: [policy] };
    const kind = (question: string) => readQuestion({ question, lens, choices: {}, now });
    expect(kind('number of orders without a customer').kind).toBe('refused');
    const without = kind('revenue excluding Germany');
    expect(without.kind === 'intent' && intentBrief(without.intent)).toBe(
      'revenue | where customers.country != Germany',
    );
  });
});

describe('what is left out is that alone', () => {
  holds([
    ['superstore', 'revenue excluding the West', 'revenue | where orders.region != West or null'],
    [
      'superstore',
      'revenue neither in Texas nor in California',
      'revenue | where orders.state not_in Texas|California or null',
    ],
    [
      'superstore',
      'revenue in neither Texas nor California',
      'revenue | where orders.state not_in Texas|California or null',
    ],
    [
      'flights',
      'number of flights that neither depart from Boston nor from Chicago',
      'flight_count | where origin.city not_in Boston|Chicago or null',
    ],
  ]);
  test('the reading says that rows without a value are kept', () => {
    const reading = readQuestion({ question: 'revenue excluding the West', lens: superstore, choices: {}, now });
    expect(reading.kind === 'intent' && reading.sentence).toBe('Revenue, where region is not West or missing.');
  });
  test('nor without neither is not read', () =>
    expect(read('superstore', 'revenue in Texas nor California')).toBe('refused'));
});

describe('a quantity is compared in the unit of its field', () => {
  holds([
    ['flights', 'number of flights longer than 1000 miles', 'flight_count | where flights.distance > 1000'],
    ['flights', 'number of flights with a delay over 2 hours', 'flight_count | where flights.delay > 120'],
    ['shop', 'number of products heavier than 500 g', 'count(products) | where products.weight > 0.5'],
    ['ledger', 'number of entries longer than 10 km', 'count(entries) | where entries.distance_km > 10'],
    ['ledger', 'number of entries with wait over 1 hour', 'count(entries) | where entries.wait_min > 60'],
    ['superstore', 'states with sales over half a million', 'groups | by orders.state | having revenue > 500000'],
    ['superstore', 'states with revenue over 1.5k', 'groups | by orders.state | having revenue > 1500'],
  ]);
  test('a conversion is said', () => {
    const reading = readQuestion({ question: 'number of products heavier than 500 g', lens: shop, choices: {}, now });
    expect(reading.kind === 'intent' && reading.notes).toEqual(['500 g is 0.5 in the unit of weight (kg).']);
  });
  test.each([
    ['flights', 'number of flights with a delay of more than 10 km'],
    ['shop', 'products cheaper than 50 dollars'],
    ['superstore', 'half of revenue'],
  ] as const)('%s: %s is not guessed', (lens, question) => expect(read(lens, question)).toBe('refused'));
});

describe('a field called like a word of the grammar is that field', () => {
  holds([
    ['ledger', 'total amount by region', 'sum(entries.amount) | by entries.region'],
    ['ledger', 'total value by group', 'sum(entries.value) | by entries.group'],
    ['ledger', 'total count by region', 'sum(entries.count) | by entries.region'],
    ['ledger', 'average number by order', 'avg(entries.number) | by entries.order'],
    ['ledger', 'number of entries by region', 'count(entries) | by entries.region'],
    ['ledger', 'total amount by date', 'sum(entries.amount) | by entries.date'],
    ['ledger', 'total amount and average fee by region', 'sum(entries.amount), avg(entries.fee) | by entries.region'],
    ['shop', 'the maximum and minimum prices', 'max(products.price), min(products.price)'],
    // The same words where no field has that name.
    ['superstore', 'total amount of sales', 'revenue'],
    ['superstore', 'sum of quantity by region', 'sum(orders.quantity) | by orders.region'],
  ]);
});

describe('a rank may be said in two places, and a word of asking mistyped', () => {
  holds([
    ['superstore', 'top 5 states with the highest revenue', 'groups | by orders.state | order revenue desc | limit 5'],
    [
      'shop',
      'the 3 customers who most recently bought something',
      'list customers | by customers.name | order max(orders.order_date) desc | limit 3',
    ],
    ['superstore', 'Hom many order lines in Texas', 'count(orders) | where orders.state = Texas'],
    ['superstore', 'Cound the number of order lines in Texas', 'count(orders) | where orders.state = Texas'],
    [
      'shop',
      'names of the top 3 countries by revenue',
      'revenue | by customers.country | where customers.country is_not_null | order #0 desc | limit 3',
    ],
  ]);
  test.each([
    ['superstore', 'top 5 states with the lowest revenue'],
    ['superstore', 'Lost the revenue'],
  ] as const)('%s: %s is not guessed', (lens, question) => expect(read(lens, question)).toBe('refused'));
});

describe('a verb may name the rows that something has', () => {
  holds([
    ['shop', 'customers who never ordered', 'list customers | by customers.name | where no orders'],
    ['shop', 'number of products that were never ordered', 'count(products) | where no order_items'],
    [
      'shop',
      'how many customers ordered in 2016',
      'count(customers) | where some orders (orders.order_date >= 2016-01-01 & orders.order_date < 2017-01-01)',
    ],
    ['shop', 'how many customers ordered more than once', 'count(customers) | where some orders > 1'],
    ['shop', 'how many customers ordered at least 3 times', 'count(customers) | where some orders >= 3'],
    ['school', 'number of students who never enrolled', 'count(student) | where no enrollment'],
    [
      'shop',
      'which product was ordered most often',
      'groups | by products.name | key products | where products.id is_not_null | order count(order_items) desc | limit 1',
    ],
    [
      'shop',
      'the most common order status',
      'groups | by orders.status | where orders.status is_not_null | order count(orders) desc | limit 1',
    ],
    // Neighbours: a date of the thing itself, and a value that the verb leads to.
    ['shop', 'how many orders were shipped in 2016', 'count(orders) | time orders.shipped_at 2016-01-01..2017-01-01'],
    [
      'shop',
      'number of customers who bought a Chair',
      'count(customers) | where some order_items (products.name = Chair)',
    ],
  ]);
  test.each([
    ['shop', 'customers who complained in 2016'],
    ['shop', 'customers who reordered'],
    ['superstore', 'which product was sold most often'],
    ['superstore', 'most common ship mode'],
    ['shop', 'most common product'],
  ] as const)('%s: %s is not guessed', (lens, question) => expect(read(lens, question)).toBe('refused'));
});

describe('a sign is that of each row, or of the total of each group', () => {
  holds([
    ['superstore', 'number of order lines with negative profit', 'count(orders) | where orders.profit < 0'],
    ['superstore', 'states with negative profit', 'groups | by orders.state | having profit < 0'],
  ]);
  test('a positive review is no number', () => expect(read('shop', 'orders with positive reviews')).toBe('refused'));
});

describe('what somebody earns or something costs is the one number of theirs that the verb is about', () => {
  holds([
    ['school', 'number of teachers who earn more than 50000', 'count(teacher) | where teacher.salary > 50000'],
    ['shop', 'number of products that cost more than 50', 'count(products) | where products.price > 50'],
    ['school', 'how many teachers teach at least one course', 'count(teacher) | where some course >= 1'],
  ]);
  // The sum over their orders, or one of them?
  test('what customers paid is not guessed', () =>
    expect(read('shop', 'number of customers who paid more than 100')).toBe('refused'));
});

describe('days of the week and hours come again', () => {
  holds([
    ['superstore', 'revenue by day of the week', 'revenue | by orders.order_date.weekday'],
    ['flights', 'number of flights by hour', 'flight_count | by flights.flight_date.hour'],
    [
      'superstore',
      'number of orders on weekends in 2016',
      'order_count | where orders.order_date.weekday in Saturday|Sunday | time orders.order_date 2016-01-01..2017-01-01',
    ],
    ['superstore', 'revenue on Mondays and Fridays', 'revenue | where orders.order_date.weekday in Monday|Friday'],
    ['superstore', 'revenue by day', 'revenue | by orders.order_date.day'],
  ]);
  test.each([
    ['superstore', 'revenue on Monday'],
    ['superstore', 'revenue over the weekend'],
    ['superstore', 'revenue by hour'],
    ['superstore', 'revenue not on weekends'],
    ['superstore', 'revenue growth by weekday'],
    ['superstore', 'revenue after the weekend'],
  ] as const)('%s: %s is not guessed', (lens, question) => expect(read(lens, question)).toBe('refused'));
});
