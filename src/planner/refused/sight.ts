// What each word of a question names by itself, whatever the sentence makes of it: for questions that have no reading.

import type { Grain } from '../../lens/model/lens.ts';
import { cursorOver } from '../grammar/cursor.ts';
import type { PlannerInput, WordUse } from '../reading.ts';
import { isGrammar } from '../words/grammar-words.ts';
import { verbSenses } from '../words/lexicon.ts';
import { type TimeMention, unitOf } from '../words/time-expressions.ts';
import { tokenise } from '../words/tokens.ts';
import { type Term, type ValueEntry, vocabularyOf } from '../words/vocabulary.ts';

export type Sighted = {
  text: string;
  /** Where it stands in the tidied question. */
  from: number;
  to: number;
} & (
  | { is: 'name'; terms: Term[] }
  | { is: 'value'; entries: ValueEntry[] }
  | { is: 'time'; mention: TimeMention }
  | { is: 'grain'; grain: Grain }
  | { is: 'number'; value: number }
  | { is: 'grammar'; norm: string }
  | { is: 'unknown'; norm: string; quoted: boolean }
);

export interface Sight {
  /** The question, tidied. */
  text: string;
  seen: Sighted[];
}

/** `unread`: the words that no rule took; `read`: those that one did, and for what. */
export const sightOf = (
  { question, lens, now }: PlannerInput,
  unread: readonly string[],
  read: readonly WordUse[],
): Sight => {
  const tokens = tokenise(question);
  const vocabulary = vocabularyOf(lens);
  const c = cursorOver(tokens, vocabulary, { now, timezone: lens.timezone }, {});
  const refused = new Set(unread.flatMap((text) => tokenise(text).list.map(({ norm }) => norm)));
  const taken = new Set(
    read.flatMap(({ text, as }) => (as === 'value' ? [] : tokenise(text).list.map(({ norm }) => norm))),
  );
  const seen: Sighted[] = [];
  while (!c.done()) {
    const token = c.token()!;
    const time = c.time();
    const small = isGrammar(token.norm) && token.text === token.norm;
    const value = c.values().find((match) => match.length > 1 || !small);
    const phrase = c.phrase();
    const found = Math.max(time?.length ?? 0, value?.length ?? 0, phrase?.length ?? 0);
    const code = c.code();
    const whole = code?.from === c.at ? code.to + 1 - c.at : 0;
    const length = Math.max(found, whole, 1);
    const text = c.rawText(c.at, length);
    const placed = { text, from: token.start, to: tokens.list[c.at + length - 1]!.end };
    if (whole > found) seen.push({ ...placed, is: 'unknown', norm: text.toLowerCase(), quoted: true });
    else if (time?.length === length && !time.fault) seen.push({ ...placed, is: 'time', mention: time });
    else if (phrase?.length === length && !onlyGrammar(token.norm, phrase.terms, length))
      seen.push({ ...placed, is: 'name', terms: phrase.terms });
    else if (value?.length === length) seen.push({ ...placed, is: 'value', entries: value.entries });
    else if (token.kind === 'number') seen.push({ ...placed, is: 'number', value: token.value! });
    else if (unitOf(token.stem)) seen.push({ ...placed, is: 'grain', grain: unitOf(token.stem)! });
    else if (token.kind === 'quoted') seen.push({ ...placed, is: 'unknown', norm: token.norm, quoted: true });
    else if (token.kind === 'word') {
      const { norm } = token;
      const verb = verbSenses(norm) !== undefined && !refused.has(norm);
      if (isGrammar(norm) || verb || taken.has(norm)) seen.push({ ...placed, is: 'grammar', norm });
      else seen.push({ ...placed, is: 'unknown', norm, quoted: false });
    }
    c.at += length;
  }
  return { text: tokens.text, seen };
};

/** The last word of a longer name alone, "time" of days_to_time, names nothing where it has a use of its own. */
const onlyGrammar = (norm: string, terms: readonly Term[], length: number): boolean =>
  length === 1 && isGrammar(norm) && terms.every((term) => term.kind === 'field' && term.loose === 2);
