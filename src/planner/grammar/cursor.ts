// The reading head: where we are in the question, what the lens calls the words there, and what each word was taken for.

import { DateTime } from 'luxon';
import type { WordUse } from '../reading.ts';
import { type TimeContext, type TimeMention, timeAt } from '../words/time-expressions.ts';
import type { Token } from '../words/token.ts';
import type { Tokens } from '../words/tokens.ts';
import { firstRun, type Term, type ValueEntry, type Vocabulary } from '../words/vocabulary.ts';
import { type Code, codesIn } from '../words/written-code.ts';
import { type Clause, type Draft, emptyDraft } from './draft.ts';

export interface Phrase {
  length: number;
  terms: Term[];
}
export interface ValueMatch {
  length: number;
  entries: ValueEntry[];
}

export interface Cursor {
  /** Grows when a follow-up is joined to the question before it. */
  tokens: readonly Token[];
  readonly vocabulary: Vocabulary;
  draft: Draft;
  readonly uses: WordUse[];
  readonly unread: string[];
  /** Earlier questions that were joined to this one. */
  readonly carried: string[];
  readonly choices: Record<string, string>;
  /** The day in the timezone of the lens. */
  readonly today: string;
  /** Limits of the question before it that this one may have meant, and does not name. */
  leftOut?: string | null;
  /** What was taken although nobody said it. */
  doubt?: string;
  at: number;
  clause: Clause;
  done(): boolean;
  token(offset?: number): Token | undefined;
  norm(offset?: number): string;
  /** Length in tokens of the match at the head; 0: none. The pattern is tried on normalised words joined by blanks;
   *  a number is `#`, a quoted string `§`. */
  match(pattern: RegExp, offset?: number): number;
  /** Moves on over a match and notes what it was taken for. */
  take(pattern: RegExp, as: string): boolean;
  accept(length: number, as: string, name?: string): string;
  phrase(offset?: number): Phrase | null;
  /** Stored values and their declared synonyms at the head, longest first. */
  values(offset?: number): ValueMatch[];
  time(offset?: number): TimeMention | null;
  /** The written code ("SKU-0009") that the token there is a part of, as places among the tokens. */
  code(offset?: number): Code | null;
  textOf(from: number, length: number): string;
  /** The question's own text between two tokens, white space tidied. */
  rawText(from: number, length: number): string;
  /** The lens has a name for the words there. */
  phraseIsName(offset: number): boolean;
  newClause(negated: boolean): Clause;
}

const compiled = new WeakMap<RegExp, RegExp>();
const stickyOf = (pattern: RegExp): RegExp => {
  const known = compiled.get(pattern) ?? new RegExp(`(?:${pattern.source})(?= |$)`, 'y');
  compiled.set(pattern, known);
  return known;
};

export const cursorOver = (
  { list: tokens, folded, text }: Tokens,
  vocabulary: Vocabulary,
  timeContext: TimeContext,
  choices: Record<string, string>,
): Cursor => {
  const shapes = tokens.map((token) =>
    token.kind === 'number' ? '#' : token.kind === 'quoted' ? '§' : token.norm.replaceAll(' ', '_'),
  );
  const starts: number[] = [];
  let length = 0;
  for (const shape of shapes) {
    starts.push(length);
    length += shape.length + 1;
  }
  const joined = shapes.join(' ');
  const draft = emptyDraft();
  const phrases = new Map<number, Phrase | null>();
  const values = new Map<number, ValueMatch[]>();
  const times = new Map<number, TimeMention | null>();
  const codes = codesIn(tokens, folded);
  const memo = <T>(map: Map<number, T>, key: number, make: () => T): T => {
    if (!map.has(key)) map.set(key, make());
    return map.get(key)!;
  };

  /** The last word begins a longer name: "number of order | lines" is not the number of orders. */
  const overlapped = (at: number, length: number): boolean => {
    const last = at + length - 1;
    const next = tokens[last + 1];
    return next?.kind === 'word' && vocabulary.phrases.has(`${tokens[last]!.stem} ${next.stem}`);
  };
  /** A part of a code that is stored as a whole is no word of its own: the "SKU" of SKU-0009. */
  const partOfStored = (at: number, last: number): boolean => {
    const code = codes[last];
    if (!code || (at <= code.from && last === code.to)) return false;
    const whole = folded.slice(tokens[code.from]!.start, tokens[code.to]!.end);
    return (vocabulary.values.get(firstRun(whole)) ?? []).some((entry) => entry.folded === whole);
  };
  const phraseAt = (at: number): Phrase | null => {
    for (let length = Math.min(vocabulary.longest, tokens.length - at); length > 0; length--) {
      let key = '';
      let usable = true;
      for (let index = at; index < at + length && usable; index++) {
        usable = tokens[index]!.kind === 'word' || tokens[index]!.kind === 'number';
        key += key ? ` ${tokens[index]!.stem}` : tokens[index]!.stem;
      }
      const terms = usable ? vocabulary.phrases.get(key) : undefined;
      if (terms && !(length > 1 && overlapped(at, length)) && !partOfStored(at, at + length - 1))
        return { length, terms };
    }
    return null;
  };
  const valuesAt = (at: number): ValueMatch[] => {
    const token = tokens[at];
    if (!token || token.kind === 'punct') return [];
    if (token.kind === 'quoted') {
      const run = /[\p{L}\p{N}]+/u.exec(token.norm)?.[0] ?? '';
      const entries = (vocabulary.values.get(run) ?? []).filter((entry) => entry.folded === token.norm);
      return entries.length > 0 ? [{ length: 1, entries }] : [];
    }
    const run = /[\p{L}\p{N}]+/u.exec(folded.slice(token.start))?.[0] ?? '';
    const found = new Map<number, ValueEntry[]>();
    // "cats", where the value is cat and nothing of the lens is called cats.
    const one = run.endsWith('s') && !phraseAt(at) ? run.slice(0, -1) : null;
    const single = one ? (vocabulary.values.get(one) ?? []).filter((entry) => entry.folded === one) : [];
    for (const entry of [...(vocabulary.values.get(run) ?? []), ...single]) {
      const skipped = Math.max(0, entry.folded.indexOf(run));
      const from = token.start - skipped;
      if (from < 0 || !folded.startsWith(entry.folded, from)) continue;
      // "Cardiologists", where the value is Cardiologist.
      const plural =
        /[a-z]{2}[^s\W\d]$/.test(entry.folded) && /^s(?![\p{L}\p{N}])/u.test(folded.slice(from + entry.folded.length));
      const end = from + entry.folded.length + (plural ? 1 : 0);
      let last = at;
      while (last < tokens.length && tokens[last]!.end < end) last++;
      const inside = tokens[last];
      if (!inside || (inside.end !== end && !(inside.kind === 'word' && inside.start >= end))) continue;
      if (/[\p{L}\p{N}]/u.test(folded[end] ?? '') && /[\p{L}\p{N}]$/u.test(entry.folded)) continue;
      const length = last - at + 1;
      found.set(length, [...(found.get(length) ?? []), entry]);
    }
    return [...found].map(([length, entries]) => ({ length, entries })).sort((one, other) => other.length - one.length);
  };

  const cursor: Cursor = {
    tokens,
    vocabulary,
    draft,
    uses: [],
    unread: [],
    carried: [],
    choices,
    today: DateTime.fromJSDate(timeContext.now, { zone: timeContext.timezone }).toISODate()!,
    at: 0,
    clause: draft.clauses[0]!,
    done: () => cursor.at >= tokens.length,
    token: (offset = 0) => tokens[cursor.at + offset],
    norm: (offset = 0) => tokens[cursor.at + offset]?.norm ?? '',
    match(pattern, offset = 0) {
      const start = starts[cursor.at + offset];
      if (start === undefined) return 0;
      const sticky = stickyOf(pattern);
      sticky.lastIndex = start;
      const found = sticky.exec(joined)?.[0].trim();
      return found ? found.split(' ').length : 0;
    },
    take(pattern, as) {
      const length = cursor.match(pattern);
      if (length > 0) cursor.accept(length, as);
      return length > 0;
    },
    accept(length, as, name) {
      const text = cursor.textOf(cursor.at, length);
      cursor.uses.push(name === undefined ? { text, as } : { text, as, name });
      cursor.at += length;
      return text;
    },
    phrase: (offset = 0) => memo(phrases, cursor.at + offset, () => phraseAt(cursor.at + offset)),
    values: (offset = 0) => memo(values, cursor.at + offset, () => valuesAt(cursor.at + offset)),
    time: (offset = 0) => memo(times, cursor.at + offset, () => timeAt(tokens, cursor.at + offset, timeContext)),
    code: (offset = 0) => codes[cursor.at + offset] ?? null,
    textOf: (from, length) =>
      tokens
        .slice(from, from + length)
        .map((token) => token.text)
        .join(' ')
        .replace(/ ('s|,)/g, '$1'),
    rawText: (from, length) => text.slice(tokens[from]!.start, tokens[from + length - 1]!.end),
    phraseIsName: (offset) => cursor.phrase(offset) !== null && cursor.values(offset).length === 0,
    newClause(negated) {
      const clause: Clause = { id: draft.clauses.length, negated };
      draft.clauses.push(clause);
      cursor.clause = clause;
      return clause;
    },
  };
  return cursor;
};
