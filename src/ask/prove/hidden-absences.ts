// "Passes without scans": if a row policy hides scans, a pass that has some of these only seems to have none. "Employees by
// supervisor": if it hides a supervisor, that supervisor's employees are in the group without one.
import { datasetOfPath } from '../../lens/model/join-paths.ts';
import { filtersWithin, innerFilters, isRelated, relatedPath } from '../../plan/filters.ts';
import type { Filter } from '../../plan/lens-plan.ts';
import type { CompiledPlan, FetchedRows } from '../outcome.ts';

export const hiddenAbsences = (plan: CompiledPlan, home: string | null): string[] =>
  hiddenAt(
    plan,
    home,
    filtersWithin(plan.lensPlan).flatMap((filter) => absent(filter, home)),
  );

export const hiddenGroups = (
  plan: CompiledPlan,
  home: string | null,
  { columns, rows }: Pick<FetchedRows, 'columns' | 'rows'>,
): string[] => {
  if (plan.scope.row_policies.length === 0) return [];
  const isMissing = (at: number): boolean => rows.some((row) => row[columns[at]!.name] === null);
  return hiddenAt(
    plan,
    home,
    plan.lensPlan.dimensions.flatMap(({ path }, at) => (path !== home && isMissing(at) ? [path] : [])),
  );
};

function hiddenAt({ granted: { lens }, scope }: CompiledPlan, home: string | null, missing: string[]): string[] {
  const applied = lens.rowPolicies.filter(({ name }) => scope.row_policies.includes(name));
  if (applied.length === 0) return [];
  const policiesOf = (dataset: string) => applied.filter((one) => one.dataset === dataset);
  const own = new Set(home === null ? [] : policiesOf(home).map(({ filter }) => filter));
  return [...new Set(missing)].flatMap((path) => {
    const dataset = datasetOfPath(lens, path)?.name ?? path;
    // A policy with the same condition on both sides hides no related row of a visible one, unless both are of one dataset.
    const hidingPolicies = policiesOf(dataset).filter(({ filter }) => dataset === home || !own.has(filter));
    return hidingPolicies.map(
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
