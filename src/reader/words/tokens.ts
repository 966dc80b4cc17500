// Splits a question into words, numbers, quoted strings and punctuation. Folding keeps the length, so positions in the
// folded text also apply to the question.
import { findStem } from '../english/inflection.ts';
import { readNumberWord } from '../english/number-words.ts';
import type { QuestionToken } from './token.ts';
import { UNIT_WORDS } from './units.ts';

const foldCharacter = (char: string): string => {
  const baseChar = char.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  if (baseChar.length === char.length) return baseChar;
  const lower = char.toLowerCase();
  return lower.length === char.length ? lower : char;
};
/** Lowercase without accents, with the same length. */
export const foldText = (text: string): string => {
  let folded = '';
  for (const char of text) folded += char < '\u0080' ? char.toLowerCase() : foldCharacter(char);
  return folded;
};
/** Normalizes text for comparisons: single spaces, one kind of quotation mark, no control characters. */
export const normalizeText = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[\u2018\u2019\u02bc\u00b4`]/g, "'")
    .replace(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"')
    .replace(/[\s\u200b\ufeff]+/g, ' ')
    .trim();
export const foldValue = (text: string): string => foldText(normalizeText(text));

const AMOUNT_PATTERN = String.raw`\d[\d,]*(?:\.\d+)?(?:k\b|m\b|bn\b)?`;
/**
 * Matches one token in linear time. Tests for an email address only at the start of a run of address characters, and
 * limits the length of quotations.
 */
const TOKEN_PATTERN = new RegExp(
  String.raw`"((?:[^"]|"")+)"|(?<=^|[\s(,])'((?:[^']|'(?=\w)){1,300})'(?=$|[\s),.?!;:])|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\d{4}-\d{2}(?:-\d{2})?(?![\d-])|(?<=^|\s)-?[$€£¥]?${AMOUNT_PATTERN}%?|[$€£¥]${AMOUNT_PATTERN}|\d+(?:st|nd|rd|th)\b|\d+(?:[.]\d+)?%?|[\p{L}\p{M}\p{N}]+(?:'(?!s\b)\p{L}+)*|'s\b|[^\s]`,
  'gu',
);

const NUMBER_PATTERN = /^(-?)([$€£¥]?)(\d[\d,]*(?:\.\d+)?)(k|m|bn)?(%?)$/i;
const SCALE_FACTORS: Record<string, number> = { k: 1e3, m: 1e6, bn: 1e9 };

const parseNumber = (text: string): { value: number; unit?: string } | null => {
  const match = NUMBER_PATTERN.exec(text.replace(/,+$/, ''));
  if (!match) return null;
  const [, sign, currency, digits, scale, percent] = match;
  if (digits!.includes(',') && !/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(digits!)) return null;
  const value = Number(digits!.replaceAll(',', '')) * (scale ? SCALE_FACTORS[scale.toLowerCase()]! : 1);
  return { value: sign ? -value : value, unit: currency || percent || undefined };
};

export interface TokenizedQuestion {
  text: string;
  folded: string;
  tokens: QuestionToken[];
}

export const tokenizeQuestion = (question: string): TokenizedQuestion => {
  const text = normalizeText(question);
  const folded = foldText(text);
  const list: QuestionToken[] = [];
  let hyphenEnd = -1;
  for (const match of text.matchAll(TOKEN_PATTERN)) {
    const start = match.index;
    const quotedText = match[1]?.replaceAll('""', '"') ?? match[2];
    const piece = /^[-$€£¥\d]/.test(match[0]) ? match[0].replace(/,+$/, '') : match[0];
    const end = start + piece.length;
    const norm = folded.slice(start, end);
    const token = { text: piece, norm, stem: norm, start, end, capital: false };
    if (quotedText !== undefined) {
      const content = foldValue(quotedText);
      list.push({ ...token, kind: 'quoted', text: quotedText.trim(), norm: content, stem: content, capital: true });
      continue;
    }
    // The hyphen or underscore in "sub-categories", "top-5" and "manager_name" only joins words.
    if (/^[-_]$/.test(piece) && /\p{L}/u.test(text[start - 1] ?? '') && /[\p{L}\d]/u.test(text[start + 1] ?? '')) {
      hyphenEnd = end;
      continue;
    }
    const number = parseNumber(piece);
    if (number) list.push({ ...token, kind: 'number', ...number });
    else if (/^[\p{L}\p{M}\p{N}]/u.test(piece))
      list.push({
        ...token,
        kind: 'word',
        stem: findStem(norm),
        capital: /^\p{Lu}/u.test(piece),
        ...(hyphenEnd === start && { hyphenated: true }),
      });
    else list.push({ ...token, kind: 'punct' });
    if (end < start + match[0].length)
      list.push({ ...token, kind: 'punct', text: ',', norm: ',', stem: ',', start: end, end: end + 1 });
  }
  return { text, folded, tokens: joinNumberWords(joinCodeTokens(list, folded)) };
};

/** Joins "5A" into one token. Keeps "10km" as a number and a unit, and "2016Q1" as a year and a quarter. */
const joinCodeTokens = (tokens: QuestionToken[], folded: string): QuestionToken[] => {
  const joinedTokens: QuestionToken[] = [];
  for (const token of tokens) {
    const last = joinedTokens.at(-1);
    const isAdjacent = last?.kind === 'number' && token.kind === 'word' && last.end === token.start;
    if (!isAdjacent || last.unit || UNIT_WORDS.has(token.stem) || /^(?:[qh][1-4]|k|m|bn|s)$/.test(token.norm))
      joinedTokens.push(token);
    else {
      const norm = folded.slice(last.start, token.end);
      joinedTokens[joinedTokens.length - 1] = {
        ...token,
        text: `${last.text}${token.text}`,
        norm,
        stem: norm,
        start: last.start,
        capital: token.text !== token.norm,
      };
    }
  }
  return joinedTokens;
};

/** Joins "two hundred and fifty" into one number token. The word "one" alone remains a word. */
const joinNumberWords = (tokens: QuestionToken[]): QuestionToken[] => {
  const joinedTokens: QuestionToken[] = [];
  for (let index = 0; index < tokens.length; ) {
    const numberWord = readNumberWord(tokens, index);
    if (numberWord) {
      const last = tokens[index + numberWord.length - 1]!;
      const text = tokens
        .slice(index, index + numberWord.length)
        .map((token) => token.text)
        .join(' ');
      const first = tokens[index]!;
      joinedTokens.push({ ...first, kind: 'number', text, value: numberWord.value, unit: first.unit, end: last.end });
      index += numberWord.length;
    } else joinedTokens.push(tokens[index++]!);
  }
  return joinedTokens;
};
