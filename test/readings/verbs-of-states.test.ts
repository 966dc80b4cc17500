// Questions whose verb says what happened to the rows, if the rows have a state. "Matches played" can leave out the
// postponed matches. svc once took such a verb as a mere link and graded the answer verified.
import { expect, it } from 'vitest';
import { startDuckdbLens } from '../support/duckdb-lens.ts';

const LEAGUE = `
name: league
title: League
description: Matches and the clubs, seasons and stadiums that they belong to, and parcels.
connection: library
timezone: UTC
datasets:
  seasons: main.seasons (season_id integer key, season_name string auto)
  clubs: main.clubs (club_id integer key, club_name string auto)
  matches: main.matches (match_id integer key, planned_date date time, status string {values: [FT, PST, SCH]})
  friendlies: main.friendlies (match_id integer key, kick_off date time)
  parcels: main.parcels (parcel_id integer key, booked_on date time, carrier string {values: [DHL, UPS]}, status string {values: [waiting, lost, arrived]})
  claims: main.claims (claim_id integer key, reported_on date time, status string {values: [open, paid]})
relationships:
  - {name: season, from: matches.season_id, to: seasons.season_id}
  - {name: club, from: matches.club_id, to: clubs.club_id}
  - {from: friendlies.season_id, to: seasons.season_id}
  - {from: claims.club_id, to: clubs.club_id}
metrics:
  full_matches: {expression: count(*), dataset: matches, synonyms: [matches played to the end], filter: "matches.status = 'FT'"}
`;
const { ask } = await startDuckdbLens(
  [LEAGUE],
  "create table seasons as select n season_id, ['2024/25', '2026/27'][n] season_name from range(1, 3) t(n)",
  "create table clubs as select n club_id, 'Club ' || n club_name from range(1, 5) t(n)",
  "create table matches as select n match_id, date '2024-01-01' + n::int * 9 planned_date, ['FT', 'PST', 'SCH'][1 + n % 3] status, 1 + n % 2 season_id, 1 + n % 4 club_id from range(1, 25) t(n)",
  "create table friendlies as select n match_id, date '2024-01-01' + n::int kick_off, 1 + n % 2 season_id from range(1, 9) t(n)",
  "create table parcels as select n parcel_id, date '2024-01-01' + n::int booked_on, ['DHL', 'UPS'][1 + n % 2] carrier, ['waiting', 'lost', 'arrived'][1 + n % 3] status from range(1, 20) t(n)",
  "create table claims as select n claim_id, date '2024-01-01' + n::int reported_on, ['open', 'paid'][1 + n % 2] status, 1 + n % 4 club_id from range(1, 20) t(n)",
);

it.each([
  ['How many matches were played in the 2024/25 season?', 'matches', 'played'],
  ['number of matches played by Club 1', 'matches', 'played'],
  ['How many matches did Club 1 play?', 'matches', 'play'],
  ['number of matches played per club', 'matches', 'played'],
  ['How many clubs played more than 3 matches?', 'matches', 'played'],
  ['number of parcels delivered by DHL', 'parcels', 'delivered'],
  ['How many parcels were shipped by UPS in 2024?', 'parcels', 'shipped'],
])('says that the rows have every status: %s', async (q, rows, verb) => {
  const { status, confidence, warnings } = await ask(q);
  expect([status, confidence]).toEqual(['answered', 'partial']);
  expect(warnings.join(' ')).toContain(
    `svc included ${rows} of every status, but "${verb}" can mean only some of them.`,
  );
});

it.each([
  ['How many FT matches were played in the 2024/25 season?'],
  ['list the matches played by Club 1'], // shows the status
  ['number of matches in the 2024/25 season'],
  ['How many friendlies were played in the 2024/25 season?'],
  ['number of claims filed by Club 1'],
  ['How many claims did Club 1 file?'],
])('grades a verb verified if nothing can hide a state: %s', async (q) => {
  const { status, confidence, checks } = await ask(q);
  expect([status, confidence, checks.filter(({ outcome }) => outcome === 'unknown')]).toEqual([
    'answered',
    'verified',
    [],
  ]);
});
