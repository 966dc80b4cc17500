// Indexes the words of a language for lookup.
import { ENGLISH } from '../english/english.ts';
import { createWord, type Term } from '../meaning/terms.ts';
import type { Token } from '../words/token.ts';
import { fold } from '../words/tokens.ts';

export interface WordData {
  empty: ReadonlySet<string>;
  indefiniteArticles: ReadonlySet<string>;
  polite: ReadonlySet<string>;
  /** The word that is polite at any position. */
  please: string;
  pauses: ReadonlySet<string>;
  perfectAuxiliaries: ReadonlySet<string>;
  countNouns: ReadonlySet<string>;
  nameNouns: ReadonlySet<string>;
  lightNouns: readonly string[];
  phrases: ReadonlyMap<string, readonly { cat: string; term: Term }[]>;
  phraseWords: ReadonlySet<string>;
  /** The forms under which svc looks up the words of a span. */
  formsOf(span: readonly Token[]): readonly string[];
  isFunctionWord(norm: string): boolean;
}

const buildWordData = (): WordData => {
  const toWordSet = (list: string): ReadonlySet<string> => new Set(fold(list).split(' '));
  const forms = (list: string): ReadonlySet<string> => new Set(list.split(' '));
  const phrases = new Map<string, { cat: string; term: Term }[]>();
  const addPhrases = (variants: string, cat: string, term: Term): void => {
    for (const phrase of variants.split('|')) phrases.set(phrase, [...(phrases.get(phrase) ?? []), { cat, term }]);
  };
  for (const { cat, value, features, said } of ENGLISH.wordClasses) addPhrases(said, cat, createWord(value, features));
  for (const [index, { said }] of ENGLISH.rankingAdjectives.entries())
    addPhrases(said, 'ranking', createWord(String(index)));
  const active = new Set(ENGLISH.restrictingVerbs.split('|'));
  const verbs = [ENGLISH.relatingVerbs, ENGLISH.creationVerbs, ...ENGLISH.linkingVerbs.map(({ said }) => said)];
  for (const verb of new Set(verbs.flatMap((variants) => variants.split('|'))))
    addPhrases(verb, 'link', createWord(fold(verb), [active.has(verb) ? 'active' : 'valued']));
  const [empty, polite] = [toWordSet(ENGLISH.emptyWords), toWordSet(ENGLISH.politeWords)];
  return {
    empty,
    indefiniteArticles: toWordSet(ENGLISH.indefiniteArticles),
    polite,
    please: fold(ENGLISH.politeWords).split(' ')[0]!,
    pauses: toWordSet(ENGLISH.pauseMarks),
    perfectAuxiliaries: toWordSet(ENGLISH.perfectAuxiliaries),
    countNouns: forms(ENGLISH.countNouns),
    nameNouns: forms(ENGLISH.nameNouns),
    lightNouns: [...forms(ENGLISH.lightNouns)],
    phrases,
    phraseWords: new Set([...phrases.keys()].flatMap((phrase) => phrase.split(' '))),
    formsOf: (span) => [span.map(({ norm }) => norm).join(' '), ...(span.length === 1 ? [span[0]!.stem] : [])],
    // The word "in" means Indiana only in capitals.
    isFunctionWord: (norm) =>
      empty.has(norm) || polite.has(norm) || (phrases.get(norm) ?? []).some(({ cat }) => cat === 'prep'),
  };
};
export const ENGLISH_WORD_DATA: WordData = buildWordData();
