// The name of a governed metric in a question means that metric, whatever it computes.
import { describe, expect, test } from 'vitest';
import type { Lens, LensMetric } from '../../src/lens/model/lens.ts';
import { readByGrammar } from '../../src/reader/decide/decide.ts';
import { findMeaningDifferences } from '../../src/reader/meaning-check.ts';
import { readQuestion } from '../../src/reader/read-question.ts';
import type { ReaderResult } from '../../src/reader/reader-result.ts';
import { caseRows } from '../support/case-rows.ts';
import { planBrief } from '../support/plan-brief.ts';
import { flights, lens, metric, shop, superstore } from '../support/planner-lenses.ts';

const measureText = (reading: ReaderResult | null): string =>
  reading?.kind === 'plan'
    ? planBrief(reading.plan)
    : reading?.kind === 'clarification'
      ? `asked: ${(reading.clarification.options ?? []).map((option) => (typeof option === 'string' ? option : option.key)).join(', ')}`
      : 'not read';
const readBothWays = (question: string, of: Lens): string[] => {
  const input = { question, lens: of, choices: {}, now: new Date('2017-12-31T12:00:00Z') };
  return [...new Set([measureText(readQuestion(input)), measureText(readByGrammar(input))])].filter(
    (item) => item !== 'not read',
  );
};
const withMetrics = (of: Lens, ...metrics: LensMetric[]): Lens => lens(of.name, { ...of, metrics });
const averageDelay = metric('average_delay', 'avg(flights.delay) * 2', 'flights');
const twice = withMetrics(flights, averageDelay);

describe('a metric named in the question takes precedence over the aggregate of its field', () => {
  test.each([
    'What is the average delay?',
    'average delay',
    'average flight delay',
    'the average of the delay',
    'what is the mean delay',
    'avg delay of flights',
    'average delays',
  ])('%s', (question) => expect(readBothWays(question, twice)).toEqual(['average_delay']));

  test.each<[what: string, question: string, name: string, expression: string, extra?: Partial<LensMetric>]>(
    caseRows(import.meta.dirname, 'governed-names.jsonl'),
  )('%s', (_, question, name, expression, extra) => {
    const named = withMetrics(flights, metric(name, expression, 'flights', extra));
    expect(readBothWays(question, named)).toEqual([name]);
  });

  test('a ranking uses the metric', () => {
    for (const item of readBothWays('which origin city has the highest average delay', twice))
      expect(item).not.toContain('avg(flights.delay)');
  });
  test('two matching metrics lead to a clarification', () => {
    const second = metric('typical_delay', 'median(flights.delay)', 'flights', { synonyms: ['mean delay'] });
    expect(readBothWays('What is the average delay?', withMetrics(flights, averageDelay, second))).toEqual([
      'asked: average_delay, typical_delay',
    ]);
  });
  test('a count uses the metric with its name', () => {
    const valid = (name: string, synonyms: string[] = []): Lens =>
      withMetrics(
        shop,
        metric(name, 'count(orders.id)', 'orders', { filter: "orders.status <> 'cancelled'", synonyms }),
      );
    for (const question of ['how many orders are there', 'number of orders', 'total number of orders', 'order count']) {
      expect(readBothWays(question, valid('order_count'))).toEqual(['order_count']);
      expect(readBothWays(question, valid('orders'))).toEqual(['orders']);
      expect(readBothWays(question, valid('valid_orders', ['number of orders']))).toEqual(['valid_orders']);
    }
  });
  test('another aggregate, another field and a count of order lines don’t use the metric', () => {
    expect(readBothWays('median delay', twice)).toEqual(['median(flights.delay)']);
    expect(readBothWays('What is the average distance?', twice)).toEqual(['avg(flights.distance)']);
    expect(readBothWays('total delay', twice)).toEqual(['sum(flights.delay)']);
    expect(readBothWays('average sales', superstore)).toEqual(['avg(orders.sales)']);
    expect(
      measureText(readQuestion({ question: 'how many order lines', lens: superstore, choices: {}, now: new Date() })),
    ).toBe('count(orders)');
  });
});

describe('a plan that the grammar composes is never verified', () => {
  const question = 'revenue 2015 vs 2016';
  test('it does not prove that two questions mean the same', () => {
    const [one, other] = [question, 'compare revenue of 2015 and 2016'];
    const now = new Date('2017-12-31T12:00:00Z');
    const readings = [one, other].map((each) => readQuestion({ question: each, lens: shop, choices: {}, now }));
    expect(readings.map((each) => each.kind === 'plan' && each.doubt !== null)).toEqual([true, true]);
    expect(findMeaningDifferences(shop, one, other)).not.toEqual([]);
  });
  test('it stays in doubt in a conversation', () => {
    const reading = readQuestion({
      question: 'and by city?',
      context: [question],
      lens: shop,
      choices: {},
      now: new Date('2017-12-31T12:00:00Z'),
    });
    expect(reading.kind === 'plan' && reading.doubt === null).toBe(false);
  });
  test('it stays in doubt after a choice', () => {
    const read = readQuestion({
      question: 'best customers',
      lens: superstore,
      choices: { customers: 'revenue' },
      now: new Date('2017-12-31T12:00:00Z'),
    });
    expect(read.kind === 'plan' ? read.doubt : 'not read').not.toBeNull();
  });
});
