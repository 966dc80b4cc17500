// "Top 10" may cut through a tie: then which ten are shown is chance. The probe is the same reading one row longer, with
// what it is ordered by in view; equal values at the cut and behind it mean that others belong there as well.
import type { Intent, Order } from '../lens/model/intent.ts';

export interface TieProbe {
  intent: Intent;
  /** Where equal neighbours make the answer one of several: behind these rows. The row behind is compared with the one before it, in this column of the probe's result: dimensions come
   *  first, then measures. */
  column: number;
  cuts: number[];
  /** What else the order was said to be by: rows that differ there are no ties. */
  settled?: number[];
  /** The columns whose values each have cuts of their own: "the top customer per region". */
  within?: number[];
}

/** null: the reading cuts nothing off, or orders by what is unique. */
export const tieProbe = (intent: Intent): TieProbe | null => {
  const probe = firstKey(intent);
  const settled = probe && !probe.within ? intent.order.slice(1).flatMap((key) => columnOf(intent, key)) : [];
  return probe && settled.length > 0 ? { ...probe, settled } : probe;
};

/** Of what is shown. */
function columnOf({ dimensions, measures }: Intent, { by }: Order): number[] {
  if (by.kind === 'measure') return by.index < measures.length ? [dimensions.length + by.index] : [];
  if (by.kind === 'expression') return [];
  const { path, field, grain } = by.field;
  const at = dimensions.findIndex((one) => one.path === path && one.field === field && one.grain === grain);
  return at < 0 ? [] : [at];
}

const firstKey = (intent: Intent): TieProbe | null => {
  const [first] = intent.order;
  if (intent.perGroup?.ties) return null;
  if (intent.perGroup && first) return tieWithin(intent, intent.perGroup);
  if (intent.limit === null || !first || intent.distinct) return null;
  // Before the second highest stands one only if the two differ.
  const { offset = 0, ...rest } = intent;
  const last = offset + intent.limit;
  const cuts = offset > 0 ? Array.from({ length: last }, (_one, index) => index + 1) : [last];
  const longer: Intent = { ...rest, limit: last + 1 };
  const { by } = first;
  const behind = intent.dimensions.length;
  if (by.kind === 'measure') return { intent: longer, column: behind + by.index, cuts };
  if (by.kind === 'expression') {
    if (!intent.grouped) return null;
    const { grouped: _grouped, ...ungrouped } = longer;
    const order = [{ ...first, by: { kind: 'measure' as const, index: 0 } }, ...intent.order.slice(1)];
    return { intent: { ...ungrouped, measures: [by.measure], order }, column: behind, cuts };
  }
  const known = intent.dimensions.findIndex((ref) => ref.path === by.field.path && ref.field === by.field.field);
  if (known >= 0) return { intent: longer, column: known, cuts };
  if (intent.measures.length > 0) return null;
  return {
    intent: { ...longer, dimensions: [...intent.dimensions, by.field] },
    column: behind,
    cuts,
  };
};

const tieWithin = (intent: Intent, { dimensions, limit }: NonNullable<Intent['perGroup']>): TieProbe | null => {
  const { by } = intent.order[0]!;
  const within = dimensions.map((each) =>
    intent.dimensions.findIndex(
      ({ path, field, grain }) => path === each.path && field === each.field && grain === each.grain,
    ),
  );
  if (within.includes(-1) || by.kind === 'field') return null;
  const { grouped: _grouped, ...rest } = intent;
  const longer: Intent = { ...rest, perGroup: { dimensions, limit: limit + 1 } };
  const behind = intent.dimensions.length;
  if (by.kind === 'measure') return { intent: longer, column: behind + by.index, cuts: [limit], within };
  const order = [{ ...intent.order[0]!, by: { kind: 'measure' as const, index: 0 } }, ...intent.order.slice(1)];
  return { intent: { ...longer, measures: [by.measure], order }, column: behind, cuts: [limit], within };
};
