// Lists the names of imported parts that have no equivalent in a lens. The export restores these parts.
import type { OssieModel } from './ossie-shapes.ts';
import { VENDOR } from './restore-extension.ts';

interface AnnotatedPart {
  ai_context?: unknown;
  custom_extensions?: { vendor_name: string }[] | undefined;
  expression?: { dialects: { dialect: string }[] };
}

export function listPreservedParts(model: OssieModel): string[] {
  const preservedParts: string[] = [];
  const notePart = (
    path: string,
    { ai_context: context, custom_extensions: extensions, expression }: AnnotatedPart,
  ): void => {
    const hasOtherContext =
      context && typeof context === 'object' && Object.keys(context).some((key) => key !== 'synonyms');
    if (typeof context === 'string' || hasOtherContext) preservedParts.push(`${path}: ai_context`);
    for (const { vendor_name } of extensions ?? [])
      if (vendor_name !== VENDOR) preservedParts.push(`${path}: extension of ${vendor_name}`);
    const dialects = expression?.dialects ?? [];
    for (const { dialect } of dialects.length > 1
      ? dialects.filter(({ dialect: dialectName }) => dialectName !== 'ANSI_SQL')
      : [])
      preservedParts.push(`${path}: expression in ${dialect}`);
  };
  notePart(model.name, model);
  for (const dataset of model.datasets) {
    notePart(dataset.name, dataset);
    if (dataset.unique_keys) preservedParts.push(`${dataset.name}: unique_keys`);
    for (const field of dataset.fields ?? []) notePart(`${dataset.name}.${field.name}`, field);
    for (const metric of dataset.metrics ?? []) notePart(`${dataset.name}.${metric.name}`, metric);
  }
  for (const join of model.relationships ?? []) notePart(join.name, join);
  for (const metric of model.metrics ?? []) notePart(metric.name, metric);
  return preservedParts;
}
