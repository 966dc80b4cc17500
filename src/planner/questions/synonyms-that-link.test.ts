// A synonym of a dataset that is a verb with its preposition links two things; it is no thing to be listed beside them.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const wards = lens('wards', {
  datasets: [
    dataset(
      'wards',
      ['ward_id'],
      [field('ward_id', 'integer'), field('ward_name', 'string'), field('beds', 'integer')],
    ),
    dataset(
      'chiefs',
      ['chief_id'],
      [
        field('chief_id', 'integer'),
        field('chief_name', 'string', { values: ['Ida', 'Bo'] }),
        field('town', 'string', { values: ['Ely', 'Bath'] }),
      ],
    ),
    dataset('leadership', ['ward_id', 'chief_id'], [field('status', 'string', { values: ['acting', 'full'] })], {
      synonyms: ['managed by', 'posts'],
    }),
  ],
  metrics: [],
  relationships: [
    relation('leadership', 'ward_id', 'wards', 'ward_id'),
    relation('leadership', 'chief_id', 'chiefs', 'chief_id'),
  ],
});
const read = (question: string): string => {
  const reading = readQuestion({ question, lens: wards, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  return reading.kind === 'intent' ? intentBrief(reading.intent) : reading.kind;
};

test.each([
  [
    'Show the ward name and beds of the wards managed by chiefs from Bath',
    'list wards | by wards.ward_name, wards.beds | where some leadership (chiefs.town = Bath)',
  ],
  ['wards managed by Ida', 'list wards | by wards.ward_name | where some leadership (chiefs.chief_name = Ida)'],
  ['how many wards are managed by Bo', 'count(wards) | where some leadership (chiefs.chief_name = Bo)'],
  // A noun among the synonyms stays one.
  ['how many posts are there', 'count(leadership)'],
])('%s', (question, brief) => expect(read(question)).toBe(brief));
