// "Corporate customers", where the field is called customer segment and customers are no things of their own: the noun says
// again what the value is a kind of. Any other noun still says something.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { superstore } from '../../../test/support/planner-lenses.ts';
import type { Lens } from '../../lens/model/lens.ts';
import { readQuestion } from '../read-question.ts';

const NAMES: Record<string, string> = { segment: 'customer segment', category: 'product category' };
const lens: Lens = {
  ...superstore,
  datasets: superstore.datasets.map((dataset) => ({
    ...dataset,
    fields: dataset.fields.map((field) => ({
      ...field,
      synonyms: [...field.synonyms, NAMES[field.name] ?? []].flat(),
    })),
  })),
};
const read = (question: string): string => {
  const found = readQuestion({ question, lens, choices: {}, now: new Date('2017-12-31T12:00:00Z') });
  return found.kind === 'intent' ? intentBrief(found.intent) : found.kind;
};

test.each([
  ['revenue from Corporate customers', 'revenue | where orders.segment = Corporate'],
  [
    'revenue from corporate customers in 2016',
    'revenue | where orders.segment = Corporate | time orders.order_date 2016-01-01..2017-01-01',
  ],
  ['profit of Furniture products by region', 'profit | by orders.region | where orders.category = Furniture'],
  [
    'average discount for Consumer customers by year',
    'average_discount | by orders.order_date.year | where orders.segment = Consumer',
  ],
  ['revenue from West customers', 'refused'],
  ['revenue from Furniture customers', 'refused'],
  ['revenue from new Corporate customers', 'refused'],
  ['revenue from Corporate customers and products', 'refused'],
])('%s', (question, brief) => expect(read(question)).toBe(brief));
