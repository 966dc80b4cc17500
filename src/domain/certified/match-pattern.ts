// Checks whether a question is a parameterized phrase with values in its placeholders. Case, punctuation, plurals and
// filler words don't matter. A later step compares the meanings.
import type { JsonScalar } from '../../contract/ask.ts';
import type { CertifiedEntry } from '../../lens/model/lens.ts';
import { findQuestionWords } from '../../reader/question-words.ts';
import { normalizeText } from '../../reader/words/tokens.ts';
import { fillQuestion, PLACEHOLDER_PATTERN, validateParameterValues } from './parameters.ts';

export interface PatternMatch {
  entry: CertifiedEntry;
  parameters: Record<string, JsonScalar>;
  phrase: string;
}
interface NormalizedWord {
  normalized: string;
  start: number;
  end: number;
}

const MAX_WORDS_OF_VALUE = 6;

export function matchPattern(entry: CertifiedEntry, phrase: string, question: string): PatternMatch | null {
  const parts = phrase.split(PLACEHOLDER_PATTERN);
  const names = parts.filter((_, index) => index % 2 === 1);
  const literalWords = parts.map((part, index) =>
    index % 2 === 0 ? splitIntoWords(part).words.map(({ normalized }) => normalized) : [part],
  );
  if (names.length === 0 || names.some((name) => !Object.hasOwn(entry.parameters, name))) return null;
  const parsedQuestion = splitIntoWords(question);
  const spans =
    matchInOrder(literalWords, parsedQuestion.words) ??
    (names.length === 1 ? matchInAnyOrder(literalWords, parsedQuestion.words) : null);
  if (!spans) return null;
  const suppliedValues: Record<string, JsonScalar> = {};
  for (const [index, name] of names.entries()) {
    const [from, to] = spans[index]!;
    const text = parsedQuestion.text.slice(parsedQuestion.words[from]!.start, parsedQuestion.words[to - 1]!.end);
    const value = parseParameterText(text, entry.parameters[name]!.datatype);
    if (Object.hasOwn(suppliedValues, name) && suppliedValues[name] !== value) return null;
    suppliedValues[name] = value;
  }
  try {
    const parameters = validateParameterValues(entry, suppliedValues);
    return { entry, parameters, phrase: fillQuestion(phrase, suppliedValues) };
  } catch {
    return null;
  }
}

function splitIntoWords(text: string): { text: string; words: NormalizedWord[] } {
  const words = findQuestionWords(text).map(
    ({ norm, token: { start, end } }): NormalizedWord => ({ normalized: norm, start, end }),
  );
  return { text: normalizeText(text), words };
}

/** Returns the ranges of words in the placeholders. Prefers the shortest ranges. */
function matchInOrder(literal: string[][], words: NormalizedWord[]): [number, number][] | null {
  const matchesPart = (part: string[], start: number) =>
    part.every((word, step) => words[start + step]?.normalized === word);
  const matchParts = (part: number, start: number): [number, number][] | null => {
    if (!matchesPart(literal[part]!, start)) return null;
    const literalEnd = start + literal[part]!.length;
    if (part === literal.length - 1) return literalEnd === words.length ? [] : null;
    for (let end = literalEnd + 1; end <= Math.min(words.length, literalEnd + MAX_WORDS_OF_VALUE); end++) {
      const restSpans = matchParts(part + 2, end);
      if (restSpans) return [[literalEnd, end], ...restSpans];
    }
    return null;
  };
  return matchParts(0, 0);
}

/** For a phrase with one placeholder: the literal words can surround the value in any order. */
function matchInAnyOrder(literal: string[][], words: NormalizedWord[]): [number, number][] | null {
  const expectedWords = [...literal[0]!, ...literal[2]!].sort().join(' ');
  const length = words.length - literal[0]!.length - literal[2]!.length;
  if (length < 1 || length > MAX_WORDS_OF_VALUE) return null;
  for (let from = 0; from + length <= words.length; from++) {
    const otherWords = [...words.slice(0, from), ...words.slice(from + length)].map(({ normalized }) => normalized);
    if (otherWords.sort().join(' ') === expectedWords) return [[from, from + length]];
  }
  return null;
}

function parseParameterText(text: string, datatype: string): JsonScalar {
  const digits = /^-?\d{1,3}(?:,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text;
  if (['integer', 'decimal', 'float'].includes(datatype) && /^-?\d{1,15}(\.\d+)?$/.test(digits)) return Number(digits);
  return datatype === 'boolean' ? text.toLowerCase() === 'true' : text.replaceAll(/^["']|["']$/g, '');
}
