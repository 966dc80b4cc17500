// The meaning of each word by itself, for questions without a reading.
import { SPOKEN } from '../decide/parse-question.ts';
import { functionsAt } from '../lattice/functions.ts';
import { valuesAt } from '../lattice/values.ts';
import { WORD_DATA } from '../lattice/word-data.ts';
import type { PlannerInput } from '../reading.ts';
import { isGrammar } from '../words/grammar-words.ts';
import type { Term } from '../words/term.ts';
import { timeAt, unitOf } from '../words/time-expressions.ts';
import { tokenise } from '../words/tokens.ts';
import { vocabularyOf } from '../words/vocabulary.ts';
import { codesIn } from '../words/written-code.ts';

export type WordMeaning = {
  text: string;
  /** Position in the cleaned question. */
  from: number;
  to: number;
} & (
  | { is: 'name'; terms: Term[] }
  /** A stored value or a time. */
  | { is: 'value' | 'number' }
  | { is: 'grammar'; norm: string }
  | { is: 'unknown'; norm: string }
);

export interface WordMeanings {
  /** The cleaned question. */
  text: string;
  seen: WordMeaning[];
}

export const meaningsOf = ({ question, lens, now }: Pick<PlannerInput, 'question' | 'lens' | 'now'>): WordMeanings => {
  const { list: tokens, folded, text: normalized } = tokenise(question);
  const vocabulary = vocabularyOf(lens);
  const codes = codesIn(tokens, folded);
  const { phraseWords } = WORD_DATA;
  const phraseAt = (index: number): { length: number; terms: Term[] } | null => {
    for (let to = Math.min(tokens.length, index + vocabulary.longest); to > index; to--) {
      const span = tokens.slice(index, to);
      const terms = span.some(({ kind }) => kind === 'quoted' || kind === 'punct')
        ? undefined
        : vocabulary.phrases.get(span.map(({ stem }) => stem).join(' '));
      if (terms) return { length: to - index, terms };
    }
    return null;
  };
  const seen: WordMeaning[] = [];
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at]!;
    const { norm } = token;
    const time = timeAt(tokens, at, { now, timezone: lens.timezone });
    const small = isGrammar(norm) && token.text === norm;
    const value = Math.max(
      0,
      ...valuesAt(tokens, at, folded, vocabulary)
        .filter(({ cat, to, term }) => cat === 'value' && !term.features.includes('quoted') && (to > at + 1 || !small))
        .map(({ to }) => to - at),
    );
    const phrase = phraseAt(at);
    const found = Math.max(time?.length ?? 0, value, phrase?.length ?? 0);
    const code = codes[at];
    const coded = code?.from === at ? code.to + 1 - at : 0;
    const length = Math.max(found, coded, 1);
    const [from, to] = [token.start, tokens[at + length - 1]!.end];
    const placed = { text: normalized.slice(from, to).replace(/\s+/g, ' '), from, to };
    if (coded > found) seen.push({ ...placed, is: 'unknown', norm: placed.text.toLowerCase() });
    else if (time?.length === length && !time.fault) seen.push({ ...placed, is: 'value' });
    else if (phrase?.length === length && !onlyGrammar(norm, phrase.terms, length))
      seen.push({ ...placed, is: 'name', terms: phrase.terms });
    else if (value === length) seen.push({ ...placed, is: 'value' });
    else if (token.kind === 'number') seen.push({ ...placed, is: 'number' });
    else if (unitOf(token.stem)) seen.push({ ...placed, is: 'value' });
    else if (token.kind === 'quoted') seen.push({ ...placed, is: 'unknown', norm });
    else if (token.kind === 'word') {
      const isKnown =
        isGrammar(norm) ||
        SPOKEN.known.has(norm) ||
        phraseWords.has(norm) ||
        functionsAt(tokens, at, vocabulary).some(({ cat }) => cat === 'link');
      seen.push({ ...placed, is: isKnown ? 'grammar' : 'unknown', norm });
    }
    at += length;
  }
  return { text: normalized, seen };
};

/** The last word of a longer name, such as "time" of days_to_time, names nothing if it has a grammatical use. */
const onlyGrammar = (norm: string, terms: readonly Term[], length: number): boolean =>
  length === 1 && isGrammar(norm) && terms.every((term) => term.kind === 'field' && term.loose === 2);
