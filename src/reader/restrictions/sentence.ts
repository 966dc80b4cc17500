// Finds the restricting and quantifying words of a question, and the names of the lens around them.
import type { Lens } from '../../lens/model/lens.ts';
import { RESTRICTING_ENTRIES, type RestrictionSense } from '../english/restricting-words.ts';
import { findNameHypotheses } from '../hypotheses/names.ts';
import { findNumberHypotheses } from '../hypotheses/numbers.ts';
import { findValueHypotheses } from '../hypotheses/values.ts';
import type { WordHypothesis } from '../hypotheses/word-hypothesis.ts';
import type { QuestionToken } from '../words/token.ts';
import { tokenizeQuestion } from '../words/tokens.ts';
import { getVocabulary } from '../words/vocabulary.ts';

export interface RestrictingWord {
  sense: RestrictionSense;
  text: string;
  /** The index of the first token. `to` is the index after the last token. */
  from: number;
  to: number;
  by: number | null;
}
export interface ParsedSentence {
  text: string;
  tokens: readonly QuestionToken[];
  /** Names, values, numbers and periods. If several names start at the same position, the longest comes first. */
  mentions: readonly WordHypothesis[];
  restrictionWords: readonly RestrictingWord[];
}

const SENSE_BY_PHRASE = new Map(
  RESTRICTING_ENTRIES.flatMap(({ sense, said, by }) =>
    said.split('|').map((item) => [item, { sense, by: by ?? null }] as const),
  ),
);
const MAX_PHRASE_LENGTH = Math.max(...[...SENSE_BY_PHRASE.keys()].map((phrase) => phrase.split(' ').length));
const FIRST_WORDS_OF_PHRASES = new Set([...SENSE_BY_PHRASE.keys()].map((phrase) => phrase.split(' ')[0]!));

const findRestrictingWord = (tokens: readonly QuestionToken[], index: number): RestrictingWord | null => {
  if (tokens[index]!.kind !== 'word' || !FIRST_WORDS_OF_PHRASES.has(tokens[index]!.norm)) return null;
  for (let to = Math.min(tokens.length, index + MAX_PHRASE_LENGTH); to > index; to--) {
    const span = tokens.slice(index, to);
    const entry = SENSE_BY_PHRASE.get(span.map(({ norm }) => norm).join(' '));
    if (entry)
      return {
        ...entry,
        text: span
          .map(({ text }) => text)
          .join(' ')
          .toLowerCase(),
        from: index,
        to,
      };
  }
  return null;
};

/** Returns true if the word belongs to a name in the lens, such as "Just Dance", "double room" or "all-time high". */
const isPartOfName = (
  { from, to }: RestrictingWord,
  mentions: readonly WordHypothesis[],
  tokens: readonly QuestionToken[],
): boolean =>
  tokens[from]!.kind === 'quoted' ||
  mentions.some(
    (mention) =>
      mention.from <= from &&
      to <= mention.to &&
      (mention.to - mention.from > to - from || (mention.cat === 'value' && tokens[from]!.capital && from > 0)),
  );

export function parseSentence(question: string, lens: Lens, now: Date): ParsedSentence {
  const { tokens, folded, text } = tokenizeQuestion(question);
  const restrictingWords = tokens.flatMap((_, index) => findRestrictingWord(tokens, index) ?? []);
  const hasConjunction = tokens.some(({ norm }) => norm === 'and' || norm === '&');
  if (restrictingWords.length === 0 && !hasConjunction) return { text, tokens, mentions: [], restrictionWords: [] };
  const vocabulary = getVocabulary(lens);
  const mentions = tokens
    .flatMap((_, index) => [
      ...findValueHypotheses(tokens, index, folded, vocabulary),
      ...findNameHypotheses(tokens, index, vocabulary),
      ...findNumberHypotheses(tokens, index, { now, timezone: lens.timezone }),
    ])
    .filter(({ cat }) => cat !== 'unclear')
    .sort((item, other) => item.from - other.from || other.to - item.to);
  const words = restrictingWords.filter((item) => !isPartOfName(item, mentions, tokens));
  return {
    text,
    tokens,
    mentions,
    restrictionWords: words.filter((word) => !words.some((other) => isWithin(word, other))),
  };
}
const isWithin = (one: RestrictingWord, other: RestrictingWord): boolean =>
  one !== other && other.from <= one.from && one.to <= other.to;

/** Matches words such as prepositions that only introduce the next word. */
const LEADING_WORD_PATTERN =
  /^(?:in|at|on|of|for|from|by|to|with|during|within|across|per|the|an?|their|its|our|these|those|any|different|distinct|unique)$/;
const CLAUSE_END_PATTERN = /^[.?!;]$/;

export const skipLeadingWords = ({ tokens }: ParsedSentence, index: number): number => {
  let next = index;
  while (tokens[next] && LEADING_WORD_PATTERN.test(tokens[next]!.norm)) next++;
  return next;
};
export const findMentions = ({ mentions }: ParsedSentence, index: number): WordHypothesis[] =>
  mentions.filter(({ from }) => from === index);
export const isClauseEnd = ({ tokens }: ParsedSentence, index: number): boolean =>
  !tokens[index] || CLAUSE_END_PATTERN.test(tokens[index]!.norm);
export const getNormalizedWord = ({ tokens }: ParsedSentence, index: number): string => tokens[index]?.norm ?? '';

/** Returns true if the name can be a condition, because the name is a value or a period. */
export const isRestriction = ({ cat }: WordHypothesis): boolean => cat === 'value' || cat === 'period';

const MAX_TOKEN_DISTANCE = 6;
/** Returns the first value or period after a word in the same clause, if only verbs and names are between them. */
export function findRestrictionAfter(sentence: ParsedSentence, index: number): WordHypothesis[] {
  for (let next = index; next < index + MAX_TOKEN_DISTANCE && !isClauseEnd(sentence, next); next++) {
    if (/^(?:and|or|but|,)$/.test(getNormalizedWord(sentence, next))) break;
    const nextMentions = findMentions(sentence, next);
    const restrictions = nextMentions.filter(isRestriction);
    if (restrictions.length > 0) return restrictions;
    next = Math.max(next, ...nextMentions.map(({ to }) => to - 1));
  }
  return [];
}
export const findRestrictionBefore = ({ mentions }: ParsedSentence, end: number): WordHypothesis[] =>
  mentions.filter((mention) => mention.to === end && isRestriction(mention));
export const findNamesBefore = ({ mentions, tokens }: ParsedSentence, end: number): WordHypothesis[] => {
  const start = tokens.findLastIndex(({ norm }, index) => index < end && CLAUSE_END_PATTERN.test(norm)) + 1;
  return mentions.filter(({ from, to, cat }) => from >= start && to <= end && cat !== 'number' && cat !== 'period');
};
