// Finds the meaning of each word by itself, for questions that svc can't interpret as a whole.
import { ENGLISH_GRAMMAR } from '../decide/parse-question.ts';
import { findFunctionWordHypotheses } from '../hypotheses/function-words.ts';
import { PHRASE_WORDS } from '../hypotheses/phrase-meanings.ts';
import { findValueHypotheses } from '../hypotheses/values.ts';
import type { ReaderInput } from '../reader-result.ts';
import { isGrammarWord } from '../words/grammar-words.ts';
import { findTimeUnit, readTimeMention } from '../words/time-expressions.ts';
import { tokenizeQuestion } from '../words/tokens.ts';
import { getVocabulary } from '../words/vocabulary.ts';
import type { VocabularyTerm } from '../words/vocabulary-term.ts';
import { findCodes } from '../words/written-code.ts';

export type WordMeaning = {
  text: string;
  /** The position in the cleaned question, in characters. */
  from: number;
  to: number;
} & (
  | { is: 'name'; terms: VocabularyTerm[] }
  | { is: 'value' | 'time' | 'unit' | 'number' }
  | { is: 'grammar'; norm: string }
  | { is: 'unknown'; norm: string }
);

export type UnknownWord = Extract<WordMeaning, { is: 'unknown' }>;

export interface WordMeanings {
  /** The cleaned question. */
  text: string;
  meanings: WordMeaning[];
}

export const findWordMeanings = ({
  question,
  lens,
  now,
}: Pick<ReaderInput, 'question' | 'lens' | 'now'>): WordMeanings => {
  const { tokens, folded, text: normalized } = tokenizeQuestion(question);
  const vocabulary = getVocabulary(lens);
  const codes = findCodes(tokens, folded);
  const phraseAt = (index: number): { length: number; terms: VocabularyTerm[] } | null => {
    for (let to = Math.min(tokens.length, index + vocabulary.maxPhraseWords); to > index; to--) {
      const span = tokens.slice(index, to);
      const terms = span.some(({ kind }) => kind === 'quoted' || kind === 'punct')
        ? undefined
        : vocabulary.phrases.get(span.map(({ stem }) => stem).join(' '));
      if (terms) return { length: to - index, terms };
    }
    return null;
  };
  const meanings: WordMeaning[] = [];
  for (let position = 0; position < tokens.length; ) {
    const token = tokens[position]!;
    const { norm } = token;
    const time = readTimeMention(tokens, position, { now, timezone: lens.timezone });
    const isLowercaseGrammar = isGrammarWord(norm) && token.text === norm;
    const valueLength = Math.max(
      0,
      ...findValueHypotheses(tokens, position, folded, vocabulary)
        .filter(
          ({ cat, to, term }) =>
            cat === 'value' && !term.features.includes('quoted') && (to > position + 1 || !isLowercaseGrammar),
        )
        .map(({ to }) => to - position),
    );
    const phrase = phraseAt(position);
    const knownLength = Math.max(time?.length ?? 0, valueLength, phrase?.length ?? 0);
    const code = codes[position];
    const codeLength = code?.from === position ? code.to + 1 - position : 0;
    const length = Math.max(knownLength, codeLength, 1);
    const [from, to] = [token.start, tokens[position + length - 1]!.end];
    const span = { text: normalized.slice(from, to).replace(/\s+/g, ' '), from, to };
    if (codeLength > knownLength) meanings.push({ ...span, is: 'unknown', norm: span.text.toLowerCase() });
    else if (time?.length === length && !time.fault) meanings.push({ ...span, is: 'time' });
    else if (phrase?.length === length && !isOnlyGrammarWord(norm, phrase.terms, length))
      meanings.push({ ...span, is: 'name', terms: phrase.terms });
    else if (valueLength === length) meanings.push({ ...span, is: 'value' });
    else if (token.kind === 'number') meanings.push({ ...span, is: 'number' });
    else if (findTimeUnit(token.stem)) meanings.push({ ...span, is: 'unit' });
    else if (token.kind === 'quoted') meanings.push({ ...span, is: 'unknown', norm });
    else if (token.kind === 'word') {
      const isKnown =
        isGrammarWord(norm) ||
        ENGLISH_GRAMMAR.knownWords.has(norm) ||
        PHRASE_WORDS.has(norm) ||
        findFunctionWordHypotheses(tokens, position, vocabulary).some(({ cat }) => cat === 'link');
      meanings.push({ ...span, is: isKnown ? 'grammar' : 'unknown', norm });
    }
    position += length;
  }
  return { text: normalized, meanings };
};

/** Lists each unknown word once. */
export const findUnknownWords = ({ meanings }: WordMeanings): UnknownWord[] => {
  const wordsByNorm = new Map<string, UnknownWord>();
  for (const item of meanings)
    if (item.is === 'unknown' && !wordsByNorm.has(item.norm)) wordsByNorm.set(item.norm, item);
  return [...wordsByNorm.values()];
};

/**
 * Returns true if the word is only a grammar word, even if a longer name ends with it. For example, "time" doesn't name
 * the field days_to_time.
 */
const isOnlyGrammarWord = (norm: string, terms: readonly VocabularyTerm[], length: number): boolean =>
  length === 1 && isGrammarWord(norm) && terms.every((term) => term.kind === 'field' && term.loose === 2);
