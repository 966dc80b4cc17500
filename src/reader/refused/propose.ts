// Suggests the question without its unknown words, if svc doesn't understand the whole question. svc interprets the
// suggestion like any other question, so every remaining word keeps its effect.
import type { z } from 'zod';
import { planSchema as planShape } from '../../contract/plan.ts';
import { type Lens, SVC_CALLER } from '../../lens/model/lens.ts';
import { bindPlan } from '../../plan/bind/bind-plan.ts';
import type { LensPlan } from '../../plan/lens-plan.ts';
import { checkPlan } from '../../plan/sql/compile-plan.ts';
import { writePlan } from '../../plan/write-plan.ts';
import { Problem } from '../../platform/problem.ts';
import { waitForTurn } from '../../platform/schedule/in-turns.ts';
import { writeSentence } from '../canonical/sentence.ts';
import { readQuestion } from '../read-question.ts';
import type { ReaderInput } from '../reader-result.ts';
import { SUPERLATIVES, UNANSWERABLE_WORDS } from '../words/lexicon.ts';
import type { UnknownWord, WordMeaning, WordMeanings } from './word-meanings.ts';

export type ProposedPlan = z.infer<typeof planShape>;
export interface Proposal {
  plan: ProposedPlan;
  sentence: string;
}
interface ProposedQuestion {
  /** The remaining question. svc can answer it or ask for clarification. */
  question: string;
  proposal: Proposal | null;
}
export type Corrections = ReadonlyMap<string, string>;

const MAX_OMITTED_LENGTH = 200; // characters, because a plan can't list longer words as omitted

/**
 * Proposes a plan for the question with corrected words. If there is no such plan, removes the misspelled words
 * instead.
 */
export const proposePlan = async (
  input: ReaderInput,
  meanings: WordMeanings,
  corrections: Corrections,
): Promise<ProposedQuestion | null> => {
  const correctedQuestion = await proposeQuestion(input, meanings, corrections);
  return correctedQuestion?.proposal || corrections.size === 0
    ? correctedQuestion
    : ((await proposeQuestion(input, meanings, new Map())) ?? correctedQuestion);
};

const proposeQuestion = async (
  input: ReaderInput,
  meanings: WordMeanings,
  corrections: Corrections,
): Promise<ProposedQuestion | null> => {
  const unknownWords = meanings.meanings.flatMap((item) => (item.is === 'unknown' ? [item] : []));
  const omittedWords = unknownWords
    .filter(({ norm }) => !corrections.has(norm))
    .map(({ text }) => text.slice(0, MAX_OMITTED_LENGTH));
  const isUncertain = (item: UnknownWord): boolean =>
    !corrections.has(item.norm) &&
    (isWordNeeded(item, meanings.meanings) || isNextToCorrection(item, meanings.meanings, corrections));
  if (unknownWords.length === 0 || unknownWords.some(isUncertain)) return null;
  let clarifiedQuestion: string | null = null;
  for (const question of generateShorterQuestions(meanings, corrections)) {
    await waitForTurn(); // each interpretation takes a few milliseconds
    const reading = readQuestion({ ...input, question });
    if (reading.kind === 'clarification') clarifiedQuestion ??= question;
    if (reading.kind !== 'plan' || listsAll(reading.plan)) continue;
    const plan = toRequestPlan(input, reading.plan);
    if (!plan) continue;
    const answers = { question: input.question, leaves_out: [...new Set(omittedWords)] };
    const sentences = [
      writeSentence(input.lens, reading.plan),
      ...createExplanations(unknownWords, corrections, answers.leaves_out),
    ];
    return { question, proposal: { plan: { ...plan, answers }, sentence: sentences.join(' ') } };
  }
  return clarifiedQuestion === null ? null : { question: clarifiedQuestion, proposal: null };
};

const createExplanations = (
  unknownWords: readonly { text: string; norm: string }[],
  corrections: Corrections,
  remainingWords: readonly string[],
): string[] => [
  ...new Set(
    unknownWords.flatMap(({ text, norm }) =>
      corrections.has(norm) ? [`svc read "${text}" as "${corrections.get(norm)}".`] : [],
    ),
  ),
  ...(remainingWords.length > 0 ? [`svc left out ${remainingWords.map((item) => `"${item}"`).join(', ')}.`] : []),
];

/** A question for numbers over time has the same plan without the word "trend". */
const TREND_WORDS = new Set(['trend', 'trends']);
/**
 * Words such as "unpaid" or "non-food". Without such a word, the question would include rows that the caller wants to
 * exclude.
 */
const EXCLUDING_WORD_PATTERN = /^(?:un\w{2,}ed|un(?:paid|sold|sent|read|known)|non|ex)$/;
const ARTICLE_PATTERN = /^(?:the|an?|of|all|our|my|your|their|its|his|her|different|distinct|unique|most|least)$/;
const MEASURING_WORD_PATTERN =
  /^(?:many|number|count|total|sum|average|avg|mean|median|min|max|minimum|maximum|percentage|percent|share|ratio|which|what|whose|top|bottom|first|last|not|no|without|except|than|over|under|above|below|between)$/;

/** A word after "most" decides what the ranking is about, as in "the most returned product". */
const COMPARISON_WORD_PATTERN = /^(?:most|least|more|less)$/;
/**
 * Returns true if the word is next to a corrected word. For example, both words of "new yrok" can be one misspelled
 * name.
 */
const isNextToCorrection = (word: UnknownWord, meanings: readonly WordMeaning[], corrections: Corrections): boolean =>
  [-1, 1].some((step) => {
    const neighbor = meanings[meanings.indexOf(word) + step];
    return neighbor?.is === 'unknown' && corrections.has(neighbor.norm);
  });

/**
 * Returns true if the question would have another meaning without this word, or if no lens can contain what the word
 * asks for.
 */
const isWordNeeded = (meaning: UnknownWord, meanings: readonly WordMeaning[]): boolean => {
  if (UNANSWERABLE_WORDS.has(meaning.norm) && !TREND_WORDS.has(meaning.norm)) return true;
  if (EXCLUDING_WORD_PATTERN.test(meaning.norm)) return true;
  const index = meanings.indexOf(meaning);
  const next = meanings.slice(index + 1).find(({ is }) => is !== 'unknown');
  const previousMeaning = meanings
    .slice(0, index)
    .findLast((other) => other.is !== 'unknown' && !(other.is === 'grammar' && ARTICLE_PATTERN.test(other.norm)));
  const wordBefore = meanings[index - 1];
  if (wordBefore?.is === 'grammar' && COMPARISON_WORD_PATTERN.test(wordBefore.norm)) return true;
  // A word directly before a name isn't needed. For example, without "new", the question "top 5 new accounts" still
  // ranks accounts.
  if (next?.is === 'name' && areAdjacent(meaning, next, meanings)) return false;
  if (previousMeaning?.is === 'number') return true;
  if (previousMeaning?.is === 'grammar')
    return MEASURING_WORD_PATTERN.test(previousMeaning.norm) || SUPERLATIVES.has(previousMeaning.norm);
  // Two nouns form a compound, so "sales tax" means a tax. A verb doesn't, so "customers complained" means customers.
  const isCompound = previousMeaning?.is === 'name' && areAdjacent(previousMeaning, meaning, meanings);
  return isCompound && !/(?:ed|ing)$/.test(meaning.norm);
};
/** Returns true if only unknown words are between the two words. */
const areAdjacent = (one: WordMeaning, other: WordMeaning, meanings: readonly WordMeaning[]): boolean =>
  meanings.slice(meanings.indexOf(one) + 1, meanings.indexOf(other)).every(({ is }) => is === 'unknown');

const JOINING_WORD_PATTERN =
  /^(?:the|an?|of|in|for|by|with|at|on|to|from|per|each|every|and|or|that|which|who|were|was|is|are|been|be|being|has|have|had|our|my|your|their|its)$/;

const isJoiningWord = (meaning: WordMeaning | undefined): boolean =>
  meaning?.is === 'grammar' && JOINING_WORD_PATTERN.test(meaning.norm);

/**
 * Yields three versions of the question with typos corrected and unknown words removed. The first version also omits an
 * "and" after each unknown word. The second version also omits the joining words before each unknown word.
 */
function* generateShorterQuestions({ text, meanings }: WordMeanings, corrections: Corrections): Generator<string> {
  for (const mode of ['joined', 'led', 'alone']) {
    let question = text;
    for (let index = meanings.length - 1; index >= 0; index--) {
      const unknownWord = meanings[index]!;
      if (unknownWord.is !== 'unknown') continue;
      const correction = corrections.get(unknownWord.norm);
      let start = index;
      while (correction === undefined && mode === 'led' && isJoiningWord(meanings[start - 1])) start--;
      const next = meanings[index + 1];
      const dropsNextConjunction =
        correction === undefined && mode === 'joined' && next?.is === 'grammar' && /^(?:and|or)$/.test(next.norm);
      question = `${question.slice(0, meanings[start]!.from)}${correction ?? ''}${question.slice(dropsNextConjunction ? next.to : unknownWord.to)}`;
    }
    yield question
      .replace(/\s+([?.,!])/g, '$1')
      .replace(/\s+/g, ' ')
      .trim();
  }
}

/** Returns true if the plan lists all rows, which isn't an answer to a question about some rows. */
const listsAll = ({ measures, filters, time, order_by: order, having, limit }: LensPlan): boolean =>
  measures.length + filters.length + order.length + having.length === 0 && time === null && limit === null;

/**
 * Converts a plan to the form that a request can contain. Returns null if a request can't express all of `lensPlan`.
 */
const toRequestPlan = ({ lens, now }: { lens: Lens; now: Date }, lensPlan: LensPlan): ProposedPlan | null => {
  const { data: plan } = planShape.safeParse(writePlan(lensPlan));
  if (!plan) return null;
  try {
    const reboundPlan = bindPlan(lens, plan, now);
    checkPlan(lens, reboundPlan, SVC_CALLER);
    return writeSentence(lens, reboundPlan) === writeSentence(lens, lensPlan) ? plan : null;
  } catch (fault) {
    if (fault instanceof Problem) return null;
    throw fault;
  }
};
