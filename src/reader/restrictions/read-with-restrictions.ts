// Interprets questions with restricting words. svc declines a plan that doesn't express such a word, and names the word
// in the refusal.
import type { Lens } from '../../lens/model/lens.ts';
import type { RestrictionSense } from '../english/restricting-words.ts';
import type { QuestionReader, ReaderInput, ReaderResult } from '../reader-result.ts';
import { matchWordsToPlan } from './express-words.ts';
import { type ParsedSentence, parseSentence, type RestrictingWord } from './sentence.ts';

/** The senses that sentences of plans can express, so that a round trip can prove them. */
const NEGATIVE_SENSES: readonly RestrictionSense[] = ['not', 'except'];

/**
 * Interprets the question without "only" and similar words, because the grammar has no rules for them. Then checks
 * whether the plan expresses these words.
 */
export function readWithRestrictions(originalInput: ReaderInput, readQuestion: QuestionReader): ReaderResult {
  const sentence = parseSentence(originalInput.question, originalInput.lens, originalInput.now);
  const senses = sentence.restrictionWords.map(({ sense }) => sense).filter((sense) => sense !== 'each');
  const input = {
    ...originalInput,
    negated: senses.some((sense) => NEGATIVE_SENSES.includes(sense)),
    restricted: senses.some((sense) => !NEGATIVE_SENSES.includes(sense)),
  };
  const wordsToRemove = findRemovableWords(sentence);
  if (wordsToRemove.length === 0) return requireExpressedWords(input, sentence, readQuestion(input));
  const reading = requireExpressedWords(
    input,
    sentence,
    readQuestion({ ...input, question: removeWords(sentence, wordsToRemove) }),
  );
  if (reading.kind === 'refused') {
    const writtenReading = requireExpressedWords(input, sentence, readQuestion(input));
    return writtenReading.kind === 'refused' && reading.isExplained ? reading : writtenReading;
  }
  const words = wordsToRemove.map(({ text }) => ({ text, as: 'restriction' }));
  return reading.kind === 'plan' ? { ...reading, words: [...reading.words, ...words] } : reading;
}

/** Returns the question without restricting words, for the grammar. */
export const removeRestrictions = (question: string, lens: Lens, now: Date): string => {
  const sentence = parseSentence(question, lens, now);
  return removeWords(sentence, findRemovableWords(sentence));
};
const findRemovableWords = ({ restrictionWords: words }: ParsedSentence): RestrictingWord[] =>
  words.filter(({ sense }) => sense === 'only');
const removeWords = ({ tokens, text }: ParsedSentence, words: readonly RestrictingWord[]): string =>
  words
    .toSorted((word, other) => other.from - word.from)
    .reduce(
      (text, { from, to }) => `${text.slice(0, tokens[from]!.start)}${text.slice(tokens[to - 1]!.end).trimStart()}`,
      text,
    )
    .trim();

function requireExpressedWords(
  { lens, now, question }: ReaderInput,
  sentence: ParsedSentence,
  reading: ReaderResult,
): ReaderResult {
  if (reading.kind !== 'plan') return reading;
  const sentences = [...reading.asked.map((text) => parseSentence(text, lens, now)), sentence];
  const unexpressedWord = sentences
    .flatMap((sentence) => matchWordsToPlan(sentence, reading.plan, lens))
    .find(({ says }) => says === null);
  return unexpressedWord
    ? {
        kind: 'refused',
        words: [unexpressedWord.word],
        isExplained: true,
        message: `A plan can't express "${unexpressedWord.word}" here. Leave the word out, or say which rows count: "with at least one …", "with no …", "by …".`,
      }
    : { ...reading, asked: [...reading.asked, question] };
}
