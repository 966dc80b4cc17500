// Splits a question into words, numbers, quoted strings and punctuation with their positions. Folding keeps
// the length, so positions in the folded text also apply to the question.
import { stem } from '../english/inflection.ts';
import { numberWordAt } from '../english/number-words.ts';
import { UNIT_WORDS } from './lexicon.ts';
import type { Token } from './token.ts';

const foldChar = (char: string): string => {
  const bare = char.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  if (bare.length === char.length) return bare;
  const lower = char.toLowerCase();
  return lower.length === char.length ? lower : char;
};
/** Lowercase without accents, with the same length. */
export const fold = (text: string): string => {
  let folded = '';
  for (const char of text) folded += char < '\u0080' ? char.toLowerCase() : foldChar(char);
  return folded;
};
/** For comparing values and questions: single spaces, one kind of quotation mark, no control characters. */
export const tidy = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[\u2018\u2019\u02bc\u00b4`]/g, "'")
    .replace(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"')
    .replace(/[\s\u200b\ufeff]+/g, ' ')
    .trim();
export const foldValue = (text: string): string => fold(tidy(text));

/** How a language writes numbers. */
interface Written {
  thousands: string;
  decimal: string;
}
/** Runs in linear time: an address is searched for once per sequence of its characters, and quotations end. */
const pieceOf = ({ thousands: t, decimal: d }: Written): RegExp => {
  const amount = String.raw`\d[\d${t}]*(?:[${d}]\d+)?(?:k\b|m\b|bn\b)?`;
  return new RegExp(
    String.raw`"([^"]+)"|(?<=^|[\s(,])'((?:[^']|'(?=\w)){1,300})'(?=$|[\s),.?!;:])|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\d{4}-\d{2}(?:-\d{2})?(?![\d-])|(?<=^|\s)-?[$€£¥]?${amount}%?|[$€£¥]${amount}|\d+(?:st|nd|rd|th)\b|\d+(?:[${d}]\d+)?%?|[\p{L}\p{M}\p{N}]+(?:'(?!s\b)\p{L}+)*|'s\b|[^\s]`,
    'gu',
  );
};

const NUMBER = /^(-?)([$€£¥]?)(\d[\d,]*(?:\.\d+)?)(k|m|bn)?(%?)$/i;
const SCALE: Record<string, number> = { k: 1e3, m: 1e6, bn: 1e9 };

const numberToken = (text: string, { thousands, decimal }: Written): { value: number; unit?: string } | null => {
  const plain = thousands === ',' ? text : text.replace(/[.,]/g, (one) => (one === decimal ? '.' : ','));
  const match = NUMBER.exec(plain.replace(/,+$/, ''));
  if (!match) return null;
  const [, sign, currency, digits, scale, percent] = match;
  if (digits!.includes(',') && !/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(digits!)) return null;
  const value = Number(digits!.replaceAll(',', '')) * (scale ? SCALE[scale.toLowerCase()]! : 1);
  return { value: sign ? -value : value, unit: currency || percent || undefined };
};

export interface Tokens {
  text: string;
  folded: string;
  list: Token[];
}

/** The tokens of a question, before a language joins words. */
export const piecesIn = (written: Written, stemOf: (word: string) => string): ((question: string) => Tokens) => {
  const pattern = pieceOf(written);
  const trailing = new RegExp(`[${written.thousands}]+$`);
  return (question) => {
    const text = tidy(question);
    const folded = fold(text);
    const list: Token[] = [];
    for (const match of text.matchAll(pattern)) {
      let piece = match[0];
      const start = match.index;
      const quoted = match[1] ?? match[2];
      if (/^[-$€£¥\d]/.test(piece)) piece = piece.replace(trailing, '');
      const end = start + piece.length;
      const norm = folded.slice(start, end);
      if (quoted !== undefined) {
        const content = foldValue(quoted);
        list.push({ kind: 'quoted', text: quoted.trim(), norm: content, stem: content, start, end, capital: true });
        continue;
      }
      // "sub-categories", "top-5", "manager_name": the connector has no meaning.
      if (/^[-_]$/.test(piece) && /\p{L}/u.test(text[start - 1] ?? '') && /[\p{L}\d]/u.test(text[start + 1] ?? ''))
        continue;
      const number = numberToken(piece, written);
      if (number) {
        list.push({ kind: 'number', text: piece, norm, stem: norm, ...number, start, end, capital: false });
      } else if (/^[\p{L}\p{M}\p{N}]/u.test(piece)) {
        list.push({ kind: 'word', text: piece, norm, stem: stemOf(norm), start, end, capital: /^\p{Lu}/u.test(piece) });
      } else {
        list.push({ kind: 'punct', text: piece, norm, stem: norm, start, end, capital: false });
      }
      if (end < start + match[0].length) {
        const mark = written.thousands;
        list.push({ kind: 'punct', text: mark, norm: mark, stem: mark, start: end, end: end + 1, capital: false });
      }
    }
    return { text, folded, list };
  };
};
const englishPieces = piecesIn({ thousands: ',', decimal: '.' }, stem);

export const tokenise = (question: string): Tokens => {
  const { text, folded, list } = englishPieces(question);
  return { text, folded, list: joinNumberWords(joinCodes(list, folded)) };
};

const UNITS = new Set(Object.values(UNIT_WORDS).flat());
/** "5A" is a name; "10km" is a number with a unit, "2016Q1" a year and a quarter. */
const joinCodes = (tokens: Token[], folded: string): Token[] => {
  const joined: Token[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    const glued = last?.kind === 'number' && token.kind === 'word' && last.end === token.start;
    if (!glued || last.unit || UNITS.has(token.stem) || /^(?:[qh][1-4]|k|m|bn|s)$/.test(token.norm)) joined.push(token);
    else {
      const norm = folded.slice(last.start, token.end);
      joined[joined.length - 1] = {
        ...token,
        text: `${last.text}${token.text}`,
        norm,
        stem: norm,
        start: last.start,
        capital: token.text !== token.norm,
      };
    }
  }
  return joined;
};

/** "two hundred and fifty" becomes one number token; "one" alone stays a word. */
const joinNumberWords = (tokens: Token[]): Token[] => {
  const joined: Token[] = [];
  for (let at = 0; at < tokens.length; ) {
    const found = numberWordAt(tokens, at);
    if (found) {
      const last = tokens[at + found.length - 1]!;
      const text = tokens
        .slice(at, at + found.length)
        .map((token) => token.text)
        .join(' ');
      const first = tokens[at]!;
      joined.push({ ...first, kind: 'number', text, value: found.value, unit: first.unit, end: last.end });
      at += found.length;
    } else joined.push(tokens[at++]!);
  }
  return joined;
};
