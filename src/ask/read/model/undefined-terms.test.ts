import { expect, it } from 'vitest';
import { superstore } from '../../../../test/support/planner-lenses.ts';
import { findUndefinedTerms, listLiterals, listSqlLiterals } from './undefined-terms.ts';

it.each<[string, string[], string[]]>([
  ['What is the GMROI by region?', [], ['GMROI']],
  ['How many "loyal" customers are there?', [], ['loyal']],
  ['revenue of FUR-BO-10001798', [], []],
  ['revenue from the US in USD', ['US'], []],
  ['ids of orders with "blue" in the product', ['%blue%'], []],
  ['revenue of "Technology" by region', [], []],
  ['revenue of "the Pacific side" by year', ['West'], []],
  ['revenue of "the Pacific side" in the West', ['West'], ['the Pacific side']],
  ['revenue of "the Pacific side" and "the old shop"', ['West'], ['the Pacific side', 'the old shop']],
  ['revenue of "the Pacific side" by year', ['Nowhere'], ['the Pacific side']],
  ['SHOW ME THE REVENUE BY REGION', [], []],
  ['revenue of DACH orders (Germany, Austria or Switzerland)', [], []],
  ['revenue of "core" states (Texas and Ohio) by year', [], []],
  ['GMROI of orders in the West (all of them)', [], ['GMROI']],
  ['GMROI by region. Return region and GMROI (both, please)', [], ['GMROI']],
  ['revenue by region in Q1 and YTD', [], []],
  ['the CLVs and ARPUs of customers', [], ['CLVs', 'ARPUs']],
])('finds the undefined terms: %s', (question, literals, terms) => {
  expect(findUndefinedTerms(superstore, question, literals)).toEqual(terms);
});

it('collects the constants of a plan and of a statement, but no aliases', () => {
  expect(listLiterals({ filters: [{ field: 'STR', values: ['US', 1] }], measures: [{ as: 'GMROI' }] })).toEqual([
    'US',
    '1',
  ]);
  expect(listSqlLiterals(`select sum(a) as "GMROI" from t where c = 'US' and d = 'it''s'`)).toEqual(['US', "it's"]);
});
