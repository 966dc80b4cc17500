// "all", "every", "each": nothing is left out, or results are itemized. No plan expresses a thing with all of
// something ("bought every category").
import type { Measure } from '../../plan/lens-plan.ts';
import type { Leaf } from '../lattice/leaf.ts';
import { unitOf } from '../words/time-expressions.ts';
import { ofValue } from './only.ts';
import type { Outcome } from './outcome.ts';
import { areOwn, isAskedFor, isFirst, isGrouped, isOfAsked, type Place } from './place.ts';
import { isEnd, isRestriction, mentionsAt, normAt, pastLeading, type Restricting } from './sentence.ts';

const COPULA = /^(?:is|are|was|were)$/;
const LEADS = /^(?:|in|for|by|per|of|from|across|within|on|at|to|over|through|via|do|does|did)$/;
/** Describes a thing where a verb could refer to everything that the thing has. */
const DESCRIBES = /^with$|ing$/;
const NOTHING_LEFT_OUT = { says: 'nothing is left out' };

/** "100 for every member". */
const RATIOS = new Set<Measure['fn']>(['product', 'quotient', 'ratio', 'difference', 'total']);
export function allMeans(place: Place, word: Restricting): Outcome {
  const { sentence, plan, rows } = place;
  const [before, after] = [normAt(sentence, word.from - 1), normAt(sentence, word.to)];
  if (
    word.sense === 'all' &&
    (after === 'together' || (before === 'in' && (isEnd(sentence, word.to) || COPULA.test(after))))
  )
    return NOTHING_LEFT_OUT;
  if (word.text === 'all' && after === 'time') return plan.time ? null : NOTHING_LEFT_OUT;
  const next = pastLeading(sentence, word.to);
  const here = mentionsAt(sentence, next);
  const focus = here.filter(isRestriction);
  if (isFloating(place, word)) return ofValue(place, word, focus);
  const own = rows.every((one) => one.filters.length === 0 || areOwn(place, one));
  const unit = unitOf(sentence.tokens[next]?.stem);
  const byPeriod =
    unit !== null && (plan.dimensions.some(({ grain }) => grain === unit) || here.some((one) => isGrouped(place, one)));
  if (unit && !here.some(({ cat }) => cat === 'period')) return unitMeans(place, word, byPeriod, own);
  const named = here.filter((one) => !isRestriction(one) && one.cat !== 'number');
  if (isFirst(place, word) || isOfAsked(place, word)) {
    const things = focus.length > 0 ? focus.flatMap(({ to }) => mentionsAt(sentence, to)) : named;
    if (things.some((one) => isAskedFor(place, one) || isListed(place, one))) return NOTHING_LEFT_OUT;
  }
  if (isFirst(place, word) && word.sense === 'all' && focus.length === 0) return NOTHING_LEFT_OUT;
  if (named.some((one) => isListed(place, one) && isAskedFor(place, one))) return NOTHING_LEFT_OUT;
  if (isCompared(place, word)) return { says: 'all that it is compared with' };
  if (refersBack(place, word)) return { says: 'each of those listed' };
  if (here.some(({ cat }) => cat === 'number'))
    return plan.measures.some(({ fn }) => RATIOS.has(fn)) ? { says: 'a ratio' } : null;
  if (focus.length > 0) return own ? NOTHING_LEFT_OUT : null;
  const leads = LEADS.test(before);
  const perGroup = plan.measures.length > 0 || plan.limit_per !== undefined;
  const [grouped] = named.filter((one) => isGrouped(place, one));
  // "restaurants serving each type", "papers associated with each dataset". But "orders had each category"
  // may mean orders with all of them.
  const apart = leads || (word.text === 'each' && (place.counted.are === 'rows' || DESCRIBES.test(before)));
  if (grouped && apart && perGroup) return { says: 'one by one, as it is grouped' };
  const plain = own && named.length > 0 && place.counted.are === 'rows';
  return word.sense === 'all' && plain && (before === 'of' || (leads && plan.measures.length > 0))
    ? NOTHING_LEFT_OUT
    : null;
}

/** "orders are all furniture": nothing else. */
export const isFloating = ({ sentence }: Pick<Place, 'sentence'>, { text, from, to }: Restricting): boolean =>
  text === 'all' &&
  COPULA.test(normAt(sentence, from - 1)) &&
  mentionsAt(sentence, pastLeading(sentence, to)).some(isRestriction);

/** "the format of all scans": the rows are listed, possibly by a key. */
const isListed = ({ plan: { measures }, counted }: Place, { cat }: Leaf): boolean =>
  measures.length === 0 && counted.are === 'rows' && cat === 'things';

/** "above the average of all". */
const isCompared = ({ sentence, plan: { filters, having } }: Place, { from }: Restricting): boolean =>
  (filters.some((one) => 'field' in one && one.than) || having.some(({ than }) => than)) &&
  sentence.tokens.slice(0, from).some(({ norm }) => norm === 'than' || norm === 'above' || norm === 'below');

/** "For each, …", "for each of them", "how many are there of each": refers to the listed or grouped things. */
const refersBack = ({ sentence, plan: { dimensions } }: Place, { sense, from, to }: Restricting): boolean => {
  if (sense !== 'each' || !/^(?:for|of|in)$/.test(normAt(sentence, from - 1)) || dimensions.length === 0) return false;
  const next = normAt(sentence, to) === 'of' ? to + 1 : to;
  return isEnd(sentence, next) || /^(?:,|them|those|these|one)$/.test(normAt(sentence, next));
};

/** "every month": one row for each; for things, only if they are counted in each. */
function unitMeans({ plan, counted }: Place, { sense }: Restricting, grouped: boolean, own: boolean): Outcome {
  if (sense === 'each') return grouped && plan.measures.length > 0 ? { says: 'one row for each period' } : null;
  return own && counted.are === 'rows' && plan.measures.length > 0 ? NOTHING_LEFT_OUT : null;
}
