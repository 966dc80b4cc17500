// Changes that a later question makes to an earlier one.
import type { Entry } from '../../language/entry.ts';

const FOR = 'for|in|of|from|at|on';
export const CHANGES: readonly Entry[] = [
  {
    id: 'changed',
    out: 'change',
    patterns: [
      '{c:cond}',
      '{g:group}',
      '{o:sorted}',
      '{v:value}',
      '{p:period}',
      `${FOR} {p:period}`,
      '{m:measure}',
      '{q:query.measured}',
    ],
    meaning: 'changed',
    examples: ['revenue by country > and in 2016?', 'revenue in 2015 > what about Berlin?'],
    counterexamples: ['revenue by country', 'customers in Berlin'],
  },
  {
    id: 'changed-most',
    out: 'change',
    patterns: ['{s:superl} {n:number}', '{r:bestworst} {n:number}'],
    meaning: 'changedMost',
    examples: ['revenue by country > only the top 3', 'revenue by city > and the bottom 5?'],
    counterexamples: ['top 3 customers by revenue', 'revenue by country'],
  },
  {
    id: 'changed-by-name',
    out: 'change',
    patterns: [
      'what|how about {x:change}',
      '[the] same {x:change}',
      'but|now|then|instead|only|just {x:change}',
      '{x:change} instead',
      'break|split it|that|this [down|up] {x:change}',
      'show|sort|order|group|filter it|that|this|them {x:change}',
    ],
    meaning: 'opened',
    examples: ['revenue by country > what about 2016?', 'revenue in 2015 > break it down by city'],
    counterexamples: ['revenue by country', 'customers in Berlin'],
  },
  {
    id: 'changed-too',
    out: 'change',
    patterns: ['and {x:change}', '{x:change} too', '{x:change} as well'],
    meaning: 'opened',
    takes: { adds: 'adds' },
    examples: ['revenue by country > and by city?', 'revenue in 2015 > and items sold?'],
    counterexamples: ['revenue by country', 'customers in Berlin'],
  },
];
