// Ways of saying the same that people mix freely: bounds behind the number, both pronouns, further columns behind a
// condition, fields of a thing and of what belongs to it side by side.
import { expect, test } from 'vitest';
import { intentBrief } from '../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../test/support/planner-lenses.ts';
import { readQuestion } from './read-question.ts';

const harbour = lens('harbour', {
  datasets: [
    dataset(
      'skippers',
      ['skipper_id'],
      [
        field('skipper_id', 'integer'),
        field('first_name', 'string', { values: ['Ida', 'Jon'] }),
        field('last_name', 'string', { values: ['Berg', 'Dahl'] }),
        field('region', 'string', { values: ['North Bay', 'South Bay'] }),
      ],
    ),
    dataset('sizes', ['size_code'], [field('size_code', 'string'), field('size_label', 'string')], {
      synonyms: [],
    }),
    dataset(
      'boats',
      ['boat_id'],
      [
        field('boat_id', 'integer'),
        field('boat_name', 'string', { values: ['Alba', 'Brisa'] }),
        field('age', 'integer'),
        field('birth_date', 'date'),
        field('line_1', 'string'),
        field('line_2', 'string'),
      ],
    ),
    dataset(
      'repairs',
      ['repair_id'],
      [field('repair_id', 'integer'), field('repaired_on', 'date', { synonyms: ['date'] }), field('bill', 'decimal')],
      { timeField: 'repaired_on' },
    ),
  ],
  metrics: [],
  relationships: [
    relation('boats', 'skipper_id', 'skippers', 'skipper_id'),
    relation('boats', 'size_code', 'sizes', 'size_code'),
    relation('repairs', 'boat_id', 'boats', 'boat_id'),
  ],
});
const brief = (question: string): unknown => {
  const reading = readQuestion({ question, lens: harbour, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  return reading.kind === 'intent' ? intentBrief(reading.intent) : reading.kind;
};

test.each([
  ['Which boats had two or more repairs?', 'list boats | by boats.boat_name | where some repairs >= 2'],
  ['How many boats have 3 or fewer years of age?', 'refused'],
  [
    'Which skipper has the most boats? List his or her first name.',
    'groups | by skippers.first_name | key skippers | where skippers.skipper_id is_not_null | order count(boats) desc | limit 1',
  ],
  ["What's the age of the oldest boat?", 'list boats | by boats.age | order boats.age desc | limit 1'],
  ['List both the age and the birth date of all boats.', 'list boats | by boats.age, boats.birth_date'],
  [
    'skippers from a region whose name contains "North"',
    'list skippers | by skippers.first_name, skippers.last_name | where skippers.region contains North',
  ],
  [
    'Find the last names of skippers from North Bay and the ages of the boats they own.',
    'list boats | by skippers.last_name, boats.age | where skippers.region = North Bay',
  ],
  [
    "What are each skipper's first name and the size label of their boat?",
    'list boats | by skippers.first_name, sizes.size_label',
  ],
  [
    'List the date of each repair, together with the name of the boat.',
    'list repairs | by repairs.repaired_on, boats.boat_name',
  ],
  ['How many skippers have ever had any repair on a boat?', 'count(skippers) | where some repairs & some boats'],
  [
    'skippers living in either the region North Bay or the region South Bay',
    'list skippers | by skippers.first_name, skippers.last_name | where skippers.region in North Bay|South Bay',
  ],
  ['Show all boats including line 1 and line 2.', 'list boats | by boats.line_1, boats.line_2'],
  ['How many boats in total are listed?', 'count(boats)'],
])('%s', (question, expected) => {
  expect(brief(question)).toBe(expected);
});

test('a number has no place in the alphabet, and a measure orders nothing alphabetically', () => {
  expect(brief('number of boats by boat name in reverse alphabetical order')).toMatch(/order boats.boat_name desc/);
  expect(brief('ages and birth dates of boats in alphabetical order')).toBe('refused');
});
