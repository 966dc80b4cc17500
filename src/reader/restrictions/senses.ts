// Finds the part of a plan that expresses a restricting word, for each sense of such words. svc declines a question
// with a word that the plan can't express. An example is "only" in "customers who bought only furniture", if customers
// have several orders.
import { isRelated, listCountConditions } from '../../plan/filters.ts';
import type { Filter } from '../../plan/lens-plan.ts';
import { describeFilter } from '../../plan/sentence/filter-words.ts';
import { createPlainNames } from '../../plan/sentence/names.ts';
import type { RestrictionSense } from '../english/restricting-words.ts';
import type { WordHypothesis } from '../hypotheses/word-hypothesis.ts';
import { findTimeUnit } from '../words/time-expressions.ts';
import { isBeforeAllRequestedNames, isRequested, type PlanContext, restrictsAnswerRows } from './plan-context.ts';
import { findFiltersNaming, isNegative, isSameForAllRows, type RowFilters } from './plan-parts.ts';
import {
  findMentions,
  findRestrictionAfter,
  findRestrictionBefore,
  getNormalizedWord,
  isClauseEnd,
  isRestriction,
  type ParsedSentence,
  type RestrictingWord,
  skipLeadingWords,
} from './sentence.ts';

/** A description of the part of the plan that expresses the word, or null. */
export type RestrictionExpression = string | null;
const NOTHING_LEFT_OUT_TEXT = 'nothing is left out';
const LEFT_OUT_TEXT = 'left out';

const NUMBERS_BY_WORD: Readonly<Record<string, number>> = { one: 1, once: 1, twice: 2 };

/**
 * Finds what "only" excludes. Before a value, "only" excludes other values. Before everything that the question names,
 * it only means that the question asks for nothing else.
 */
function findExpressionOfOnly(planContext: PlanContext, word: RestrictingWord): RestrictionExpression {
  const { sentence } = planContext;
  const next = skipLeadingWords(sentence, word.to);
  const nextMentions = findMentions(sentence, next);
  if (!nextMentions.some(isRestriction)) {
    const number = nextMentions.flatMap(({ term }) => (term.t === 'number' ? [term.value] : []))[0];
    const count =
      number ??
      NUMBERS_BY_WORD[getNormalizedWord(sentence, next)] ??
      NUMBERS_BY_WORD[getNormalizedWord(sentence, next + 1)];
    if (count !== undefined) return findExpressionOfExactCount(planContext, count);
    if (isBeforeAllRequestedNames(planContext, word)) return 'what is asked for';
  }
  const before = findRestrictionBefore(sentence, word.from);
  if (isClauseEnd(sentence, word.to)) return findExpressionOfEachRow(planContext, before);
  const after = findRestrictionAfter(sentence, word.to);
  return after.length > 0 ? findExpressionOfEachRow(planContext, [...before, ...after]) : null;
}

/** Finds a number in the plan that expresses "only 2 orders" or "only once". */
function findExpressionOfExactCount(
  { plan, rowFilters: rows }: PlanContext,
  expectedCount: number,
): RestrictionExpression {
  const isCounted = rows.some(({ related }) => related && 'exists' in related && related.exactly === expectedCount);
  const isHavingCount = plan.having.some(({ op, values }) => op === '=' && values[0] === expectedCount);
  return isCounted || isHavingCount || plan.limit === expectedCount ? `exactly ${expectedCount}` : null;
}

/** Checks that each row of the answer has one value, because a filter then excludes all other values. */
function findExpressionOfEachRow(planContext: PlanContext, mentions: readonly WordHypothesis[]): RestrictionExpression {
  const [rows, second] = planContext.rowFilters.filter(
    (row) => !(row.related && 'not_exists' in row.related) && findFiltersNaming(row, mentions).length > 0,
  );
  if (!rows || second) return null;
  const filters = findFiltersNaming(rows, mentions);
  const isPlain =
    restrictsAnswerRows(planContext, rows) ||
    (rows.related === null && isSameForAllRows(planContext.lens, planContext.countSubject, filters));
  return isPlain
    ? filters.map((filter) => describeFilter(createPlainNames(planContext.lens), filter)).join(' and ')
    : null;
}

const LEADING_WORD_PATTERN = /^(?:in|for|by|per|of|from|across|within|on|at|to|over|through|via|do|does|did)$/;

/**
 * A plan expresses "all" or "each" if it excludes nothing or has a row for each value. No plan can require that an
 * entity has all of the values.
 */
function findExpressionOfAll(planContext: PlanContext, word: RestrictingWord): RestrictionExpression {
  const { sentence, plan, countSubject } = planContext;
  const isAll = word.sense === 'all';
  if (isAll && isBeforeAllRequestedNames(planContext, word)) return NOTHING_LEFT_OUT_TEXT;
  const next = skipLeadingWords(sentence, word.to);
  const unit = findTimeUnit(sentence.tokens[next]?.stem);
  if (unit && plan.dimensions.some(({ grain }) => grain === unit)) return 'one row for each period';
  // The phrase "papers associated with each dataset" only groups papers. But "orders had each category" can mean orders
  // with all categories.
  const before = getNormalizedWord(sentence, word.from - 1);
  const isIndependent =
    isBeforeAllRequestedNames(planContext, word) ||
    LEADING_WORD_PATTERN.test(before) ||
    (word.text === 'each' && plan.measures.length > 0 && (countSubject.are === 'rows' || before === 'with'));
  const isNamed = findMentions(sentence, next).some(
    (mention) => !isRestriction(mention) && isRequested(planContext, mention),
  );
  return isIndependent && isNamed ? (isAll ? NOTHING_LEFT_OUT_TEXT : 'one by one') : null;
}

function findExpressionOfEither({ plan, rowFilters: rows }: PlanContext): RestrictionExpression {
  const isAlternative = (filter: Filter): boolean => 'any' in filter || ('field' in filter && filter.op === 'in');
  const hasAlternatives =
    rows.some(({ filters }) => filters.some(isAlternative)) || plan.dimensions.some(({ when }) => when);
  return hasAlternatives ? 'one of the two' : null;
}

/** Finds the filters that exclude the values named after the word. */
function findExpressionOfExcept(planContext: PlanContext, word: RestrictingWord): RestrictionExpression {
  const namedValues = findMentions(planContext.sentence, skipLeadingWords(planContext.sentence, word.to)).filter(
    isRestriction,
  );
  if (namedValues.length === 0) return findExpressionOfNot(planContext, word);
  const excludedRows = planContext.rowFilters.filter((rows) =>
    excludesRows(rows, (filter) => findFiltersNaming({ ...rows, filters: [filter] }, namedValues).length > 0),
  );
  const isNone = planContext.rowFilters.some(
    (rows) => rows.related && 'not_exists' in rows.related && excludesRows(rows, () => true),
  );
  return (excludedRows.length === 0 && !isNone) || canIncludeExcludedRows(planContext, excludedRows)
    ? null
    : LEFT_OUT_TEXT;
}

/** Finds a filter that excludes rows, compares values or requires a missing value. */
function findExpressionOfNot(planContext: PlanContext, { text }: RestrictingWord): RestrictionExpression {
  const { rowFilters: rows, plan } = planContext;
  const excludedRows = rows.filter((row) => excludesRows(row, () => true));
  if (/^(?:no|neither|nor)$/.test(text) && excludedRows.some(requiresOtherRows)) return null;
  if (excludedRows.length > 0) return canIncludeExcludedRows(planContext, excludedRows) ? null : LEFT_OUT_TEXT;
  const isCompared = rows.some(({ filters, related }) =>
    related && listCountConditions(related).length > 0
      ? true
      : filters.some((filter) => 'field' in filter && /^[<>]/.test(filter.op)),
  );
  return /^(?:no|not|never)$/.test(text) && (isCompared || plan.having.length > 0) ? 'compared' : null;
}

/**
 * Returns true if the filter requires other related rows instead of excluding the named rows. For example, "tickets
 * neither by phone nor by email" means that no such ticket exists, not that another ticket exists.
 */
const requiresOtherRows = ({ related, filters }: RowFilters): boolean =>
  related !== null &&
  'exists' in related &&
  filters.some((filter) => 'field' in filter && (filter.op === '!=' || filter.op === 'not_in'));

const excludesRows = ({ related, filters }: RowFilters, matches: (filter: Filter) => boolean): boolean =>
  related && 'not_exists' in related
    ? filters.some(matches) || filters.length === 0
    : filters.some((filter) => isNegative(filter) && matches(filter));

/** Returns true if the answer can include entities that also have excluded rows, without stating how many. */
function canIncludeExcludedRows(
  { countSubject, plan, sentence }: PlanContext,
  excludedRows: readonly RowFilters[],
): boolean {
  const excludesBySomeRows = excludedRows.some(
    ({ related, filters }) => related === null && filters.some((filter) => isNegative(filter) && !isRelated(filter)),
  );
  if (countSubject.are === 'rows' || !excludesBySomeRows) return false;
  const [first, second] = plan.filters;
  const isCompared =
    countSubject.are === 'things' &&
    plan.measures.length === 1 &&
    first &&
    ('field' in first || 'any' in first) &&
    !second;
  return !isCompared || sentence.restrictionWords.some(({ sense }) => sense === 'all' || sense === 'each');
}

const QUANTITY_WORD_PATTERN = /^(?:of|many|most|fewest|least|more|fewer|several)$/;
/** Finds a multiple of a measure, or the number of times that an event happened. */
function findExpressionOfTimes(
  { sentence, plan, rowFilters: rows }: PlanContext,
  { text, from, to, by }: RestrictingWord,
): RestrictionExpression {
  const number = [sentence.tokens[from - 1], sentence.tokens[to]].find((item) => item?.kind === 'number')?.value;
  const expectedNumber = by ?? number;
  if (expectedNumber === undefined)
    return /often$/.test(text) || QUANTITY_WORD_PATTERN.test(getNormalizedWord(sentence, from - 1))
      ? 'how often'
      : null;
  if (plan.measures.some((measure) => measure.fn === 'product' && Math.abs(measure.by - expectedNumber) < 1e-9))
    return `multiplied by ${expectedNumber}`;
  const counts = [
    ...rows.flatMap(({ related }) => (related ? listCountConditions(related).map(({ value }) => value) : [])),
    ...plan.having.flatMap(({ op, values }) => (op === '!=' ? [] : [values[0]])),
  ];
  return counts.includes(expectedNumber) ? `${expectedNumber} of them` : null;
}

export const EXPRESSION_FINDERS: Readonly<
  Record<RestrictionSense, (place: PlanContext, word: RestrictingWord) => RestrictionExpression>
> = {
  ...{
    only: findExpressionOfOnly,
    all: findExpressionOfAll,
    each: findExpressionOfAll,
    either: findExpressionOfEither,
    except: findExpressionOfExcept,
    not: findExpressionOfNot,
    times: findExpressionOfTimes,
  },
  unsayable: () => null,
};

interface ValueConjunction {
  left: WordHypothesis[];
  right: WordHypothesis[];
}
/** Finds pairs of values with only "and" and words such as prepositions between them. */
export function findConjunctions(sentence: ParsedSentence): ValueConjunction[] {
  const { tokens, mentions, restrictionWords: words } = sentence;
  return tokens.flatMap(({ norm }, index) => {
    if (norm !== 'and' && norm !== '&') return [];
    const left = mentions.filter((mention) => mention.cat === 'value' && mention.to === index);
    const right = findMentions(sentence, skipLeadingWords(sentence, index + 1)).filter(({ cat }) => cat === 'value');
    // A word such as "only" or "each" before the values determines what "and" means.
    const isDecided = words.some(({ sense, to }) => /only|each/.test(sense) && to <= index && index - to < 6);
    const isInName = mentions.some(({ from, to }) => from < index && index < to - 1);
    return left.length > 0 && right.length > 0 && !isDecided && !isInName ? [{ left, right }] : [];
  });
}

/**
 * Finds what "and" between two values means. For example, "in the West and Texas" can mean a row that has both values,
 * or rows that have either value. One column of a row can't have both values.
 */
export function findExpressionOfAnd(
  { rowFilters: rows, lens, countSubject }: PlanContext,
  { left, right }: ValueConjunction,
): RestrictionExpression {
  const namingRows = rows.filter(
    (row) => findFiltersNaming(row, left).length > 0 && findFiltersNaming(row, right).length > 0,
  );
  const [sharedRow] = namingRows.filter(({ related }) => !(related && 'not_exists' in related));
  if (!sharedRow || namingRows.length > 1) return 'each has its own condition';
  const [one, other] = [findFiltersNaming(sharedRow, left)[0]!, findFiltersNaming(sharedRow, right)[0]!];
  if (one !== other) return null;
  const isOne = sharedRow.related === null && countSubject.are === 'rows';
  return isOne || !('field' in one && one.op === 'in') ? describeFilter(createPlainNames(lens), one) : null;
}
