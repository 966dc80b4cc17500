import type { Measure } from '../../../lens/model/intent.ts';
import type { Lens } from '../../../lens/model/lens.ts';

/** The dataset whose rows the measure counts or adds up. */
export const homeOfMeasure = (lens: Lens, measure: Measure | undefined): string | null =>
  measure?.kind === 'aggregate'
    ? measure.path
    : measure?.kind === 'metric'
      ? (lens.metrics.find(({ name }) => name === measure.name)?.home ?? null)
      : null;
