// Relations between questions that need no answers by hand: the same asked in other words reads the same or not at all, and
// what happened to things is never passed over.
import { expect, test } from 'vitest';
import { flights, school, shop, superstore } from '../../../test/support/planner-lenses.ts';
import type { Lens } from '../../lens/model/lens.ts';
import { readQuestion } from '../read-question.ts';

const lenses = { superstore, flights, shop, school };
const now = new Date('2018-01-15T12:00:00Z');
const intentOf = (lens: Lens, question: string): string | null => {
  const reading = readQuestion({ question, lens, choices: {}, now });
  return reading.kind === 'intent' ? JSON.stringify(reading.intent) : null;
};

const ASKED: [keyof typeof lenses, string][] = [
  ['superstore', 'What was revenue in the West in 2016?'],
  ['superstore', 'revenue by segment in 2016'],
  ['superstore', 'How many orders are there?'],
  ['superstore', 'top 5 states by profit'],
  ['superstore', 'average discount by category'],
  ['superstore', 'number of orders in Texas in 2015'],
  ['shop', 'How many customers are there?'],
  ['shop', 'number of customers by city'],
  ['school', 'number of students per course'],
  ['flights', 'number of flights by month in 2001'],
];
const REWORDINGS: Record<string, (question: string) => string> = {
  'no mark': (question) => question.replace(/\?$/, ''),
  'a mark': (question) => question.replace(/\??$/, '?'),
  polite: (question) => `Please ${question[0]!.toLowerCase()}${question.slice(1)}`,
  'for each': (question) => question.replace(/ (?:by|per) (segment|category|city|course|month)/, ' for each $1'),
  'the year': (question) => question.replace(/ in ((?:19|20)\d\d)/, ' in the year $1'),
  during: (question) => question.replace(/ in ((?:19|20)\d\d)/, ' during $1'),
  'its days': (question) => question.replace(/ in ((?:19|20)\d\d)/, ' between January 1, $1 and December 31, $1'),
  'in front': (question) => question.replace(/^(.)(.*) in ((?:19|20)\d\d)(\??)$/, 'In $3, $1$2$4'),
  'count of': (question) =>
    question.replace(/^number of/, 'count of').replace(/^How many (.*) are there\?/, 'count of $1'),
  'number of': (question) => question.replace(/^How many (.*) are there\?/, 'number of $1'),
  mean: (question) => question.replace('average', 'mean'),
  words: (question) => question.replace('top 5', 'top five'),
};

test.each(ASKED)('the same asked in other words of %s is the same or nothing: %s', (name, question) => {
  const lens = lenses[name];
  const plain = intentOf(lens, question);
  expect(plain).not.toBeNull();
  const other = Object.entries(REWORDINGS)
    .map(([how, reword]) => ({ how, said: reword(question) }))
    .filter(({ said }) => ![plain, null].includes(intentOf(lens, said)));
  expect(other).toEqual([]);
});

const HAPPENED =
  'blocked cured damaged fined fired ignored marked paid parked planted posted rated refunded returned reviewed served stolen'.split(
    ' ',
  );
test.each(Object.entries(lenses))('what happened to things of %s is not passed over', (_name, lens) => {
  const passed = lens.datasets.flatMap(({ name }) => {
    const things = `${name.replaceAll('_', ' ').replace(/s$/, '')}s`;
    return ['How many THINGS were HAPPENED?', 'THINGS that were HAPPENED'].flatMap((form) => {
      const said = form.replace('THINGS', things);
      const bare = intentOf(lens, said.replace(/ (?:that )?(?:were )?HAPPENED/, ''));
      return HAPPENED.map((verb) => said.replace('HAPPENED', verb)).filter(
        (question) => bare !== null && intentOf(lens, question) === bare,
      );
    });
  });
  expect(passed).toEqual([]);
});
