// Constructions for entities, values and their modifiers.
import { type Construction, parseConstructions } from '../construction.ts';

const NEVER_WORDS = "never|not|hasn't|haven't|didn't|wasn't|weren't";
export const NAME_CONSTRUCTIONS: readonly Construction[] = parseConstructions(`
value-thing: things = thingsOfValue
  {v:value} {t:things}
  {t:things} [that|which|who] {v:value.state}
  yes: how many pending orders | list the Furniture products | how many orders are cancelled | orders pending or cancelled
  no: how many orders | orders from Berlin
flag-thing: things = thingsFlagged
  {f:field.flag} {t:things}
  {t:things} [that|which|who] {f:field.flag}
  yes: how many active customers | How many customers are active?
  no: how many customers | customers by active
never-done: things = neverDone
  {t:things} [that|which|who] ${NEVER_WORDS} {l:done} [anything|something] [at all] [{c:cond.period}]
  yes: customers who never ordered | Which customers haven't ordered?
  no: customers without orders | customers who ordered in 2016
thing-did: things = thingsThatDid
  {t:things} [that|which] {u:things} {l:link}
  {t:things} [that|which] {v:value} {l:link}
  yes: how many orders did Acme place | orders that Globex placed
  no: how many orders | orders of Globex
all-things: things = sameThings
  any {t:things}
  {t:things} records|entries|rows
  {t:things} {l:link} with|to|by|in|for|at them|it|him|her
  {t:things.values} {l:link} to|from
  yes: how many customer records | list the product records
  no: how many customers | list the products
distinct-things: things = distinctThings
  different|distinct|unique {t:things}
  yes: how many distinct customers | distinct cities of customers
  no: how many customers | cities of customers
things-that: things = thingsThat
  {t:things} {c:cond}
  yes: how many customers in Berlin | products without order items
  no: how many customers | revenue by status
thing-called: things = thingsCalled
  {t:things} [named|called] {v:value}
  yes: how many orders did the customer Acme place | orders of customer Globex
  no: how many orders | orders in Berlin
value-or: value = eitherValue
  {a:value} or {b:value}
  {a:value} , {b:value.list}
  either {a:value} or {b:value}
  yes: how many orders are pending or cancelled | customers in Berlin or Paris
  no: orders in Berlin | products or orders
value-of-field: value = valueOf
  {v:value} {f:field}
  {f:field} {v:value}
  {f:field} of|is|= {v:value}
  yes: orders with status pending | number of products in the Furniture category
  no: orders in 2015 | how many orders
`);
