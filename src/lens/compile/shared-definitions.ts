// Adds shared terms to the lenses whose fields they use. A lens's own definition takes precedence.

import type { DefinitionFile } from '../../contract/files/lens-file.ts';
import { analyzeExpression } from '../../guard/analyze-expression.ts';
import { createUnknownNameMessage } from '../../platform/closest-names.ts';
import type { DefinitionFault } from '../files/definition-faults.ts';
import type { Lens, LensDefinition } from '../model/lens.ts';
import { findConditionFault } from './check-conditions.ts';
import { checkFieldReferences, type ModelWithDialect } from './compile-metrics.ts';

export interface SharedDefinition {
  origin: 'file' | 'api';
  definition: DefinitionFile;
}

/**
 * Returns the lens with the current shared terms, which replace the shared terms from the time when svc compiled the
 * lens.
 */
export async function replaceSharedDefinitions(lens: Lens, shared: readonly SharedDefinition[]): Promise<Lens> {
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

/** Returns the reason why this lens can't use a shared term, or null. */
export async function findSharedDefinitionFault(
  definition: DefinitionFile,
  metrics: readonly string[],
  model: ModelWithDialect,
): Promise<string | null> {
  const [fault] = await findTargetFaults(definition, metrics, model, true);
  return fault?.message ?? null;
}

/** Returns the errors in the metric, field or filter that a definition or one of its senses refers to. */
export async function findTargetFaults(
  definition: DefinitionFile,
  metrics: readonly string[],
  model: ModelWithDialect,
  maskedAllowed = false,
): Promise<DefinitionFault[]> {
  const faults: DefinitionFault[] = [];
  const senses = (definition.senses ?? []).map((sense, index) => ({ at: ['senses', index], target: sense }));
  for (const { at, target } of [{ at: [], target: definition }, ...senses]) {
    const report = (key: string) => (code: string, message: string) =>
      void faults.push({ at: [...at, key], code, message });
    const { metric, field, filter } = target;
    if (metric && !metrics.includes(metric))
      report('metric')('unknown_name', createUnknownNameMessage('metric', metric, metrics));
    if (field) checkFieldReferences(model, [field.split('.')], report('field'), () => maskedAllowed);
    if (!filter) continue;
    const analysis = await analyzeExpression(model.dialect, filter);
    if (analysis.fault) report('filter')('expression', `The filter can't be read: ${analysis.fault}`);
    else checkFieldReferences(model, analysis.columns, report('filter'));
    const conditionFault = await findConditionFault(model, filter);
    if (conditionFault) report('filter')('datatype', conditionFault);
  }
  return faults;
}

export const compileDefinition = (definition: DefinitionFile): LensDefinition => ({
  ...{ term: definition.term, synonyms: definition.synonyms, meaning: definition.meaning ?? null },
  ...getDefinitionTarget(definition),
  senses: (definition.senses ?? []).map((sense) => ({
    ...{ key: sense.key, label: sense.label, meaning: sense.meaning },
    ...getDefinitionTarget(sense),
  })),
});
const getDefinitionTarget = ({ metric, filter, field }: { metric?: string; filter?: string; field?: string }) => ({
  metric: metric ?? null,
  filter: filter ?? null,
  field: field ?? null,
});
