// Which rows an answer keeps apart: the thing that a superlative picks, the one related row that several clauses are about,
// and amounts that would split what is grouped.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const fair = lens('fair', {
  datasets: [
    dataset(
      'halls',
      ['hall_id'],
      [field('hall_id', 'integer'), field('hall_name', 'string', { values: ['A', 'B'] }), field('area', 'decimal')],
    ),
    dataset(
      'stands',
      ['stand_id'],
      [
        field('stand_id', 'integer'),
        field('stand_number', 'string'),
        field('stand_type', 'string', { values: ['corner', 'island', 'row'], synonyms: ['type of stand', 'type'] }),
        field('table_count', 'integer', { synonyms: ['tables'] }),
        field('chair_count', 'integer', { synonyms: ['chairs'] }),
      ],
    ),
    dataset(
      'visitors',
      ['visitor_id'],
      [
        field('visitor_id', 'integer'),
        field('visitor_name', 'string', { values: ['Ada', 'Bo'] }),
        field('town', 'string', { values: ['Linz', 'Graz'] }),
      ],
    ),
    dataset(
      'visits',
      ['visit_id'],
      [
        field('visit_id', 'integer'),
        field('minutes', 'integer'),
        field('outcome', 'string', { values: ['sale', 'talk'] }),
        field('visit_date', 'date'),
      ],
      { timeField: 'visit_date' },
    ),
  ],
  metrics: [],
  relationships: [
    relation('stands', 'hall_id', 'halls', 'hall_id'),
    relation('visits', 'stand_id', 'stands', 'stand_id'),
    relation('visits', 'visitor_id', 'visitors', 'visitor_id'),
  ],
});
const read = (question: string): string => {
  const reading = readQuestion({ question, lens: fair, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  if (reading.kind === 'intent') return intentBrief(reading.intent);
  return reading.kind === 'refused' ? `refused ${reading.message}` : 'asked back';
};

test.each([
  'What is the town of the visitor who has the most visits?',
  'What is the town of the visitor with the most visits?',
  'Which visitor has the most visits? Show the town.',
  'Show the town of the visitor that has the largest number of visits.',
])('what is asked of the one thing that ranks first is told of that one: %s', (question) => {
  expect(read(question)).toBe(
    'groups | by visitors.town | key visitors | where visitors.visitor_id is_not_null | order count(visits) desc | limit 1',
  );
});

test('what all things of a kind have together is another question', () => {
  expect(read('Which town has the most visits?')).toContain('by visitors.town | where');
  expect(read('Which town of visitors has the most visits?')).not.toContain('key');
  expect(read('What is the town of visitors with the most visits?')).toMatch(/^refused Say whether one of the/);
});

test('several things that rank first are kept apart, and so are those that a total is tested of', () => {
  expect(read('the towns of the top 3 visitors by number of visits')).toContain('by visitors.town | key visitors');
  expect(read('the towns of the visitors with total minutes over 40')).toBe(
    'groups | by visitors.town | key visitors | where visitors.visitor_id is_not_null | having sum(visits.minutes) > 40',
  );
  expect(read('Which hall has the stand with the most visits?')).toContain('key halls, stands');
});

test.each([
  'halls that have visits whose minutes are above 9 and whose outcome is sale',
  'halls related to visits with minutes above 9 and with outcome sale',
  'halls associated with visits whose outcome is sale and that have minutes above 9',
])('two clauses behind one thing are about one row of it: %s', (question) => {
  expect(read(question)).toMatch(/where some visits \([^)]* & [^)]*\)$/);
});

test('clauses about who is asked for may each be true of another row', () => {
  expect(read('visitors who had a visit with outcome sale and who had a visit with outcome talk')).toMatch(
    /some visits \(.*sale\) & some visits \(.*talk\)/,
  );
});

test('an amount of single rows does not split what is grouped', () => {
  expect(read('Which stand type has the most visits? Return the stand type and the chair count.')).toMatch(
    /^refused Say whether the total or the average of chair count/,
  );
  expect(read('Show the name and area of the hall with the most stands')).toContain(
    'by halls.hall_name, halls.area | key',
  );
});

test('the names of what a field holds are its values, whatever else has a name', () => {
  expect(read('Show the names of the towns')).toBe('list visitors | by visitors.town | distinct');
  expect(read('names of visitors')).toBe('list visitors | by visitors.visitor_name');
});
