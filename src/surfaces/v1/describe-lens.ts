import { type LensDetail, lensSummarySchema, listedCertifiedEntrySchema } from '../../contract/lens.ts';
import type { getLiveLens } from '../../domain/lenses/get-live-lens.ts';
import type { CertifiedEntry, Lens, LensDataset, LensFact } from '../../lens/model/lens.ts';
import { toWireObject } from '../../platform/http/to-wire.ts';
import { FILLER_WORDS } from '../../reader/words/filler-words.ts';
import type { ResultOf } from '../http/operation.ts';

// The schemas keep only the members that callers may see.
export const toListedCertifiedEntry = (entry: CertifiedEntry) => listedCertifiedEntrySchema.parse(toWireObject(entry));
export const summarizeLens = ({ lens, version, certified }: ResultOf<typeof getLiveLens>) =>
  lensSummarySchema.parse({ ...toWireObject(lens), version, certified_count: certified.size });

export function describeLens(liveLens: ResultOf<typeof getLiveLens>, dataAsOf: string | null): LensDetail {
  const { lens } = liveLens;
  return {
    ...summarizeLens(liveLens),
    schema: {
      datasets: lens.datasets.map(describeDataset),
      relationships: lens.relationships.map(({ role, from, to }) => ({ name: role, from, to })),
      metrics: lens.metrics,
    },
    definitions: lens.definitions,
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
  ...{ name: dataset.name, description: dataset.description, time_field: dataset.timeField },
  fields: dataset.fields.map((field) => ({
    ...field,
    has_values: !field.masked && (field.dictionary !== null || field.dictionaryFromWarehouse),
  })),
});
