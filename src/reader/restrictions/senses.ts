// The part of a plan that expresses a restricting word, for each sense of such words. What needs a plan of its
// own, such as "bought only furniture" of a customer with several orders, is declined.
import { countsOf, isRelated } from '../../plan/filters.ts';
import type { Filter } from '../../plan/lens-plan.ts';
import { filterWords } from '../../plan/sentence/filter-words.ts';
import { plainNames } from '../../plan/sentence/names.ts';
import type { Sense } from '../english/restricting.ts';
import type { Leaf } from '../lattice/leaf.ts';
import { unitOf } from '../words/time-expressions.ts';
import { isFirst, isGrouped, isOfRequested, isPerRow, isRequested, type PlanContext } from './plan-context.ts';
import { filtersNaming, isNegative, isOfEachRow, type RowFilters } from './plan-parts.ts';
import {
  afterLeadingWords,
  isEnd,
  isRestriction,
  mentionsAt,
  normAt,
  type RestrictingWord,
  restrictionAfter,
  restrictionBefore,
  type Sentence,
} from './sentence.ts';

/** Null: no part of the plan expresses the word. */
export type Expressed = string | null;
const NOTHING_LEFT_OUT = 'nothing is left out';
const LEFT_OUT = 'left out';

const WISH =
  /^(?:want|need|like|show|give|tell|list|see|wonder|wondering|curious|looking|asking|find|get|count|name|return|display)$/;
const RANKED = /^(?:top|bottom|best|worst|first|last|highest|lowest|largest|smallest|most|fewest)$/;
const COUNTS: Readonly<Record<string, number>> = { one: 1, once: 1, twice: 2 };

/** Before a value: nothing else is there. Before what is asked for: no more is asked for. */
function only(place: PlanContext, word: RestrictingWord): Expressed {
  const { sentence, plan } = place;
  const next = afterLeadingWords(sentence, word.to);
  const here = mentionsAt(sentence, next);
  if (WISH.test(normAt(sentence, word.to))) return 'a manner of asking';
  if (RANKED.test(normAt(sentence, next)))
    return plan.limit !== null || plan.limit_per ? `the first ${plan.limit ?? 'of each'}` : null;
  const isValue = here.some(isRestriction);
  const number = here.flatMap(({ term }) => (term.t === 'number' ? [term.value] : []))[0];
  const count = number ?? COUNTS[normAt(sentence, next)] ?? COUNTS[normAt(sentence, next + 1)];
  if (!isValue && count !== undefined) return noMoreThan(place, count);
  const before = restrictionBefore(sentence, word.from);
  if (isEnd(sentence, word.to)) {
    if (before.length > 0) return ofEachRow(place, before);
    return sentence.mentions.some((one) => one.to === word.from && isRequested(place, one)) ? 'what is shown' : null;
  }
  if (isFirst(place, word) && !isValue) return here.some((one) => isRequested(place, one)) ? 'what is asked for' : null;
  const { focus } = restrictionAfter(sentence, word.to);
  if (focus.length === 0) return here.some((one) => isGrouped(place, one)) ? 'what it is grouped by or shown' : null;
  const around = [...before, ...focus];
  return before.length > 0 && !place.rows.every((rows) => isPlain(place, rows, filtersNaming(rows, around)))
    ? null
    : ofEachRow(place, focus);
}

/** "only 2 orders", "only once". */
function noMoreThan({ plan, rows }: PlanContext, wanted: number): Expressed {
  const counted = rows.some(({ related }) => related && 'exists' in related && related.exactly === wanted);
  const had = plan.having.some(({ op, values }) => op === '=' && values[0] === wanted);
  return counted || had || plan.limit === wanted ? `exactly ${wanted}` : null;
}

const isPlain = (place: PlanContext, rows: RowFilters, filters: readonly Filter[]): boolean =>
  filters.length === 0 ||
  isPerRow(place, rows) ||
  (rows.related === null && isOfEachRow(place.lens, place.counted, filters));

/** Each row of the answer has one value, so the filter already leaves the others out. */
function ofEachRow(place: PlanContext, mentions: readonly Leaf[]): Expressed {
  const [rows, second] = place.rows.filter(
    (one) => !(one.related && 'not_exists' in one.related) && filtersNaming(one, mentions).length > 0,
  );
  if (!rows || second) return null;
  const filters = filtersNaming(rows, mentions);
  return isPlain(place, rows, filters)
    ? filters.map((one) => filterWords(plainNames(place.lens), one)).join(' and ')
    : null;
}

const COPULA = /^(?:is|are|was|were)$/;
const LEADS = /^(?:|in|for|by|per|of|from|across|within|on|at|to|over|through|via|do|does|did)$/;
/** Describes a thing where a verb could refer to everything that the thing has. */
const DESCRIBES = /^with$|ing$/;

/** Nothing is left out, or results are itemized. No plan has things with all of something. */
function all(place: PlanContext, word: RestrictingWord): Expressed {
  const { sentence, plan, rows, counted } = place;
  const [before, after] = [normAt(sentence, word.from - 1), normAt(sentence, word.to)];
  const isAll = word.sense === 'all';
  if (isAll && (after === 'together' || (before === 'in' && (isEnd(sentence, word.to) || COPULA.test(after)))))
    return NOTHING_LEFT_OUT;
  if (word.text === 'all' && after === 'time') return plan.time ? null : NOTHING_LEFT_OUT;
  const next = afterLeadingWords(sentence, word.to);
  const here = mentionsAt(sentence, next);
  const isOwn = rows.every((one) => one.filters.length === 0 || isPerRow(place, one));
  const unit = unitOf(sentence.tokens[next]?.stem);
  if (unit && !here.some(({ cat }) => cat === 'period')) {
    const isGrain = plan.dimensions.some(({ grain }) => grain === unit) || here.some((one) => isGrouped(place, one));
    if (plan.measures.length === 0) return null;
    if (!isAll) return isGrain ? 'one row for each period' : null;
    return isOwn && counted.are === 'rows' ? NOTHING_LEFT_OUT : null;
  }
  const focus = here.filter(isRestriction);
  const named = here.filter((one) => !isRestriction(one) && one.cat !== 'number');
  const isListed = ({ cat }: Leaf): boolean => plan.measures.length === 0 && counted.are === 'rows' && cat === 'things';
  if (isFirst(place, word) || isOfRequested(place, word)) {
    const things = focus.length > 0 ? focus.flatMap(({ to }) => mentionsAt(sentence, to)) : named;
    if (things.some((one) => isRequested(place, one) || isListed(one))) return NOTHING_LEFT_OUT;
  }
  if (isAll && isFirst(place, word) && focus.length === 0) return NOTHING_LEFT_OUT;
  if (named.some((one) => isListed(one) && isRequested(place, one))) return NOTHING_LEFT_OUT;
  if (refersBack(place, word)) return 'each of those listed';
  if (here.some(({ cat }) => cat === 'number')) return null;
  if (focus.length > 0) return isOwn ? NOTHING_LEFT_OUT : null;
  // "restaurants serving each type". But "orders had each category" may mean orders with all of them.
  const leads = LEADS.test(before);
  const isApart = leads || (word.text === 'each' && (counted.are === 'rows' || DESCRIBES.test(before)));
  const isItemized = plan.measures.length > 0 || plan.limit_per !== undefined;
  if (isApart && isItemized && named.some((one) => isGrouped(place, one))) return 'one by one, as it is grouped';
  const isWhole = isOwn && named.length > 0 && counted.are === 'rows';
  return isAll && isWhole && (before === 'of' || (leads && plan.measures.length > 0)) ? NOTHING_LEFT_OUT : null;
}

/** "For each, …", "for each of them": refers to the listed or grouped things. */
function refersBack({ sentence, plan: { dimensions } }: PlanContext, { sense, from, to }: RestrictingWord): boolean {
  if (sense !== 'each' || !/^(?:for|of|in)$/.test(normAt(sentence, from - 1)) || dimensions.length === 0) return false;
  const next = normAt(sentence, to) === 'of' ? to + 1 : to;
  return isEnd(sentence, next) || /^(?:,|them|those|these|one)$/.test(normAt(sentence, next));
}

/** The values after a word, each with all meanings that start at the same position. */
function valuesAfter(sentence: Sentence, { to }: RestrictingWord): Leaf[][] {
  const found: Leaf[][] = [];
  for (let at = to; !isEnd(sentence, at) && found.length < 2; at++) {
    const here = mentionsAt(sentence, at).filter(isRestriction);
    if (here.length > 0) {
      found.push(here);
      at = here[0]!.to - 1;
    }
  }
  return found;
}

/** A condition for each of the two, or one number over the rows of both. */
function both(place: PlanContext, word: RestrictingWord): Expressed {
  const { sentence, plan, rows, counted } = place;
  const isArticle = /^(?:the|an?)$/.test(normAt(sentence, word.to));
  const [first, second] = valuesAfter(sentence, word);
  if (!first || !second) {
    const ahead = mentionsAt(sentence, word.to + (isArticle ? 1 : 0));
    return isFirst(place, word) && ahead.some((one) => isRequested(place, one)) ? 'what is shown' : twoParts(place);
  }
  const holding = (mentions: Leaf[]): RowFilters[] =>
    rows.filter((one) => !(one.related && 'not_exists' in one.related) && filtersNaming(one, mentions).length > 0);
  const [one, other] = [holding(first), holding(second)];
  if (one.length === 0 && other.length === 0) return twoParts(place);
  if (one.length === 1 && other.length === 1 && one[0] !== other[0] && one[0]!.related && other[0]!.related)
    return 'related rows of each';
  const [shared] = one.filter((of) => other.includes(of));
  if (!shared || one.length !== 1) return null;
  const [filter] = filtersNaming(shared, first);
  if (!filter || !filtersNaming(shared, second).includes(filter)) return 'a condition for each';
  const addsUp =
    plan.measures.length > 0 && plan.measures.every((one) => one.fn !== 'count' || one.where !== undefined);
  return shared.related === null && counted.are === 'rows' && addsUp ? 'the rows of the two together' : null;
}
/** Two conditions on related rows, or two comparisons on the row itself. */
function twoParts({ plan: { filters } }: PlanContext): Expressed {
  if (filters.filter((one) => 'exists' in one).length > 1) return 'related rows of each';
  const compared = filters.filter((one) => 'field' in one && /^(?:[<>]=?|between)$/.test(one.op));
  return compared.length > 1 ? 'both conditions' : null;
}

function either({ plan, rows }: PlanContext): Expressed {
  const isOpen = (filter: Filter): boolean => 'any' in filter || ('field' in filter && filter.op === 'in');
  const found = rows.some(({ filters }) => filters.some(isOpen)) || plan.dimensions.some(({ when }) => when);
  return found ? 'one of the two' : null;
}

/** For things with several rows, no row may match. */
function neither({ sentence, rows, counted }: PlanContext, word: RestrictingWord): Expressed {
  const values = word.text === 'nor' ? [] : valuesAfter(sentence, word);
  if (values.length === 0) return rows.some(({ filters }) => filters.some(isNegative)) ? LEFT_OUT : null;
  const isLeftOut = (mentions: Leaf[]): boolean =>
    rows.some((of) =>
      of.related && 'not_exists' in of.related
        ? filtersNaming(of, mentions).length > 0
        : of.related === null && counted.are === 'rows' && filtersNaming(of, mentions).some(isNegative),
    );
  return values.every(isLeftOut) ? 'each is left out' : null;
}

/** Rows without a value stay. */
function except(place: PlanContext, word: RestrictingWord): Expressed {
  const { focus, passed } = restrictionAfter(place.sentence, word.to);
  if (focus.length === 0 || passed.length > 0) return not(place, word);
  const out = place.rows.filter((rows) =>
    leavesOut(rows, (filter) => filtersNaming({ ...rows, filters: [filter] }, focus).length > 0),
  );
  const isNone = place.rows.some((rows) => rows.related && 'not_exists' in rows.related && leavesOut(rows, () => true));
  return (out.length === 0 && !isNone) || hidesOthers(place, out) ? null : LEFT_OUT;
}

/** Any filter that excludes, compares or is missing. */
function not(place: PlanContext, { text }: RestrictingWord): Expressed {
  const { rows, plan } = place;
  const out = rows.filter((one) => leavesOut(one, () => true));
  if (text === 'no' && out.some(hasOthers)) return null;
  if (out.length > 0) return hidesOthers(place, out) ? null : LEFT_OUT;
  const compared = rows.some(({ filters, related }) =>
    related && countsOf(related).length > 0 ? true : filters.some((one) => 'field' in one && /^[<>]/.test(one.op)),
  );
  return /^(?:no|not|never)$/.test(text) && (compared || plan.having.length > 0) ? 'compared' : null;
}

/** "tickets no by email": none of them matches; another existing ticket doesn't mean the same. */
const hasOthers = ({ related, filters }: RowFilters): boolean =>
  related !== null &&
  'exists' in related &&
  filters.some((one) => 'field' in one && (one.op === '!=' || one.op === 'not_in'));

const leavesOut = ({ related, filters }: RowFilters, which: (filter: Filter) => boolean): boolean =>
  related && 'not_exists' in related
    ? filters.some(which) || filters.length === 0
    : filters.some((one) => isNegative(one) && which(one));

/** Things may have other rows too: their number is compared with those that have both; nothing else is. */
function hidesOthers({ counted, plan, sentence }: PlanContext, out: readonly RowFilters[]): boolean {
  const bySome = out.some(
    ({ related, filters }) => related === null && filters.some((one) => isNegative(one) && !isRelated(one)),
  );
  if (counted.are === 'rows' || !bySome) return false;
  const [first, second] = plan.filters;
  const compared =
    counted.are === 'things' && plan.measures.length === 1 && first && ('field' in first || 'any' in first) && !second;
  return !compared || sentence.words.some(({ sense }) => sense === 'all' || sense === 'each');
}

const QUANTITY_WORD = /^(?:of|many|most|fewest|least|more|fewer|several)$/;
/** A multiple of a measure, or the number of times that an event happened. */
function times({ sentence, plan, rows }: PlanContext, { text, from, to, by }: RestrictingWord): Expressed {
  const number = [sentence.tokens[from - 1], sentence.tokens[to]].find((one) => one?.kind === 'number')?.value;
  const wanted = by ?? number;
  if (wanted === undefined)
    return /often$/.test(text) || QUANTITY_WORD.test(normAt(sentence, from - 1)) ? 'how often' : null;
  if (plan.measures.some((one) => one.fn === 'product' && Math.abs(one.by - wanted) < 1e-9))
    return `multiplied by ${wanted}`;
  const counts = [
    ...rows.flatMap(({ related }) => (related ? countsOf(related).map(({ value }) => value) : [])),
    ...plan.having.flatMap(({ op, values }) => (op === '!=' ? [] : [values[0]])),
  ];
  return counts.includes(wanted) ? `${wanted} of them` : null;
}

export const SENSES: Readonly<Record<Sense, (place: PlanContext, word: RestrictingWord) => Expressed>> = {
  ...{ only, all, each: all, both, either, neither, except, not, times },
  unsayable: () => null,
};

interface Conjoined {
  left: Leaf[];
  right: Leaf[];
}
/** Values with only "and" and leading words between them. */
export function conjoined(sentence: Sentence): Conjoined[] {
  const { tokens, mentions, words } = sentence;
  return tokens.flatMap(({ norm }, at) => {
    if (norm !== 'and' && norm !== '&') return [];
    const left = mentions.filter((one) => one.cat === 'value' && one.to === at);
    const right = mentionsAt(sentence, afterLeadingWords(sentence, at + 1)).filter(({ cat }) => cat === 'value');
    // "both", "only" or "neither" before them decides the meaning.
    const isDecided = words.some(({ sense, to }) => /both|only|neither|each/.test(sense) && to <= at && at - to < 6);
    const isInName = mentions.some(({ from, to }) => from < at && at < to - 1);
    return left.length > 0 && right.length > 0 && !isDecided && !isInName ? [{ left, right }] : [];
  });
}

/** "in the West and Texas" can be a row that is both, or rows of either. Two values of one column never belong to one row. */
export function and({ rows, lens, counted }: PlanContext, { left, right }: Conjoined): Expressed {
  const naming = rows.filter((one) => filtersNaming(one, left).length > 0 && filtersNaming(one, right).length > 0);
  const [shared] = naming.filter(({ related }) => !(related && 'not_exists' in related));
  if (!shared || naming.length > 1) return 'each is said apart';
  const [one, other] = [filtersNaming(shared, left)[0]!, filtersNaming(shared, right)[0]!];
  const isEqual = (filter: Filter): boolean => 'field' in filter && (filter.op === '=' || filter.op === 'in');
  if (one !== other) return isEqual(one) && isEqual(other) ? null : 'a condition for each';
  const isOne = shared.related === null && counted.are === 'rows';
  return isOne || !('field' in one && one.op === 'in') ? filterWords(plainNames(lens), one) : null;
}
