// Classifies a column of an answer as a measure, a row label or a share, and lists the words that name it.
import type { Column } from '../../contract/ask.ts';
import { findPercentFactor } from '../../reader/words/percent.ts';
import { splitWords } from '../../reader/words/phrase-key.ts';
import type { FetchedRows } from '../outcome.ts';
import { isLabelColumn } from '../read/values/format-cell.ts';

/**
 * Whether this is an integer column that the plan groups by. If the plan has no measures, the column's name decides.
 */
export function isGroupColumn(column: Column, { plan, columns }: FetchedRows): boolean {
  if (plan.plan !== 'compiled' || plan.lensPlan.measures.length === 0) return isLabelColumn(column);
  const columnIndex = columns.findIndex(({ name }) => name === column.name);
  return column.datatype === 'integer' && columnIndex < plan.lensPlan.dimensions.length;
}

/** Returns the names of a column or a field: its own name and the synonyms in the lens. */
export function splitNameWords(name: string, { plan }: FetchedRows): string[] {
  const { lens } = plan.grantedLens;
  const fieldName = name.split('.').at(-1)!;
  const names = [
    ...lens.metrics.filter((metric) => metric.name === name),
    ...lens.datasets.flatMap(({ fields }) => fields.filter((field) => field.name === fieldName)),
  ];
  return [name, ...names.flatMap(({ synonyms }) => synonyms)].flatMap(splitWords);
}

const SHARE_NAME_PATTERN = /(?:^|_)(?:share|fraction|proportion)(?:_of_\w+)?$/i;
// Omits "score", because a score from 0 to 1 isn't a share.
const SHARE_WORD_PATTERN = /\b(?:shares?|fractions?|proportions?|parts?|percent|percentages?|pct|rates?)\b/i;

/**
 * Whether the column has shares of one, so that svc writes 0.03 as 3 %. The unit or the lens's description decides.
 * Otherwise, the column's name decides, unless a row contradicts it. A "rate" or "percentage" is ambiguous.
 */
export function isStoredAsFraction(column: Column, { plan, rows }: FetchedRows): boolean {
  if (column.datatype !== 'decimal' && column.datatype !== 'float') return false;
  // A value with the unit "ratio" isn't always a share: a price can be 15 times the earnings.
  if (column.unit !== null) return findPercentFactor(column.unit, null) === 100 && !/^ratio$/i.test(column.unit);
  const { lens } = plan.grantedLens;
  const metric = lens.metrics.find(({ name }) => name === column.name);
  const fields = lens.datasets.flatMap((dataset) => dataset.fields.filter(({ name }) => name === column.name));
  const description = metric?.description ?? (fields.length === 1 ? fields[0]!.description : null);
  if (findPercentFactor(null, description) === 100)
    return SHARE_WORD_PATTERN.test(`${column.name.replaceAll('_', ' ')} ${description}`);
  return SHARE_NAME_PATTERN.test(column.name) && rows.every((row) => Math.abs(Number(row[column.name] ?? 0)) <= 1);
}
