// The words of a question that restrict or quantify, and the lens's names around them.
import type { Lens } from '../../lens/model/lens.ts';
import { RESTRICTING, type Sense } from '../english/restricting.ts';
import type { Leaf } from '../lattice/leaf.ts';
import { namesAt } from '../lattice/names.ts';
import { numbersAt } from '../lattice/numbers.ts';
import { valuesAt } from '../lattice/values.ts';
import type { Token } from '../words/token.ts';
import { tokenise } from '../words/tokens.ts';
import { vocabularyOf } from '../words/vocabulary.ts';

export interface RestrictingWord {
  sense: Sense;
  text: string;
  /** In tokens. */
  from: number;
  to: number;
  by: number | null;
}
export interface Sentence {
  text: string;
  tokens: readonly Token[];
  /** Names, values, numbers and periods; the longest first if several start at the same position. */
  mentions: readonly Leaf[];
  words: readonly RestrictingWord[];
}

const TABLE = new Map(
  RESTRICTING.flatMap(({ sense, said, by }) => said.split('|').map((one) => [one, { sense, by: by ?? null }] as const)),
);
const LONGEST = Math.max(...[...TABLE.keys()].map((phrase) => phrase.split(' ').length));
const FIRST = new Set([...TABLE.keys()].map((phrase) => phrase.split(' ')[0]!));

const wordAt = (tokens: readonly Token[], at: number): RestrictingWord | null => {
  if (tokens[at]!.kind !== 'word' || !FIRST.has(tokens[at]!.norm)) return null;
  for (let to = Math.min(tokens.length, at + LONGEST); to > at; to--) {
    const span = tokens.slice(at, to);
    const known = TABLE.get(span.map(({ norm }) => norm).join(' '));
    if (known)
      return {
        ...known,
        text: span
          .map(({ text }) => text)
          .join(' ')
          .toLowerCase(),
        from: at,
        to,
      };
  }
  return null;
};

/** Part of a name, with the name's meaning: "Just Dance", "double room", "all-time high" if the lens has them. */
const isNamed = ({ from, to }: RestrictingWord, mentions: readonly Leaf[], tokens: readonly Token[]): boolean =>
  tokens[from]!.kind === 'quoted' ||
  mentions.some(
    (one) =>
      one.from <= from &&
      to <= one.to &&
      (one.to - one.from > to - from || (one.cat === 'value' && tokens[from]!.capital && from > 0)),
  );

export function sentenceOf(question: string, lens: Lens, now: Date): Sentence {
  const { list: tokens, folded, text } = tokenise(question);
  const found = tokens.flatMap((_, at) => wordAt(tokens, at) ?? []);
  const conjoined = tokens.some(({ norm }) => norm === 'and' || norm === '&');
  if (found.length === 0 && !conjoined) return { text, tokens, mentions: [], words: [] };
  const vocabulary = vocabularyOf(lens);
  const mentions = tokens
    .flatMap((_, at) => [
      ...valuesAt(tokens, at, folded, vocabulary),
      ...namesAt(tokens, at, vocabulary),
      ...numbersAt(tokens, at, { now, timezone: lens.timezone }),
    ])
    .filter(({ cat }) => cat !== 'unclear')
    .sort((one, other) => one.from - other.from || other.to - one.to);
  const words = found.filter((one) => !isNamed(one, mentions, tokens));
  return { text, tokens, mentions, words: words.filter((one) => !words.some((other) => isWithin(one, other))) };
}
const isWithin = (one: RestrictingWord, other: RestrictingWord): boolean =>
  one !== other && other.from <= one.from && one.to <= other.to;

/** Words that only lead to the next word. */
const LEADING =
  /^(?:in|at|on|of|for|from|by|to|with|during|within|across|per|the|an?|their|its|our|these|those|any|different|distinct|unique)$/;
const ENDS = /^[.?!;]$/;

/** The position of the next word that isn't a leading word. */
export const afterLeadingWords = ({ tokens }: Sentence, at: number): number => {
  let next = at;
  while (tokens[next] && LEADING.test(tokens[next]!.norm)) next++;
  return next;
};
export const mentionsAt = ({ mentions }: Sentence, at: number): Leaf[] => mentions.filter(({ from }) => from === at);
export const isEnd = ({ tokens }: Sentence, at: number): boolean => !tokens[at] || ENDS.test(tokens[at]!.norm);
export const normAt = ({ tokens }: Sentence, at: number): string => tokens[at]?.norm ?? '';

/** A possible condition: a value or a period. */
export const isRestriction = ({ cat }: Leaf): boolean => cat === 'value' || cat === 'period';

const MAX_DISTANCE = 6;
/** The first value or period after a word, past verbs and names, within its clause. */
export function restrictionAfter(sentence: Sentence, at: number): Leaf[] {
  for (let next = at; next < at + MAX_DISTANCE && !isEnd(sentence, next); next++) {
    if (/^(?:and|or|but|,)$/.test(normAt(sentence, next))) break;
    const here = mentionsAt(sentence, next);
    const found = here.filter(isRestriction);
    if (found.length > 0) return found;
    next = Math.max(next, ...here.map(({ to }) => to - 1));
  }
  return [];
}
/** The value or period that ends before the word. */
export const restrictionBefore = ({ mentions }: Sentence, at: number): Leaf[] =>
  mentions.filter((one) => one.to === at && isRestriction(one));
export const namesBefore = ({ mentions, tokens }: Sentence, at: number): Leaf[] => {
  const start = tokens.findLastIndex(({ norm }, index) => index < at && ENDS.test(norm)) + 1;
  return mentions.filter(({ from, to, cat }) => from >= start && to <= at && cat !== 'number' && cat !== 'period');
};
