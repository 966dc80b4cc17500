// Derives a lens in which each field is a plain column, without expressions and row policies. svc can compare SQL
// compiled from this lens with the caller's statement, and can show that SQL to the caller.

import type { Caller, Lens, LensField } from '../../../lens/model/lens.ts';
import type { LensPlan } from '../../../plan/lens-plan.ts';
import { compilePlan } from '../../../plan/sql/compile-plan.ts';

const UNRESTRICTED_CALLER: Caller = { name: 'everyone', groups: [], attributes: {}, superuser: true };
const MAX_ROWS = 5000;
const plainLensCache = new WeakMap<Lens, Lens>();

export function toPlainColumnLens(lens: Lens): Lens {
  let cachedLens = plainLensCache.get(lens);
  if (!cachedLens) {
    const removeExpression = (field: LensField): LensField => ({ ...field, expression: null });
    const datasets = lens.datasets.map((dataset) => ({ ...dataset, fields: dataset.fields.map(removeExpression) }));
    cachedLens = { ...lens, datasets, rowPolicies: [] };
    plainLensCache.set(lens, cachedLens);
  }
  return cachedLens;
}

export const compileReadableSql = async (lens: Lens, lensPlan: LensPlan): Promise<string> =>
  (await compilePlan(toPlainColumnLens(lens), lensPlan, UNRESTRICTED_CALLER, { maxRows: MAX_ROWS })).sql;
