import { expect, it } from 'vitest';
import type { Lens } from '../../lens/model/lens.ts';
import { suggestGapFix } from './suggest-gap-fix.ts';

const createField = (name: string, values: string[], dictionaryFromWarehouse: boolean) => ({
  ...{ name, synonyms: [], masked: false, dictionaryFromWarehouse },
  dictionary: { values: values.map((value) => ({ value, synonyms: [] })), complete: true },
});
const lens = {
  name: 'shop',
  metrics: [{ name: 'revenue', synonyms: ['sales'] }],
  datasets: [
    { name: 'orders', fields: [createField('region', ['West'], false), createField('product', ['Phones'], true)] },
  ],
} as unknown as Lens;

it.each([
  ['revenu in 2016', ['revenu'], { kind: 'synonym', of: 'metric', name: 'revenue', synonym: 'revenu' }],
  ['sales in wesst', ['wesst'], { kind: 'value_synonym', field: 'orders.region', value: 'West', synonym: 'wesst' }],
  ['What is the churn rate?', ['churn', 'rate'], { kind: 'definition', term: 'churn rate' }],
  ['Revenue by planet', ['by', 'planet'], { kind: 'definition', term: 'planet' }],
  ['Sales of phons', ['of', 'phon'], null],
  ['Average revenue', ['average'], null],
])(
  'suggests a fix for the word in “%s” that names something, never for a function word',
  (question, missingWords, change) => {
    const suggestion = suggestGapFix(lens, missingWords, question);
    expect(suggestion.change).toEqual(change === null ? null : expect.objectContaining(change));
    expect(suggestion.text.length).toBeGreaterThan(20);
  },
);
