// A date that is named with a period is the one restricted; a bare period stays with the usual date.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const permits = lens('permits', {
  datasets: [
    dataset('holders', ['holder_id'], [field('holder_id', 'integer'), field('holder_name', 'string')]),
    dataset(
      'permits',
      ['permit_id'],
      [
        field('permit_id', 'integer'),
        field('holder_id', 'integer'),
        field('granted_on', 'date', { synonyms: ['grant date', 'granted'] }),
        field('ends_on', 'date', { synonyms: ['end date'] }),
        field('seen_on', 'date', { synonyms: ['inspection date'] }),
        field('area', 'string', { values: ['North', 'South'] }),
      ],
      { timeField: 'granted_on' },
    ),
  ],
  metrics: [],
  relationships: [relation('permits', 'holder_id', 'holders', 'holder_id')],
});
const read = (question: string): string => {
  const found = readQuestion({ question, lens: permits, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  return found.kind === 'intent' ? intentBrief(found.intent).replace(/^.*? \| (?=where|time)/, '') : found.kind;
};

test.each([
  ['How many permits have an end date before 2023?', 'where permits.ends_on < 2023-01-01'],
  ['permits with end date after 2023', 'where permits.ends_on >= 2024-01-01'],
  ['permits whose inspection date was in 2023', 'where permits.seen_on >= 2023-01-01 & permits.seen_on < 2024-01-01'],
  [
    'permits with an inspection date before today and without an end date',
    'where permits.seen_on < 2024-06-30 & permits.ends_on is_null',
  ],
  [
    'permits with an end date after 2023 and a grant date before 2022',
    'where permits.ends_on >= 2024-01-01 & permits.granted_on < 2022-01-01',
  ],
  ['holders who have permits with an end date before 2023', 'where some permits (permits.ends_on < 2023-01-01)'],
  ['number of permits by area where the end date is in 2023', /ends_on >= 2023-01-01 & permits.ends_on < 2024-01-01$/],
])('%s', (question, brief) =>
  expect(read(question)).toEqual(typeof brief === 'string' ? brief : expect.stringMatching(brief)),
);
test.each([
  ['how many permits in 2023', 'time permits.granted_on 2023-01-01..2024-01-01'],
  ['permits that were granted in 2023', 'time permits.granted_on 2023-01-01..2024-01-01'],
  ['permits with an end date', 'where permits.ends_on is_not_null'],
  ['end date of permits granted in 2023', 'time permits.granted_on 2023-01-01..2024-01-01'],
])('no other date is taken: %s', (question, brief) => expect(read(question)).toBe(brief));
test.each([
  ['end dates in 2023', 'time permits.ends_on 2023-01-01..2024-01-01 | distinct'],
  ['number of permits by inspection date in 2023', 'time permits.seen_on 2023-01-01..2024-01-01'],
])('a date that is shown or grouped by, right before the period: %s', (question, brief) =>
  expect(read(question)).toBe(brief),
);
test.each(['permits whose end date is not in 2023', 'permits whose end date is in 2022 or 2023'])('%s', (question) =>
  expect(read(question)).toBe('refused'),
);
