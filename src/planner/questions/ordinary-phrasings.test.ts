// Ways of saying the same that people mix freely: bounds behind the number, both pronouns, further columns behind a
// condition, fields of a thing and of what belongs to it side by side.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, metric, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

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
  ['average/mean age of boats', 'avg(boats.age)'],
  ['average/maximum age of boats', 'refused'],
  [
    'names of boats whose number of repairs is greater than 2',
    'list boats | by boats.boat_name | where some repairs > 2',
  ],
])('%s', (question, expected) => {
  expect(brief(question)).toBe(expected);
});

test('a number has no place in the alphabet, and a measure orders nothing alphabetically', () => {
  expect(brief('number of boats by boat name in reverse alphabetical order')).toMatch(/order boats.boat_name desc/);
  expect(brief('ages and birth dates of boats in alphabetical order')).toBe('refused');
});

const orchard = lens('orchard', {
  datasets: [
    dataset('kinds', ['kind_code'], [field('kind_code', 'string'), field('kind_description', 'string')]),
    dataset(
      'trees',
      ['tree_id'],
      [
        field('tree_id', 'integer'),
        field('tree_name', 'string', { values: ['Old Tom', 'Ida'] }),
        field('height', 'decimal'),
        field('slope', 'string', { values: ['north', 'south'] }),
        field('note_text', 'string', { synonyms: ['text'] }),
        field('details', 'string'),
        field('kind_code', 'string'),
        field('owner_id', 'integer'),
        field('tag_number', 'string'),
        field('tree_number', 'string'),
      ],
    ),
    dataset(
      'owners',
      ['owner_id'],
      [field('owner_id', 'integer'), field('owner_name', 'string', { values: ['Kyle'] })],
    ),
    dataset('likes', ['liker_id', 'liked_id'], [field('liked_on', 'date')]),
    dataset('harvests', ['harvest_id'], [field('harvest_id', 'integer'), field('harvest_description', 'string')]),
  ],
  metrics: [],
  relationships: [
    relation('trees', 'kind_code', 'kinds', 'kind_code'),
    relation('trees', 'owner_id', 'owners', 'owner_id'),
    relation('harvests', 'tree_id', 'trees', 'tree_id'),
    relation('likes', 'liker_id', 'owners', 'owner_id', 'liker'),
    relation('likes', 'liked_id', 'owners', 'owner_id', 'liked'),
  ],
});
const inOrchard = (question: string): unknown => {
  const reading = readQuestion({ question, lens: orchard, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  return reading.kind === 'intent' ? intentBrief(reading.intent) : reading.kind;
};

test.each([
  ['Show all slopes and the number of trees for each.', 'count(trees) | by trees.slope'],
  ['What are the slopes, and how many trees are there of each?', 'count(trees) | by trees.slope'],
  ['slopes that have at least 4 trees', 'groups | by trees.slope | having count(trees) >= 4'],
  ['Show all owner ids and the number of trees for each owner.', 'count(trees) | by trees.owner_id | key owners'],
  [
    'What is the smallest height and its slope?',
    'list trees | by trees.height, trees.slope | order trees.height asc | limit 1',
  ],
  [
    "the details of the tree that includes the text 'rot'",
    'list trees | by trees.details | where trees.note_text contains rot',
  ],
  ['kind codes and descriptions', 'list kinds | by kinds.kind_code, kinds.kind_description'],
  ['How many trees are used by a harvest?', 'count(trees) | where some harvests'],
  ['all kind codes that are not used by any harvest', 'list kinds | by kinds.kind_code | where no harvests'],
])('%s', (question, expected) => {
  expect(inOrchard(question)).toBe(expected);
});

test('what could be of either of two things is not guessed', () => {
  // who likes, or who is liked? "likes" is no verb here
  expect(inOrchard('How many likes does Kyle have?')).toBe('clarification');
  // its key, or its number?
  expect(inOrchard('the slope of tree 4560596484842')).toBe('refused');
  // in the details, or in the name?
  expect(inOrchard("the details of trees that contain the word 'rot'")).toBe('refused');
});

const club = lens('club', {
  datasets: [
    dataset('members', ['member_id'], [field('member_id', 'integer'), field('name', 'string', { values: ['Kyle'] })]),
    dataset('friends', ['member_id', 'friend_id'], [field('member_id', 'integer'), field('friend_id', 'integer')]),
    dataset('team_kinds', ['kind_code'], [field('kind_code', 'string'), field('label', 'string')]),
    dataset(
      'teams',
      ['team_id'],
      [field('team_id', 'integer'), field('team_kind_code', 'string', { synonyms: ['type'] })],
    ),
  ],
  metrics: [],
  relationships: [
    relation('friends', 'member_id', 'members', 'member_id', 'member'),
    relation('friends', 'friend_id', 'members', 'member_id', 'friend_member'),
    relation('teams', 'team_kind_code', 'team_kinds', 'kind_code'),
  ],
});

test('what is counted is no part that somebody plays in it, and what refers to a thing is a key of that thing', () => {
  const inClub = (question: string) =>
    readQuestion({ question, lens: club, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  expect(inClub('Count the number of friends Kyle has.').kind).toBe('clarification');
  const types = inClub('What are the types and labels of all team kinds?');
  expect(types.kind === 'intent' && intentBrief(types.intent)).toBe(
    'list team_kinds | by team_kinds.kind_code, team_kinds.label',
  );
});

test('what two things have is not taken from the first of them', () => {
  const firm = lens('firm', {
    datasets: [
      dataset(
        'guests',
        ['guest_id'],
        [field('guest_id', 'integer'), field('email', 'string'), field('city', 'string')],
      ),
      dataset('staff', ['staff_id'], [field('staff_id', 'integer'), field('email', 'string')]),
      dataset('stays', ['stay_id'], [field('stay_id', 'integer'), field('guest_id', 'integer')]),
    ],
    metrics: [],
    relationships: [relation('stays', 'guest_id', 'guests', 'guest_id')],
  });
  const read = (question: string) =>
    readQuestion({ question, lens: firm, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  expect(read('List all emails.').kind).toBe('clarification');
  const asked = read('List the guest ids.');
  expect(asked.kind === 'intent' && intentBrief(asked.intent)).toBe('list guests | by guests.guest_id');
});

test('a total is measured by its bare name only where its rows are not named', () => {
  const yard = lens('yard', {
    datasets: [
      dataset(
        'posts',
        ['post_id'],
        [field('post_id', 'integer'), field('post_title', 'string'), field('min_pay', 'integer')],
      ),
      dataset(
        'workers',
        ['worker_id'],
        [field('worker_id', 'integer'), field('name', 'string'), field('pay', 'decimal')],
      ),
    ],
    metrics: [metric('total_pay', 'sum(workers.pay)', 'workers')],
    relationships: [relation('workers', 'post_id', 'posts', 'post_id')],
  });
  const read = (question: string): unknown => {
    const reading = readQuestion({ question, lens: yard, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
    return reading.kind === 'intent' ? intentBrief(reading.intent) : reading.kind;
  };
  expect(read('What is the post title of the worker with the highest pay?')).toBe(
    'list posts | by posts.post_title | order max(workers.pay) desc | limit 1',
  );
  expect(read('pay by post')).toBe('total_pay | by posts.post_title | key posts');
  expect(read('total pay of workers by post')).toBe('total_pay | by posts.post_title | key posts');
  expect(read('post titles of posts whose minimum pay is greater than 9000')).toBe(
    'list posts | by posts.post_title | where posts.min_pay > 9000',
  );
  expect(read('What is the pay of those workers?')).toBe('list workers | by workers.pay');
});

test('who has a manager is told apart from who has none', () => {
  const shop = lens('shop', {
    datasets: [
      dataset('clerks', ['clerk_id'], [field('clerk_id', 'integer'), field('name', 'string'), field('pay', 'decimal')]),
    ],
    metrics: [],
    relationships: [relation('clerks', 'boss_id', 'clerks', 'clerk_id', 'boss')],
  });
  const reading = readQuestion({
    ...{ question: 'What is the pay of clerks who have a boss?', lens: shop, choices: {} },
    now: new Date('2024-06-30T12:00:00Z'),
  });
  expect(reading.kind === 'intent' && intentBrief(reading.intent)).toBe(
    'list clerks | by clerks.pay | where boss.clerk_id is_not_null',
  );
});

test('a rank behind "with" says whose fields are shown, and shows none of its own', () => {
  const trade = lens('trade', {
    datasets: [
      dataset('buyers', ['buyer_id'], [field('buyer_id', 'integer'), field('name', 'string')]),
      dataset('bills', ['bill_id'], [field('bill_id', 'integer'), field('total', 'decimal'), field('city', 'string')]),
    ],
    metrics: [metric('sales', 'sum(bills.total)', 'bills')],
    relationships: [relation('bills', 'buyer_id', 'buyers', 'buyer_id')],
  });
  const question = 'What are the names of the buyers with the 10 cheapest bills?';
  const reading = readQuestion({ question, lens: trade, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  expect(reading.kind === 'intent' && intentBrief(reading.intent)).toBe(
    'list bills | by buyers.name | order bills.total asc | limit 10',
  );
});
