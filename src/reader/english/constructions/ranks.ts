// First, most, best, busiest, latest.
import type { Entry } from '../../language/entry.ts';

const BY = 'by|in|with|for';
const WITH = 'with|having|has|have|had';
/** Verbs that say no more than whose it is. */
const BRINGS = 'makes|make|made|generates|generate|generated|brings|bring|brought|gives|give|gave|earns|earn|earned';
export const RANKS: readonly Entry[] = [
  {
    id: 'top-by',
    out: 'query',
    patterns: [
      `{s:superl} {n:number} {t:things} ${BY} [{z:superl}] {x:scale}`,
      `{s:superl} {n:number} {t:things} ${BY} {z:superl.many} {u:things}`,
      `{s:superl} {n:number} {t:things} ${BY} [{z:superl}] number of {u:things}`,
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
      `[{n:number}] {t:things} [that|which|who] ${WITH}|received [received] {s:superl} {x:scale}`,
      `[{n:number}] {t:things} ${WITH} {s:superl} {x:scale}`,
      `[{n:number}] {t:things} [that|which|who] ${BRINGS} [in] {s:superl} {x:scale}`,
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
    ],
    meaning: 'withMost',
    examples: ['customer with the most orders', 'which customer placed the most orders'],
    counterexamples: ['number of orders per customer', 'customers with more than 5 orders'],
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
    id: 'grain-most',
    out: 'query',
    patterns: [
      '{g:grain} [that|which] with|has|had|have|saw|sees|having {s:superl.many} {t:things}',
      '{g:grain} [that|which] with|has|had|have|saw|sees|having {s:superl} number of {t:things}',
      '{g:grain} [that|which] with|has|had|have|saw|sees|having {s:superl} {m:measure}',
      '[in|on which|what] {g:grain} {s:superl.many} {t:things} [{l:link}]',
      '[in|on which|what] {g:grain} {l:link} {s:superl.many} {t:things}',
      '{f:field.date} {g:grain} [that|which] with|has|had|having {s:superl} {m:measure}',
    ],
    meaning: 'grainMost',
    examples: ['which month had the most orders', 'weekday with the highest revenue'],
    counterexamples: ['number of orders by month', 'which customer has the most orders'],
  },
  {
    id: 'of-each',
    out: 'query',
    patterns: [
      '{q:query.ranked} in|of|for|per|within|from each|every {g:dim}',
      '{q:query.ranked} per|by {g:dim}',
      'for|in|within each|every {g:dim} {q:query.ranked}',
      'for|in|within each|every {g:dim} what|which|who|list|show|find|give|return [me] {q:query.ranked}',
    ],
    meaning: 'ofEach',
    examples: ['top 2 products by price in each category', 'for each country, the customer with the most orders'],
    counterexamples: ['top 2 products by price', 'number of orders for each country'],
  },
  {
    id: 'top-of-each',
    out: 'query',
    patterns: [`{s:superl} {n:number} {t:things} in|for|per|within each|every {g:dim} ${BY} {x:scale}`],
    meaning: 'topOfEach',
    examples: ['top 2 products in each category by price', 'top 3 products in every category by price'],
    counterexamples: ['top 2 products by price', 'top 2 products by price in each category'],
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
    patterns: [
      '{s:bestworst} [{n:number}] {t:things}',
      '{n:number} {s:bestworst} {t:things}',
      'top {n:number} {t:things}',
      '{s:superl} [{n:number}] {t:things} [ever]',
    ],
    meaning: 'best',
    examples: ['best customers', 'top 10 customers'],
    counterexamples: ['top 5 customers by revenue', 'customers in Berlin'],
  },
];
