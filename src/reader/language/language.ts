// What the grammar must know of a language: data of one folder, and how its words are inflected. Nothing else in the
// lattice, the chart, the meaning and the decision knows a word of any language.
import type { Tokens } from '../words/tokens.ts';
import type { Entry } from './entry.ts';

export interface WordClass {
  cat: string;
  value: string;
  features?: readonly string[];
  /** Forms and phrases, with | between them. */
  said: string;
}
export interface Inflection {
  /** One form for all forms of a word; it need only be consistent. */
  stem(word: string): string;
  number(word: string): 'one' | 'many';
  /** What happened to a thing. */
  isParticiple(word: string): boolean;
  verbRoot(word: string): string;
  /** A name is made of the verb's root. */
  derives(name: string, root: string): boolean;
  /** The verb that says the same of what begins or ends. */
  twin(word: string): string | null;
  /** What a value may end in that is one of several, in the question or where it is stored. */
  endings: readonly string[];
}
export interface Language {
  id: string;
  inflection: Inflection;
  tokens(question: string): Tokens;
  constructions: readonly Entry[];
  classes: readonly WordClass[];
  /** Words that may stand anywhere and change nothing. None of them restricts, negates or compares. */
  empty: string;
  /** Words that are polite in front of a question; the first of them is so anywhere. */
  polite: string;
  /** Words of constructions that are offered first. */
  leading: string;
  /** Marks that may stand anywhere. */
  pauses: string;
  /** What a question that wants yes or no begins with. */
  yesOrNo: string;
  /** What a verb of the past stands behind. */
  perfect: string;
  /** What belongs to what: "email of customers". */
  of: string;
  /** What a period begins with, or is told of by. */
  from: string;
  who: string;
  /** Adjectives that rank by a field, and the words of such a field's name. `sums`: fields that are added up for it. */
  rankedBy: readonly { said: string; direction: 'asc' | 'desc'; names: string; sums?: string }[];
  /** What the best of anything is by. */
  gain: string;
  /** What a thing is worth: an order, a customer. */
  worth: string;
  relating: string;
  doing: readonly { said: string; needs: string }[];
  active: string;
  coming: string;
  counting: string;
  countedAs: string;
  light: string;
  namedBy: string;
  unended: string;
  ending: string;
  overdue: string;
  due: string;
  doneBy: string;
  buying: string;
  buyers: string;
  rate: string;
  /** The syllable in front of a participle that says it has not happened. */
  undone: string;
  /** What makes an adjective of the name of a state or a place. */
  adjectival: string;
  /** Verbs of one event, seen from its two sides. */
  sameEvent: string;
  /** Things that are amounts: what they come to is no number of rows. */
  amounts: string;
  /** What whole numbers are called that tell things apart: "grade 5". */
  telling: string;
  /** Words that may describe anything: beside a thing they describe that. */
  states: string;
  /** Parts that a place plays, by the word that leads to it. */
  parts: Readonly<Record<string, string>>;
  /** How old somebody is. */
  age: string;
  /** What a whole number is called that is a year. */
  year: string;
  /** What rows are called that are parts of others: order lines, invoice items. */
  partsOfWhole: string;
}
