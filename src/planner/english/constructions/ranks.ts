// First, most, best, busiest, latest.
import type { Entry } from '../../language/entry.ts';

const BY = 'by|in|with|for';
const WITH = 'with|having|has|have|had';
export const RANKS: readonly Entry[] = [
  {
    id: 'top-by',
    out: 'query',
    patterns: [
      `{s:superl} {n:number} {t:things} ${BY} [the] [highest|most|largest] {x:scale}`,
      '{s:superl} {n:number} {t:things} in terms of|based on|ranked by|ordered by {x:scale}',
      '{s:superl} {n:number} {t:things} based on {x:scale}',
      '{s:superl} {t:things.one} by {x:scale}',
    ],
    meaning: 'topBy',
    examples: ['top 5 customers by revenue', 'top 3 products by price'],
    counterexamples: ['revenue by country', 'customers with more than 5 orders'],
  },
  {
    id: 'with-most',
    out: 'query',
    patterns: [
      `[{n:number}] {t:things} [that|which|who] ${WITH} {s:superl} {x:scale}`,
      `[{n:number}] {t:things} ${WITH} {s:superl} {x:scale}`,
      '{s:superl} {n:number} {t:things} with {z:superl} {x:scale}',
    ],
    meaning: 'withMost',
    examples: ['customer with the highest revenue', 'which product has the highest price'],
    counterexamples: ['customers with more than 5 orders', 'highest price'],
  },
  {
    id: 'with-most-things',
    out: 'query',
    patterns: [
      `[{n:number}] {t:things} [that|which|who] [${WITH}] [{l:link}] {s:superl.many} {u:things}`,
      `[{n:number}] {t:things} [that|which|who] [${WITH}] [{l:link}] {s:superl} number of {u:things}`,
      '{s:superl} {n:number} {t:things} with|by {z:superl.many} {u:things}',
      '{s:superl} {n:number} {t:things} with|by {z:superl} number of {u:things}',
      '{s:superl} {n:number} {t:things} by number of {u:things}',
    ],
    meaning: 'withMostThings',
    examples: ['customer with the most orders', 'which customer placed the most orders'],
    counterexamples: ['number of orders per customer', 'customers with more than 5 orders'],
  },
  {
    id: 'open-rank',
    out: 'openrank',
    patterns: [
      `{t:things.many} [that|which|who] ${WITH} {s:superl} {x:scale}`,
      `{t:things.many} [that|which|who] [${WITH}] [{l:link}] {s:superl.many} {u:things}`,
      `{t:things.many} [that|which|who] [${WITH}] [{l:link}] {s:superl} number of {u:things}`,
    ],
    meaning: 'openRank',
    examples: [
      'Which customers have the most orders, ordered by the number of orders in descending order?',
      'customers with the highest revenue, ordered by revenue descending',
    ],
    counterexamples: ['Which customers have orders?', 'top 5 customers by revenue'],
  },
  {
    id: 'open-rank-ordered',
    out: 'query',
    patterns: ['{q:openrank} {o:sorted}'],
    meaning: 'openRankOrdered',
    examples: [
      'Which customers have the most orders, ordered by the number of orders in descending order?',
      'Which customers have the most orders, ordered by the number of orders they have placed in descending order?',
    ],
    counterexamples: ['Which customers have the most orders, ordered by name?', 'customers ordered by name'],
  },
  {
    id: 'of-ranked',
    out: 'query',
    patterns: [`{t:things.one} [that|which|who] ${WITH} {q:query.ranked}`],
    meaning: 'ofRanked',
    examples: ['which category has the most expensive product', 'Which category has the cheapest product?'],
    counterexamples: ['which customer has the most orders', 'most expensive product'],
  },
  {
    id: 'ranked-adjective',
    out: 'query',
    patterns: [
      '[{n:number}] {k:ranking} {t:things}',
      '{k:ranking} {n:number} {t:things}',
      '{s:superl} {n:number} {k:ranking} {t:things}',
    ],
    meaning: 'ranked',
    examples: ['most expensive product', '3 cheapest products'],
    counterexamples: ['products with a price over 5', 'top 5 customers by revenue'],
  },
  {
    id: 'most-common',
    out: 'query',
    patterns: [
      '[{n:number}] {k:common} {f:field}',
      '{s:superl} {n:number} {k:common} {f:field}',
      '[{n:number}] {k:common} {f:field} of|among|for|in {t:things}',
      '[{n:number}] {k:common} {f:field} and|with [their] [respective|corresponding] count|counts|number|numbers',
      '{s:superl} {n:number} {k:common} {f:field} and|with [their] [respective|corresponding] count|counts|number|numbers',
      '{s:superl} {n:number} {f:field} and|with [their] [respective|corresponding] count|counts',
      '{s:superl} {n:number} {k:common} {f:field} of|among|for|in {t:things} and|with [their] [respective|corresponding] count|counts|number|numbers',
    ],
    meaning: 'mostCommon',
    examples: ['most common status', 'top 3 most common cities'],
    counterexamples: ['number of orders by status', 'customers in Berlin'],
  },
  {
    id: 'busiest',
    out: 'query',
    patterns: ['{b:busy} {g:grain}', '{b:busy} {g:grain} for|of|by|in {t:things}', '{b:busy} {t:things} {g:grain}'],
    meaning: 'busiest',
    examples: ['busiest month for orders', 'busiest weekday of orders'],
    counterexamples: ['orders by month', 'number of orders per weekday'],
  },
  {
    id: 'latest',
    out: 'query',
    patterns: ['{r:recent} {n:number} {t:things}', '{n:number} {r:recent} {t:things}', '{r:recent} {t:things.one}'],
    meaning: 'latest',
    examples: ['latest order', 'the 5 most recent orders'],
    counterexamples: ['orders in 2015', 'orders last month'],
  },
  {
    id: 'best',
    out: 'query',
    patterns: ['best [{n:number}] {t:things}', 'top {n:number} {t:things}'],
    meaning: 'best',
    examples: ['best customers', 'top 10 customers'],
    counterexamples: ['top 5 customers by revenue', 'customers in Berlin'],
  },
];
