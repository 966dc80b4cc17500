// Answers questions like "What is the TAC?" with the approved texts of terms that have no metric.
import type { LensDefinition } from '../../lens/model/lens.ts';
import { isGrammarWord } from '../words/grammar-words.ts';
import type { WordMeanings } from './word-meanings.ts';

const DEFINITION_WORDS = new Set(
  'mean means meaning meant define defined definition definitions defines stand stands'.split(' '),
);

/** Empty if the question contains anything other than terms, or if a term has a metric. */
export const requestedDefinitions = ({ meanings }: WordMeanings): LensDefinition[] => {
  const definitionSet = new Set<LensDefinition>();
  for (const meaning of meanings) {
    if (meaning.is === 'name') {
      const definitions = meaning.terms.flatMap((term) => (term.kind === 'definition' ? [term.definition] : []));
      if (definitions.length === 0 || definitions.some(isMeasured)) return [];
      for (const definition of definitions) definitionSet.add(definition);
    } else if (!(meaning.is === 'grammar' || (meaning.is === 'unknown' && DEFINITION_WORDS.has(meaning.norm))))
      return [];
    else if (!DEFINITION_WORDS.has(meaning.norm) && !isGrammarWord(meaning.norm)) return [];
  }
  return [...definitionSet];
};
const isMeasured = ({ metric, senses }: LensDefinition): boolean =>
  metric !== null || senses.some((sense) => sense.metric !== null);

/** The approved texts of definitions, each under the term or the name of a sense. */
export const textsOf = (definitions: readonly LensDefinition[]): { name: string; text: string }[] =>
  definitions.flatMap(({ term, meaning, senses }) => [
    ...(meaning ? [{ name: term, text: meaning }] : []),
    ...senses.flatMap((sense) => (sense.meaning ? [{ name: `${term}, ${sense.label}`, text: sense.meaning }] : [])),
  ]);
