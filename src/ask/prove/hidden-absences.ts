// Row policies can make a condition on missing rows wrong. In "passes without scans", a pass can appear because a
// policy hides its scans. In "employees by supervisor", employees with a hidden supervisor appear in the group without
// a supervisor.
import { datasetOfPath } from '../../lens/model/join-paths.ts';
import { filtersWithin, innerFilters, isRelated, relatedPath } from '../../plan/filters.ts';
import type { Filter } from '../../plan/lens-plan.ts';
import type { CompiledPlan, FetchedRows } from '../outcome.ts';

export const hiddenAbsences = (plan: CompiledPlan, homeDataset: string | null): string[] =>
  hiddenAt(
    plan,
    homeDataset,
    filtersWithin(plan.lensPlan).flatMap((filter) => absent(filter, homeDataset)),
  );

export const hiddenGroups = (
  plan: CompiledPlan,
  homeDataset: string | null,
  { columns, rows }: Pick<FetchedRows, 'columns' | 'rows'>,
): string[] => {
  if (plan.scope.row_policies.length === 0) return [];
  const isMissing = (columnIndex: number): boolean => rows.some((row) => row[columns[columnIndex]!.name] === null);
  return hiddenAt(
    plan,
    homeDataset,
    plan.lensPlan.dimensions.flatMap(({ path }, index) => (path !== homeDataset && isMissing(index) ? [path] : [])),
  );
};

function hiddenAt({ granted: { lens }, scope }: CompiledPlan, homeDataset: string | null, missing: string[]): string[] {
  const applied = lens.rowPolicies.filter(({ name }) => scope.row_policies.includes(name));
  if (applied.length === 0) return [];
  const policiesOf = (dataset: string) => applied.filter((item) => item.dataset === dataset);
  const homeFilters = new Set(homeDataset === null ? [] : policiesOf(homeDataset).map(({ filter }) => filter));
  return [...new Set(missing)].flatMap((path) => {
    const dataset = datasetOfPath(lens, path)?.name ?? path;
    // A policy with the same condition on both sides hides no related row of a visible row, unless both rows belong to
    // one dataset.
    const hidingPolicies = policiesOf(dataset).filter(
      ({ filter }) => dataset === homeDataset || !homeFilters.has(filter),
    );
    return hidingPolicies.map(
      ({ name }) => `Rows of ${dataset.replaceAll('_', ' ')} that the row policy ${name} hides count as missing.`,
    );
  });
}

/** The datasets whose rows a filter requires to be missing or limits in number. */
function absent(filter: Filter, homeDataset: string | null): string[] {
  const inner = innerFilters(filter).flatMap((innerFilter) => absent(innerFilter, homeDataset));
  if (isRelated(filter)) {
    const isBounded = 'not_exists' in filter || filter.at_most !== undefined || filter.exactly !== undefined;
    return isBounded ? [relatedPath(filter), ...inner] : inner;
  }
  if ('not' in filter) return [...inner, ...(isRelated(filter.not) ? [relatedPath(filter.not)] : [])];
  const isMissing =
    'field' in filter && (filter.op === 'is_null' || filter.or_null) && filter.field.path !== homeDataset;
  return isMissing ? [filter.field.path, ...inner] : inner;
}
