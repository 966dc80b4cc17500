import { findDatasetOfPath } from '../../../lens/model/join-paths.ts';
import type { Lens, LensMetric } from '../../../lens/model/lens.ts';
import { type Aggregate, listBaseMeasures, type Measure, type MetricMeasure, rowsOf } from '../../../plan/lens-plan.ts';

export const metricOf = (lens: Lens, base: MetricMeasure | Aggregate): LensMetric | undefined =>
  base.fn === 'metric' ? lens.metrics.find(({ name }) => name === base.metric) : undefined;
/** The dataset whose rows the measure counts or sums. Null for a metric of other metrics with several datasets. */
export const mainDatasetOf = (lens: Lens, base: MetricMeasure | Aggregate): string | null =>
  base.fn === 'metric' ? (metricOf(lens, base)?.home ?? null) : (findDatasetOfPath(lens, rowsOf(base))?.name ?? null);

/** The metrics and aggregates behind a measure, with the parts of a metric of other metrics instead of this metric. */
export const listSimpleBases = (lens: Lens, measure: Measure): (MetricMeasure | Aggregate)[] =>
  listBaseMeasures(measure).flatMap((base) => {
    const parts = metricOf(lens, base)?.references.metrics ?? [];
    return parts.length === 0
      ? [base]
      : parts.flatMap((metric) =>
          listSimpleBases(lens, { fn: 'metric', metric, ...(base.where && { where: base.where }) }),
        );
  });
