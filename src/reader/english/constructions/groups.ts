// Groups and their order.
import type { Entry } from '../../language/entry.ts';

const BY = 'per|each|every|across';
export const GROUPS: readonly Entry[] = [
  {
    id: 'dim-field',
    out: 'dim',
    patterns: ['{f:field}', 'different|distinct|unique {f:field}'],
    meaning: 'groupField',
    examples: ['revenue by country', 'number of customers per city'],
    counterexamples: ['revenue', 'revenue per month'],
  },
  {
    id: 'dim-things',
    out: 'dim',
    patterns: ['{t:things.rows}', 'individual|single {t:things.rows}', '{t:things.rows} name|names'],
    meaning: 'groupThings',
    examples: ['revenue per customer', 'number of order items for each product'],
    counterexamples: ['revenue', 'revenue by country'],
  },
  {
    id: 'dim-grain',
    out: 'dim',
    patterns: ['{g:grain}', '{f:field.date} {g:grain}', '{g:grain} of {f:field.date}'],
    meaning: 'groupGrain',
    examples: ['revenue by month', 'number of orders per year'],
    counterexamples: ['revenue by country', 'revenue'],
  },
  {
    id: 'dim-and',
    out: 'dim',
    patterns: ['{a:dim} and|, {b:dim}', '{a:dim} , and {b:dim}'],
    meaning: 'severalGroups',
    examples: ['revenue by country and month', 'number of customers by country and city'],
    counterexamples: ['revenue by month', 'revenue and items sold'],
  },
  {
    id: 'by-word',
    out: 'group',
    patterns: ['by [each|every] {g:dim}'],
    meaning: 'groupBy',
    examples: ['revenue by country', 'number of orders by month'],
    counterexamples: ['revenue', 'revenue per month'],
  },
  {
    id: 'by',
    out: 'group',
    patterns: [
      `${BY} [each|every] {g:dim}`,
      'for|in|of|at|from|with|to|on each|every {g:dim}',
      'split|grouped|group|broken|divided|separated|aggregated [down] by {g:dim}',
    ],
    meaning: 'sameGroup',
    examples: ['revenue per country', 'how many orders for each customer'],
    counterexamples: ['revenue', 'orders of customers'],
  },
  {
    id: 'happening-by',
    out: 'group',
    patterns: [
      '{l:link} [in|by|from|at|to|with|for|of|on|through|via|over] each|every {g:dim}',
      '{l:link} per {g:dim}',
      '{l:link} by {g:dim.period}',
    ],
    meaning: 'groupHappening',
    examples: ['number of orders placed per month', 'total number of products bought in each country'],
    counterexamples: ['number of orders per month', 'revenue by country'],
  },
  {
    id: 'direction',
    out: 'sorted',
    patterns: ['[ordered|sorted|listed|order|sort] {d:dir} [order]', 'in {d:dir} order'],
    meaning: 'direction',
    examples: ['revenue by country in descending order', 'revenue by country from highest to lowest'],
    counterexamples: ['revenue by country', 'top 5 customers by revenue'],
  },
  {
    id: 'order-by',
    out: 'sorted',
    patterns: [
      'order|ordered|sort|sorted|rank|ranked|arrange|arranged [results|result|it|them] by|on [their|its] {x:scale} [in] [{d:dir}] [order]',
    ],
    meaning: 'orderBy',
    examples: ['revenue by country ordered by revenue', 'products sorted by price descending'],
    counterexamples: ['revenue by country', 'how many orders'],
  },
  {
    id: 'scale-measure',
    out: 'scale',
    patterns: ['{m:measure}', '{m:measure} they|it {l:link}'],
    meaning: 'sameMeasure',
    examples: ['top 5 customers by revenue', 'customer with the highest revenue'],
    counterexamples: ['how many customers', 'revenue by country'],
  },
  {
    id: 'scale-field',
    out: 'scale',
    patterns: ['{f:field}'],
    meaning: 'sameField',
    examples: ['top 5 products by price', 'product with the highest price'],
    counterexamples: ['how many customers', 'revenue by country'],
  },
];
