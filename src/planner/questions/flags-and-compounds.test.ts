// Yes-or-no columns called as those who have them, two nouns in one group, averages that are stored, and what each of
// several asked for must not be lost.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const club = lens('club', {
  datasets: [
    dataset('halls', ['hall_id'], [field('hall_id', 'integer'), field('hall_name', 'string', { values: ['Moor'] })]),
    dataset('kinds', ['kind_id'], [field('kind_id', 'integer'), field('kind_name', 'string')]),
    dataset(
      'courts',
      ['court_id'],
      [
        field('court_id', 'integer'),
        field('court_name', 'string'),
        field('kind_id', 'integer'),
        field('hall_id', 'integer'),
        field('length_m', 'decimal', { synonyms: ['length'] }),
        field('avg_noise', 'decimal'),
      ],
      { synonyms: ['shows'] },
    ),
    dataset(
      'players',
      ['player_id'],
      [
        field('player_id', 'integer'),
        field('player_name', 'string'),
        field('city', 'string', { values: ['Oslo'] }),
        field('mail', 'string'),
        field('pro_flg', 'boolean', { synonyms: ['professionals', 'professional'] }),
        field('trainer_id', 'integer'),
        field('court_id', 'integer'),
      ],
    ),
  ],
  metrics: [],
  relationships: [
    relation('courts', 'kind_id', 'kinds', 'kind_id'),
    relation('courts', 'hall_id', 'halls', 'hall_id'),
    relation('players', 'court_id', 'courts', 'court_id'),
    { ...relation('players', 'trainer_id', 'players', 'player_id'), role: 'trainer' },
  ],
});
const read = (question: string): string => {
  const found = readQuestion({ question, lens: club, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  return found.kind === 'intent' ? intentBrief(found.intent) : found.kind;
};

test.each([
  ['How many professionals are there?', 'count(players) | where players.pro_flg = true'],
  ['number of professionals per city', 'count(players) | by players.city | where players.pro_flg = true'],
  [
    'Show the names and mails of professionals who live in Oslo.',
    'list players | by players.player_name, players.mail | where players.pro_flg = true & players.city = Oslo',
  ],
  ['List all professionals', 'list players | by players.player_name | where players.pro_flg = true'],
  ['How many non-professionals are there?', 'refused'],
  ['number of professionals and non-professionals', 'refused'],
])('those who have a flag: %s', (question, brief) => expect(read(question)).toBe(brief));

test.each([
  ['number of courts by court kind', 'count(courts) | by kinds.kind_name | key kinds'],
  ['number of players by court hall', 'count(players) | by halls.hall_name | key halls'],
  ['number of players by hall court', 'refused'],
])('the last of two nouns is grouped by: %s', (question, brief) => expect(read(question)).toBe(brief));

test.each([
  ['number of courts provided by hall', 'count(courts) | by halls.hall_name | key halls'],
  ['number of courts provided by halls', 'count(courts)'],
  ['number of courts provided by hall Moor', 'count(courts) | where halls.hall_name = Moor'],
])('behind a verb, "by" and one thing has a row for each: %s', (question, brief) => expect(read(question)).toBe(brief));

test.each([
  ['What is the average noise at Moor?', 'avg(courts.avg_noise) | where halls.hall_name = Moor'],
  ["List each player and their trainer's name.", 'list players | by players.player_name, trainer.player_name'],
  [
    'Show court name and length of the 5 courts with the highest length.',
    'list courts | by courts.court_name, courts.length_m | order courts.length_m desc | limit 5',
  ],
  ['Show players and their city', 'list players | by players.player_name, players.city'],
  ['number of players and number of players in Oslo', 'refused'],
  ['For each hall, show the number of courts and the number of courts longer than 20.', 'refused'],
  ['Compute the length of the courts at Moor', 'refused'],
])('%s', (question, brief) => expect(read(question)).toBe(brief));
