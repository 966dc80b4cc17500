// "Top 10" can cut through a tie, and then chance decides which ten are shown. The probe is the same plan
// with one more row and its sort keys; equal values at the cut mean that more rows belong there.
import type { Intent, Order } from '../lens/model/intent.ts';

export interface TieProbe {
  intent: Intent;
  /**
   * The answer is one of several if the rows before and after this position are equal in this column of the
   * probe's result: dimensions come first, then measures.
   */
  column: number;
  cuts: number[];
  /** Other sort keys: rows that differ in them aren't tied. */
  settled?: number[];
  /** Columns within whose values the limit applies: "the top customer per region". */
  within?: number[];
}

/** Null: the plan has no limit, or sorts by something unique. */
export const tieProbe = (intent: Intent): TieProbe | null => {
  const probe = firstKey(intent);
  const settled = probe && !probe.within ? intent.order_by.slice(1).flatMap((key) => columnOf(intent, key)) : [];
  return probe && settled.length > 0 ? { ...probe, settled } : probe;
};

/** A shown column. */
function columnOf({ dimensions, measures }: Intent, { by }: Order): number[] {
  if (by.kind === 'measure') return by.index < measures.length ? [dimensions.length + by.index] : [];
  if (by.kind === 'expression') return [];
  const { path, field, grain } = by.field;
  const at = dimensions.findIndex((one) => one.path === path && one.field === field && one.grain === grain);
  return at < 0 ? [] : [at];
}

const firstKey = (intent: Intent): TieProbe | null => {
  const [first] = intent.order_by;
  if (intent.limit_per?.ties) return null;
  if (intent.limit_per && first) return tieWithin(intent, intent.limit_per);
  if (intent.limit === null || !first || intent.distinct) return null;
  // There is only a single row before the second highest if the two differ.
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
    const order = [{ ...first, by: { kind: 'measure' as const, index: 0 } }, ...intent.order_by.slice(1)];
    return { intent: { ...ungrouped, measures: [by.measure], order_by: order }, column: behind, cuts };
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

const tieWithin = (
  intent: Intent,
  { by: dimensions, rows: limit }: NonNullable<Intent['limit_per']>,
): TieProbe | null => {
  const { by } = intent.order_by[0]!;
  const within = dimensions.map((each) =>
    intent.dimensions.findIndex(
      ({ path, field, grain }) => path === each.path && field === each.field && grain === each.grain,
    ),
  );
  if (within.includes(-1) || by.kind === 'field') return null;
  const { grouped: _grouped, ...rest } = intent;
  const longer: Intent = { ...rest, limit_per: { by: dimensions, rows: limit + 1 } };
  const behind = intent.dimensions.length;
  if (by.kind === 'measure') return { intent: longer, column: behind + by.index, cuts: [limit], within };
  const order = [{ ...intent.order_by[0]!, by: { kind: 'measure' as const, index: 0 } }, ...intent.order_by.slice(1)];
  return { intent: { ...longer, measures: [by.measure], order_by: order }, column: behind, cuts: [limit], within };
};
