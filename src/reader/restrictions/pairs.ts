// "both", "either", "neither" of two named values.
import type { Condition, Filter } from '../../plan/lens-plan.ts';
import type { Leaf } from '../lattice/leaf.ts';
import { oneOfEach } from './every-row.ts';
import type { Outcome } from './outcome.ts';
import { isAskedFor, isFirst, type Place } from './place.ts';
import { isNegative, type Rows, saidOf } from './plan-parts.ts';
import { isEnd, isRestriction, mentionsAt, type Restricting, type Sentence } from './sentence.ts';

/** The values after a word, each with all meanings that start at the same position. */
const valuesBehind = (sentence: Sentence, { to }: Restricting): Leaf[][] => {
  const found: Leaf[][] = [];
  for (let at = to; !isEnd(sentence, at) && found.length < 2; at++) {
    const here = mentionsAt(sentence, at).filter(isRestriction);
    if (here.length > 0) {
      found.push(here);
      at = here[0]!.to - 1;
    }
  }
  return found;
};
const isIn = (filter: Filter): filter is Condition => 'field' in filter && filter.op === 'in';

export function bothMeans(place: Place, word: Restricting): Outcome {
  const { sentence, plan, rows, counted } = place;
  const ahead = mentionsAt(sentence, word.to + (/^(?:the|an?)$/.test(sentence.tokens[word.to]?.norm ?? '') ? 1 : 0));
  const [first, second] = valuesBehind(sentence, word);
  if (!first || !second) {
    if (isFirst(place, word) && ahead.some((one) => isAskedFor(place, one))) return { says: 'what is shown' };
    return twoParts(place);
  }
  const holding = (mentions: Leaf[]): Rows[] =>
    rows.filter((one) => !(one.related && 'not_exists' in one.related) && saidOf(one, mentions).length > 0);
  const [one, other] = [holding(first), holding(second)];
  if (one.length === 0 && other.length === 0) return twoParts(place);
  if (one.length === 1 && other.length === 1 && one[0] !== other[0] && one[0]!.related && other[0]!.related)
    return { says: 'related rows of each' };
  const [shared] = one.filter((of) => other.includes(of));
  if (!shared || one.length !== 1) return null;
  const [said] = saidOf(shared, first);
  if (!said || !saidOf(shared, second).includes(said)) return { says: 'a condition for each' };
  if (shared.related === null && counted.are === 'rows')
    return addsUp(place) ? { says: 'the rows of the two together' } : null;
  const each = oneOfEach(plan, shared, said, counted);
  return each ? { plan: each } : null;
}
/** Two conditions on related rows, or two comparisons on the row itself. */
function twoParts({ plan: { filters } }: Place): Outcome {
  const related = filters.filter((one) => 'exists' in one);
  if (related.length > 1) return { says: 'related rows of each' };
  const compared = filters.filter((one) => 'field' in one && /^(?:[<>]=?|between)$/.test(one.op));
  return compared.length > 1 ? { says: 'both conditions' } : null;
}
/** One number over the rows of both; a single row belongs to one of them. */
const addsUp = ({ plan: { measures } }: Place): boolean =>
  measures.length > 0 && measures.every((one) => one.fn !== 'count' || one.where);

export function eitherMeans({ plan, rows }: Place): Outcome {
  const open = rows.some(({ filters }) => filters.some((one) => 'any' in one || isIn(one)));
  return open || plan.dimensions.some(({ when }) => when) ? { says: 'one of the two' } : null;
}

/** For things with several rows, no row may match. */
export function neitherMeans(place: Place, word: Restricting): Outcome {
  const { sentence, rows, counted, plan } = place;
  const values = word.text === 'nor' ? [] : valuesBehind(sentence, word);
  if (values.length === 0) {
    const none = rows.flatMap(({ filters }) => filters).filter(isNegative);
    return none.length > 0 ? { says: 'left out' } : null;
  }
  const leftOut = (mentions: Leaf[]): boolean =>
    rows.some((of) =>
      of.related && 'not_exists' in of.related
        ? saidOf(of, mentions).length > 0
        : of.related === null && counted.are === 'rows' && saidOf(of, mentions).some(isNegative),
    );
  if (values.every(leftOut)) return { says: 'each is left out' };
  const [own] = rows;
  const [said] = values.every((one) => saidOf(own!, one).length > 0) ? saidOf(own!, values[0]!) : [];
  return counted.are === 'things' && said && 'field' in said && said.op === 'not_in' && own!.filters.length === 1
    ? { plan: withNone(plan, said, counted.home, counted.key) }
    : null;
}
const withNone = (plan: Place['plan'], said: Condition, home: string, key: string): Place['plan'] => {
  const { or_null: _kept, ...positive } = said;
  const none: Filter = { not_exists: home, sharing: key, where: [{ ...positive, op: 'in' }] };
  return { ...plan, filters: plan.filters.map((one) => (one === said ? none : one)) };
};
