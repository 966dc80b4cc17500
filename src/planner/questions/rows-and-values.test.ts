// Small worlds of things, the persons behind them, and values that many rows share: what single rows can tell of them.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const radio = lens('radio', {
  datasets: [
    dataset(
      'persons',
      ['person_id'],
      [
        field('person_id', 'integer'),
        field('name', 'string', { values: ['Ada Roy', 'Bo Lind'] }),
        field('nationality', 'string', { values: ['Norway', 'Peru'] }),
        field('birth_date', 'date'),
        field('height', 'decimal'),
      ],
      { synonyms: ['people'] },
    ),
    dataset(
      'hosts',
      ['host_id'],
      [field('host_id', 'integer'), field('person_id', 'integer'), field('prizes', 'integer'), field('fee', 'decimal')],
    ),
    dataset(
      'stations',
      ['station_id'],
      [
        field('station_id', 'integer'),
        field('station_name', 'string', { values: ['Fjord FM', 'Radio Sol'] }),
        field('region', 'string', { values: ['North', 'South', 'West'] }),
        field('language', 'string', { values: ['Norse', 'Quechua'] }),
        field('digital', 'string', { values: ['yes', 'no'] }),
        field('founded_year', 'integer', { synonyms: ['founded'] }),
        field('listeners', 'integer'),
        field('owner_code', 'string', { values: ['A1', 'B2'] }),
      ],
    ),
    dataset(
      'shows',
      ['show_id'],
      [
        field('show_id', 'integer'),
        field('title', 'string', { values: ['Morning Tide', 'Night Owl'] }),
        field('director', 'string', { values: ['Eva Holm', 'Jon Berg'] }),
        field('kind', 'string', { values: ['live', 'taped'] }),
        field('aired_on', 'date'),
        field('share', 'decimal'),
      ],
    ),
  ],
  metrics: [],
  relationships: [
    relation('hosts', 'person_id', 'persons', 'person_id'),
    relation('shows', 'station_id', 'stations', 'station_id'),
    relation('shows', 'host_id', 'hosts', 'host_id'),
  ],
});
const read = (question: string): string => {
  const reading = readQuestion({ question, lens: radio, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  return reading.kind === 'intent'
    ? intentBrief(reading.intent)
    : reading.kind === 'refused'
      ? `refused ${reading.message}`
      : `asks ${reading.clarification.message}`;
};

test.each([
  'Which regions do not have shows by Eva Holm?',
  'What are the regions that have no shows?',
  'How many regions have no shows?',
  'Which regions are not in Norse?',
])('what single rows are not says nothing of a value that many rows share: %s', (question) => {
  expect(read(question)).toMatch(/^refused .*of which some stations are so, or all/);
});
test('rows themselves may be without something, and rows may be left out', () => {
  expect(read('Which stations have no shows?')).toBe('list stations | by stations.station_name | where no shows');
  expect(read('List the regions of stations that are not in Norse')).toContain('stations.language != Norse');
});
test('one row holds one value of a column: two of them are two rows where the thing is named twice, else nothing', () => {
  expect(read('stations with shows whose director is Eva Holm and shows whose director is Jon Berg')).toContain(
    'some shows (shows.director = Eva Holm) & some shows (shows.director = Jon Berg)',
  );
  expect(read('stations with shows whose director is Eva Holm and director is Jon Berg')).toMatch(/^refused/);
});
test('the mean of all is said with the thing itself, and groups nothing', () => {
  const above = 'count(stations) | by stations.region | where stations.listeners > avg(stations.listeners)';
  expect(read('How many stations in each region have listeners above the average listeners across all stations?')).toBe(
    above,
  );
  expect(read('stations whose listeners are above the average listeners of stations in the North')).toMatch(/^refused/);
});
test.each([
  ['What are the names of the hosts?', 'list hosts | by persons.name'],
  ['names of hosts in descending order of prizes', 'list hosts | by persons.name | order hosts.prizes desc'],
  [
    'the birth date of the host with the lowest fee',
    'list hosts | by persons.birth_date | order hosts.fee asc | limit 1',
  ],
  ['What is the fee of the tallest host?', 'list hosts | by hosts.fee | order persons.height desc | limit 1'],
  ['average fee of hosts who are taller than 180', 'avg(hosts.fee) | where persons.height > 180'],
  ['names of people who are not hosts', 'list persons | by persons.name | where no hosts'],
])('who plays a part is called and described as the person is: %s', (question, brief) => {
  expect(read(question)).toBe(brief);
});
test.each([
  ['List the fees of hosts in descending order.', 'list hosts | by hosts.fee | order hosts.fee desc'],
  ['What are the fees of hosts, ordered descending by value?', 'list hosts | by hosts.fee | order hosts.fee desc'],
  ['persons in ascending alphabetical order of name', 'list persons | by persons.name | order persons.name asc'],
  ['names of hosts ordered ascending by prizes', 'list hosts | by persons.name | order hosts.prizes asc'],
])('the order said behind the only thing listed is the order of that: %s', (question, brief) => {
  expect(read(question)).toBe(brief);
});
test('what is named again behind "across all" is no group', () => {
  expect(read('What is the average fee across all hosts?')).toBe('avg(hosts.fee)');
});
test('a thing behind "and" is another column, not whose the columns before it are', () => {
  expect(read('List the share and station of the most recent show')).toContain('by shows.share, stations.station_name');
});
test.each([
  ['shows in order of share', 'list shows | by shows.title | order shows.share asc'],
  ['shows ordered by descending share', 'list shows | by shows.title | order shows.share desc'],
  [
    'List the regions and the maximum listeners of stations of each region',
    'max(stations.listeners) | by stations.region',
  ],
  ['total share for each station and their region', 'sum(shows.share) | by stations.region | key stations'],
  [
    'Which region has the station with the greatest number of listeners?',
    'list stations | by stations.region | order stations.listeners desc | limit 1',
  ],
])('an order, a column, a rank: %s', (question, brief) => {
  expect(read(question)).toBe(brief);
});
test('some and none of the same things are not asked of one row', () => {
  expect(read('stations whose shows have no shows')).toMatch(/^refused/);
});
test.each([
  ['Which region is Fjord FM in?', 'list stations | by stations.region | where stations.station_name = Fjord FM'],
  ['Which region is Night Owl in?', 'list stations | by stations.region | where some shows (shows.title = Night Owl)'],
  [
    'What are the names of stations with the 3 lowest listeners?',
    'list stations | by stations.station_name | order stations.listeners asc | limit 3',
  ],
  [
    'Which region has the most different languages?',
    'groups | by stations.region | where stations.region is_not_null | order count_distinct(stations.language) desc | limit 1',
  ],
  ['How many Norse regions are there?', 'count_distinct(stations.region) | where stations.language = Norse'],
  ['Which person has the shortest height?', 'list persons | by persons.name | order persons.height asc | limit 1'],
])('what is asked for may be named before the name it belongs to: %s', (question, brief) => {
  expect(read(question)).toBe(brief);
});
test.each([
  [
    'stations where Eva Holm is the taped director',
    'list stations | by stations.station_name | where some shows (shows.director = Eva Holm & shows.kind = taped)',
  ],
  [
    'How many stations where Eva Holm is not the taped director?',
    'count(stations) | where no shows (shows.director = Eva Holm & shows.kind = taped)',
  ],
  [
    'stations where both Eva Holm and Jon Berg are taped directors',
    'list stations | by stations.station_name | where some shows (shows.director = Eva Holm & shows.kind = taped) & some shows (shows.director = Jon Berg & shows.kind = taped)',
  ],
  ['Which regions are shared by at least two stations?', 'groups | by stations.region | having count(stations) >= 2'],
  ['regions for which there are two or more stations', 'groups | by stations.region | having count(stations) >= 2'],
  ['regions and the corresponding number of stations', 'count(stations) | by stations.region'],
  ['What is the last birth date of people from Peru?', 'max(persons.birth_date) | where persons.nationality = Peru'],
  ['maximum and minimum values of listeners', 'max(stations.listeners), min(stations.listeners)'],
  ['How many different regions are there in the world?', 'count_distinct(stations.region)'],
])('two values of one row, groups of rows, ends of dates: %s', (question, brief) => {
  expect(read(question)).toBe(brief);
});
test.each([
  'regions shared by stations founded before 1950 and after 1990',
  'stations with shows by Eva Holm and Jon Berg',
])('what no single row can be is not answered: %s', (question) => {
  expect(read(question)).toMatch(/^refused/);
});
test.each([
  ['What are the languages of regions?', 'refused'],
  ['the birth date of persons', 'list persons | by persons.birth_date'],
  ['For each region, how many stations are in that region?', 'count(stations) | by stations.region'],
  [
    'number of different regions and languages in the stations table',
    'count_distinct(stations.region), count_distinct(stations.language)',
  ],
  ['When did the show Night Owl air?', 'list shows | by shows.aired_on | where shows.title = Night Owl'],
  ['When was Ada Roy born?', 'list persons | by persons.birth_date | where persons.name = Ada Roy'],
  ['When was Ada Roy married?', 'refused'],
  ['Which region has the highest rank?', 'refused'],
])('fields, counts and dates said another way round: %s', (question, brief) => {
  expect(read(question)).toMatch(
    brief === 'refused' ? /^(?:refused|asks)/ : new RegExp(`^${brief.replace(/[().|]/g, '\\$&')}$`),
  );
});
test('a field called by two words may be said the other way round, where no thing of that name has it', () => {
  expect(read('What are the codes of owners with more than 2 stations?')).toBe(
    'groups | by stations.owner_code | having count(stations) > 2',
  );
  expect(read('titles of shows')).toBe('list shows | by shows.title');
});
