import type { Lens } from '../../../lens/model/lens.ts';
import { findPlainMetricName, isAggregate, type Measure, rowsOf } from '../../../plan/lens-plan.ts';

/** The dataset whose rows the measure counts or sums. */
export function mainDatasetOfMeasure(lens: Lens, measure: Measure | undefined): string | null {
  if (measure && isAggregate(measure) && !measure.where) return rowsOf(measure);
  const metric = findPlainMetricName(measure);
  return lens.metrics.find(({ name }) => name === metric)?.home ?? null;
}
