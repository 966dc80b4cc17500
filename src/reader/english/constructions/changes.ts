// Constructions for changes that a later question makes to an earlier question.
import { type Construction, parseConstructions } from '../construction.ts';

const FOR_WORDS = 'for|in|of|from|at|on';
export const CHANGE_CONSTRUCTIONS: readonly Construction[] = parseConstructions(`
changed: change = changed
  {c:cond}
  {g:group}
  {o:sorted}
  {v:value}
  {p:period}
  ${FOR_WORDS} {p:period}
  {m:measure}
  {q:query.measured}
  yes: revenue by country > and in 2016? | revenue in 2015 > what about Berlin?
  no: revenue by country | customers in Berlin
changed-most: change = changedMost
  {s:superl} {n:number}
  {r:bestworst} {n:number}
  yes: revenue by country > only the top 3 | revenue by city > and the bottom 5?
  no: top 3 customers by revenue | revenue by country
changed-by-name: change = opened
  what|how about {x:change}
  [the] same {x:change}
  but|now|then|instead|only|just {x:change}
  {x:change} instead
  break|split it|that|this [down|up] {x:change}
  show|sort|order|group|filter it|that|this|them {x:change}
  yes: revenue by country > what about 2016? | revenue in 2015 > break it down by city
  no: revenue by country | customers in Berlin
changed-too: change = opened adds
  and {x:change}
  {x:change} too
  {x:change} as well
  yes: revenue by country > and by city? | revenue in 2015 > and items sold?
  no: revenue by country | customers in Berlin
`);
