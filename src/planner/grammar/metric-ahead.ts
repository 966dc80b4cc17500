// Whether a metric is said here, what it counts, and which words may stand in front of it.
import type { LensMetric } from '../../lens/model/lens.ts';
import type { Cursor } from './cursor.ts';
import { hasSenses } from './read-things.ts';

export const ARTICLES = /(?:the|a|an|all|of|our|total|different|distinct|unique|individual|corresponding|respective)/;

/** Numbers that grade or place a thing are not of many. */
export const GRADED =
  /(?:grade|level|year|age|rating|star|score|rank|class|mark|price|cost|rate|percent|temperature|number|code|line)s?$/;

/** A metric at the head. `forCount`: only one that counts. */
export const peekMetric = (c: Cursor, offset = 0, counting = false) => {
  const phrase = c.phrase(offset);
  if (phrase?.terms.some(hasSenses)) return null;
  const metrics = phrase?.terms.flatMap((term) => (term.kind === 'metric' ? [term.metric] : [])) ?? [];
  const fit = counting ? metrics.filter((metric) => counts(c, metric)) : metrics;
  return phrase && fit.length > 0 ? { length: phrase.length, metrics: fit } : null;
};

/** "how many units": whole numbers of something, added up, count it as well as counting rows does. */
export const counts = (c: Cursor, { references: { aggregates, fields }, unit }: LensMetric): boolean => {
  if (aggregates.some((name) => /count/i.test(name))) return true;
  const typeOf = (path: { dataset: string; field: string }) =>
    c.vocabulary.lens.datasets.find(({ name }) => name === path.dataset)?.fields.find(({ name }) => name === path.field)
      ?.datatype;
  return (
    unit === null &&
    fields.length === 1 &&
    typeOf(fields[0]!) === 'integer' &&
    aggregates.length > 0 &&
    aggregates.every((name) => /^sum$/i.test(name))
  );
};

/** The dataset that a filter of a definition looks at. */
export const filterHome = (c: Cursor, filter: string): string | null => {
  const named = [
    ...new Set(
      [...filter.replace(/'[^']*'/g, '').matchAll(/([a-z_]\w*)\./gi)].map(
        (match) => c.vocabulary.graph.datasetOf(match[1]!) ?? '',
      ),
    ),
  ];
  return named.length === 1 && named[0] ? named[0] : null;
};
