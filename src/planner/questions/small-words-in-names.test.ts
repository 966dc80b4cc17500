// Columns whose names hold words of every question ("kind_is", "kept_in"): the word alone is no name of the column.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const cellar = lens('cellar', {
  datasets: [
    dataset(
      'wines',
      ['wine_id'],
      [
        field('wine_id', 'integer'),
        field('wine_name', 'string', { values: ['Silva', 'Brava'] }),
        field('kind_is', 'string', { values: ['red', 'white'] }),
        field('kept_in', 'string', { values: ['cask', 'tank'] }),
        field('sold_by', 'string', { values: ['Rossi', 'Weiss'] }),
        field('points', 'integer'),
      ],
      { synonyms: ['wine'] },
    ),
  ],
  relationships: [],
  metrics: [],
});
const read = (question: string): string => {
  const reading = readQuestion({ question, lens: cellar, choices: {}, now: new Date('2026-03-01T12:00:00Z') });
  return reading.kind === 'intent' ? intentBrief(reading.intent) : reading.kind;
};

test.each([
  ['What is the average points of red wines?', 'avg(wines.points) | where wines.kind_is = red'],
  ['What is the number of wines?', 'count(wines)'],
  ['How many wines are red?', 'count(wines) | where wines.kind_is = red'],
  ['What is the highest points of wines in the cask?', 'max(wines.points) | where wines.kept_in = cask'],
  ['Which wines are sold by Rossi?', 'list wines | by wines.wine_name | where wines.sold_by = Rossi'],
  ['What is the number of wines for each kind?', 'count(wines) | by wines.kind_is'],
])('a small word asks for no column: %s', (question, brief) => {
  expect(read(question)).toBe(brief);
});
