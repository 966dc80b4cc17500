// Checks whether two questions have the same meaning, to match a question with certified entries. Similarity only finds
// candidates. Two questions have the same meaning if they have the same words, or if svc can prove an interpretation of
// each question and both have the same plan.

import type { Lens } from '../lens/model/lens.ts';
import type { LensPlan } from '../plan/lens-plan.ts';
import { memoize } from '../platform/memoize.ts';
import { findQuestionWords } from './question-words.ts';
import { readQuestion } from './read-question.ts';
import type { ReaderResult } from './reader-result.ts';
import { parseSentence } from './restrictions/sentence.ts';
import { getVocabulary } from './words/vocabulary.ts';

/** Normalizes a question for the embedder: lowercase, singular, without accents, pauses and filler words. */
export const normalizeQuestion = (text: string): string =>
  findQuestionWords(text)
    .map(({ norm }) => norm)
    .join(' ');

/** Names and stored values have no plural. For example, "of Adams" and "of Adam" name different people. */
const hasDifferentNames = (lens: Lens, questionA: string, questionB: string): boolean => {
  const { phrases, values } = getVocabulary(lens);
  const otherWords = findQuestionWords(questionB);
  const isUppercase = [questionA, questionB].map((text) => text === text.toUpperCase());
  return findQuestionWords(questionA).some(({ token: one }, index) => {
    const other = otherWords[index]!.token;
    if (one.kind !== 'word' || other.kind !== 'word' || one.norm === other.norm) return false;
    if (one.stem !== other.stem || phrases.has(one.stem)) return false;
    const isStored = [one, other].some(({ norm }) => values.has(norm));
    return (
      isStored || [one, other].some(({ capital }, questionIndex) => capital && index > 0 && !isUppercase[questionIndex])
    );
  });
};

/**
 * svc interprets both questions on two dates. If "last month" equals a named month on one date by chance, the plans
 * differ on the other date.
 */
const COMPARISON_DATES = [new Date('2000-06-15T00:00:00Z'), new Date('2003-11-03T00:00:00Z')];

const cacheReading = memoize<Lens, ReaderResult>(200);
/** Caches results, because svc compares one question with many entries, and one entry with many questions. */
const readQuestionAtTime = (lens: Lens, question: string, now: Date): ReaderResult =>
  cacheReading(lens, `${now.getTime()} ${question}`, () => readQuestion({ question, lens, choices: {}, now }));

/**
 * Returns the kinds of differences between two questions. The result is empty only if the questions have the same
 * meaning.
 */
export const findMeaningDifferences = (lens: Lens, questionA: string, questionB: string): string[] => {
  const differences = findInterpretationDifferences(lens, questionA, questionB);
  const sameRestrictions =
    differences.length > 0 || listRestrictingWords(lens, questionA) === listRestrictingWords(lens, questionB);
  return sameRestrictions ? differences : ['set operation'];
};

const findInterpretationDifferences = (lens: Lens, questionA: string, questionB: string): string[] => {
  if (normalizeQuestion(questionA) === normalizeQuestion(questionB))
    return hasDifferentNames(lens, questionA, questionB) ? ['named value'] : [];
  const differencesByDate = COMPARISON_DATES.map((now) => {
    const [left, right] = [questionA, questionB].map((question) => readQuestionAtTime(lens, question, now));
    if (left?.kind !== 'plan' || right?.kind !== 'plan') return null;
    const differences = findPlanDifferences(left.plan, right.plan);
    // If svc doubts one of the interpretations, equal plans don't prove that both questions have the same meaning.
    return differences.length === 0 && (left.doubt || right.doubt) ? null : differences;
  });
  // If both questions have plans, the plans show each difference. Otherwise, svc only reports that the words differ.
  return differencesByDate.every((differences) => differences !== null)
    ? [...new Set(differencesByDate.flat())]
    : ['words'];
};

/**
 * Returns the restricting words of a question. A word such as "only", "all" or "twice" in just one of two questions
 * makes their meanings different.
 */
const listRestrictingWords = (lens: Lens, question: string): string =>
  parseSentence(question, lens, COMPARISON_DATES[0]!)
    .restrictionWords.map(({ sense, by }) => `${sense} ${by ?? ''}`)
    .sort()
    .join('\n');

const toCanonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
const toSortedJson = (list: readonly unknown[]): string => list.map(toCanonicalJson).sort().join('\n');

const findPlanDifferences = (one: LensPlan, other: LensPlan): string[] => {
  const differences: string[] = [];
  const dimensionFields = (plan: LensPlan) => plan.dimensions.map(({ path, field }) => ({ path, field }));
  if (toSortedJson(one.measures) !== toSortedJson(other.measures)) differences.push('measure');
  if (
    toSortedJson(dimensionFields(one)) !== toSortedJson(dimensionFields(other)) ||
    toSortedJson(one.per ?? []) !== toSortedJson(other.per ?? []) ||
    one.rows !== other.rows
  )
    differences.push('grouping');
  else if (toSortedJson(one.dimensions) !== toSortedJson(other.dimensions)) differences.push('grain');
  if (toCanonicalJson(one.time) !== toCanonicalJson(other.time)) differences.push('date');
  if (toSortedJson(one.filters) !== toSortedJson(other.filters)) {
    const withoutNegation = (plan: LensPlan) =>
      toCanonicalJson(plan.filters)
        .replaceAll('"not_exists"', '"exists"')
        .replace(/"op":"[^"]*"|"or_null":true,/g, '');
    differences.push(withoutNegation(one) === withoutNegation(other) ? 'negation' : 'named value');
  }
  if (toSortedJson(one.having) !== toSortedJson(other.having)) differences.push('number');
  if (one.limit !== other.limit || one.offset !== other.offset) differences.push('number');
  if (toCanonicalJson(one.limit_per) !== toCanonicalJson(other.limit_per)) differences.push('number');
  if (toCanonicalJson(one.order_by) !== toCanonicalJson(other.order_by)) differences.push('direction');
  if (one.distinct !== other.distinct) differences.push('set operation');
  return [...new Set(differences)];
};
