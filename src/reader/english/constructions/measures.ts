// Constructions for counts, sums, ratios and comparisons.
import { type Construction, parseConstructions } from '../construction.ts';

export const MEASURE_CONSTRUCTIONS: readonly Construction[] = parseConstructions(`
count: measure = count
  [total] number|count of {t:things}
  how many {t:things}
  number|count of all {t:things}
  {t:things} count|counts
  how many {t:things} do we|I have
  how many|number|count [of] {m:measure.thing}
  how many {m:measure.units}
  number|count of {m:measure.units}
  yes: how many customers | total number of products
  no: list the customers | revenue
total-things: measure = countAll
  total {t:things.many}
  yes: total customers by country | total orders in 2015
  no: total number of orders | total revenue
distinct: measure = distinct
  how many different|distinct|unique {f:field}
  [total] number|count of different|distinct|unique {f:field}
  number of distinct {f:field.many}
  yes: number of distinct countries | how many different cities
  no: how many customers | list the countries
aggregate: measure = aggregate
  {a:agg} [of|in] {f:field.number}
  {f:field.number} {a:agg}
  {a:agg.end} single|individual {f:field.number}
  yes: average price | total quantity
  no: products with a price over 5 | revenue
latest-date: measure = latestDate
  {r:recent} {f:field.date}
  yes: latest order date | earliest order date by country
  no: latest order | orders in 2015
aggregate-of-things: measure = measureOf
  {m:measure.aggregate} of|for|across|among|in {t:things}
  yes: average price of products | total quantity of order items
  no: average price | number of products
average-of-rows: measure = meanOfRows
  {m:measure.mean} per {t:things.one}
  yes: average price per product | average quantity per order item
  no: average price | average price per category
total-metric: measure = totalMeasure
  total|overall [of] {m:measure.metric}
  how much {m:measure.metric}
  yes: total revenue | overall revenue in 2015
  no: revenue | average price
restricted: measure = restricted
  {m:measure} {c:cond}
  yes: revenue in 2015 | items sold in Berlin
  no: revenue | revenue by status
ratio: measure = ratio
  ratio|proportion of|between {a:measure} to|and {b:measure}
  {a:measure} divided by {b:measure}
  ratio|proportion of {a:things} to [all] {b:things}
  ratio|proportion of {a:things} to [all] {b:measure}
  ratio|proportion of {a:things} out of [all] {b:things}
  yes: ratio of revenue to items sold | revenue divided by items sold | ratio of orders to customers | ratio of pending orders to cancelled orders
  no: revenue and items sold | revenue per country | orders of customers
share-of-things: measure = shareOfThings
  [what] {w:sharing} of {t:things}
  yes: what share of orders are cancelled | percentage of customers in Berlin
  no: number of orders | share of revenue by country
share-of-value: measure = shareOfValue
  {w:sharing} of {m:measure} {c:cond}
  {w:sharing} of {v:value} in|of {m:measure}
  {v:value} {w:sharing} of {m:measure}
  yes: share of revenue from Berlin | what percentage of revenue comes from Germany
  no: share of revenue by country | revenue from Berlin
average-over: measure = averagedOver
  {a:agg} {m:measure.count} per {g:dim}
  {a:agg} {m:measure.count} for|in|of each {g:dim}
  yes: average number of orders per customer | average number of order items per order
  no: average revenue per customer | average price by category
average-of-each: measure = averagedOver each
  {a:agg} of {m:measure} of each|every {g:dim}
  yes: average of the revenue of each customer | median of the number of orders of each customer by country
  no: average price of products | average revenue per customer
difference: measure = difference
  difference between {a:measure} and {b:measure}
  {a:measure} minus {b:measure}
  yes: difference between revenue and items sold | revenue minus items sold
  no: revenue and items sold | revenue
running: measure = running
  running|cumulative total|sum [of] {m:quantity}
  running|cumulative total|number|count of {t:things.many}
  cumulative {m:quantity}
  yes: running total of revenue by month | cumulative number of orders by month
  no: total revenue by month | number of orders by month
per-one: measure = perOne
  {a:measure.metric} per [single|individual] {b:measure.metric}
  yes: revenue per item sold | revenue per item sold by country
  no: revenue per country | revenue by country
growth-between: measure = growthBetween
  [percentage|percent] growth in|of {m:quantity} {p:period.range}
  {m:quantity} growth {p:period.range}
  yes: revenue growth from 2015 to 2016 | growth of revenue from 2015 to 2016
  no: revenue growth by month | revenue from 2015 to 2016
quantity-measure: quantity = sameMeasure
  {m:measure}
  yes: revenue growth by month | growth of revenue by year
  no: revenue by month | revenue
quantity-field: quantity = addedUp
  {f:field.number}
  yes: quantity growth by month | running total of quantity by month
  no: total quantity by month | revenue growth by month
growth: measure = growth
  [percentage|percent] growth|change in|of {m:quantity}
  {m:quantity} growth
  yes: revenue growth by month | growth of revenue by year
  no: revenue by month | revenue
`);
