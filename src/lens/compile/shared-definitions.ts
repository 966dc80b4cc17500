// Adds shared terms to the lenses whose fields they use. A lens's own definition takes precedence.

import type { DefinitionEntry } from '../../contract/files/lens-file.ts';
import { analyzeExpression } from '../../guard/analyze-expression.ts';
import { unknownNameMessage } from '../files/project-problem.ts';
import type { Lens, LensDefinition } from '../model/lens.ts';
import { findConditionFault } from './check-conditions.ts';
import { checkFieldReferences, type Model } from './compile-metrics.ts';

export interface SharedDefinition {
  origin: 'file' | 'api';
  definition: DefinitionEntry;
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
    const isOwnTerm = terms.includes(definition.term.toLowerCase());
    if (isVerified || (!isOwnTerm && (await findSharedDefinitionFault(definition, metrics, lens)) === null))
      usableDefinitions.push(newDefinition);
  }
  return { ...lens, definitions: [...ownDefinitions, ...usableDefinitions] };
}

const hasSameMeaning = (left: LensDefinition, right: LensDefinition): boolean =>
  JSON.stringify({ ...left, shared: null }) === JSON.stringify({ ...right, shared: null });

/** The reason why this lens can't use a shared term, or null. */
export async function findSharedDefinitionFault(
  definition: DefinitionEntry,
  metrics: readonly string[],
  model: Model,
): Promise<string | null> {
  const faults: string[] = [];
  for (const { metric, field, filter } of [definition, ...(definition.senses ?? [])]) {
    if (metric && !metrics.includes(metric)) faults.push(unknownNameMessage('metric', metric, metrics));
    const report = (_code: string, message: string) => void faults.push(message);
    if (field) checkFieldReferences(model, [field.split('.')], report, [], true);
    if (!filter) continue;
    const analysis = await analyzeExpression(model.dialect, filter);
    if (analysis.fault) faults.push(`The filter can't be read: ${analysis.fault}`);
    else checkFieldReferences(model, analysis.columns, report);
    const conditionFault = await findConditionFault(model, filter);
    if (conditionFault) faults.push(conditionFault);
  }
  return faults[0] ?? null;
}

export const compileDefinition = (definition: DefinitionEntry): LensDefinition => ({
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
