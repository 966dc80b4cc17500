// Whose name a name is: in a list, of a field, of what somebody else has; and who began something.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const docks = lens('docks', {
  datasets: [
    dataset(
      'owners',
      ['owner_id'],
      [
        field('owner_id', 'integer'),
        field('owner_name', 'string', { values: ['Ida', 'Bo'] }),
        field('trade', 'string', { values: ['Timber', 'Salt'] }),
      ],
    ),
    dataset(
      'boats',
      ['boat_id'],
      [
        field('boat_id', 'integer'),
        field('name', 'string', { values: ['Seagull', 'Tern'] }),
        field('price', 'decimal'),
        field('builder', 'string', { values: ['Andy', 'Mary'] }),
      ],
    ),
    dataset('piers', ['pier_id'], [field('pier_id', 'integer'), field('pier_name', 'string', { values: ['North'] })]),
    dataset('berths', ['berth_id'], [field('berth_id', 'integer'), field('fee', 'decimal')]),
  ],
  metrics: [],
  relationships: [
    relation('boats', 'owner_id', 'owners', 'owner_id'),
    relation('berths', 'owner_id', 'owners', 'owner_id'),
    relation('berths', 'pier_id', 'piers', 'pier_id'),
  ],
});
const read = (question: string): string => {
  const reading = readQuestion({ question, lens: docks, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  if (reading.kind === 'intent') return intentBrief(reading.intent);
  return reading.kind === 'refused' ? `refused ${reading.message}` : reading.clarification.message;
};

test('an id behind a name is of what the name is of', () => {
  const each = 'count(boats) | by owners.owner_name, owners.owner_id | key owners';
  expect(read('Show the owner name, id and the number of boats for each owner.')).toBe(each);
  expect(read('Show the owner name and id, and the number of boats of each owner.')).toBe(each);
  expect(read('What is the owner name and id with the most boats?')).toBe(
    'groups | by owners.owner_name, owners.owner_id | key owners | where owners.owner_id is_not_null | order count(boats) desc | limit 1',
  );
});

test('an id that is said to be of something else is of that', () => {
  expect(read('Show the owner name, id and price of all boats.')).toBe(
    'list boats | by owners.owner_name, boats.boat_id, boats.price',
  );
});

test('the name of each value is the value, and the name of each thing is its name', () => {
  expect(read('What is the name of each trade and the number of owners in that trade?')).toBe(
    'count(owners) | by owners.trade',
  );
  expect(read('Show the name of each owner and the number of boats.')).toBe(
    'count(boats) | by owners.owner_name | key owners',
  );
});

test('of two names neither is dropped', () => {
  expect(read('List the name of each owner along with the name and price of their most expensive boat.')).toBe(
    'list boats | by owners.owner_name, boats.name, boats.price | order boats.price desc | top 1 per owners.owner_name',
  );
  expect(read('List the name and price of the boats and the name.')).toMatch(/^refused/);
});

test('all that there is about a thing stays shown beside something else', () => {
  expect(read("List all the boat information and the owner's name.")).toBe(
    'list boats | by owners.owner_name, boats.boat_id, boats.name, boats.price, boats.builder',
  );
});

test('a clause without its pronoun says what relates two things', () => {
  expect(read('For each owner, return the owner name and the name of the pier their berth is in.')).toBe(
    'list berths | by owners.owner_name, piers.pier_name',
  );
});

test('"started by" says who, "starting with" says how a name begins', () => {
  expect(read('How many boats were started by Andy?')).toMatch(/^refused/);
  expect(read('What is the average price of boats started by builder?')).toMatch(/^refused/);
  expect(read('Which boats start with S?')).toBe('list boats | by boats.name | where boats.name starts_with S');
  expect(read('Which boats have a name starting by the letter S?')).toBe(
    'list boats | by boats.name | where boats.name starts_with S',
  );
});

test('a request may open with "select"', () => {
  expect(read('Select the name and price of the cheapest boat.')).toBe(
    'list boats | by boats.name, boats.price | order boats.price asc | limit 1',
  );
});
