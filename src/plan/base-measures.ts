// Looks up the metrics and aggregates of a plan in the lens.
import { findDatasetOfPath } from '../lens/model/join-paths.ts';
import type { Lens, LensMetric } from '../lens/model/lens.ts';
import { type Aggregate, getRowsPath, listBaseMeasures, type Measure, type MetricMeasure } from './lens-plan.ts';

export const findMetric = (lens: Lens, base: MetricMeasure | Aggregate): LensMetric | undefined =>
  base.fn === 'metric' ? lens.metrics.find(({ name }) => name === base.metric) : undefined;

/**
 * The dataset whose rows the measure counts or sums. Null if the measure is a metric that combines metrics of several
 * datasets.
 */
export const findBaseDataset = (lens: Lens, base: MetricMeasure | Aggregate): string | null =>
  base.fn === 'metric'
    ? (findMetric(lens, base)?.home ?? null)
    : (findDatasetOfPath(lens, getRowsPath(base))?.name ?? null);

/**
 * Returns the metrics and aggregates behind a measure. Replaces a metric that combines other metrics with these
 * metrics.
 */
export const listSimpleBases = (lens: Lens, measure: Measure): (MetricMeasure | Aggregate)[] =>
  listBaseMeasures(measure).flatMap((base) => {
    const parts = findMetric(lens, base)?.references.metrics ?? [];
    return parts.length === 0
      ? [base]
      : parts.flatMap((metric) =>
          listSimpleBases(lens, { fn: 'metric', metric, ...(base.where && { where: base.where }) }),
        );
  });

/** The names of the datasets whose rows a measure counts. */
export const findCountedDatasets = (lens: Lens, measure: MetricMeasure | Aggregate): string[] =>
  listSimpleBases(lens, measure).flatMap((base) => {
    if (base.fn !== 'metric')
      return base.fn === 'count' ? [findDatasetOfPath(lens, getRowsPath(base))?.name ?? getRowsPath(base)] : [];
    const { home, references } = findMetric(lens, base) ?? {};
    return home && references?.aggregates.some((fn) => /^count(_star)?$/i.test(fn)) ? [home] : [];
  });
