// What the grammar needs from a language: data in one folder, and functions for inflection. The lattice, the
// chart, the meaning and the decision know no words.
import type { Tokens } from '../words/tokens.ts';
import type { Entry } from './entry.ts';

export interface WordClass {
  cat: string;
  value: string;
  features?: readonly string[];
  /** Forms and phrases, separated by |. */
  said: string;
}
export interface Inflection {
  /** A common form for all forms of a word. It only needs to be consistent. */
  stem(word: string): string;
  number(word: string): 'one' | 'many';
  /** An event that happened to a thing. */
  isParticiple(word: string): boolean;
  verbRoot(word: string): string;
  /** True if a name derives from the verb's root. */
  derives(name: string, root: string): boolean;
  /** The synonym of a verb for beginning or ending. */
  twin(word: string): string | null;
  /** Plural endings of values, in the question or as stored. */
  endings: readonly string[];
}
export interface Language {
  id: string;
  inflection: Inflection;
  tokens(question: string): Tokens;
  constructions: readonly Entry[];
  classes: readonly WordClass[];
  /** Words that can occur anywhere without changing the meaning. None of them restricts, negates or compares. */
  empty: string;
  /** Polite words at the start of a question. The first is polite anywhere. */
  polite: string;
  /** Words that completion prefers. */
  leading: string;
  /** Marks that can occur anywhere. */
  pauses: string;
  /** First words of a yes/no question. */
  yesOrNo: string;
  /** Auxiliaries before a participle. */
  perfect: string;
  /** Possession: "email of customers". */
  of: string;
  /** Words before a period. */
  from: string;
  who: string;
  /** Adjectives that rank by a field, and words in such a field's name. `sums`: fields that are summed for it. */
  rankedBy: readonly { said: string; direction: 'asc' | 'desc'; names: string; sums?: string }[];
  /** What "best" refers to. */
  gain: string;
  relating: string;
  doing: readonly { said: string; needs: string }[];
  active: string;
  coming: string;
  counting: string;
  countedAs: string;
  light: string;
  namedBy: string;
  buying: string;
  buyers: string;
  /** Suffixes that make adjectives from names of states and places. */
  adjectival: string;
  /** Verbs for the two sides of one event. */
  sameEvent: string;
  /** Things that are amounts: their total isn't a number of rows. */
  amounts: string;
  /** Names of integers that identify kinds: "grade 5". */
  telling: string;
  /** Words that can describe anything; next to a thing they describe it. */
  states: string;
  /** Roles of a place, by the preceding word. */
  parts: Readonly<Record<string, string>>;
  /** Names of integers that are years. */
  year: string;
  /** Names of rows that are parts of others: order lines, invoice items. */
  partsOfWhole: string;
}
