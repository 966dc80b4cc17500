import { describe, expect, test } from 'vitest';
import { flights, superstore } from '../../test/support/planner-lenses.ts';
import type { Lens } from '../lens/model/lens.ts';
import { findMeaningDifferences, normalizeQuestion } from './meaning-check.ts';

const QUESTIONS: [lens: Lens, questions: string[]][] = [
  [
    superstore,
    [
      'What was revenue by region in 2016?',
      'top 5 states by profit',
      'How many customers bought furniture in California in 2017?',
      'revenue by segment in the West',
      'Which region had the highest revenue in 2017?',
      'total sales by state excluding Texas',
    ],
  ],
  [flights, ['average delay by origin city', 'How many flights from Boston to Chicago in 2001?']],
];
const REWORDINGS: Record<string, (question: string) => string> = {
  'upper case': (question) => question.toUpperCase(),
  'no punctuation': (question) => question.replace(/[?.]/g, ''),
  'polite filler': (question) => `Please tell me ${question.charAt(0).toLowerCase()}${question.slice(1)}`,
  'white space': (question) => ` ${question.replaceAll(' ', '  ')} `,
};
describe('a trivial rewording means the same', () => {
  for (const [lens, questions] of QUESTIONS)
    for (const question of questions)
      test.each(Object.entries(REWORDINGS))(`${question}: %s`, (_name, reword) => {
        expect(findMeaningDifferences(lens, question, reword(question))).toEqual([]);
      });
  test.each([
    ['What is revenue by region?', 'Show me sales per region'],
    ['monthly revenue in 2016', 'revenue by month for 2016'],
    ['how many customers in Texas', 'number of customers in Texas'],
  ])('%s = %s', (one, other) => expect(findMeaningDifferences(superstore, one, other)).toEqual([]));
});

describe('a near miss differs, with its reason', () => {
  test.each([
    ['What was revenue by region in 2016?', 'What was revenue by region in 2015?', 'date'],
    ['What was revenue by region in 2016?', 'What was revenue by region since 2016?', 'date'],
    ['What was revenue by region in 2016?', 'What was profit by region in 2016?', 'measure'],
    ['What was revenue by region in 2016?', 'What was revenue by state in 2016?', 'grouping'],
    ['What was revenue by region in 2016?', 'What was revenue in 2016?', 'grouping'],
    ['profit by month in 2016', 'profit by quarter in 2016', 'grain'],
    ['top 5 states by profit', 'bottom 5 states by profit', 'direction'],
    ['top 5 states by profit', 'top 6 states by profit', 'number'],
    ['state with the highest profit', 'state with the second highest profit', 'words'],
    ['top 3 products by sales in each category', 'top 5 products by sales in each category', 'words'],
    ['revenue growth from 2016 to 2017', 'revenue growth from 2015 to 2016', 'measure'],
    ['revenue growth rate from 2016 to 2017', 'revenue difference from 2016 to 2017', 'words'],
    ['what percentage of sales comes from the West', 'what percentage of sales comes from the East', 'measure'],
    ['what percentage of West sales comes from Texas', 'what percentage of Texas sales comes from the West', 'words'],
    ['average revenue per customer', 'average revenue per month', 'words'],
    ['median discount by region', 'average discount by region', 'measure'],
    ['revenue by weekday', 'revenue by day', 'grain'],
    ['revenue excluding Texas', 'revenue in Texas', 'negation'],
    ['revenue by segment in the West', 'revenue by segment in the East', 'named value'],
    ['revenue of Adams', 'revenue of Adam', 'named value'],
    ['revenue of phones', 'revenue of phone', 'named value'],
    ['revenue by segment in the West', 'revenue by segment not in the West', 'negation'],
    ['number of order lines with sales over 500', 'number of order lines with sales under 500', 'negation'],
    ['revenue in Texas', 'online revenue in Texas', 'words'],
    ['supplier cost by region', 'supplier cost by state', 'words'],
    ['who is the best customer', 'who is the worst customer', 'words'],
  ])('%s / %s', (one, other, kind) => expect(findMeaningDifferences(superstore, one, other)).toContain(kind));
  test('if it exchanges from and to', () => {
    expect(
      findMeaningDifferences(
        flights,
        'flights from Boston to Chicago in 2001',
        'flights from Chicago to Boston in 2001',
      ),
    ).not.toEqual([]);
  });
  test('if one date is relative and the other absolute, on any day', () => {
    expect(findMeaningDifferences(superstore, 'revenue last month', 'revenue in May 2000')).toContain('date');
  });
  test('if the same unknown words are in another order', () => {
    expect(findMeaningDifferences(superstore, 'wombats per quokka', 'quokkas per wombat')).not.toEqual([]);
  });
});

test('gives the embedder a question without case, accents, plurals and polite words', () => {
  expect(normalizeQuestion('Please show me the  Révenues, by Regions!')).toBe('revenue by region');
  expect(normalizeQuestion('revenue in the US')).toBe('revenue in us');
});
