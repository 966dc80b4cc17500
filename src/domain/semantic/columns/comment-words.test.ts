import { expect, test } from 'vitest';
import { findCodesInComment, findNamesInComment, findTableNamesInComment, findUnitInComment } from './comment-words.ts';

test.each([
  ['Seat category', ['seat category']],
  ['Houses: the stages where we play', ['houses']],
  ['Genre: D = drama, C = comedy', ['genre']],
  ['Fee per evening in EUR', ['fee per evening']],
  ['Title of the production', ['title']],
  ['Name of the part', ['part name']],
  ['Friend of the theatre (member)', ['member']],
  ['Date when the sale opened', []],
  ['Which sponsor supports which production', []],
  ['Internal use only', []],
  ['A active, C cancelled', []],
  ['State of the line; cancelled lines (XX) count', []],
  ['See docs', []],
  ['One row for each booking of a customer', []],
  [null, []],
])('reads a name from a short comment that isn’t a sentence: %s', (comment, names) =>
  expect(findNamesInComment(comment, 'production')).toEqual(names),
);

test.each([
  ['oper', 'operators and inspectors', ['operators']],
  ['wo', 'work orders (production orders)', ['work orders', 'production orders']],
  ['insp', 'quality inspections of work orders; may be repeated', ['quality inspections', 'inspections']],
  ['dwnt', 'machine downtimes (stoppages)', ['machine downtimes', 'downtimes', 'stoppages']],
  ['agt', 'Agents who sell policies', ['agents']],
  ['clm_pmt', 'Claim payments', ['claim payments']],
  ['seats', 'Houses: the stages where we play', ['houses']],
  ['crew', 'singers and dancers', []],
  ['log', 'one row per gift, promised or received', []],
  ['x', null, []],
])('reads the names of the table %s from its comment “%s”', (table, comment, names) =>
  expect(findTableNamesInComment(comment, table)).toEqual(names),
);

test('reads codes and their meanings if a comment has at least two', () => {
  expect(findCodesInComment('Genre: D = drama, M = musical comedy')).toEqual([
    { value: 'D', synonyms: ['drama'] },
    { value: 'M', synonyms: ['musical comedy'] },
  ]);
  expect(findCodesInComment("'A'=active, 'X'=cancelled")).toEqual([
    { value: 'A', synonyms: ['active'] },
    { value: 'X', synonyms: ['cancelled'] },
  ]);
  expect(findCodesInComment('Visit status: 1 = booked (still to come), 2 = completed, 3 = no-show')).toEqual([
    { value: '1', synonyms: ['booked'] },
    { value: '2', synonyms: ['completed'] },
    { value: '3', synonyms: ['no-show'] },
  ]);
  expect(findCodesInComment('1 = minor, 2 = moderate; 3 = major')).toHaveLength(3);
});
test.each(['Total = net plus tax', 'A = one meaning that goes on and on, B = two', 'A = x, A = y', 'plain'])(
  'reads no codes from: %s',
  (comment) => expect(findCodesInComment(comment)).toEqual([]),
);
test('reads the unit that a comment names', () => {
  expect(['Budget in EUR', 'Running time in minutes', 'Discount in percent', 'In use'].map(findUnitInComment)).toEqual([
    'EUR',
    'minutes',
    '%',
    null,
  ]);
});
test.each([
  'Revenue in USD thousands',
  'Price in EUR cents',
  'Amount in USD (x 1000)',
  'Speed in km/h',
  'Energy in kWh',
])('reads no unit if the comment scales it or divides by another: %s', (comment) =>
  expect(findUnitInComment(comment)).toBeNull(),
);

test('takes no name from a comment that begins with a value', () => {
  for (const comment of ['SLS = Sales, OPS = Operations', 'SLS = Sales', 'a -> active, i -> inactive'])
    expect(findNamesInComment(comment, 'department')).toEqual([]);
  expect(findNamesInComment('Department: SLS = Sales, OPS = Operations', 'employee')).toEqual(['department']);
});
