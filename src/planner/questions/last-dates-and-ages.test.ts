// "When was the last order placed?" and "students under 12", each beside what it does not mean.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { school, shop, superstore } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const LENSES = { superstore, shop, school };
const read = (name: keyof typeof LENSES, question: string): string => {
  const found = readQuestion({ question, lens: LENSES[name], choices: {}, now: new Date('2017-12-31T12:00:00Z') });
  return found.kind === 'intent' ? intentBrief(found.intent) : found.kind;
};

test.each([
  ['superstore', 'When was the last order placed?', 'max(orders.order_date)'],
  ['superstore', 'when was the first order in Texas', 'min(orders.order_date) | where orders.state = Texas'],
  ['superstore', 'when did the latest order take place', 'max(orders.order_date)'],
  ['superstore', 'when was the last order by region', 'max(orders.order_date) | by orders.region'],
  ['shop', 'when was the earliest order', 'min(orders.order_date)'],
  // By which date is the last one found?
  ['superstore', 'when was the last order shipped', 'refused'],
  // Nothing says when a product was the last one.
  ['shop', 'when was the last product', 'refused'],
  ['shop', 'when was the last weather', 'refused'],
] as const)('%s: %s', (lens, question, brief) => expect(read(lens, question)).toBe(brief));

test.each([
  ['school', 'how many students are under 12', 'count(student) | where student.age < 12'],
  ['school', 'number of students over 10', 'count(student) | where student.age > 10'],
  // Another unit, another number, a price beside it.
  ['school', 'number of students over 10 kilos', 'refused'],
  ['school', 'number of students over 500', 'refused'],
  ['shop', 'number of products under 12', 'refused'],
  ['shop', 'number of customers under 12', 'refused'],
] as const)('%s: %s', (lens, question, brief) => expect(read(lens, question)).toBe(brief));

// Two numbers at once are not one number for each of the other.
test.each([
  ['shop', 'number of customers and products', 'refused'],
  ['shop', 'how many orders and customers are there', 'refused'],
] as const)('%s: %s', (lens, question, brief) => expect(read(lens, question)).toBe(brief));
