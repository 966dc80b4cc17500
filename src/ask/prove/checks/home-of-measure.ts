import type { Lens } from '../../../lens/model/lens.ts';
import { isAggregate, type Measure, metricAlone, rowsOf } from '../../../plan/lens-plan.ts';

/** The dataset whose rows the measure counts or sums. */
export function homeOfMeasure(lens: Lens, measure: Measure | undefined): string | null {
  if (measure && isAggregate(measure) && !measure.where) return rowsOf(measure);
  const metric = metricAlone(measure);
  return lens.metrics.find(({ name }) => name === metric)?.home ?? null;
}
