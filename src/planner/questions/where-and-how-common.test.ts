// "Where is …?", the most common part of a name, "order … by", columns as they are spelt in the schema, and what relates
// two things in one verb more.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, metric, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const stage = lens('stage', {
  datasets: [
    dataset(
      'actors',
      ['actor_id'],
      [
        field('actor_id', 'integer'),
        field('first_name', 'string', { values: ['Ada', 'Bo'] }),
        field('last_name', 'string', { values: ['Moor', 'Hill'] }),
      ],
    ),
    dataset(
      'guests',
      ['guest_id'],
      [
        field('guest_id', 'integer'),
        field('first_name', 'string', { values: ['Cleo'] }),
        field('last_name', 'string', { values: ['Dale'] }),
        field('email', 'string'),
      ],
    ),
    dataset('addresses', ['address_id'], [field('address_id', 'integer'), field('address', 'string')]),
    dataset(
      'houses',
      ['house_id'],
      [
        field('house_id', 'integer'),
        field('house_name', 'string', { values: ['Lyric', 'Globe'] }),
        field('location', 'string'),
        field('seat_count', 'integer'),
        field('open_year', 'integer'),
      ],
    ),
    dataset(
      'clubs',
      ['club_id'],
      [
        field('club_id', 'integer'),
        field('club_name', 'string', { values: ['Rovers'] }),
        field('city', 'string', { values: ['Linz'] }),
        field('country', 'string', { values: ['Austria'] }),
      ],
    ),
    dataset(
      'plays',
      ['play_id'],
      [
        field('play_id', 'integer'),
        field('title', 'string'),
        field('length', 'integer', { unit: 'minutes' }),
        field('rating', 'string', { values: ['R', 'PG'] }),
      ],
    ),
    dataset('payments', ['payment_id'], [field('payment_id', 'integer'), field('amount', 'decimal')]),
  ],
  metrics: [metric('takings', 'sum(payments.amount)', 'payments', { synonyms: ['total payments'] })],
  relationships: [
    relation('guests', 'address_id', 'addresses', 'address_id'),
    relation('plays', 'house_id', 'houses', 'house_id'),
    relation('plays', 'actor_id', 'actors', 'actor_id'),
    relation('houses', 'club_id', 'clubs', 'club_id'),
    relation('payments', 'guest_id', 'guests', 'guest_id'),
  ],
});
const read = (question: string): string => {
  const reading = readQuestion({ question, lens: stage, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  if (reading.kind === 'intent') return intentBrief(reading.intent);
  return reading.kind === 'refused' ? `refused ${reading.message}` : 'asked back';
};

test.each([
  ['Where is the house Lyric located?', 'list houses | by houses.location | where houses.house_name = Lyric'],
  ['Where is house 2?', 'list houses | by houses.location | where houses.house_id = 2'],
  [
    'Where does the guest with the first name Cleo live?',
    'list addresses | by addresses.address | where some guests (guests.first_name = Cleo)',
  ],
  [
    'Where does the guest with the last name Dale live? And what is the email?',
    'list guests | by addresses.address, guests.email | where guests.last_name = Dale',
  ],
])('where a thing is tells the one field of its place: %s', (question, told) => {
  expect(read(question)).toBe(told);
});
test('a city or a country, and the places of many, are for the asker to say', () => {
  expect(read('Where is the club Rovers?')).toBe('refused Say whether the city or the country is meant.');
  expect(read('Where are the houses?')).toMatch(/^refused/);
  expect(read('Where is the play of actor 3?')).toMatch(/^refused/);
});

test.each([
  'Return the most common first name among all actors.',
  'What is the most popular first name of the actors?',
  'the most frequent first name of actors',
])('a part of a name may be common: %s', (question) => {
  expect(read(question)).toBe(
    'groups | by actors.first_name | where actors.first_name is_not_null | order count(actors) desc | limit 1',
  );
});
test('whose it is must be said, and what is popular is not always what occurs most', () => {
  expect(read('What is the most common first name?')).toMatch(/^(?:refused|asked back)/);
  expect(read('What is the most popular play?')).toMatch(/^refused/);
  expect(read('What is the most popular rating?')).toMatch(/^refused/);
  expect(read('What is the most common title of the plays?')).toMatch(/^refused/);
});

test.each(['How many actors and actresses are there?', 'How many actors or actresses are there?'])(
  'the two words for one thing count it once: %s',
  (question) => {
    expect(read(question)).toBe('count(actors)');
  },
);
test('one of the two words alone is a part of them', () => {
  expect(read('How many actresses are there?')).toMatch(/^refused/);
});

test.each([
  ['Order the houses by open year.', 'list houses | by houses.house_name | order houses.open_year asc'],
  ['Show house_name and seat_count.', 'list houses | by houses.house_name, houses.seat_count'],
  ['Show the ratings and the number of plays in descending order.', 'count(plays) | by plays.rating | order #0 desc'],
])('orders and columns as they are said: %s', (question, told) => {
  expect(read(question)).toBe(told);
});
test('an ascending order of two columns does not say of which', () => {
  expect(read('Show the ratings and the number of plays in ascending order.')).toMatch(/^refused/);
});

test('things are counted, whatever adds them up', () => {
  expect(read('Which guest has the most payments?')).toContain('order count(payments) desc');
  expect(read('Which guest has the highest total payments?')).toContain('order takings desc');
});
test.each([
  ['plays handled by the actor with last name Moor', 'actors.last_name = Moor'],
  ['houses operated by the club Rovers', 'clubs.club_name = Rovers'],
])('a verb that only relates two things: %s', (question, told) => {
  expect(read(question)).toContain(told);
});
test.each(['plays longer than 100 minutes or rated PG', 'Find all plays longer than 100 minutes, or rated PG.'])(
  'one or the other: %s',
  (question) => {
    expect(read(question)).toContain('any(plays.length > 100 ; plays.rating = PG)');
  },
);
