// Finds names in the lens for the operators of constructions: metrics, fields that contain counts, and dates of events.

import { derivesFromRoot, findStem, toVerbRoot } from '../english/inflection.ts';
import { AMOUNT_NOUNS, LINKING_VERBS, MEASURES_FOR_BEST, RANKING_ADJECTIVES } from '../english/words.ts';
import { findMeaningsOfPhrases } from '../hypotheses/names.ts';
import { createCountMeasure, type NameLookup } from '../meaning/operators/building.ts';
import { createEntities, createField, createMeasure, type MeasureTerm } from '../meaning/terms.ts';
import { findDistinctCountMetric } from '../words/governed-metrics.ts';
import { splitWords } from '../words/phrase-key.ts';
import type { Vocabulary } from '../words/vocabulary.ts';

export const createNameLookup = (vocabulary: Vocabulary): NameLookup => {
  const metric = (phrase: string): MeasureTerm | null => {
    const metrics = findMetricsByName(phrase, vocabulary);
    return metrics.length === 1 ? createMeasure({ is: 'metric', metrics, predicates: [] }, ['metric']) : null;
  };
  return {
    metric,
    gainMeasureOf: (phrase) => {
      const metrics = findMetricsByName(MEASURES_FOR_BEST, vocabulary);
      return metrics.length > 0
        ? createMeasure({ is: 'metric', metrics, said: phrase, predicates: [] }, ['metric'])
        : null;
    },
    isAmount: (phrase) => splitWords(vocabulary.key(phrase)).some((word) => AMOUNT_NOUNS.has(word)),
    parts: vocabulary.lens.relationships.some(({ role, to }) => role !== to.dataset),
    entitiesOfVerb: (verb) => {
      const root = toVerbRoot(verb);
      const events = vocabulary.lens.datasets.filter(({ name, synonyms }) =>
        [name, ...synonyms].some(
          (item) => splitWords(item).length === 1 && derivesFromRoot(findStem(splitWords(item)[0]!), root),
        ),
      );
      return events.length > 0
        ? createEntities(
            verb,
            events.map(({ name }) => ({ dataset: name })),
            [],
            ['many', 'rows'],
          )
        : null;
    },
    eventCountOf: (verb) => {
      const datasetsNamed = (matches: (name: string) => boolean) =>
        vocabulary.lens.datasets.flatMap(({ name, synonyms }) => {
          const label = [name, ...synonyms].find((item) => matches(vocabulary.key(item)));
          return label === undefined ? [] : [{ name, label }];
        });
      // The verb counts its events and not their parts. For example, a customer who ordered five times has five orders,
      // regardless of how many lines the orders have.
      const derivedMatches = datasetsNamed((name) => derivesFromRoot(name, toVerbRoot(verb)));
      const [first, second] =
        derivedMatches.length > 0
          ? derivedMatches
          : datasetsNamed((name) => LINKING_VERBS.get(verb)?.needs.has(name) ?? false);
      if (!first || second) return null;
      const distinctMetric =
        derivedMatches.length > 0 ? findDistinctCountMetric(vocabulary, first.name, first.label) : null;
      return distinctMetric
        ? createMeasure({ is: 'metric', metrics: [distinctMetric], predicates: [] }, ['metric'])
        : createCountMeasure(createEntities('', [{ dataset: first.name }]));
    },
    rankingAt: (index) => {
      const { names, direction, isTotal } = RANKING_ADJECTIVES[index]!;
      const options = findMeaningsOfPhrases(names, vocabulary).flatMap((term) =>
        term.kind === 'field'
          ? [{ dataset: term.dataset, role: term.role, fields: [term.field], loose: term.loose }]
          : [],
      );
      const metricMeasure = options.length === 0 || isTotal ? metric(names) : null;
      if (metricMeasure) return { by: metricMeasure, direction };
      return options.length > 0 ? { by: createField(names, options, ['number', 'own']), direction } : null;
    },
  };
};

const findMetricsByName = (phrase: string, vocabulary: Vocabulary) => [
  ...new Set(
    findMeaningsOfPhrases(phrase, vocabulary).flatMap((term) => (term.kind === 'metric' ? [term.metric] : [])),
  ),
];
