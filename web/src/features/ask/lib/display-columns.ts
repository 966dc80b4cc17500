// Adds display properties to the columns of an answer. The plan determines which columns are shares.
import { type CellColumn, isPercent } from '../../../ui/format.ts';
import type { Envelope } from '../api/ask.ts';

const SHARE_FUNCTIONS = new Set(['share', 'share_of_total']);

/** Assumes that the last columns of the answer are the plan's measures, in the order of the plan. */
export function toDisplayColumns({ columns, plan }: Pick<Envelope, 'columns' | 'plan'>): CellColumn[] {
  const answerColumns = columns ?? [];
  const measures = plan && typeof plan === 'object' ? [...(plan.metrics ?? []), ...(plan.measures ?? [])] : [];
  return answerColumns.map((column, index) => {
    const measure = measures[index - (answerColumns.length - measures.length)];
    const share =
      typeof measure === 'object' && SHARE_FUNCTIONS.has(measure.fn) && !('percent' in measure && measure.percent);
    return { ...column, share: share && column.unit === null };
  });
}

export const formatHeader = ({ name, unit }: CellColumn): string =>
  unit && !isPercent(unit) ? `${name.replaceAll('_', ' ')} (${unit})` : name.replaceAll('_', ' ');
