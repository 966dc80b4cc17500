// If a "top 10" ends within a tie, its last rows are arbitrary. The probe is the same plan with one more row and its
// sort keys. If the values on both sides of the cut are equal, other rows share the last place.
import { type LensPlan, type Measure, type Order, placeOf } from '../../../plan/lens-plan.ts';

export interface TieProbe {
  lensPlan: LensPlan;
  /**
   * The index of the column to compare in the probe's result, where dimensions come before measures. If the rows on
   * both sides of the cut have equal values in this column, other rows would be an equally valid answer.
   */
  column: number;
  cuts: number[];
  /** The other sort keys. Rows with different values in these columns aren't tied. */
  settled?: number[];
  /** The columns that form the groups, if each group has its own limit, as in "the top customer per region". */
  within?: number[];
}

/** Null if the plan has no limit or no order, or if its columns can't show the first sort key. */
export const tieProbe = (lensPlan: LensPlan): TieProbe | null => {
  const probe = firstKeyProbe(lensPlan);
  const tieBreakers =
    probe && !probe.within ? lensPlan.order_by.slice(1).flatMap((key) => columnOf(lensPlan, key)) : [];
  return probe && tieBreakers.length > 0 ? { ...probe, settled: tieBreakers } : probe;
};

function columnOf({ dimensions, measures }: LensPlan, { field, measure }: Order): number[] {
  const index = measure
    ? placeOf(measures, measure)
    : dimensions.findIndex(
        (dimension) =>
          dimension.path === field.path && dimension.field === field.field && dimension.grain === field.grain,
      );
  return index < 0 ? [] : [measure ? dimensions.length + index : index];
}

const firstKeyProbe = (lensPlan: LensPlan): TieProbe | null => {
  const [first] = lensPlan.order_by;
  if (lensPlan.limit_per?.ties) return null;
  if (lensPlan.limit_per && first) return tieProbeWithin(lensPlan, lensPlan.limit_per);
  if (lensPlan.limit === null || !first || lensPlan.distinct) return null;
  // A row's rank is well defined only if the row differs from its neighbors.
  const { offset = 0, ...rest } = lensPlan;
  const lastRow = offset + lensPlan.limit;
  const cuts = offset > 0 ? Array.from({ length: lastRow }, (_one, index) => index + 1) : [lastRow];
  const longerPlan: LensPlan = { ...rest, limit: lastRow + 1 };
  const { field, measure } = first;
  const measureOffset = lensPlan.dimensions.length;
  if (measure) {
    const measureIndex = placeOf(lensPlan.measures, measure);
    if (measureIndex >= 0) return { lensPlan: longerPlan, column: measureOffset + measureIndex, cuts };
    return lensPlan.grouped ? { lensPlan: withMeasure(longerPlan, measure), column: measureOffset, cuts } : null;
  }
  const dimensionIndex = lensPlan.dimensions.findIndex((ref) => ref.path === field.path && ref.field === field.field);
  if (dimensionIndex >= 0) return { lensPlan: longerPlan, column: dimensionIndex, cuts };
  if (lensPlan.measures.length > 0) return null;
  return {
    lensPlan: { ...longerPlan, dimensions: [...lensPlan.dimensions, field] },
    column: measureOffset,
    cuts,
  };
};

const tieProbeWithin = (
  lensPlan: LensPlan,
  { by: dimensions, rows: limit }: NonNullable<LensPlan['limit_per']>,
): TieProbe | null => {
  const { measure } = lensPlan.order_by[0]!;
  const groupColumns = dimensions.map((dimension) =>
    lensPlan.dimensions.findIndex(
      ({ path, field, grain }) => path === dimension.path && field === dimension.field && grain === dimension.grain,
    ),
  );
  if (groupColumns.includes(-1) || !measure) return null;
  const longerPlan: LensPlan = { ...lensPlan, limit_per: { by: dimensions, rows: limit + 1 } };
  const measureOffset = lensPlan.dimensions.length;
  const measureIndex = placeOf(lensPlan.measures, measure);
  const probe = measureIndex < 0 ? withMeasure(longerPlan, measure) : longerPlan;
  return { lensPlan: probe, column: measureOffset + Math.max(measureIndex, 0), cuts: [limit], within: groupColumns };
};
/** Adds a column with the measure that selects the groups. */
const withMeasure = ({ grouped: _grouped, ...lensPlan }: LensPlan, measure: Measure): LensPlan => ({
  ...lensPlan,
  measures: [measure],
});
