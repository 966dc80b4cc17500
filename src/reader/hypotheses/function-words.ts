// Finds function words: words of the word classes, verbs and participles of events.

import { isTemporal } from '../../contract/warehouse.ts';
import { isParticiple } from '../english/inflection.ts';
import { PERFECT_AUXILIARIES, STOP_WORDS } from '../english/words.ts';
import { createWord, type Term } from '../meaning/terms.ts';
import { isDerivedFromVerb } from '../meaning/verbs.ts';
import { splitWords } from '../words/phrase-key.ts';
import type { QuestionToken } from '../words/token.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { findPhraseMeanings } from './phrase-meanings.ts';
import type { WordHypothesis } from './word-hypothesis.ts';

const MAX_PHRASE_WORDS = 4;

/** Returns true if the name of a date field in the lens derives from the verb. */
const hasDateForVerb = (verb: string, { lens }: Vocabulary): boolean =>
  lens.datasets.some(({ fields }) =>
    fields.some(
      ({ name, synonyms, datatype }) =>
        isTemporal(datatype) &&
        [name, ...synonyms].some((term) => splitWords(term).some((part) => isDerivedFromVerb(part, verb))),
    ),
  );

export const findFunctionWordHypotheses = (
  tokens: readonly QuestionToken[],
  start: number,
  vocabulary: Vocabulary,
): WordHypothesis[] => {
  const leaves: WordHypothesis[] = [];
  for (let to = start + 1; to <= Math.min(tokens.length, start + MAX_PHRASE_WORDS); to++) {
    const span = tokens.slice(start, to);
    if (span.some(({ kind }) => kind !== 'word' && kind !== 'punct')) break;
    const forms = new Set([span.map(({ norm }) => norm).join(' '), ...(span.length === 1 ? [span[0]!.stem] : [])]);
    const seenTerms = new Set<Term>();
    for (const form of forms)
      for (const { cat, term } of findPhraseMeanings(form))
        if (!seenTerms.has(term) && seenTerms.add(term)) leaves.push({ from: start, to, cat, term });
  }
  if (
    tokens[start]!.kind === 'word' &&
    isParticiple(tokens[start]!.norm) &&
    findPhraseMeanings(tokens[start]!.norm).length === 0 &&
    hasDateForVerb(tokens[start]!.norm, vocabulary)
  )
    leaves.push({ from: start, to: start + 1, cat: 'link', term: createWord(tokens[start]!.norm, ['valued']) });
  if (tokens[start]!.kind === 'word' && isParticiple(tokens[start]!.norm))
    leaves.push({ from: start, to: start + 1, cat: 'done', term: createWord(tokens[start]!.norm) });
  // Auxiliary verbs belong to the main verb. For example, "have published" and "has been written by" are one verb each.
  if (PERFECT_AUXILIARIES.has(tokens[start]!.norm)) {
    let next = start + 1;
    while (tokens[next] && STOP_WORDS.has(tokens[next]!.norm)) next++;
    for (const { cat, term } of findPhraseMeanings(tokens[next]?.norm ?? ''))
      if (cat === 'link') leaves.push({ from: start, to: next + 1, cat, term });
  }
  return leaves;
};
