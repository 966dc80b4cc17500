// Constructions for complete questions: requests, rankings, columns and order.
import { type Construction, parseConstructions } from '../construction.ts';

const ASK_WORDS =
  'what|which|who|list|show|display|give|find|return|get|report|provide|identify|retrieve|count|name|output|present|fetch';
const AND_WORDS = 'and|,';
const VERSUS_WORDS = 'vs|versus|against';
export const QUESTION_CONSTRUCTIONS: readonly Construction[] = parseConstructions(`
measured: query = measured
  {m:measure}
  yes: revenue | how many customers
  no: list the products | customers without orders
listed: query = listed
  [all] {t:things}
  yes: customers without orders | which products have no order items
  no: how many customers | revenue
asked: query = asked
  ${ASK_WORDS} [me|us] {q:query}
  ${ASK_WORDS} [distinct|unique|full] list of {q:query.listed}
  [distinct|unique] list of {q:query.listed}
  count {t:things}
  compute|calculate|determine {q:query.measured}
  yes: what is the total revenue | list the customers without orders
  no: revenue | customers without orders
item: item = item
  [their|its] [respective|corresponding|relevant] {m:measure}
  [their|its] [respective|corresponding|relevant] {f:field}
  yes: revenue and items sold by country | total revenue and average price | customers in Berlin and their email
  no: how many customers | revenue
items: shown = items
  {a:item}
  {a:item} and|, {b:shown}
  {a:item} as well as|along with {b:shown}
  yes: name and city of customers | revenue and items sold by country
  no: how many customers | revenue
several-aggregates: shown = severalAggregates
  {a:agg} and|, {b:agg} [of|in] {f:field.number}
  {a:agg} , {b:agg} and|, {c:agg} [of|in] {f:field.number}
  {a:agg} and|, {b:agg} [of|in] {f:field.number} of|for|across|among {t:things}
  yes: minimum, average and maximum price | lowest and highest price by category | minimum and maximum price of products | lowest and highest price of Furniture products
  no: average price | revenue and items sold
several-measured: query = severalMeasured
  {s:shown}
  yes: revenue and items sold by country | total revenue and items sold in 2015
  no: name and city of customers | revenue
fields-of: query = fieldsOf
  {s:shown} of|for|from [all] {t:things}
  {t:things} 's {s:shown}
  yes: name and city of customers | list the email of customers in Berlin
  no: revenue | customers in Berlin
things-by: query = countedBy
  {t:things.many} by|per {g:dim}
  yes: tickets by year | customers by country
  no: list orders by status | number of customers by country
things-in-periods: query = countedInPeriods
  {l:grainly} {t:things.many}
  yes: monthly orders | daily orders in 2015
  no: monthly revenue | orders by month
amount-by: query = amountBy
  {f:field.number} {g:group}
  {f:field.number} of|for|from {t:things} {g:group}
  yes: quantity by category | quantity of order items by month
  no: total quantity by category | price of products
share-of-each: query = shareOfEach
  [what] {w:sharing} of [all] {t:things.many} {g:group}
  {w:sharing} of each|every {g:dim} in|of|to {m:quantity}
  {w:sharing} of {m:quantity} by|per|for [each] {g:dim}
  {m:quantity} {w:sharing} by|per|of [each] {g:dim}
  {w:sharing} of {m:quantity} of each|every {g:dim}
  yes: What is the share of each country in total revenue? | percentage of revenue by country | share of orders by status | what percentage of orders were placed in each country
  no: share of revenue from Berlin | revenue by country | share of orders from Berlin
things-told: query = fieldsOf told
  [all] {t:things} ( {s:shown} )
  yes: Return customers (name and email) who have no orders | products (name, price) in Furniture
  no: customers who have no orders | number of customers by city
fields-of-ranked: query = fieldsOfRanked
  {s:shown} of|for|from {q:query.ranked}
  yes: name of the top 5 customers by revenue | name and price of the most expensive product
  no: name and city of customers | top 5 customers by revenue
shown-beside: query = shownBeside
  {q:query} ${AND_WORDS} [also] [their|its|the] {s:shown}
  {q:query} with [also] {s:shown.beside}
  {q:query} with|including|plus their|its {s:shown}
  {q:query} along with [their|its] {s:shown}
  yes: customers in Berlin and their email | products without order items, and their price
  no: customers in Berlin | revenue
return: query = returned
  {q:query} .|? return|show|list|give|display|include|provide|output|report [me|us] {s:shown}
  yes: Which customers have no orders? Return the name and email. | Top 5 customers by revenue. Show the name and revenue.
  no: Return the customers without orders | revenue
everywhere: query = sameQuery
  {q:query} in|from|of|within [our|your|this|all] database|databases|data|system|records
  {q:query} overall|altogether
  {q:query} in total|all|general
  yes: How many customers are there in our database? | total revenue overall
  no: total number of orders | How many customers are there in Berlin?
grouped: query = grouped
  {q:query} {g:group}
  for|in each|every {g:dim} {q:query}
  yes: revenue by country | how many customers in each city | for each country, what is the revenue | for each customer how many orders
  no: revenue | customers in Berlin
trend: query = trend
  {q:query.measured} trend|trends|development|evolution
  {q:query.measured} over time
  [trend|development|evolution] of|in {q:query.measured} over time
  trend|development|evolution of|in {q:query.measured}
  yes: revenue over time | trend of revenue
  no: revenue by month | revenue
trend-by: query = trendBy
  {l:grainly} {q:query.measured} trend|trends|development
  {q:query.measured} trend|trends|development {g:group.period}
  {q:query.measured} over [the] {g:dim.period}
  yes: monthly revenue trend | revenue over the years
  no: revenue trend | monthly revenue
growth-over: query = growthOver
  {m:quantity} growth {g:grain} over|on {h:grain}
  {g:grain} over|on {h:grain} growth|change in|of {m:quantity}
  {g:grain} over|on {h:grain} {m:quantity} growth
  yes: revenue growth year over year | month over month growth in revenue
  no: revenue growth by month | revenue by year
versus-values: query = versusValues
  {a:value} ${VERSUS_WORDS} {b:value} {q:query.measured}
  {q:query.measured} [for|of|in|from] {a:value} ${VERSUS_WORDS} {b:value}
  compare {q:query.measured} of|for|in|between {a:value} and|with|to|against {b:value}
  yes: revenue Berlin vs Paris | Berlin vs Paris revenue
  no: revenue in Berlin or Paris | revenue by city
versus-periods: query = versusPeriods
  {q:query.measured} [for|of|in] {p:period.closed} ${VERSUS_WORDS} [in] {k:period.closed}
  {q:query.measured} {p:period.closed} compared|relative to|with [that|those] [of|in] {k:period.closed}
  compare {q:query.measured} of|for|in {p:period.closed} and|with|to|against {k:period.closed}
  compare {p:period.closed} and|with|to|against {k:period.closed}
  {p:period.closed} ${VERSUS_WORDS} {k:period.closed}
  yes: revenue 2015 vs 2016 | how many orders in March 2016 vs March 2015
  no: revenue in 2015 | revenue by year
grain-first: query = groupedByGrain
  {l:grainly} {q:query}
  yes: monthly revenue | yearly number of orders
  no: revenue by month | revenue
each-has: query = countEach
  how many {t:things} [do|does|did] each|every {g:dim} {l:link}
  how many {t:things} {l:link} [in|from|by|at|to|with] each|every {g:dim}
  yes: how many orders does each customer have | how many orders did every customer place
  no: how many orders | revenue by country
query-cond: query = queryThat
  {q:query} {c:cond}
  {c:cond} {q:query}
  yes: revenue by country in 2015 | top 5 customers by revenue in 2015 | in 2015, what was the revenue | in Berlin, how many customers
  no: revenue | customers in Berlin
changed-between: query = changedBetween
  how did {m:quantity} change|develop|grow|evolve {p:period.range}
  yes: How did revenue change from 2015 to 2016? | how did revenue develop from 2015 to 2016
  no: revenue growth from 2015 to 2016 | revenue from 2015 to 2016
value-first: query = queryOfValue
  {v:value} {q:query.measured}
  {q:query.measured} {v:value}
  yes: Berlin revenue by month | Germany revenue in 2015
  no: revenue from Berlin | pending orders
ordered: query = ordered
  {q:query} [and] {o:sorted}
  yes: revenue by country ordered by revenue | How many customers are there in each city? Order by the number of customers.
  no: revenue | top 5 customers by revenue
`);
