// Constructions for conditions: values, comparisons, relationships, periods and negations.
import { type Construction, parseConstructions } from '../construction.ts';

const WITH_WORDS = 'with|having|have|has|had|where|whose';
const NOT_WORDS = "not|never|cannot|no|neither|hasn't|haven't|didn't|don't|doesn't|hadn't|isn't|aren't|wasn't|weren't";
const WHO_WORDS = 'who|that|which';

export const CONDITION_CONSTRUCTIONS: readonly Construction[] = parseConstructions(`
in-value: cond = ofValue
  {p:prep} {v:value}
  {l:link.valued} [in|from|at|by|to|for|on|as|with|within|under|of|through|via|using|over] {v:value}
  {l:link.active} {v:value}
  ${WHO_WORDS}|${WITH_WORDS} {v:value}
  yes: revenue from Berlin | how many orders from Germany | orders with Furniture products that are pending | orders that are pending
  no: revenue in 2015 | how many orders
is-flag: cond = flagged
  ${WHO_WORDS}|${WITH_WORDS}|get|gets|getting|got|receive|receives|received {f:field.flag}
  yes: customers who are active and have orders | how many customers are there who are active
  no: how many customers | active customers
not-flag: cond = flagged no
  [where] ${NOT_WORDS} {f:field.flag}
  ${NOT_WORDS} have|get|receive {f:field.flag}
  yes: how many customers are not active | customers that are not active
  no: active customers | customers not in Berlin
not-value: cond = notOfValue
  ${NOT_WORDS} {p:prep} {v:value}
  except|excluding [for|from|in] {v:value}
  other than {v:value}
  ${NOT_WORDS} {l:link.valued} [in|from|at|by|to|for|on|as|with] {v:value}
  ${NOT_WORDS} {l:link.active} {v:value}
  ${NOT_WORDS} {v:value}
  [{l:link}] outside [of] {v:value}
  without {v:value}
  yes: how many orders are not cancelled | customers not in Berlin
  no: customers in Berlin | orders without order items
who: cond = sameCond
  ${WHO_WORDS} {c:cond}
  ${WHO_WORDS} {l:link} {c:cond.period}
  yes: customers who are in Berlin | customers that have at least 2 orders
  no: customers in Berlin | how many orders
compares: cond = compares
  ${WITH_WORDS} {f:field.number} [of|is] {o:op} {n:number}
  ${WITH_WORDS} {o:op} {n:number} {f:field.number}
  {f:field.number} {o:op} {n:number}
  ${WITH_WORDS} {f:field.number} [of|is|=] {n:number}
  in|of|for|from|at {f:field.number} {n:number}
  ${WITH_WORDS} {n:number} {f:field.number}
  {o:op} {n:number} {f:field.number}
  take|takes|took {o:op} {n:number} {f:field.number}
  yes: products with a price over 100 | how many orders have a total of at least 50
  no: products in 2015 | customers with more than 2 orders
compares-between: cond = comparesTwo op=between
  ${WITH_WORDS}|${WHO_WORDS} {f:field.number} between {n:number} and {k:number}
  yes: products with a price between 10 and 20 | orders with a total between 5 and 9
  no: products over 10 | orders between 2015 and 2016
compares-any: cond = comparesTwo op=in
  ${WITH_WORDS} {f:field.number} [of|is] {n:number} or|and {k:number}
  in|of|for|from|at {f:field.number} {n:number} or|and {k:number}
  yes: products with a price of 10 or 20 | how many trips in grades 5 and 6
  no: products with a price between 10 and 20 | products with a price over 5
amount: cond = amount
  {o:op} {n:number.unit}
  ${WITH_WORDS} {o:op} {n:number.unit}
  {o:longer} {n:number.unit}
  yes: how many orders over 500 euros | number of products under 20 euros
  no: customers with more than 2 orders | orders in 2015
neither-value: cond = neitherValue
  neither {v:value} nor {w:value}
  [{l:link}] neither {p:prep} {v:value} nor [{p:prep}] {w:value}
  yes: orders neither pending nor cancelled | customers neither from Berlin nor from Paris
  no: orders not pending | customers in Berlin or Paris
has: cond = has
  {p:prep.at} {t:things}
  {l:link} [in|from|at|by|to|for|on|as|with|within|under|of] {t:things}
  ${WITH_WORDS} [any|some] {t:things}
  yes: orders of customers in Berlin | customers who placed pending orders
  no: orders in 2015 | revenue
has-not: cond = hasNot
  without [any|a] [known|recorded] {t:things}
  ${WITH_WORDS} no|zero {t:things}
  ${NOT_WORDS} {l:link} [in|from|at|by|to|for|on|with] [any|a] {t:things}
  {l:link} no {t:things}
  ${WITH_WORDS} ${NOT_WORDS} {l:link} [any] {t:things}
  not in [any] {t:things}
  yes: customers without orders | how many products have no order items
  no: customers with orders | orders of customers
has-count: cond = hasCount
  ${WITH_WORDS} {o:op} {n:number} {t:things}
  {l:link} [in|from|by|to|for|on|with] {o:op} {n:number} {t:things}
  ${WITH_WORDS} {n:number} or more {t:things}
  {l:link} [in|from|by|to|for|on|with] {n:number} or more {t:things}
  yes: customers with more than 5 orders | customers who placed at least 3 orders
  no: customers with orders | products with a price over 5
has-different: cond = hasDifferent
  ${WITH_WORDS} {o:op} {n:number} [different|distinct|unique] {t:things.values}
  {l:link} [in|from|by|to|for|on|with] {o:op} {n:number} [different|distinct|unique] {t:things.values}
  ${WITH_WORDS} {n:number} or more [different|distinct|unique] {t:things.values}
  yes: countries with more than 2 cities | countries with at least 3 different cities
  no: customers with more than 5 orders | customers with orders
has-exactly: cond = hasCount exactly
  ${WITH_WORDS} {n:number} {t:things}
  {l:link} [in|from|by|to|for|on|with] {n:number} {t:things}
  ${WITH_WORDS} only {n:number} {t:things}
  yes: customers with 5 orders | customers who placed 3 orders
  no: customers with orders | customers with more than 5 orders
so-often: cond = soOften
  {l:link} [{o:op}] {n:number} times
  [only|just] {l:link} [only|just|exactly] {k:often}
  yes: customers who ordered more than 5 times | customers who ordered only once
  no: customers with more than 5 orders | customers who ordered in 2016
total-over: cond = totalOver
  ${WITH_WORDS} {m:measure} [of] {o:op} {n:number}
  ${WITH_WORDS} {o:op} {n:number} [in|of] {m:measure}
  whose {m:measure} {o:op} {n:number}
  yes: customers with revenue over 1000 | customers with total sales of at least 10
  no: customers with more than 5 orders | revenue over 2015
below-zero: cond = belowZero name=profit|total_profit|earnings
  [where] lost|losing|lose|loses money
  [where] makes|make|made|making [a] loss|losses
  ${WITH_WORDS} [a] negative {m:measure}
  yes: customers with negative revenue | products with negative items sold
  no: customers with revenue over 10 | revenue
period: cond = inPeriod
  {p:period}
  {l:link.valued} {p:period}
  {f:field.date} {p:period}
  ${WITH_WORDS} {f:field.date} {p:period}
  yes: revenue in 2015 | how many customers placed orders in 2016
  no: revenue | orders in Berlin
text: cond = contains op=contains
  [${WITH_WORDS}] {f:field.text} contains|containing|includes|including|contain|include {v:value}
  with|having {v:value} in [its|their|the] {f:field.text}
  yes: customers whose name contains "ac" | products whose name contains "es"
  no: customers in Berlin | customers named Acme
text-start: cond = contains op=starts_with
  [${WITH_WORDS}] {f:field.text} starts|starting|start|begins|beginning with [the] [letter|letters] {v:value}
  yes: customers whose name starts with "Ac" | products whose name begins with "D"
  no: customers in Berlin | customers named Acme
missing: cond = missing
  without [a|an|any] [known|recorded] {f:field}
  ${WITH_WORDS} no {f:field} [recorded|given|known|entered|set]
  missing {f:field}
  [where] {f:field} missing
  ${WHO_WORDS} ${NOT_WORDS} have|has {f:field}
  yes: customers without an email | how many customers have no email
  no: customers without orders | customers in Berlin
and-cond: cond = bothConds
  {a:cond} and {b:cond}
  {a:cond} but {b:cond.negated}
  {a:cond} and {b:value.named}
  yes: customers with more than 5 orders and in Berlin | customers in Berlin but without orders | orders with status pending and country Germany | customers without orders and country Germany
  no: customers in Berlin and Paris | customers in Berlin
or-cond: cond = eitherCond
  {a:cond} or {b:cond}
  either {a:cond} or {b:cond}
  yes: customers in Berlin or with at least 2 orders | customers with at least 2 orders or in Berlin
  no: customers in Berlin and Paris | customers in Berlin or Paris
`);
