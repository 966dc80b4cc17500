import { expect, test } from 'vitest';
import { dataset, field, lens as lensOf } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const lens = lensOf('leisure', {
  datasets: [
    dataset(
      'visits',
      ['visit_id'],
      [field('visit_id', 'integer'), field('park', 'string'), field('guests', 'integer')],
    ),
    dataset('parks', ['park'], [field('park', 'string'), field('city', 'string'), field('benches', 'integer')]),
  ],
  relationships: [
    {
      ...{ role: 'parks', named: false },
      from: { dataset: 'visits', columns: ['park'] },
      to: { dataset: 'parks', columns: ['park'] },
    },
  ],
  metrics: [],
});
const listGroups = (question: string) => {
  const reading = readQuestion({ question, lens, choices: {}, now: new Date('2024-06-30') });
  return reading.kind === 'plan' ? reading.plan.dimensions.map(({ path, field }) => `${path}.${field}`) : reading.kind;
};

test.each([
  ['total guests by park', ['visits.park']],
  ['number of visits by park', ['visits.park']],
  ['total guests by city', ['parks.city']],
  ['total benches by park', ['parks.park']],
  ['benches by park', ['parks.park']],
  ['total guests by visit id', ['visits.visit_id']],
  ['average benches per park', []],
])('groups by the nearest field: %s', (question, groups) => {
  expect(listGroups(question)).toEqual(groups);
});
