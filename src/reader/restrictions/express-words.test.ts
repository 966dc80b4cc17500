import { expect, test } from 'vitest';
import { superstore } from '../../../test/support/planner-lenses.ts';
import { type Condition, createEmptyPlan, type LensPlan } from '../../plan/lens-plan.ts';
import { findExpressedWords } from './express-words.ts';

const furniture: Condition = {
  field: { path: 'orders', field: 'category' },
  op: '=',
  values: ['Furniture'],
};
const customers: LensPlan = {
  ...createEmptyPlan(),
  measures: [{ fn: 'metric', metric: 'customers' }],
  filters: [furniture],
};
const revenue: LensPlan = { ...customers, measures: [{ fn: 'metric', metric: 'revenue' }] };
const findUnexpressedWords = (question: string, plan: LensPlan): string[] =>
  findExpressedWords([question], plan, superstore, new Date('2018-01-01'))
    .filter(({ says }) => says === null)
    .map(({ word }) => word);

test.each([
  ['how many customers bought only furniture', 'only'],
  ['how many customers bought furniture exclusively', 'exclusively'],
  ['how many customers bought all furniture', 'all'],
  ['how many customers bought every furniture', 'every'],
  ['how many customers did not buy furniture', 'not'],
  ['how many customers bought furniture twice', 'twice'],
  ['how many customers always bought furniture', 'always'],
  ['how many customers bought furniture 3 times', 'times'],
  ['how many customers bought anything except furniture', 'anything except'],
])('doesn’t find the restricting word in a plan that ignores it: %s', (question, word) => {
  expect(findUnexpressedWords(question, customers)).toEqual([word]);
});

test.each([
  'revenue of only furniture',
  'just the revenue of furniture',
  'all revenue of furniture',
  'revenue of furniture',
])('finds the word in the condition on the measured rows: %s', (question) =>
  expect(findUnexpressedWords(question, revenue)).toEqual([]),
);

test('takes "at all" as part of a negation, not as "all"', () => {
  const exclusion: LensPlan = { ...revenue, filters: [{ ...furniture, op: '!=' }] };
  expect(findUnexpressedWords('revenue with no furniture at all', exclusion)).toEqual([]);
  expect(findUnexpressedWords('revenue with no furniture at all', revenue)).toEqual(['no', 'at all']);
});

test('finds a multiplication in a plan only if the plan multiplies by the same number', () => {
  const scaledPlan = (by: number): LensPlan => ({
    ...revenue,
    measures: [{ fn: 'product', of: { fn: 'metric', metric: 'revenue' }, by }],
  });
  expect(findUnexpressedWords('revenue of furniture times 2', scaledPlan(2))).toEqual([]);
  expect(findUnexpressedWords('twice the revenue of furniture', scaledPlan(2))).toEqual([]);
  expect(findUnexpressedWords('revenue of furniture times 2', scaledPlan(3))).toEqual(['times']);
});
