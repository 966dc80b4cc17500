// Adds shared terms to the lenses whose fields they use. A lens's own definition takes precedence.

import type { DefinitionFile } from '../../contract/files/lens-file.ts';
import { analyzeExpression } from '../../guard/analyze-expression.ts';
import { findField, type Lens, type LensDefinition } from '../model/lens.ts';
import { checkFields, type Model } from './compile-metrics.ts';

export interface SharedDefinition {
  origin: 'file' | 'api';
  definition: DefinitionFile;
}

/** The lens with the current shared terms. The current terms replace the terms from the lens's compilation. */
export async function withSharedDefinitions(lens: Lens, shared: readonly SharedDefinition[]): Promise<Lens> {
  const ownDefinitions = lens.definitions.filter((definition) => !definition.shared);
  const metrics = lens.metrics.map(({ name }) => name);
  const terms = ownDefinitions.map(({ term }) => term.toLowerCase());
  const usableDefinitions: LensDefinition[] = [];
  for (const { origin, definition } of shared) {
    const newDefinition: LensDefinition = { ...compileDefinition(definition), shared: origin };
    const isVerified = lens.definitions.some((existing) => existing.shared && hasSameMeaning(existing, newDefinition));
    if (isVerified || (await usableSharedDefinitions([definition], terms, metrics, lens)).length > 0)
      usableDefinitions.push(newDefinition);
  }
  return { ...lens, definitions: [...ownDefinitions, ...usableDefinitions] };
}

const hasSameMeaning = (left: LensDefinition, right: LensDefinition): boolean =>
  JSON.stringify({ ...left, shared: null }) === JSON.stringify({ ...right, shared: null });

/** The shared terms that this lens can use. `ownTerms`: the lens's own terms in lowercase. */
export async function usableSharedDefinitions(
  shared: readonly DefinitionFile[],
  ownTerms: readonly string[],
  metrics: readonly string[],
  model: Model,
): Promise<DefinitionFile[]> {
  const isUsable = ({ metric, field }: { metric?: string; field?: string }): boolean =>
    (!metric || metrics.includes(metric)) &&
    (!field ||
      model.datasets.some(
        (dataset) => dataset.name === field.split('.')[0] && findField(dataset, field.split('.')[1] ?? ''),
      ));
  const usableFiles: DefinitionFile[] = [];
  for (const definition of shared) {
    if (ownTerms.includes(definition.term.toLowerCase()) || ![definition, ...(definition.senses ?? [])].every(isUsable))
      continue;
    const filters = [definition, ...(definition.senses ?? [])].flatMap(({ filter }) => filter ?? []);
    const faults: string[] = [];
    for (const filter of filters) {
      const analysis = await analyzeExpression(model.dialect, filter);
      if (analysis.fault) faults.push(analysis.fault);
      else checkFields(model, analysis.columns, (code) => void faults.push(code));
    }
    if (faults.length === 0) usableFiles.push(definition);
  }
  return usableFiles;
}

export const compileDefinition = (definition: DefinitionFile): LensDefinition => ({
  term: definition.term,
  synonyms: definition.synonyms,
  meaning: definition.meaning ?? null,
  ...targetOf(definition),
  senses: (definition.senses ?? []).map((sense) => ({
    key: sense.key,
    label: sense.label,
    meaning: sense.meaning,
    ...targetOf(sense),
  })),
});

const targetOf = ({ metric, filter, field }: { metric?: string; filter?: string; field?: string }) => ({
  metric: metric ?? null,
  filter: filter ?? null,
  field: field ?? null,
});
