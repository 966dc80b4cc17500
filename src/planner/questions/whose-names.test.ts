// First and last names belong to whoever has them: to the dataset asked about, or to the one whose rows it describes.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const wharf = lens('wharf', {
  datasets: [
    dataset(
      'workers',
      ['worker_no'],
      [
        field('worker_no', 'integer'),
        field('first_name', 'string', { values: ['Ada', 'Bo'] }),
        field('last_name', 'string', { values: ['Lund', 'Moe'] }),
        field('hired_on', 'date'),
      ],
    ),
    dataset('halls', ['hall_no'], [field('hall_no', 'integer'), field('hall_name', 'string', { values: ['North'] })]),
    dataset(
      'welders',
      ['worker_no'],
      [field('worker_no', 'integer'), field('grade', 'string', { values: ['A', 'B'] })],
      { synonyms: ['welder'] },
    ),
    dataset('guests', ['guest_no'], [field('guest_no', 'integer'), field('origin', 'string', { values: ['Oslo'] })]),
    dataset(
      'apprentice',
      ['apr_num'],
      [
        field('apr_num', 'integer'),
        field('apr_fname', 'string'),
        field('apr_lname', 'string'),
        field('apr_pay_grade', 'decimal'),
      ],
    ),
  ],
  metrics: [],
  definitions: [],
  relationships: [
    relation('halls', 'head_no', 'workers', 'worker_no', 'head'),
    relation('welders', 'worker_no', 'workers', 'worker_no'),
    relation('welders', 'hall_no', 'halls', 'hall_no'),
    relation('guests', 'hall_no', 'halls', 'hall_no'),
    relation('apprentice', 'hall_no', 'halls', 'hall_no'),
  ],
});
const read = (question: string): string => {
  const reading = readQuestion({ question, lens: wharf, choices: {}, now: new Date('2024-05-01T12:00:00Z') });
  return reading.kind === 'intent' ? intentBrief(reading.intent) : reading.kind;
};

test.each([
  ['What are the first names of the welders?', 'list welders | by workers.first_name'],
  ["List the welders' last names", 'list welders | by workers.last_name'],
  [
    'Show the last name and grade of every welder in the North hall',
    'list welders | by workers.last_name, welders.grade | where halls.hall_name = North',
  ],
  ['What are the names of the welders?', 'list welders | by workers.first_name, workers.last_name'],
  ['How many welders have the last name Moe?', 'count(welders) | where workers.last_name = Moe'],
])('a thing whose key is that of another is called as the other is: %s', (question, brief) => {
  expect(read(question)).toContain(brief);
});

test.each([
  'What are the first names of the guests?',
  "List the guests' last names",
  'List the last name and the origin of all guests',
  'What are the names of the guests?',
])('names of somebody else are not those of the thing asked about: %s', (question) => {
  expect(read(question)).toBe('refused');
});

test.each([
  ['What is the first name of each apprentice?', 'list apprentice | by apprentice.apr_fname'],
  ['List the names of all apprentices', 'list apprentice | by apprentice.apr_fname, apprentice.apr_lname'],
  ['What is the average pay grade of the apprentices?', 'avg(apprentice.apr_pay_grade)'],
  ['apprentices with the highest pay grade', 'order apprentice.apr_pay_grade desc'],
])('a short form of the name of the dataset before its columns is not said: %s', (question, brief) => {
  expect(read(question)).toContain(brief);
});
