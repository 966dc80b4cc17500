// Turns a question into a plan, a clarification or a refusal. A plan must explain every word of the question.
import { withAnswers } from './answered-back.ts';
import { readByGrammar } from './decide/decide.ts';
import { interpret } from './decide/interpret.ts';
import type { PlannerInput, Reading, ReadQuestion } from './reading.ts';
import { meaningsOf } from './refused/word-meanings.ts';
import { readWithRestrictions } from './restrictions/settle-words.ts';
import { isTooLong, MAX_QUESTION_LENGTH, TOO_LONG_MESSAGE } from './words/length-limit.ts';

const MAX_TURNS = 20;

export const readQuestion: ReadQuestion = (originalInput) => {
  if (isTooLong(originalInput.question))
    return {
      kind: 'refused',
      words: [originalInput.question.slice(0, 40)],
      message: TOO_LONG_MESSAGE,
      explained: true,
    };
  const input = withAnswers({ ...originalInput, context: recentTurns(originalInput.context ?? []) }, readRestricted);
  const reading = withUsefulOptions(input, readRestricted(input), readRestricted);
  if (input.question === originalInput.question || reading.kind !== 'plan') return reading;
  return { ...reading, notes: [`Carried over from the earlier question: "${input.question}".`, ...reading.notes] };
};

/** The latest turns, up to the maximum length of one question in total, because reading blocks the event loop. */
const recentTurns = (context: readonly string[]): string[] => {
  let remainingLength = MAX_QUESTION_LENGTH;
  let firstIndex = context.length;
  while (
    firstIndex > 0 &&
    context.length - firstIndex < MAX_TURNS &&
    context[firstIndex - 1]!.length <= remainingLength
  )
    remainingLength -= context[--firstIndex]!.length;
  return context.slice(firstIndex);
};

const readRestricted: ReadQuestion = (input) => readWithRestrictions(input, readAsWritten);

const readAsWritten: ReadQuestion = (input) => {
  const interpretedQuestion = interpret(input);
  return (
    readByGrammar(input, interpretedQuestion) ??
    refusalFor(input, interpretedQuestion?.complete.length === 0 ? interpretedQuestion.faults : [])
  );
};

/** Refuses the question with the unknown words. If svc knows every word, gives the reason why there is no plan. */
const refusalFor = (input: PlannerInput, [fault]: readonly string[]): Reading => {
  const unknownTexts = [
    ...new Set(meaningsOf(input).meanings.flatMap((item) => (item.is === 'unknown' ? [item.text] : []))),
  ];
  const explained = fault !== undefined && unknownTexts.length === 0;
  const words = unknownTexts.length > 0 ? unknownTexts : [input.question];
  const placedWords = words.map((word) => `"${word}"`).join(', ');
  const message = explained ? fault : `I can't place ${placedWords} in what this lens holds.`;
  return { kind: 'refused', words, message, explained };
};

const MAX_TRIED_OPTIONS = 8;
/** A clarification must lead to an answer, so svc omits options that would lead to a refusal. */
const withUsefulOptions = (input: PlannerInput, reading: Reading, readOption: ReadQuestion): Reading => {
  if (reading.kind !== 'clarification' || reading.clarification.options.length === 0) return reading;
  const { term, options, message } = reading.clarification;
  const attempts = options.slice(0, MAX_TRIED_OPTIONS).map((option) => {
    const key = typeof option === 'string' ? option : option.key;
    return { option, key, read: readOption({ ...input, choices: { ...input.choices, [term]: key } }) };
  });
  const openAttempts = attempts.filter(({ read }) => read.kind !== 'refused');
  if (openAttempts.length === 0) return attempts[0]!.read;
  if (openAttempts.length === options.length) return reading;
  const closedAttempts = attempts.flatMap(({ key, read: refusal }) =>
    refusal.kind === 'refused' ? [{ key, no: refusal }] : [],
  );
  const reason = closedAttempts.find(({ no }) => no.explained)?.no.message;
  const refusalText = `With ${closedAttempts.map(({ key }) => key).join(' or ')} it can't be answered${reason ? `: ${reason}` : '.'}`;
  const untriedCount = options.length - attempts.length;
  return {
    ...reading,
    clarification: {
      ...reading.clarification,
      message: [
        message,
        ...(closedAttempts.length > 0 ? [refusalText] : []),
        ...(untriedCount > 0 ? [`There are ${untriedCount} more; say one of them in the question.`] : []),
      ].join(' '),
      options: openAttempts.map(({ option }) => option),
    },
  };
};
