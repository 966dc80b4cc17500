// "Passes without scans": if a row policy hides scans, a pass that has some of these only seems to have none.
import { datasetOfPath } from '../../lens/model/join-paths.ts';
import { filtersWithin, innerFilters, isRelated, relatedPath } from '../../plan/filters.ts';
import type { Filter } from '../../plan/lens-plan.ts';
import type { CompiledPlan } from '../outcome.ts';

export function hiddenAbsences({ granted: { lens }, lensPlan, scope }: CompiledPlan, home: string | null): string[] {
  const applied = lens.rowPolicies.filter(({ name }) => scope.row_policies.includes(name));
  if (applied.length === 0) return [];
  const policiesOf = (dataset: string) => applied.filter((one) => one.dataset === dataset);
  const own = new Set(home === null ? [] : policiesOf(home).map(({ filter }) => filter));
  const paths = new Set(filtersWithin(lensPlan).flatMap((filter) => absent(filter, home)));
  return [...paths].flatMap((path) => {
    const dataset = datasetOfPath(lens, path)?.name ?? path;
    // A policy with the same condition on both sides hides no related row of a visible one, unless both are of one dataset.
    const hiding = policiesOf(dataset).filter(({ filter }) => dataset === home || !own.has(filter));
    return hiding.map(
      ({ name }) => `Rows of ${dataset.replaceAll('_', ' ')} that the row policy ${name} hides count as missing.`,
    );
  });
}

/** What a filter requires to be missing, or to be there at most so often. */
function absent(filter: Filter, home: string | null): string[] {
  const inner = innerFilters(filter).flatMap((one) => absent(one, home));
  if (isRelated(filter)) {
    const isBounded = 'not_exists' in filter || filter.at_most !== undefined || filter.exactly !== undefined;
    return isBounded ? [relatedPath(filter), ...inner] : inner;
  }
  if ('not' in filter) return [...inner, ...(isRelated(filter.not) ? [relatedPath(filter.not)] : [])];
  const isMissing = 'field' in filter && (filter.op === 'is_null' || filter.or_null) && filter.field.path !== home;
  return isMissing ? [filter.field.path, ...inner] : inner;
}
