// Finds columns with shares of one, so that 0.03 is written as 3 %. Decides by the unit, by the lens's description, or
// by the column's name if no row contradicts it. A "rate" or "percentage" is ambiguous.
import type { Column } from '../../contract/ask.ts';
import { percentFactor } from '../../reader/words/percent.ts';
import type { FetchedRows } from '../outcome.ts';

const SHARE_NAME = /(?:^|_)(?:share|fraction|proportion)(?:_of_\w+)?$/i;
// Omits "score", because a score from 0 to 1 isn't a share.
const SHARE_WORD = /\b(?:shares?|fractions?|proportions?|parts?|percent|percentages?|pct|rates?)\b/i;

export function isStoredAsFraction(column: Column, { plan, rows }: FetchedRows): boolean {
  if (column.datatype !== 'decimal' && column.datatype !== 'float') return false;
  // The unit "ratio" can compare unlike things, such as 15 times the earnings.
  if (column.unit !== null) return percentFactor(column.unit, null) === 100 && !/^ratio$/i.test(column.unit);
  const { lens } = plan.grantedLens;
  const metric = lens.metrics.find(({ name }) => name === column.name);
  const fields = lens.datasets.flatMap((dataset) => dataset.fields.filter(({ name }) => name === column.name));
  const description = metric?.description ?? (fields.length === 1 ? fields[0]!.description : null);
  if (percentFactor(null, description) === 100)
    return SHARE_WORD.test(`${column.name.replaceAll('_', ' ')} ${description}`);
  return SHARE_NAME.test(column.name) && rows.every((row) => Math.abs(Number(row[column.name] ?? 0)) <= 1);
}
