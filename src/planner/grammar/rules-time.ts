// Periods where they are said, alone, one of several, or against each other.

import { DateTime } from 'luxon';
import type { Grain } from '../../lens/model/lens.ts';
import type { TimeMention } from '../words/time-expressions.ts';
import type { Cursor } from './cursor.ts';
import type { Rule } from './rule.ts';

/** "in the years of both 2014 and 2015" */
const BOTH = /(?:(?:in|during) )?(?:the )?(?:years? (?:of )?)?both(?: (?:the )?years?)?/;

export const time: Rule = (c, state) => {
  const both = c.match(BOTH);
  const twice = both > 0 ? c.time(both) : null;
  if (twice && c.norm(both + twice.length) === 'and' && c.time(both + twice.length + 1)) {
    const { at, clause } = c;
    const second = c.time(both + twice.length + 1)!;
    const length = both + twice.length + 1 + second.length;
    const text = c.accept(length, 'time');
    if (clause.negated || twice.fault || second.fault) c.draft.faults.push(text);
    c.draft.times.push({ mention: { ...twice, length }, every: [twice, second], at, text, negated: false, clause });
    state.head = false;
    return true;
  }
  const read = c.time();
  if (!read) return false;
  const mention = beforeNamed(c, read);
  const longer = c.values(0)[0];
  if (longer && (longer.length > mention.length || (c.token()!.kind === 'number' && !mention.unit))) return false;
  const { at, clause } = c;
  const negated = clause.negated && !clause.relation && !c.draft.conditions.some((one) => one.clause === clause);
  const text = c.accept(mention.length, 'time', `${mention.from ?? ''}..${mention.to ?? ''}`);
  if (mention.fault) c.draft.faults.push(`${text} (${mention.fault})`);
  // "opened by 2020": at any time until then, or in it?
  if (c.tokens[at - 1]?.norm === 'by') c.draft.faults.push(`by ${text}`);
  const any = [mention];
  for (let next = c.norm() === 'or' ? c.time(1) : null; next; next = c.norm() === 'or' ? c.time(1) : null) {
    c.accept(next.length + 1, 'time', `${next.from ?? ''}..${next.to ?? ''}`);
    if (next.fault || negated) c.draft.faults.push(c.textOf(at, c.at - at));
    any.push(next);
  }
  if (any.length === 1) c.draft.times.push({ mention, at, text, negated, clause });
  else {
    const whole = { ...mention, length: c.at - at };
    c.draft.times.push({ mention: whole, any, at, text: c.textOf(at, c.at - at), negated, clause });
  }
  // "last year's revenue"
  if (c.token(1)?.kind === 'word') c.take(/'s?/, 'possessive');
  state.only = false;
  state.head = false;
  return true;
};

/** "2017 versus the previous year": the year before the one that was named, whatever year it is today. */
const beforeNamed = (c: Cursor, mention: TimeMention): TimeMention => {
  const said = /(?:previous|prior|preceding|last) (day|week|month|quarter|year)$/.exec(
    c.textOf(c.at, mention.length).toLowerCase(),
  );
  const named = c.draft.times.at(-1);
  if (!said || !named?.mention.from || !/\d{4}/.test(named.text)) return mention;
  if (said[0].startsWith('last') || named.mention.unit !== said[1])
    return { ...mention, fault: `before ${named.text}, or before today` };
  const unit = said[1] as Grain;
  const from = DateTime.fromISO(named.mention.from).minus({ [unit]: 1 });
  return { ...mention, from: from.toISODate()!, to: named.mention.from, unit };
};
