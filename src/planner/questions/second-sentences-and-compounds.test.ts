// What a second sentence asks for, things named in front of things, and what closes a question.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const harbour = lens('harbour', {
  datasets: [
    dataset(
      'ships',
      ['ship_id'],
      [
        field('ship_id', 'integer'),
        field('ship_name', 'string', { values: ['Gull', 'Tern'], synonyms: ['name'] }),
        field('flag', 'string', { values: ['Malta', 'Chile'] }),
        field('home_port', 'string', { values: ['Genoa', 'Bergen'] }),
        field('payment_method', 'string', { values: ['Cash', 'Card'] }),
        field('tonnage', 'integer'),
      ],
    ),
    dataset(
      'voyages',
      ['voyage_id'],
      [
        field('voyage_id', 'integer'),
        field('route', 'string', { values: ['North', 'South'] }),
        field('fare', 'decimal'),
      ],
    ),
    dataset(
      'makers',
      ['maker_id'],
      [field('maker_id', 'integer'), field('maker_name', 'string', { values: ['Sony', 'Elm'] })],
    ),
    dataset('radars', ['radar_id'], [field('radar_id', 'integer'), field('radar_name', 'string', { values: ['R1'] })]),
  ],
  metrics: [],
  relationships: [
    relation('voyages', 'ship_id', 'ships', 'ship_id'),
    relation('radars', 'maker_id', 'makers', 'maker_id'),
  ],
});
const read = (question: string): string => {
  const reading = readQuestion({ question, lens: harbour, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  if (reading.kind === 'intent') return intentBrief(reading.intent);
  return reading.kind === 'refused' ? `refused ${reading.message}` : reading.clarification.message;
};

test('a second sentence says what is shown of the things before', () => {
  const shown = 'list ships | by ships.flag, ships.tonnage | where some voyages = 1';
  expect(read('Which ships had exactly one voyage? For each, tell me the flag and the tonnage.')).toBe(shown);
  expect(read('Which ships had exactly one voyage? For each of them, return the flag and the tonnage.')).toBe(shown);
  expect(read('Which ships do not have any voyages? Find the flags of these ships.')).toBe(
    'list ships | by ships.flag | where no voyages',
  );
});

test('where a field is, is the field', () => {
  expect(read('Where is the home port of the ship named Gull?')).toBe(
    'list ships | by ships.home_port | where ships.ship_name = Gull',
  );
  expect(read('Where are the voyages?')).toMatch(/^refused/);
});

test('a thing in front of what is its own adds nothing', () => {
  expect(read('How many ship voyages are there?')).toBe('count(voyages)');
  expect(read('Which ship has the most ship voyages?')).toBe(
    'groups | by ships.ship_name | key ships | where ships.ship_id is_not_null | order count(voyages) desc | limit 1',
  );
  // A maker has no voyages.
  expect(read('How many maker voyages are there?')).toMatch(/^refused/);
});

test('what is involved is named beside what it is involved in, and alone it restricts', () => {
  expect(read('Show the routes of voyages and the names of the ships involved.')).toBe(
    'list voyages | by voyages.route, ships.ship_name',
  );
  expect(read('What are the names of the ships involved?')).toMatch(/^refused/);
  expect(read('What are the routes of the voyages that involved ships from Malta?')).toMatch(
    /^(?:list voyages \| by voyages\.route \| where ships\.flag = Malta|refused)/,
  );
});

test('what a thing is called is its name', () => {
  expect(read('What is the ship with the largest amount of tonnage called?')).toBe(
    'list ships | by ships.ship_name | order ships.tonnage desc | limit 1',
  );
});

test('the average of all values is the average', () => {
  expect(read('What are the names of ships with tonnage greater than the average of all tonnages?')).toBe(
    'list ships | by ships.ship_name | where ships.tonnage > avg(ships.tonnage)',
  );
});

test('a mean of what they have is compared with an amount of money', () => {
  expect(read('Show the names of ships whose voyages have an average fare higher than or equal to $150.')).toBe(
    'groups | by ships.ship_name | key ships | where ships.ship_id is_not_null | having avg(voyages.fare) >= 150',
  );
});

test('what somebody does not make is made by others', () => {
  expect(read('How many radars does Sony not make?')).toMatch(
    /^(?:refused|count\(radars\) \| where makers\.maker_name != Sony)/,
  );
  expect(read('Find the number of radars which Sony does not make.')).toBe(
    'count(radars) | where makers.maker_name != Sony or null',
  );
});

test('things are counted over the rows in between, told apart by their own key', () => {
  expect(read('Which voyage route has the most ships?')).toBe(
    'groups | by voyages.route | where voyages.route is_not_null | order count(ships) desc | limit 1',
  );
  expect(read('How many ships are there for each voyage route?')).toBe('count(ships) | by voyages.route');
  // Nothing leads from radars to ships.
  expect(read('How many ships are there for each radar?')).toMatch(/^refused/);
});

test('a file is a thing, and to file something a verb', () => {
  expect(read('Which ships did not file any voyages? List the flag.')).toBe(
    'list ships | by ships.flag | where no voyages',
  );
  expect(read('Count the number of route files that use the North route.')).toMatch(/^refused/);
});
