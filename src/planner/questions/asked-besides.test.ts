// What is asked for besides the first thing: a field beside the thing itself, a second sentence, the number of a superlative.
// And what says which row is meant: the part that nobody named, one of many, none of a group.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, metric, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const lending = lens('lending', {
  datasets: [
    dataset(
      'desks',
      ['desk_id'],
      [field('desk_id', 'integer'), field('desk_name', 'string', { values: ['North', 'South'] })],
    ),
    dataset(
      'clerks',
      ['clerk_id'],
      [
        field('clerk_id', 'integer'),
        field('clerk_name', 'string', { values: ['Ada', 'Bo'] }),
        field('town', 'string', { values: ['Graz', 'Linz'] }),
      ],
    ),
    dataset(
      'members',
      ['member_id'],
      [
        field('member_id', 'integer'),
        field('member_name', 'string', { values: ['Cleo', 'Dan'] }),
        field('town', 'string', { values: ['Graz', 'Linz'] }),
        field('phone', 'string'),
        field('points', 'integer'),
      ],
    ),
    dataset(
      'boats',
      ['boat_id'],
      [field('boat_id', 'integer'), field('boat_name', 'string'), field('colour', 'string')],
    ),
    dataset('rentals', ['rental_id'], [field('rental_id', 'integer'), field('began_on', 'date')]),
    dataset('fees', ['fee_id'], [field('fee_id', 'integer'), field('amount', 'decimal'), field('due_on', 'date')]),
  ],
  metrics: [metric('income', 'sum(fees.amount)', 'fees', { synonyms: ['total fees'] })],
  relationships: [
    relation('desks', 'head_id', 'clerks', 'clerk_id', 'head'),
    relation('members', 'desk_id', 'desks', 'desk_id'),
    relation('rentals', 'member_id', 'members', 'member_id'),
    relation('rentals', 'clerk_id', 'clerks', 'clerk_id'),
    relation('rentals', 'boat_id', 'boats', 'boat_id'),
    relation('fees', 'member_id', 'members', 'member_id'),
    relation('fees', 'clerk_id', 'clerks', 'clerk_id'),
  ],
});
const read = (question: string): string => {
  const reading = readQuestion({ question, lens: lending, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  if (reading.kind === 'intent') return intentBrief(reading.intent);
  return reading.kind === 'refused' ? `refused ${reading.message}` : 'asked back';
};

test.each([
  'Which clerks rented a boat to the member Cleo?',
  'the clerks who rented boats to a member called Cleo',
  'Which clerk has rented a boat to the member with the name Cleo?',
])('who rented to somebody is told by the rentals, not by who heads the desk: %s', (question) => {
  expect(read(question)).toMatch(/^list clerks .* where some rentals \(members\.member_name = Cleo\)/);
});
test('a part that nobody named is not taken where several things relate two others', () => {
  expect(read('Which clerks have the member Cleo?')).toMatch(/^refused .*through .* or .*Name the one/);
  expect(read('Which clerks are head of a desk with the member Cleo?')).not.toContain('some rentals');
});
test('who plays a part that the row of somebody else names is not shown beside it', () => {
  expect(read('Which clerks are heads?')).toMatch(/^refused/);
  expect(read('Which clerks are the heads?')).toMatch(/^refused/);
});

test.each([
  ['List the members and their phones.', 'members.member_name, members.phone'],
  ['List the members and the phones.', 'members.member_name, members.phone'],
  ['Show the phones and the members.', 'members.phone, members.member_name'],
  ['What are the phones of the members and what are the members?', 'members.phone, members.member_name'],
  ['List the members and their names.', 'members.member_name'],
])('a thing beside a field of its own is shown with it: %s', (question, shown) => {
  expect(read(question)).toBe(`list members | by ${shown}`);
});
test.each([
  ['Which members are from Graz and what is their phone?', 'members.member_name, members.phone'],
  ['What are the phones of members from Graz, and what are their points?', 'members.phone, members.points'],
])('what is asked behind a condition is shown as well: %s', (question, shown) => {
  expect(read(question)).toBe(`list members | by ${shown} | where members.town = Graz`);
});
test('a field of two things is of both, whose rows are not the same', () => {
  expect(read('Show the towns of members and clerks.')).toMatch(/^refused/);
  expect(read('Show the town of the clerks and the members.')).toMatch(/^refused/);
});

test('a second sentence says what to show, unless it goes on', () => {
  expect(read('Which member has the most points? And what is the phone?')).toContain(
    'by members.member_name, members.phone |',
  );
  expect(read('Which member has the most points? Give the phone.')).toContain('by members.phone |');
});
test('the superlative shows the number that is asked for, not the one that it compares', () => {
  expect(read('List the town with the highest total points and its number of members.')).toBe(
    'count(members) | by members.town | order sum(members.points) desc | limit 1',
  );
  expect(read('top 3 towns by total points')).toContain('sum(members.points) | by members.town');
});

test.each([
  ['What is the amount of the largest fee?', 'fees.amount | order fees.amount desc'],
  ['What is the amount of the smallest fee?', 'fees.amount | order fees.amount asc'],
])('the largest of them is one of them: %s', (question, told) => {
  expect(read(question)).toContain(told);
});
test('the largest of what only a table holds is told where its amount is asked for', () => {
  expect(read('What are the points of the largest member?')).toMatch(/^refused/);
  expect(read('largest fee')).toMatch(/^refused/);
  expect(read('Which member has the highest fee?')).toMatch(/^refused/);
});
test('the total of them is a total', () => {
  expect(read('Which member has the highest total fees?')).toContain('order income desc');
  expect(read('Which member has the highest fees?')).toMatch(/^refused/);
});

test.each([
  'Show all towns without a member called Cleo.',
  'Which towns have no member with more than 10 points?',
  'How many towns have no member with over 10 points?',
])('what no row of a group is cannot be told by rows that are not so: %s', (question) => {
  expect(read(question)).toMatch(/^refused/);
});
test('rows that are not so are told by rows', () => {
  expect(read('Show the towns of members whose name is not Cleo.')).toContain('members.member_name != Cleo');
});

test.each(['average points for each member', 'What are the minimum and maximum points for every member?'])(
  'there is no average of one value: %s',
  (question) => {
    expect(read(question)).toMatch(/^refused .*one such value/);
  },
);
test('there is one of the values of a group, and of all', () => {
  expect(read('average points for each town')).toContain('avg(members.points) | by members.town');
  expect(read('average points of all members')).toBe('avg(members.points)');
});
