// Constructions for rankings: first, most, best, busiest, latest.
import { type Construction, parseConstructions } from '../construction.ts';

const BY_WORDS = 'by|in|with|for';
const WITH_WORDS = 'with|having|has|have|had';
/** Verbs that only attribute an amount to an entity, such as "generated" or "earned". */
const ATTRIBUTING_VERBS =
  'makes|make|made|generates|generate|generated|brings|bring|brought|gives|give|gave|earns|earn|earned';
export const RANK_CONSTRUCTIONS: readonly Construction[] = parseConstructions(`
top-by: query = topBy
  {s:superl} {n:number} {t:things} ${BY_WORDS} [{z:superl}] {x:scale}
  {s:superl} {n:number} {t:things} ${BY_WORDS} {z:superl.many} {u:things}
  {s:superl} {n:number} {t:things} based on {x:scale}
  {s:superl} {t:things.one} by {x:scale}
  yes: top 5 customers by revenue | top 3 products by price
  no: revenue by country | customers with more than 5 orders
with-most: query = withMost
  [{n:number}] {t:things} [that|which|who] ${WITH_WORDS}|received [received] {s:superl} {x:scale}
  [{n:number}] {t:things} [that|which|who] ${ATTRIBUTING_VERBS} [in] {s:superl} {x:scale}
  [{n:number}] {t:things} [that|which|who] [${WITH_WORDS}] [{l:link}] {s:superl.many} {u:things}
  [{n:number}] {t:things} [that|which|who] [${WITH_WORDS}] [{l:link}] {s:superl} number of {u:things}
  yes: customer with the highest revenue | which product has the highest price | customer with the most orders | which customer placed the most orders
  no: number of orders per customer | customers with more than 5 orders | highest price
open-rank: openrank = openRank
  {t:things.many} [that|which|who] ${WITH_WORDS} {s:superl} {x:scale}
  {t:things.many} [that|which|who] [${WITH_WORDS}] [{l:link}] {s:superl.many} {u:things}
  {t:things.many} [that|which|who] [${WITH_WORDS}] [{l:link}] {s:superl} number of {u:things}
  yes: Which customers have the most orders, ordered by the number of orders in descending order? | customers with the highest revenue, ordered by revenue descending
  no: Which customers have orders? | top 5 customers by revenue
open-rank-ordered: query = openRankOrdered
  {q:openrank} {o:sorted}
  yes: Which customers have the most orders, ordered by the number of orders in descending order? | Which customers have the most orders, ordered by the number of orders they have placed in descending order?
  no: Which customers have the most orders, ordered by name? | customers ordered by name
ranked-adjective: query = ranked
  [{n:number}] {k:ranking} {t:things}
  {k:ranking} {n:number} {t:things}
  {s:superl} {n:number} {k:ranking} {t:things}
  yes: most expensive product | 3 cheapest products
  no: products with a price over 5 | top 5 customers by revenue
most-common: query = mostCommon
  [{n:number}] {k:common} {f:field}
  {s:superl} {n:number} {k:common} {f:field}
  [{n:number}] {k:common} {f:field} of|among|for|in {t:things}
  {n:number} {k:common} {f:field.many} of {t:things}
  [{n:number}] {k:common} {f:field} and|with [their] [respective|corresponding] count|counts|number|numbers
  {s:superl} {n:number} {k:common} {f:field} and|with [their] [respective|corresponding] count|counts|number|numbers
  {s:superl} {n:number} {f:field} and|with [their] [respective|corresponding] count|counts
  {s:superl} {n:number} {k:common} {f:field} of|among|for|in {t:things} and|with [their] [respective|corresponding] count|counts|number|numbers
  yes: most common status | top 3 most common cities
  no: number of orders by status | customers in Berlin
grain-most: query = grainMost
  {g:grain} [that|which] with|has|had|have|saw|sees|having {s:superl.many} {t:things}
  {g:grain} [that|which] with|has|had|have|saw|sees|having {s:superl} {m:measure}
  [in|on which|what] {g:grain} {s:superl.many} {t:things} [{l:link}]
  [in|on which|what] {g:grain} {l:link} {s:superl.many} {t:things}
  {f:field.date} {g:grain} [that|which] with|has|had|having {s:superl} {m:measure}
  yes: which month had the most orders | weekday with the highest revenue
  no: number of orders by month | which customer has the most orders
of-each: query = ofEach
  {q:query.ranked} in|of|for|per|within|from each|every {g:dim}
  {q:query.ranked} per|by {g:dim}
  for|in|within each|every {g:dim} {q:query.ranked}
  yes: top 2 products by price in each category | for each country, the customer with the most orders
  no: top 2 products by price | number of orders for each country
top-of-each: query = topOfEach
  {s:superl} {n:number} {t:things} in|for|per|within each|every {g:dim} ${BY_WORDS} {x:scale}
  yes: top 2 products in each category by price | top 3 products in every category by price
  no: top 2 products by price | top 2 products by price in each category
latest: query = latest
  {r:recent} {n:number} {t:things}
  {n:number} {r:recent} {t:things}
  {r:recent} {t:things.one}
  yes: latest order | the 5 most recent orders
  no: orders in 2015 | orders last month
best: query = best
  {s:bestworst} [{n:number}] {t:things}
  {n:number} {s:bestworst} {t:things}
  {s:superl} [{n:number}] {t:things} [ever]
  yes: best customers | top 10 customers
  no: top 5 customers by revenue | customers in Berlin
`);
