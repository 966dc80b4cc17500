// Every hypothesis of what the words of a question may be: names, values, periods, numbers, words of the language. Chooses
// nothing; what no word of it explains stays without an edge.
import type { Token } from '../words/token.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { apart } from './compounds.ts';
import { functionsAt } from './functions.ts';
import type { Leaf } from './leaf.ts';
import { mend } from './mend.ts';
import { namesAt } from './names.ts';
import { inCalendar, numbersAt } from './numbers.ts';
import { valuesAt } from './values.ts';
import { wordDataOf } from './word-data.ts';

export interface Lattice {
  tokens: readonly Token[];
  forms: ReadonlySet<string>[];
  empty: boolean[];
  leaves: Leaf[];
  /** Misspelled words, by what they were read as. */
  mended: { text: string; as: string }[];
}

export interface Around {
  /** Words of the constructions. */
  known: ReadonlySet<string>;
  /** In any language: "us" and "in" are no values in lower case, whichever language reads them. */
  isFunction(norm: string): boolean;
}

export function latticeOf(
  question: string,
  vocabulary: Vocabulary,
  context: { now: Date; timezone: string },
  { known, isFunction }: Around,
): Lattice {
  const { language } = vocabulary;
  const { list, folded } = language.tokens(question);
  const mended: Lattice['mended'] = [];
  const tokens = apart(list, vocabulary).map((token) => mend(token, vocabulary, known, mended));
  const periods = { calendar: inCalendar(tokens, language), context };
  const leaves: Leaf[] = [];
  for (const at of tokens.keys()) {
    leaves.push(
      ...functionsAt(tokens, at, vocabulary),
      ...namesAt(tokens, at, vocabulary),
      ...valuesAt(tokens, at, folded, vocabulary, isFunction),
      ...numbersAt(tokens, at, language, periods),
    );
  }
  return {
    tokens,
    forms: tokens.map(
      ({ kind, norm, stem: root }) => new Set(kind === 'quoted' || kind === 'number' ? [] : [norm, root]),
    ),
    empty: emptyOf(tokens, leaves, vocabulary),
    leaves,
    mended,
  };
}

/** A word that a value is called by is no empty one. */
const emptyOf = (tokens: readonly Token[], leaves: readonly Leaf[], { language }: Vocabulary): boolean[] => {
  const { polite, empty, pauses, please } = wordDataOf(language);
  const opening = tokens.findIndex(({ norm }) => !(polite.has(norm) || empty.has(norm) || pauses.has(norm)));
  return tokens.map(({ kind, norm }, at) => {
    if (leaves.some(({ cat, from, to }) => (cat === 'value' || cat === 'unclear') && from === at && to === at + 1))
      return false;
    return kind === 'word'
      ? empty.has(norm) || (polite.has(norm) && (at < opening || norm === please))
      : pauses.has(norm);
  });
};
