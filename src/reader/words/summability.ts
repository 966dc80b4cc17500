// Decides whether it makes sense to sum a field, from the field's own properties or from a metric that sums it.
import { inferAdditivity } from '../../lens/model/aggregation.ts';
import { findDataset, type Lens, type LensField } from '../../lens/model/lens.ts';

export const determineSummability = (lens: Lens, dataset: string, field: LensField): 'yes' | 'no' | 'unknown' => {
  const { how } = inferAdditivity(field, findDataset(lens, dataset)!);
  if (how === 'sum') return 'yes';
  if (how === 'average' || how === 'none') return 'no';
  const isSummed = lens.metrics.some(
    ({ references: { aggregates, fields, metrics } }) =>
      aggregates.join() === 'sum' &&
      metrics.length === 0 &&
      fields.length === 1 &&
      fields[0]!.dataset === dataset &&
      fields[0]!.field === field.name,
  );
  return isSummed && how === 'unknown' ? 'yes' : 'unknown';
};
