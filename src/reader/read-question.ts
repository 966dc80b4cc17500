// Turns a question into a plan, a clarification or a refusal. A plan must explain every word of the question.
import { runWithoutPauses } from '../platform/schedule/in-turns.ts';
import { convertAnswersToChoices } from './clarification-reply.ts';
import { readByGrammar } from './decide/decide.ts';
import { interpretQuestion } from './decide/interpret.ts';
import type { QuestionReader, ReaderInput, ReaderResult } from './reader-result.ts';
import { spellChosenValue } from './refused/chosen-values.ts';
import { clarifyUnknownWord, withChosenWords } from './refused/clarify-word.ts';
import { findWordMeanings } from './refused/word-meanings.ts';
import { readWithRestrictions } from './restrictions/read-with-restrictions.ts';
import { isTooLong, keepRecentTurns, TOO_LONG_MESSAGE } from './words/length-limit.ts';

export const readQuestion: QuestionReader = (originalInput) => {
  if (isTooLong(originalInput.question))
    return {
      kind: 'refused',
      words: [originalInput.question.slice(0, 40)],
      message: TOO_LONG_MESSAGE,
      isExplained: true,
    };
  const input = convertAnswersToChoices(
    { ...originalInput, context: keepRecentTurns(originalInput.context ?? []) },
    readOrClarify,
  );
  const reading = keepAnswerableOptions(input, readWithChosenWords(input), readWithChosenWords);
  if (input.question === originalInput.question || reading.kind !== 'plan') return reading;
  return { ...reading, notes: [`Carried over from the earlier question: "${input.question}".`, ...reading.notes] };
};

/** If the caller stated what unknown words mean, interprets the question with these meanings. */
const readWithChosenWords: QuestionReader = (input) => {
  const chosenWords = withChosenWords(input);
  const reading = readWithRestrictions(chosenWords.input, readWithoutChosenWords);
  if (chosenWords.meant.length === 0) return reading;
  if (reading.kind === 'plan') return { ...reading, meant: chosenWords.meant };
  const chosenValues = withChosenWords(input, (choice) => spellChosenValue(input.lens, choice));
  const valueReading =
    chosenValues.input.question === chosenWords.input.question
      ? reading
      : readWithRestrictions(chosenValues.input, readWithoutChosenWords);
  return valueReading.kind === 'plan'
    ? { ...valueReading, meant: chosenValues.meant }
    : readWithRestrictions(input, readWithoutChosenWords);
};

/** In a conversation, a message can reply to a clarification about an unknown word. */
const readOrClarify: QuestionReader = (input) => {
  const reading = readWithChosenWords(input);
  const clarification =
    reading.kind === 'refused' ? runWithoutPauses(clarifyUnknownWord(input, readWithChosenWords)) : null;
  return clarification ? { kind: 'clarification', clarification, words: [] } : reading;
};

const readWithoutChosenWords: QuestionReader = (input) => {
  const interpretedQuestion = interpretQuestion(input);
  return (
    readByGrammar(input, interpretedQuestion) ??
    createRefusal(input, interpretedQuestion?.interpretations.length === 0 ? interpretedQuestion.faults : [])
  );
};

/** Refuses the question and lists the unknown words. If svc knows every word, states why there is no plan. */
const createRefusal = (input: ReaderInput, [fault]: readonly string[]): ReaderResult => {
  const unknownTexts = [
    ...new Set(findWordMeanings(input).meanings.flatMap((item) => (item.is === 'unknown' ? [item.text] : []))),
  ];
  const explained = fault !== undefined && unknownTexts.length === 0;
  const words = unknownTexts.length > 0 ? unknownTexts : [input.question];
  const unmatchedWords = words.map((word) => `"${word}"`).join(', ');
  const message = explained ? fault : `svc can't match ${unmatchedWords} to anything in this lens.`;
  return { kind: 'refused', words, message, isExplained: explained };
};

const MAX_TRIED_OPTIONS = 8;
/** Keeps only options that lead to an answer, because choosing another option would cause a refusal. */
const keepAnswerableOptions = (input: ReaderInput, reading: ReaderResult, readOption: QuestionReader): ReaderResult => {
  if (reading.kind !== 'clarification' || reading.clarification.options.length === 0) return reading;
  const { term, options, message } = reading.clarification;
  const attempts = options.slice(0, MAX_TRIED_OPTIONS).map((option) => {
    const key = typeof option === 'string' ? option : option.key;
    return { option, key, read: readOption({ ...input, choices: { ...input.choices, [term]: key } }) };
  });
  const usefulAttempts = attempts.filter(({ read }) => read.kind !== 'refused');
  if (usefulAttempts.length === 0) return attempts[0]!.read;
  if (usefulAttempts.length === options.length) return reading;
  const failedAttempts = attempts.flatMap(({ key, read: refusal }) =>
    refusal.kind === 'refused' ? [{ key, refusal }] : [],
  );
  const reason = failedAttempts.find(({ refusal }) => refusal.isExplained)?.refusal.message;
  const refusalText = `svc can't answer the question with ${failedAttempts.map(({ key }) => key).join(' or ')}.${reason ? ` ${reason}` : ''}`;
  const untriedCount = options.length - attempts.length;
  return {
    ...reading,
    clarification: {
      ...reading.clarification,
      message: [
        message,
        ...(failedAttempts.length > 0 ? [refusalText] : []),
        ...(untriedCount > 0 ? [`There are ${untriedCount} more options. Name one of them in the question.`] : []),
      ].join(' '),
      options: usefulAttempts.map(({ option }) => option),
    },
  };
};
