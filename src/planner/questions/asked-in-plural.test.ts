// Sets of values, numbers that stand for something, participles of irregular form, and letters that are values.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const regatta = lens('regatta', {
  datasets: [
    dataset(
      'sailors',
      ['sailor_id'],
      [
        field('sailor_id', 'integer'),
        field('first_name', 'string', { values: ['Ada', 'Bo'] }),
        field('last_name', 'string', { values: ['Lund', 'Moe'] }),
        field('town', 'string', { values: ['Kiel', 'Oslo'], synonyms: ['city'] }),
        field('coach', 'integer', { synonyms: ['trainer'] }),
        field('adviser', 'integer'),
        field('boats', 'integer'),
        field('home_squad', 'string', { values: ['A', 'B'] }),
      ],
    ),
    dataset('squads', ['squad_id'], [field('squad_id', 'integer'), field('motto', 'string')]),
    dataset(
      'heats',
      ['heat_id'],
      [
        field('heat_id', 'integer'),
        field('heat_name', 'string', { values: ['Dawn Cup', 'Dusk Cup'] }),
        field('sailed_on', 'date', { synonyms: ['held'] }),
      ],
      { timeField: 'sailed_on' },
    ),
    dataset('starts', ['start_id'], [field('start_id', 'integer')]),
  ],
  metrics: [],
  relationships: [
    relation('starts', 'sailor_id', 'sailors', 'sailor_id'),
    relation('starts', 'heat_id', 'heats', 'heat_id'),
  ],
});
const read = (question: string): string => {
  const reading = readQuestion({ question, lens: regatta, choices: {}, now: new Date('2024-05-01T12:00:00Z') });
  return reading.kind === 'intent' ? intentBrief(reading.intent) : reading.kind;
};

test.each([
  ['Show all towns where sailors live.', 'list sailors | by sailors.town | distinct'],
  ['What cities do sailors live in?', 'list sailors | by sailors.town | distinct'],
  ['In which towns do the sailors live?', 'list sailors | by sailors.town | distinct'],
  ['What are the towns of the sailors?', 'list sailors | by sailors.town'],
  ['What last names do the sailors have?', 'list sailors | by sailors.last_name'],
  ['What are the first names of all the different sailors?', 'list sailors | by sailors.first_name | distinct'],
  ['What are the first names of all the sailors?', 'list sailors | by sailors.first_name'],
])('values asked for are told once, and those of each thing are not: %s', (question, brief) => {
  expect(read(question)).toBe(brief);
});

test.each([
  ['How many advisers are there?', 'refused'],
  ['What is the total number of coaches?', 'refused'],
  ['How many advisers do the sailors have?', 'refused'],
  ['How many different advisers are there?', 'count_distinct(sailors.adviser)'],
  ['How many boats are there?', 'sum(sailors.boats)'],
  ['How many boats do the sailors from Kiel own?', 'sum(sailors.boats) | where sailors.town = Kiel'],
  ['How many different squads are there?', 'count(squads)'],
])('a number that may stand for somebody is not added up: %s', (question, brief) => {
  expect(read(question)).toBe(brief);
});

test.each([
  ['What are the names of the heats held in 2023?', 'list heats | by heats.heat_name | time heats.sailed_on 2023'],
  ['What is the name of the heat held most recently?', 'order heats.sailed_on desc | limit 1'],
  ['How many heats were held in 2023?', 'count(heats) | time heats.sailed_on 2023'],
  ['When was the Dawn Cup held?', 'list heats | by heats.sailed_on | where heats.heat_name = Dawn Cup'],
  ['Which heats were held?', 'refused'],
  ['Which sailors participated in the Dawn Cup?', 'where some starts (heats.heat_name = Dawn Cup)'],
  ['How many sailors participated in 2023?', 'refused'],
])('what happened is told by its date, however the verb is formed: %s', (question, brief) => {
  expect(read(question)).toContain(brief);
});

test.each([
  ['How many sailors got an A?', 'count(sailors) | where sailors.home_squad = A'],
  ['List the last names of sailors who got an A or a B', 'where sailors.home_squad in A|B'],
  ['List the last names of the sailors who own a boat', 'refused'],
])('a letter by itself is a value and no article: %s', (question, brief) => {
  expect(read(question)).toContain(brief);
});

test.each([
  ['Show all advisers and the corresponding number of sailors', 'count(sailors) | by sailors.adviser'],
  ['Show all advisers and the number of sailors', 'refused'],
  ['How many towns exist in total?', 'count_distinct(sailors.town)'],
  ['How many sailors are there all together?', 'count(sailors)'],
  ['What is the name of the heat that happened most recently?', 'order heats.sailed_on desc | limit 1'],
])('a number for each, one for all, and the last of them: %s', (question, brief) => {
  expect(read(question)).toContain(brief);
});
