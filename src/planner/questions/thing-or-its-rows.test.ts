// A thing that is not so is not told from single rows of it, and "of the five longest" picks five things: no value of five.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const trails = lens('trails', {
  datasets: [
    dataset(
      'trails',
      ['trail_id'],
      [
        field('trail_id', 'integer'),
        field('title', 'string', { values: ['Ridge', 'Gorge'] }),
        field('region', 'string', { values: ['North', 'South'] }),
        field('length', 'float'),
        field('height', 'float'),
      ],
      { synonyms: ['trail'] },
    ),
    dataset('hikers', ['hiker_id'], [field('hiker_id', 'integer'), field('name', 'string', { values: ['Cy', 'Di'] })], {
      synonyms: ['hiker'],
    }),
    dataset(
      'walks',
      ['walk_id'],
      [
        field('walk_id', 'integer'),
        field('trail_id', 'integer'),
        field('hiker_id', 'integer'),
        field('minutes', 'integer'),
      ],
      { synonyms: ['walk'] },
    ),
  ],
  relationships: [
    relation('walks', 'trail_id', 'trails', 'trail_id'),
    relation('walks', 'hiker_id', 'hikers', 'hiker_id'),
  ],
  metrics: [],
});
const read = (question: string): string => {
  const found = readQuestion({ question, lens: trails, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  return found.kind === 'intent' ? intentBrief(found.intent) : found.kind;
};

test.each([
  ['average minutes for each trail that was not walked by Cy', 'refused'],
  ['What are the average minutes of each trail that has never been walked by Cy?', 'refused'],
  ['How many walks are there for each trail not walked by Cy?', 'refused'],
  ['average minutes of the hikers who did not walk Ridge', 'refused'],
  ['average minutes of trails that were not walked by Cy', 'refused'],
  // What the thing itself is not, what a walk is not, and what is left out.
  ['average minutes of trails not in the North', 'avg(walks.minutes) | where trails.region != North or null'],
  ['average minutes not by Cy', 'avg(walks.minutes) | where hikers.name != Cy or null'],
  ['How many trails were not walked by Cy?', 'count(trails) | where no walks (hikers.name = Cy)'],
  [
    'number of walks by trail excluding Cy',
    'count(walks) | by trails.title | key trails | where hikers.name != Cy or null',
  ],
])('what a thing is not: %s', (question, brief) => expect(read(question)).toBe(brief));

test.each(['those', 'these', 'the'])('%s trails, said again, are the ones whose name is asked for', (word) =>
  expect(
    read(`What are the regions of a trail with a walk of over 5 minutes, and what was the name of ${word} trails?`),
  ).toBe('list trails | by trails.region, trails.title | where some walks (walks.minutes > 5)'),
);

test.each([
  [
    'What are the heights of the five longest trails?',
    'list trails | by trails.height | order trails.length desc | limit 5',
  ],
  ['heights of 2 longest trails', 'list trails | by trails.height | order trails.length desc | limit 2'],
  ['Show the length of the 3 tallest trails', 'list trails | by trails.length | order trails.height desc | limit 3'],
  ['trails with a height of 50', 'list trails | by trails.title | where trails.height = 50'],
  ['What is the height of the longest trail?', 'list trails | by trails.height | order trails.length desc | limit 1'],
])('how many are picked: %s', (question, brief) => expect(read(question)).toBe(brief));
