// Constructions for groups and their order.
import { type Construction, parseConstructions } from '../construction.ts';

const BY_WORDS = 'per|each|every|across';
export const GROUP_CONSTRUCTIONS: readonly Construction[] = parseConstructions(`
dim-field: dim = groupField
  {f:field}
  different|distinct|unique {f:field}
  yes: revenue by country | number of customers per city
  no: revenue | revenue per month
dim-things: dim = groupThings
  {t:things.rows}
  individual|single {t:things.rows}
  {t:things.rows} name|names
  yes: revenue per customer | number of order items for each product
  no: revenue | revenue by country
dim-grain: dim = groupGrain
  {g:grain}
  {f:field.date} {g:grain}
  {g:grain} of {f:field.date}
  yes: revenue by month | number of orders per year
  no: revenue by country | revenue
dim-and: dim = severalGroups
  {a:dim} and|, {b:dim}
  yes: revenue by country and month | number of customers by country and city
  no: revenue by month | revenue and items sold
by-word: group = groupBy
  by [each|every] {g:dim}
  yes: revenue by country | number of orders by month
  no: revenue | revenue per month
by: group = sameGroup
  ${BY_WORDS} [each|every] {g:dim}
  for|in|of|at|from|with|to|on each|every {g:dim}
  split|grouped|group|broken|separated|aggregated [down] by {g:dim}
  yes: revenue per country | how many orders for each customer
  no: revenue | orders of customers
happening-by: group = groupHappening
  {l:link} [in|by|from|at|to|with|for|of|on|through|via|over] each|every {g:dim}
  {l:link} per {g:dim}
  {l:link} by {g:dim.period}
  yes: number of orders placed per month | total number of products bought in each country
  no: number of orders per month | revenue by country
direction: sorted = direction
  [ordered|sorted|listed|order|sort] {d:dir} [order]
  in {d:dir} order
  yes: revenue by country in descending order | revenue by country from highest to lowest
  no: revenue by country | top 5 customers by revenue
order-by: sorted = orderBy
  order|ordered|sort|sorted|rank|ranked|arrange|arranged [results|result|it|them] by|on [their|its] {x:scale} [in] [{d:dir}] [order]
  yes: revenue by country ordered by revenue | products sorted by price descending
  no: revenue by country | how many orders
scale-measure: scale = sameMeasure
  {m:measure}
  {m:measure} they|it {l:link}
  yes: top 5 customers by revenue | customer with the highest revenue
  no: how many customers | revenue by country
scale-field: scale = sameField
  {f:field}
  yes: top 5 products by price | product with the highest price
  no: how many customers | revenue by country
`);
