// "until 2016": with 2016 to some, up to it to others. The numbers differ, so the asker says which.
import { DateTime } from 'luxon';
import type { Rule } from './rule.ts';
import { Unreadable } from './unreadable.ts';

const UNTIL = /(?:up )?(?:until|till)|up to/;

export const until: Rule = (c, state) => {
  const { at, clause } = c;
  // "from 2014 until 2016"
  const opening = c.norm() === 'from' ? c.time() : null;
  const begins = opening?.unit ? opening.length : 0;
  const word = c.match(UNTIL, begins);
  const end = word > 0 && !c.phrase(begins) ? c.time(begins + word) : null;
  if (!end?.from || !end.to || end.fault || /^(?:in|on|of|for|from|during)$/.test(c.norm(begins + word))) return false;
  const length = begins + word + end.length;
  const named = c.textOf(at + begins + word, end.length);
  const term = c.textOf(at + begins, length - begins);
  const chosen = c.choices[term] ?? c.choices[c.textOf(at + begins, word)];
  const to = chosen === 'before' ? end.from : end.to;
  const text = c.accept(length, 'time', `${opening?.from ?? ''}..${to}`);
  const mention = { length, from: begins > 0 ? opening!.from : null, to };
  const negated = clause.negated && !clause.relation;
  if (negated || (mention.from && mention.from >= to)) c.draft.faults.push(text);
  const ask = chosen === 'through' || chosen === 'before' ? undefined : asked(term, named, end.from, end.to);
  c.draft.times.push({ mention, at, text, negated: false, clause, ask });
  state.head = false;
  return true;
};

const asked = (term: string, named: string, from: string, to: string): Unreadable => {
  const last = DateTime.fromISO(to).minus({ day: 1 }).toISODate();
  return new Unreadable(
    {
      kind: 'ambiguous_term',
      term,
      message: `"${term}" takes in ${named} to some and stops before it to others. Say "through ${named}" or "before ${named}".`,
      options: [
        { key: 'through', label: `through ${named}`, meaning: `Up to and including ${last}.` },
        { key: 'before', label: `before ${named}`, meaning: `Before ${from}.` },
      ],
    },
    [term],
  );
};
