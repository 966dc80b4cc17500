// Turns a question into a plan, a clarification or a refusal. A plan must explain each of the question's words.
import { withAnswers } from './answered-back.ts';
import { readByGrammar } from './decide/decide.ts';
import { interpret } from './decide/interpret.ts';
import type { PlannerInput, Reading, ReadQuestion } from './reading.ts';
import { meaningsOf } from './refused/word-meanings.ts';
import { readWithRestrictions } from './restrictions/settle-words.ts';
import { isTooLong, MAX_QUESTION_LENGTH, TOO_LONG } from './words/length-limit.ts';

const MAX_TURNS = 20;

export const readQuestion: ReadQuestion = (originalInput) => {
  if (isTooLong(originalInput.question))
    return { kind: 'refused', words: [originalInput.question.slice(0, 40)], message: TOO_LONG, explained: true };
  const input = withAnswers({ ...originalInput, context: recent(originalInput.context ?? []) }, readRestricted);
  const reading = withUsefulOptions(input, readRestricted(input), readRestricted);
  if (input.question === originalInput.question || reading.kind !== 'plan') return reading;
  return { ...reading, notes: [`Carried over from the earlier question: "${input.question}".`, ...reading.notes] };
};

/** The latest turns up to the length of one question, because reading blocks the event loop. */
const recent = (context: readonly string[]): string[] => {
  let left = MAX_QUESTION_LENGTH;
  let first = context.length;
  while (first > 0 && context.length - first < MAX_TURNS && context[first - 1]!.length <= left)
    left -= context[--first]!.length;
  return context.slice(first);
};

const readRestricted: ReadQuestion = (input) => readWithRestrictions(input, readAsWritten);

const readAsWritten: ReadQuestion = (input) => {
  const found = interpret(input);
  return readByGrammar(input, found) ?? refusalFor(input, found?.complete.length === 0 ? found.faults : []);
};

/** If svc knows each word, the reason why the reading has no plan. */
const refusalFor = (input: PlannerInput, [fault]: readonly string[]): Reading => {
  const unknown = [...new Set(meaningsOf(input).seen.flatMap((item) => (item.is === 'unknown' ? [item.text] : [])))];
  const explained = fault !== undefined && unknown.length === 0;
  const words = unknown.length > 0 ? unknown : [input.question];
  const placed = words.map((word) => `"${word}"`).join(', ');
  const message = explained ? fault : `I can't place ${placed} in what this lens holds.`;
  return { kind: 'refused', words, message, explained };
};

const TRIED = 8;
/** A clarification must lead to an answer, so svc omits options that it would refuse. */
const withUsefulOptions = (input: PlannerInput, reading: Reading, read: ReadQuestion): Reading => {
  if (reading.kind !== 'clarification' || reading.clarification.options.length === 0) return reading;
  const { term, options, message } = reading.clarification;
  const tried = options.slice(0, TRIED).map((option) => {
    const key = typeof option === 'string' ? option : option.key;
    return { option, key, read: read({ ...input, choices: { ...input.choices, [term]: key } }) };
  });
  const open = tried.filter(({ read }) => read.kind !== 'refused');
  if (open.length === 0) return tried[0]!.read;
  if (open.length === options.length) return reading;
  const closed = tried.flatMap(({ key, read: no }) => (no.kind === 'refused' ? [{ key, no }] : []));
  const why = closed.find(({ no }) => no.explained)?.no.message;
  const no = `With ${closed.map(({ key }) => key).join(' or ')} it can't be answered${why ? `: ${why}` : '.'}`;
  const more = options.length - tried.length;
  return {
    ...reading,
    clarification: {
      ...reading.clarification,
      message: [
        message,
        ...(closed.length > 0 ? [no] : []),
        ...(more > 0 ? [`There are ${more} more; say one of them in the question.`] : []),
      ].join(' '),
      options: open.map(({ option }) => option),
    },
  };
};
