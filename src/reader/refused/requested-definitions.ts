// Answers questions like "What is the TAC?" with the approved definitions of terms that have no metric.
import type { LensDefinition } from '../../lens/model/lens.ts';
import type { WordMeanings } from './word-meanings.ts';

const DEFINITION_WORDS = new Set(
  'mean means meaning meant define defined definition definitions defines stand stands'.split(' '),
);
/**
 * Other words that a question about a definition can contain. If a question contains any further word, such as "share
 * of TAC", svc doesn't answer it with a definition.
 */
const QUESTION_WORDS = new Set(
  'what which how is are was were do does did can could you we i me us please tell explain the a an of by for in to our your my its it this that term terms word words exactly'.split(
    ' ',
  ),
);

/** Returns no definitions if the question contains anything other than terms, or if a term has a metric. */
export const findRequestedDefinitions = ({ meanings }: WordMeanings): LensDefinition[] => {
  const definitionSet = new Set<LensDefinition>();
  for (const meaning of meanings) {
    if (meaning.is === 'name') {
      const definitions = meaning.terms.flatMap((term) => (term.kind === 'definition' ? [term.definition] : []));
      if (definitions.length === 0 || definitions.some(hasMetric)) return [];
      for (const definition of definitions) definitionSet.add(definition);
    } else if (!('norm' in meaning && (DEFINITION_WORDS.has(meaning.norm) || QUESTION_WORDS.has(meaning.norm))))
      return [];
  }
  return [...definitionSet];
};
const hasMetric = ({ metric, senses }: LensDefinition): boolean =>
  metric !== null || senses.some((sense) => sense.metric !== null);

/** Returns the approved definitions, each with its term or the name of its sense. */
export const listDefinitionTexts = (definitions: readonly LensDefinition[]): { name: string; text: string }[] =>
  definitions.flatMap(({ term, meaning, senses }) => [
    ...(meaning ? [{ name: term, text: meaning }] : []),
    ...senses.flatMap((sense) => (sense.meaning ? [{ name: `${term}, ${sense.label}`, text: sense.meaning }] : [])),
  ]);
