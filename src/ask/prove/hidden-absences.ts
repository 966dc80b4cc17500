// Row policies can make a condition on missing rows wrong. In "passes without scans", a pass can appear because a
// policy hides its scans. In "employees by supervisor", employees with a hidden supervisor appear in the group without
// a supervisor.
import { findDatasetOfPath } from '../../lens/model/join-paths.ts';
import { getRelatedPath, isRelated, listInnerFilters, listTopLevelFilters } from '../../plan/filters.ts';
import type { Filter } from '../../plan/lens-plan.ts';
import type { CompiledPlan, FetchedRows } from '../outcome.ts';

export const findHiddenAbsenceWarnings = (plan: CompiledPlan, mainDataset: string | null): string[] =>
  findHiddenAbsenceWarningsOfQuery(
    plan,
    mainDataset,
    listTopLevelFilters(plan.lensPlan).flatMap((filter) => findDatasetsWithAbsences(filter, mainDataset)),
  );

export const findHiddenGroupWarnings = (
  plan: CompiledPlan,
  mainDataset: string | null,
  { columns, rows }: Pick<FetchedRows, 'columns' | 'rows'>,
): string[] => {
  const isMissing = (columnIndex: number): boolean => rows.some((row) => row[columns[columnIndex]!.name] === null);
  return findHiddenAbsenceWarningsOfQuery(
    plan,
    mainDataset,
    plan.lensPlan.dimensions.flatMap(({ path }, index) => (path !== mainDataset && isMissing(index) ? [path] : [])),
  );
};

function findHiddenAbsenceWarningsOfQuery(
  { grantedLens: { lens }, scope }: CompiledPlan,
  mainDataset: string | null,
  missingPaths: string[],
): string[] {
  const appliedPolicies = lens.rowPolicies.filter(({ name }) => scope.row_policies.includes(name));
  if (appliedPolicies.length === 0) return [];
  const policiesOf = (dataset: string) => appliedPolicies.filter((item) => item.dataset === dataset);
  const mainDatasetFilters = new Set(mainDataset === null ? [] : policiesOf(mainDataset).map(({ filter }) => filter));
  return [...new Set(missingPaths)].flatMap((path) => {
    const dataset = findDatasetOfPath(lens, path)?.name ?? path;
    // If the same policy condition applies to both datasets, each row that is related to a visible row is also visible.
    // This doesn't hold for a relationship between rows of one dataset.
    const hidingPolicies = policiesOf(dataset).filter(
      ({ filter }) => dataset === mainDataset || !mainDatasetFilters.has(filter),
    );
    return hidingPolicies.map(
      ({ name }) =>
        `The row policy ${name} hides rows of ${dataset.replaceAll('_', ' ')}. svc treats the hidden rows as missing.`,
    );
  });
}

/** The datasets whose rows a filter excludes or limits to a maximum number. */
function findDatasetsWithAbsences(filter: Filter, mainDataset: string | null): string[] {
  const innerAbsences = listInnerFilters(filter).flatMap((innerFilter) =>
    findDatasetsWithAbsences(innerFilter, mainDataset),
  );
  if (isRelated(filter)) {
    const isBounded = 'not_exists' in filter || filter.at_most !== undefined || filter.exactly !== undefined;
    return isBounded ? [getRelatedPath(filter), ...innerAbsences] : innerAbsences;
  }
  if ('not' in filter) return [...innerAbsences, ...(isRelated(filter.not) ? [getRelatedPath(filter.not)] : [])];
  const isMissing =
    'field' in filter && (filter.op === 'is_null' || filter.or_null) && filter.field.path !== mainDataset;
  return isMissing ? [filter.field.path, ...innerAbsences] : innerAbsences;
}
