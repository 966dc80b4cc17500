// Recognizes a message that answers the previous clarification. For example, "returned on" chooses one of two dates.
import type { Clarification } from '../contract/ask.ts';
import type { QuestionReader, ReaderInput } from './reader-result.ts';
import { toPhraseKey } from './words/phrase-key.ts';

/** The maximum length of an option's label, in characters. Longer text is a question. */
const MAX_REPLY_LENGTH = 80;
const POLITE_PREFIX_PATTERN = /^\W*(?:(?:the|i mean|i meant|by|on|use|take|please)\b\W*)+/i;

export const findChosenOption = ({ options }: Clarification, reply: string): string | null => {
  const normalize = (text: string): string => toPhraseKey(text.replace(POLITE_PREFIX_PATTERN, '') || text);
  const keyedOptions = options.map((option) => (typeof option === 'string' ? { key: option, label: option } : option));
  const replyKey = normalize(reply);
  const exactMatches = keyedOptions.filter(({ key, label }) =>
    [key, label].some((item) => normalize(item) === replyKey),
  );
  const shortMatches = keyedOptions.filter(({ key }) => normalize(key.split('.').at(-1)!) === replyKey);
  const matches = exactMatches.length > 0 ? exactMatches : shortMatches;
  return matches.length === 1 ? matches[0]!.key : null;
};

/**
 * Returns the choices that also apply to later turns. For example, a choice between two fields also applies to "and in
 * 2025?".
 */
const findChoicesForLaterTurns = ({ options }: Clarification, chosenKey: string): Record<string, string> => {
  const keys = options.map((option) => (typeof option === 'string' ? option : option.key));
  return keys.every((key) => key.includes('.')) ? { [keys.join(' or ')]: chosenKey } : {};
};

/** Converts each reply to a clarification into a choice for the question that caused the clarification. */
export const convertAnswersToChoices = (input: ReaderInput, readQuestion: QuestionReader): ReaderInput => {
  const [first, ...replies] = [...(input.context ?? []), input.question];
  if (first === undefined || replies.length === 0) return input;
  let current: ReaderInput = { ...input, question: first, context: [] };
  for (const turn of replies) {
    const reading = turn.length <= MAX_REPLY_LENGTH && !turn.includes('?') ? readQuestion(current) : null;
    const clarification = reading?.kind === 'clarification' ? reading.clarification : null;
    const key = clarification && findChosenOption(clarification, turn);
    current =
      clarification && key
        ? {
            ...current,
            choices: { ...current.choices, [clarification.term]: key, ...findChoicesForLaterTurns(clarification, key) },
          }
        : { ...current, question: turn, context: [...current.context!, current.question] };
  }
  return current;
};
