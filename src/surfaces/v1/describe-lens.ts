// Describes a served lens for callers, without expressions, sources and policies.
import type { z } from 'zod';
import type { LensDetail, lensSummary } from '../../contract/lens.ts';
import type { getServedLens } from '../../domain/lenses/get-served-lens.ts';
import type { Lens, LensDataset, LensFact } from '../../lens/model/lens.ts';
import { FILLER_WORDS } from '../../reader/words/filler-words.ts';
import type { ResultOf } from '../http/operation.ts';

export const summarizeLens = ({
  lens,
  version,
  certified,
}: ResultOf<typeof getServedLens>): z.infer<typeof lensSummary> => ({
  name: lens.name,
  title: lens.title,
  description: lens.description,
  version,
  certified_count: certified.size,
  sample_questions: lens.sampleQuestions,
});

export function describeLens(liveLens: ResultOf<typeof getServedLens>, dataAsOf: string | null): LensDetail {
  const { lens } = liveLens;
  return {
    ...summarizeLens(liveLens),
    schema: {
      datasets: lens.datasets.map(describeDataset),
      relationships: lens.relationships.map(({ role, from, to }) => ({ name: role, from, to })),
      metrics: lens.metrics.map(({ name, description, synonyms, unit }) => ({ name, description, synonyms, unit })),
    },
    definitions: lens.definitions.map(({ term, meaning, synonyms, senses, metric }) => ({
      term,
      meaning,
      synonyms,
      senses: senses.map((sense) => ({
        key: sense.key,
        label: sense.label,
        meaning: sense.meaning,
        metric: sense.metric,
      })),
      metric,
    })),
    model: lens.model,
    max_rows_to_compose: lens.maxRowsToCompose,
    max_rows_to_return: lens.maxRowsToReturn,
    filler_words: [...FILLER_WORDS, ...(lens.fillerWords ?? [])],
    data_as_of: dataAsOf,
    facts: countFacts(lens),
  };
}

export function countFacts({ facts = [] }: Lens): LensDetail['facts'] {
  const countByOrigin = (origin: LensFact['origin']): number => facts.filter((fact) => fact.origin === origin).length;
  return {
    inferred: countByOrigin('inferred'),
    confirmed: countByOrigin('confirmed'),
    declared: countByOrigin('declared'),
  };
}

const describeDataset = (dataset: LensDataset): LensDetail['schema']['datasets'][number] => ({
  name: dataset.name,
  description: dataset.description,
  time_field: dataset.timeField,
  fields: dataset.fields.map((field) => ({
    name: field.name,
    datatype: field.datatype,
    description: field.description,
    synonyms: field.synonyms,
    unit: field.unit,
    masked: field.masked,
    has_values: !field.masked && (field.dictionary !== null || field.dictionaryFromWarehouse),
  })),
});
