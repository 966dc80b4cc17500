// Classifies a column of an answer as a measure or a row label, and lists the words that name it.
import type { Column } from '../../contract/ask.ts';
import { splitWords } from '../../reader/words/phrase-key.ts';
import type { FetchedRows } from '../outcome.ts';
import { isLabelColumn } from '../read/values/spell-value.ts';

/**
 * Whether this is an integer column that the plan groups by. If the plan has no measures, the column's name decides.
 */
export function isGroupColumn(column: Column, { plan, columns }: FetchedRows): boolean {
  if (plan.plan !== 'compiled' || plan.lensPlan.measures.length === 0) return isLabelColumn(column);
  const columnIndex = columns.findIndex(({ name }) => name === column.name);
  return column.datatype === 'integer' && columnIndex < plan.lensPlan.dimensions.length;
}

/** The names of a column or a field: its own name and the synonyms in the lens. */
export function nameWordsOf(name: string, { plan }: FetchedRows): string[] {
  const { lens } = plan.grantedLens;
  const fieldName = name.split('.').at(-1)!;
  const names = [
    ...lens.metrics.filter((metric) => metric.name === name),
    ...lens.datasets.flatMap(({ fields }) => fields.filter((field) => field.name === fieldName)),
  ];
  return [name, ...names.flatMap(({ synonyms }) => synonyms)].flatMap(splitWords);
}
