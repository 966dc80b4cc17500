// Lists the sources of an answer: metrics, definitions, aggregated fields and datasets.
import type { Citation } from '../../contract/ask.ts';
import { type GuardReport, toQualifiedName } from '../../guard/guarded-sql.ts';
import { findDatasetOfPath } from '../../lens/model/join-paths.ts';
import { findDataset, type Lens } from '../../lens/model/lens.ts';
import { type LensPlan, listBaseMeasures, type Measure } from '../../plan/lens-plan.ts';
import type { CompiledQuery } from '../../plan/sql/compile-plan.ts';
import type { ReaderResult } from '../../reader/reader-result.ts';

export function citeSources(
  lens: Lens,
  lensPlan: LensPlan,
  compiledQuery: CompiledQuery,
  reading?: Extract<ReaderResult, { kind: 'plan' }>,
): Citation[] {
  const citations: Citation[] = [];
  const cite = (kind: Citation['kind'], name: string, text: string | null) => {
    if (!citations.some((citation) => citation.kind === kind && citation.name === name))
      citations.push({ kind, name, lens: lens.name, text });
  };
  for (const name of compiledQuery.metricsUsed)
    cite('metric', name, lens.metrics.find((metric) => metric.name === name)?.description ?? null);
  for (const { term, meaning } of reading?.definitions ?? []) cite('definition', term, meaning);
  for (const field of lensPlan.measures.flatMap(listAggregatedFields)) {
    const description = findDatasetOfPath(lens, field.path)?.fields.find(
      ({ name }) => name === field.field,
    )?.description;
    cite('field', `${field.path}.${field.field}`, description ?? null);
  }
  for (const name of compiledQuery.datasetsUsed) cite('dataset', name, findDataset(lens, name)?.description ?? null);
  return citations;
}

/**
 * The sources of a statement without a plan: the datasets and fields that the statement reads, as reported by the
 * guard.
 */
export function citeStatementSources(lens: Lens, report: GuardReport): Citation[] {
  return lens.datasets.flatMap((dataset): Citation[] => {
    const fields = dataset.fields.filter(({ name }) => report.columns.includes(`${dataset.name}.${name}`));
    if (fields.length === 0 && !report.relations.includes(toQualifiedName(dataset))) return [];
    return [
      { kind: 'dataset', name: dataset.name, lens: lens.name, text: dataset.description },
      ...fields.map(
        ({ name, description }): Citation => ({
          ...{ kind: 'field', name: `${dataset.name}.${name}`, lens: lens.name, text: description },
        }),
      ),
    ];
  });
}

const listAggregatedFields = (measure: Measure): { path: string; field: string }[] =>
  listBaseMeasures(measure).flatMap((base) => ('field' in base ? [base.field] : []));
