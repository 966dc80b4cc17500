// What a column of an answer is: what measures, what names its rows, and by which words.
import type { Column } from '../../contract/ask.ts';
import { words } from '../../reader/words/vocabulary.ts';
import type { FetchedRows } from '../outcome.ts';
import { labels } from '../read/values/spell-value.ts';

export const NUMERIC = new Set(['integer', 'decimal', 'float']);

/** The plan groups by it; without measures, its own name says that it names something. */
export function isKey(column: Column, { plan, columns }: FetchedRows): boolean {
  if (plan.plan !== 'compiled' || plan.intent.measures.length === 0) return labels(column);
  const at = columns.findIndex(({ name }) => name === column.name);
  return column.datatype === 'integer' && at < plan.intent.dimensions.length;
}

/** The words that name a column or a field: its own, and what the lens calls it besides. */
export function namesOf(name: string, { plan }: FetchedRows): string[] {
  const { lens } = plan.granted;
  const bare = name.split('.').at(-1)!;
  const called = [
    ...lens.metrics.filter((metric) => metric.name === name),
    ...lens.datasets.flatMap(({ fields }) => fields.filter((field) => field.name === bare)),
  ];
  return [name, ...called.flatMap(({ synonyms }) => synonyms)].flatMap(words);
}
