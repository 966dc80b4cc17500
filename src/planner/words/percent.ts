// "above 20 %" of what is kept as a share of 1, or in percent. Where the lens does not say which, no number is taken for
// another.
import type { Lens, LensField, LensMetric } from '../../lens/model/lens.ts';
import { unitKey } from '../words/lexicon.ts';

const OF_ONE =
  /\b(?:from |between )?(?:0|zero)(?:\.0)? ?(?:to|and|-|–|\.\.) ?(?:1|one)(?:\.0)?\b(?!\.?\d)|\bfraction\b/i;
const IS_RATIO = /^metric\((\w+)\)\s*\/\s*(?:nullif\(\s*)?metric\((\w+)\)(?:\s*,\s*0\s*\))?$/i;

export const isPercent = (unit: string | null | undefined): boolean => Boolean(unit) && unitKey(unit!) === '%';

/** By what a number of the lens becomes a percentage; null where the lens does not say. */
export const keptAs = (unit: string | null, description: string | null): 1 | 100 | null => {
  if (unit !== null) return isPercent(unit) ? 1 : /^(?:ratio|fraction|share|proportion)$/i.test(unit) ? 100 : null;
  return OF_ONE.test(description ?? '') ? 100 : null;
};
/** A percentage as the field holds it; null where the lens does not say how. */
export const percentOf = (field: LensField, value: number): number | null => {
  const named = /(?:^|_)(?:pct|percent|percentage)(?:_|$)/i.test(field.name) ? 1 : null;
  return divided(value, keptAs(field.unit, field.description) ?? named);
};

export const percentOfMetric = (lens: Lens, metric: LensMetric, value: number): number | null => {
  const [, one, other] = IS_RATIO.exec(metric.expression.trim()) ?? [];
  const unit = (name: string | undefined) => lens.metrics.find((known) => known.name === name)?.unit ?? null;
  const parts = one && other && metric.unit === null && unit(one) === unit(other) ? 100 : null;
  return divided(value, keptAs(metric.unit, metric.description) ?? parts);
};
const divided = (value: number, by: 1 | 100 | null): number | null =>
  by === null ? null : Number((value / by).toPrecision(12));
