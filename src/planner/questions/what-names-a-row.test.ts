// What a row is called by: the field that the analyst calls as the thing itself, a name written short, or the number that
// people know it by beside a warehouse's own key. Where none of these is alone, rows are shown whole.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import type { LensField } from '../../lens/model/lens.ts';
import { readQuestion } from '../read-question.ts';

const boats = (fields: LensField[], key = 'boat_id', name = 'boats') =>
  lens('harbour', {
    datasets: [
      dataset(name, [key], [field(key, 'integer'), ...fields, field('length_m', 'decimal')], { synonyms: ['vessels'] }),
      dataset('trips', ['trip_id'], [field('trip_id', 'integer'), field(key, 'integer')]),
    ],
    metrics: [],
    relationships: [relation('trips', key, name, key)],
  });
const read = (made: ReturnType<typeof boats>, question: string): string => {
  const found = readQuestion({ question, lens: made, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  return found.kind === 'intent' ? intentBrief(found.intent) : found.kind;
};
const berth = field('berth', 'string', { values: ['A', 'B'] });

test.each([
  ['a synonym that is the thing', boats([berth, field('b_txt', 'string', { synonyms: ['boat'] })]), 'boats.b_txt'],
  ['a synonym of the thing', boats([berth, field('b_txt', 'string', { synonyms: ['vessel'] })]), 'boats.b_txt'],
  ['a short name', boats([berth, field('b_nm', 'string')]), 'boats.b_nm'],
  ['a number', boats([berth, field('boat_no', 'string')]), 'boats.boat_no'],
  [
    'a code beside a surrogate key',
    boats([berth, field('boat_code', 'string')], 'boat_key', 'dim_boat'),
    'dim_boat.boat_code',
  ],
])('%s names it', (_, made, named) => {
  expect(read(made, 'Which boat has the most trips?')).toContain(`groups | by ${named} | key`);
  expect(read(made, 'Find the boats that have more than 10 trips.')).toMatch(
    new RegExp(`^list \\w+ \\| by ${named} \\| where some trips > 10`),
  );
});
test.each([
  ['a code beside an id, which may be a kind', boats([berth, field('boat_code', 'string')])],
  ['two names', boats([field('b_nm', 'string'), field('owner_nm', 'string')])],
])('%s names no row', (_, made) =>
  expect(read(made, 'Find the boats that have more than 10 trips.')).toContain('boats.length_m'),
);
