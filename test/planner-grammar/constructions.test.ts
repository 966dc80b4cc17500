// Each construction with its examples and counterexamples, and combinations of constructions.
import { describe, expect, test } from 'vitest';
import type { Lens } from '../../src/lens/model/lens.ts';
import { readByGrammar } from '../../src/reader/decide/decide.ts';
import { interpretQuestion } from '../../src/reader/decide/interpret.ts';
import { CONSTRUCTIONS } from '../../src/reader/english/constructions.ts';
import { caseRows } from '../support/case-rows.ts';
import { entriesOf } from '../support/entries-of.ts';
import { planBrief } from '../support/plan-brief.ts';
import { datasetsOf, desk, lens, relation, school, shop, superstore } from '../support/planner-lenses.ts';
import { turnsOf } from '../support/turns.ts';

const now = new Date('2017-12-31T12:00:00Z');
const questionInput = (questionText: string, of: Lens = shop, choices: Record<string, string> = {}) => ({
  ...turnsOf(questionText),
  lens: of,
  choices,
  now,
});
const uses = (question: string, id: string): boolean =>
  (interpretQuestion(questionInput(question, desk))?.interpretations ?? []).some(({ edge }) => entriesOf(edge).has(id));
const read = (question: string, of: Lens = shop, choices: Record<string, string> = {}): string => {
  const reading = readByGrammar(questionInput(question, of, choices));
  if (reading?.kind === 'plan') return planBrief(reading.plan);
  return reading?.kind === 'clarification' ? `asked: ${reading.clarification.term}` : 'not read';
};

describe('a construction matches its examples and not its counterexamples', () => {
  test.each(CONSTRUCTIONS.map(({ id, examples, counterexamples }) => ({ id, examples, counterexamples })))(
    '$id',
    ({ id, examples, counterexamples }) => {
      expect(examples.filter((question) => !uses(question, id))).toEqual([]);
      expect(counterexamples.filter((question) => uses(question, id))).toEqual([]);
    },
  );
  test('every id is unique', () => {
    expect(new Set(CONSTRUCTIONS.map(({ id }) => id)).size).toBe(CONSTRUCTIONS.length);
  });
});

describe('constructions compose', () => {
  test.each(caseRows<[string, string]>(import.meta.dirname, 'read-as.jsonl', 'DESK'))('%s', (question, brief) =>
    expect(read(question)).toBe(brief),
  );

  test('a period applies to the nearest dataset with a date', () => {
    expect(read('how many customers placed orders in 2016')).toBe(
      'count(customers) | where some orders (orders.order_date >= 2016-01-01 & orders.order_date < 2017-01-01)',
    );
  });
  test('“never” means no matching row for entities without their own table', () => {
    expect(read('customers who never bought Furniture', superstore)).toBe(
      'list orders | by orders.customer_id | where no orders (orders.category = Furniture) | distinct',
    );
  });
});

describe('a question with an unexplained word is not interpreted', () => {
  test.each([
    'revenue by country perhaps',
    'why did revenue fall',
    'number of high orders',
    'orders shipped by customers',
    'customers with all orders',
    'is revenue above 1000',
    'returned orders',
    'average revenue per country',
    'list orders by status',
    'revenue by price',
    'top 2016 customers by revenue',
  ])('%s', (question) => expect(read(question)).toBe('not read'));
  test('a verb with its own date means that date, and a verb without one takes no other date', () => {
    expect(read('orders placed in 2016')).toContain('orders.order_date');
    expect(read('how many orders were paid in 2016')).toBe('not read');
  });
});

describe('an ambiguous question leads to a clarification, and a choice resolves it', () => {
  const clinic = lens('clinic', {
    datasets: datasetsOf(`
  doctors: main.doctors (id integer key, name string)
  visits: main.visits (id integer key, opened date, closed date)`),
    relationships: [
      relation('visits', 'seen_by', 'doctors', 'id', 'examiner'),
      relation('visits', 'sent_by', 'doctors', 'id', 'referrer'),
    ],
    metrics: [],
  });
  test('asks for the relationship, the date, or the measure of best', () => {
    expect(read('number of visits per doctor', clinic)).toBe('asked: doctor');
    expect(read('number of visits per doctor', clinic, { doctor: 'referrer' })).toContain('by referrer.name');
    expect(read('number of visits per month', clinic)).toBe('asked: month');
    expect(read('number of visits per month', clinic, { month: 'visits.closed' })).toContain('visits.closed.month');
    expect(read('best customers', superstore)).toBe('asked: customers');
    expect(read('best customers', superstore, { customers: 'revenue' })).toContain('order #0 desc');
  });
  test('reads first and last name as one name', () => {
    expect(read('which student has the most enrollments', school)).toContain('student.first_name, student.last_name');
  });
});

test('bounds the parse chart, and does not read a question that exceeds it', () => {
  const rambling = 'number of orders of customers in Berlin and orders of products in Furniture or '.repeat(120);
  expect(readByGrammar(questionInput(rambling))).toBeNull();
  const longest = `customers ${'with orders in Berlin or Paris and '.repeat(8)}with orders`;
  expect(interpretQuestion(questionInput(longest))?.chart.edges.length ?? 0).toBeLessThanOrEqual(700);
});
