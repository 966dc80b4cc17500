import type { Lens } from '../../../lens/model/lens.ts';
import { isAggregate, type Measure, plainMetricName, rowsOf } from '../../../plan/lens-plan.ts';

/** The dataset whose rows the measure counts or sums. */
export function mainDatasetOfMeasure(lens: Lens, measure: Measure | undefined): string | null {
  if (measure && isAggregate(measure) && !measure.where) return rowsOf(measure);
  const metric = plainMetricName(measure);
  return lens.metrics.find(({ name }) => name === metric)?.home ?? null;
}
