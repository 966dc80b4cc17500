// Proves a plan that a language model made, or that an agent sent with its question. The question reader also
// interprets the question, without the unknown words that can't restrict an answer. If the reader produces a plan
// with the same meaning, its interpretation accounts for every word.
import { replaceWords } from '../../domain/lenses/read-without-filler-words.ts';
import { findWordMeanings } from '../../reader/refused/word-meanings.ts';
import {
  type CompiledPlan,
  type EarlyEnd,
  type GrantedLens,
  isEarlyEnd,
  type QuestionPlan,
  type ReadingProof,
} from '../outcome.ts';
import { isSamePlan } from './is-same-plan.ts';
import { type AskedQuestion, planQuestion } from './plan-question.ts';
import type { ProbeLimits } from './values/probe-values.ts';

/**
 * Words that never restrict an answer. The list omits "realized", "obtained" and "respectively", because these words
 * can restrict an answer.
 */
const NON_RESTRICTING_WORDS: ReadonlySet<string> = new Set(
  'achieve achieved achieves achieving performing figures figure statistics stats wondering wonder curious basically'.split(
    ' ',
  ),
);

const isNonRestrictingWord = (word: string): boolean => NON_RESTRICTING_WORDS.has(word.toLowerCase());
/**
 * The harmless words in the question, except those that name something in the lens. For example, "performing" can be a
 * stored value.
 */
const findNonRestrictingWords = (question: string, { lens }: GrantedLens, { now }: ProbeLimits): string[] =>
  findWordMeanings({ question, lens, now }).meanings.flatMap((item) =>
    item.is === 'grammar' && isNonRestrictingWord(item.text) ? [item.text] : [],
  );

export async function proveReading(
  grantedLens: GrantedLens,
  askedQuestion: AskedQuestion,
  plan: CompiledPlan,
  firstResult: QuestionPlan | EarlyEnd,
  limits: ProbeLimits,
): Promise<ReadingProof> {
  const omittedWords: string[] = [];
  let { question } = askedQuestion;
  let currentResult = firstResult;
  while (isEarlyEnd(currentResult)) {
    const unplacedWords = currentResult.end === 'refused' ? currentResult.unplaced.map(({ text }) => text) : [];
    const unreadWords =
      unplacedWords.length > 0 ? unplacedWords : findNonRestrictingWords(question, grantedLens, limits);
    const unaccountedWords = unreadWords.filter((word) => !isNonRestrictingWord(word));
    const remainingQuestion = replaceWords(question, unreadWords);
    if (unaccountedWords.length > 0)
      return createUnprovenReading(
        `svc can’t account for ${unaccountedWords.map((word) => `“${word}”`).join(', ')}.`,
        unaccountedWords,
      );
    if (currentResult.end !== 'refused')
      return createUnprovenReading('With only the words of the lens, the question is ambiguous.');
    if (remainingQuestion === question)
      return createUnprovenReading('With only the words of the lens, svc can’t interpret the question.');
    omittedWords.push(...unreadWords);
    question = remainingQuestion;
    currentResult = await planQuestion(grantedLens, { ...askedQuestion, question }, limits);
  }
  const isSame =
    currentResult.compiledQuery.sql === plan.compiledQuery.sql ||
    isSamePlan(grantedLens.lens, currentResult.lensPlan, plan.lensPlan);
  if (!isSame)
    return createUnprovenReading(
      `With only the words of the lens, svc interprets the question differently: ${currentResult.scope.sentence}`,
    );
  const { words, doubt } = currentResult.readingOrigin;
  return { same: true, omitted: omittedWords, words, doubt };
}

const createUnprovenReading = (reason: string, unaccountedWords: readonly string[] = []): ReadingProof => ({
  same: false,
  reason,
  unaccountedWords,
});
