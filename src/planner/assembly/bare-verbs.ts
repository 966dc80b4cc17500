// "orders that were paid", "articles sold", "how many students attended": a verb with nothing behind it restricts the things
// before it to those it happened to, unless none of them would be there without it ("orders placed").

import { derives, verbRoot } from '../english/inflection.ts';
import type { Cursor } from '../grammar/cursor.ts';
import { datesOf, yearsOf } from '../grammar/event-dates.ts';
import { words } from '../words/vocabulary.ts';

const PARTICIPLE = /(?:ed|en|wn|ung|ught|old|aid|pent|eft|ent)$/;
const BETWEEN = /^(?:is|are|was|were|been|be|being|have|has|had|that|which|who|ever|get|got|so|far|already|actually)$/;
/** Nothing is kept of what did not come about in this way. */
const MAKING =
  /^(?:placed|made|done|performed|conducted|carried|held|given|offered|issued|recorded|stored|listed|written|composed|published|produced|released|directed|created|aired|broadcasted|flown|spoken|based|located|involved|used|included|contained)$/;
const ITSELF = /^(?:placed|made|done|held|given|issued|offered|recorded)$/;
const PASSIVE = /^(?:is|are|was|were|been|be|being)$/;
/** Also with a period behind them: when a thing was sold or paid for is not when it came to be. */
const SETTLED = /^(?:paid|rated|reviewed|inspected|repaired|treated|fined|fired|invoiced|billed)$/;

/** The verb, where it stands right behind a counted or listed thing and nothing follows that it could lead to. */
export const bareVerb = (c: Cursor, verb: { text: string; at: number }): boolean => {
  const { text, at } = verb;
  if (c.tokens[at]?.norm !== text || !PARTICIPLE.test(text)) return false;
  const next = c.tokens[at + 1];
  const ended = next === undefined || next.kind === 'punct';
  const dated = SETTLED.test(text) && c.draft.times.some((time) => time.at > at && time.at <= at + 2);
  if (!ended && !dated) return false;
  let before = at - 1;
  let passive = false;
  while (before >= 0 && BETWEEN.test(c.tokens[before]!.norm)) {
    passive ||= PASSIVE.test(c.tokens[before]!.norm);
    before--;
  }
  const thing = thingEndingAt(c, before);
  if (thing === null || (MAKING.test(text) && (passive || ITSELF.test(text)))) return false;
  if (datesOf(c, thing, text).length + yearsOf(c, thing, text).length > 0) return false;
  const root = verbRoot(text);
  const names = [thing, ...c.vocabulary.dataset(thing).synonyms].flatMap(words);
  return !names.some((name) => derives(name, root));
};

/** The dataset whose rows the words up to here name or count, when no other thing was named before. */
const thingEndingAt = (c: Cursor, at: number): string | null => {
  const counted = c.draft.shown.flatMap(({ measure }) => {
    const [metric, more] = measure?.metrics ?? [];
    const counts = metric && !more && /^count\(/i.test(metric.expression) ? metric.home : null;
    const dataset = measure?.kind === 'count' ? measure.dataset : counts;
    return measure && dataset && measure.at + measure.text.split(' ').length - 1 === at ? [dataset] : [];
  });
  if (counted[0]) return c.draft.entities.some((entity) => entity.dataset !== counted[0]) ? null : counted[0];
  const [first] = c.draft.entities;
  return first && first.at + first.text.split(' ').length - 1 === at ? first.dataset : null;
};
