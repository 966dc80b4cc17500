// What an answer rests on, by name: metrics, definitions, aggregated fields, datasets.
import type { Citation } from '../../contract/ask.ts';
import type { CompiledQuery } from '../../lens/compile-intent.ts';
import { basesOf, type Intent, type Measure } from '../../lens/intent.ts';
import { datasetOfPath } from '../../lens/join-paths.ts';
import { findDataset, type Lens } from '../../lens/lens.ts';
import type { Reading } from '../../planner/grammar/reading.ts';

export function citationsOf(
  lens: Lens,
  intent: Intent,
  compiled: CompiledQuery,
  reading?: Extract<Reading, { kind: 'intent' }>,
): Citation[] {
  const citations: Citation[] = [];
  const cite = (kind: Citation['kind'], name: string, text: string | null) => {
    if (!citations.some((known) => known.kind === kind && known.name === name))
      citations.push({ kind, name, lens: lens.name, text });
  };
  for (const name of compiled.metricsUsed)
    cite('metric', name, lens.metrics.find((metric) => metric.name === name)?.description ?? null);
  for (const used of reading?.used ?? []) if (used.kind === 'definition') cite('definition', used.name, used.text);
  for (const field of intent.measures.flatMap(aggregatedField)) {
    const description = datasetOfPath(lens, field.path)?.fields.find(({ name }) => name === field.field)?.description;
    cite('field', `${field.path}.${field.field}`, description ?? null);
  }
  for (const name of compiled.datasetsUsed) cite('dataset', name, findDataset(lens, name)?.description ?? null);
  return citations;
}

const aggregatedField = (measure: Measure): { path: string; field: string }[] =>
  basesOf(measure).flatMap((base) =>
    base.kind === 'aggregate' && base.field ? [{ path: base.path, field: base.field }] : [],
  );
