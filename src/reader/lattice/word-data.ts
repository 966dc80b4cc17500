// Indexes the words of a language for lookup.
import { ENGLISH } from '../english/english.ts';
import { type Term, word } from '../meaning/terms.ts';
import type { Token } from '../words/token.ts';
import { fold } from '../words/tokens.ts';

export interface WordData {
  empty: ReadonlySet<string>;
  indefinite: ReadonlySet<string>;
  polite: ReadonlySet<string>;
  /** The word that is polite at any position. */
  please: string;
  pauses: ReadonlySet<string>;
  perfect: ReadonlySet<string>;
  counting: ReadonlySet<string>;
  naming: ReadonlySet<string>;
  light: readonly string[];
  phrases: ReadonlyMap<string, readonly { cat: string; term: Term }[]>;
  phraseWords: ReadonlySet<string>;
  /** The forms under which svc looks up the words of a span. */
  formsOf(span: readonly Token[]): readonly string[];
  isFunction(norm: string): boolean;
}

const buildWordData = (): WordData => {
  const toWordSet = (list: string): ReadonlySet<string> => new Set(fold(list).split(' '));
  const forms = (list: string): ReadonlySet<string> => new Set(list.split(' '));
  const phrases = new Map<string, { cat: string; term: Term }[]>();
  const addPhrases = (variants: string, cat: string, term: Term): void => {
    for (const phrase of variants.split('|')) phrases.set(phrase, [...(phrases.get(phrase) ?? []), { cat, term }]);
  };
  for (const { cat, value, features, said } of ENGLISH.classes) addPhrases(said, cat, word(value, features));
  for (const [index, { said }] of ENGLISH.rankedBy.entries()) addPhrases(said, 'ranking', word(String(index)));
  const active = new Set(ENGLISH.active.split('|'));
  const verbs = [ENGLISH.relating, ENGLISH.coming, ...ENGLISH.doing.map(({ said }) => said)];
  for (const verb of new Set(verbs.flatMap((variants) => variants.split('|'))))
    addPhrases(verb, 'link', word(fold(verb), [active.has(verb) ? 'active' : 'valued']));
  const [empty, polite] = [toWordSet(ENGLISH.empty), toWordSet(ENGLISH.polite)];
  return {
    empty,
    indefinite: toWordSet(ENGLISH.indefinite),
    polite,
    please: fold(ENGLISH.polite).split(' ')[0]!,
    pauses: toWordSet(ENGLISH.pauses),
    perfect: toWordSet(ENGLISH.perfect),
    counting: forms(ENGLISH.counting),
    naming: forms(ENGLISH.namedBy),
    light: [...forms(ENGLISH.light)],
    phrases,
    phraseWords: new Set([...phrases.keys()].flatMap((phrase) => phrase.split(' '))),
    formsOf: (span) => [span.map(({ norm }) => norm).join(' '), ...(span.length === 1 ? [span[0]!.stem] : [])],
    // "in" means Indiana only in capitals.
    isFunction: (norm) =>
      empty.has(norm) || polite.has(norm) || (phrases.get(norm) ?? []).some(({ cat }) => cat === 'prep'),
  };
};
export const WORD_DATA: WordData = buildWordData();
