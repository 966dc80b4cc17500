// Reads a question from left to right into a draft. Every word is consumed by a rule that gives it a meaning, or ends up
// among the unread, and then there is no answer. The order of the rules is their precedence.
import type { Cursor } from './cursor.ts';
import { flagged } from './flag-nouns.ts';
import type { Rule, State } from './rule.ts';
import { across } from './rules-across.ts';
import { alsoShown } from './rules-also-shown.ts';
import { average, onAverage } from './rules-average.ts';
import { bothThings } from './rules-both.ts';
import { clauseStart, condition, orThing } from './rules-clause.ts';
import { combined, computed, computedBehind, unitNote } from './rules-computed.ts';
import { countedTerm } from './rules-counted-term.ts';
import { dayPart, onDays } from './rules-day-part.ts';
import { eachDifferent } from './rules-different.ts';
import { eachOfThem } from './rules-each.ts';
import { event } from './rules-event.ts';
import {
  auxiliary,
  comparing,
  everything,
  filler,
  link,
  punctuation,
  quantifier,
  reference,
  refusedWords,
} from './rules-frame.ts';
import { by, each, grain } from './rules-group.ts';
import { growth, growthForm } from './rules-growth.ts';
import { happened } from './rules-happened.ts';
import { having, relation, sign } from './rules-having.ts';
import { missing } from './rules-missing.ts';
import { order } from './rules-order.ts';
import { orderFirst } from './rules-order-first.ts';
import { part } from './rules-part.ts';
import { request } from './rules-request.ts';
import { scope } from './rules-scope.ts';
import {
  countedThing,
  definition,
  howMuch,
  information,
  measure,
  premodifiedCount,
  rank,
  thing,
} from './rules-show.ts';
import { time } from './rules-time.ts';
import { until } from './rules-until.ts';
import { verb } from './rules-verb.ts';
import { whenLast } from './rules-when-last.ts';
import { where } from './rules-where.ts';

const rules: Rule[] = [
  punctuation,
  scope,
  request,
  everything,
  across,
  reference,
  auxiliary,
  comparing,
  information,
  growth,
  growthForm,
  average,
  onAverage,
  whenLast,
  where,
  howMuch,
  computed,
  computedBehind,
  combined,
  sign,
  having,
  eachOfThem,
  orderFirst,
  order,
  dayPart,
  onDays,
  grain,
  rank,
  until,
  refusedWords,
  time,
  unitNote,
  eachDifferent,
  by,
  each,
  missing,
  alsoShown,
  bothThings,
  clauseStart,
  relation,
  part,
  orThing,
  happened,
  event,
  countedTerm,
  countedThing,
  premodifiedCount,
  flagged,
  condition,
  measure,
  definition,
  thing,
  quantifier,
  verb,
  filler,
  link,
];

export const parseQuestion = (c: Cursor): void => {
  const state: State = { head: true, open: [], pendingOr: false, only: false };
  while (!c.done()) {
    const before = c.draft.conditions.length;
    if (!rules.some((rule) => rule(c, state))) {
      c.unread.push(c.token()!.text);
      c.at++;
      continue;
    }
    const made = c.draft.conditions[before];
    if (!made) continue;
    made.or = state.pendingOr && before > 0;
    made.only = state.only;
    state.pendingOr = false;
    state.only = false;
  }
  if (state.twin) c.unread.push('both');
  if (state.pendingOr || state.only) c.unread.push('or');
};
