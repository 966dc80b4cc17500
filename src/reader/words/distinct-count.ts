// Recognizes metrics that count rows, and metrics that count distinct entities, such as the customers of order lines.
import type { LensMetric } from '../../lens/model/lens.ts';

const COUNT_DISTINCT_PATTERN = /^\s*count\s*\(\s*distinct\s+(?:(\w+)\.)?(\w+)\s*\)\s*$/i;

export const isCountMetric = ({ expression }: Pick<LensMetric, 'expression'>): boolean =>
  /^count\s*\(/i.test(expression);
export const countsDistinct = ({ expression }: Pick<LensMetric, 'expression'>): boolean =>
  /count\s*\(\s*distinct\b/i.test(expression);

/** Returns the field whose distinct values the metric counts, if the metric has no filter. */
export const findDistinctField = ({ expression, home, filter }: LensMetric): { path: string; field: string } | null => {
  const [, path = home, field] = (filter === null && COUNT_DISTINCT_PATTERN.exec(expression)) || [];
  return path && field ? { path, field } : null;
};
