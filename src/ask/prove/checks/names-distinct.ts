// If "orders of John Smith" matches two customers with this name, the answer includes both customers and states this.
// The answer also states this if it groups by the names of customers and a name belongs to two of them.

import { findDatasetOfPath } from '../../../lens/model/join-paths.ts';
import type { Lens } from '../../../lens/model/lens.ts';
import { findCountedDatasets } from '../../../plan/base-measures.ts';
import { isRelated, listFilters, listInnerFilters, withFilters } from '../../../plan/filters.ts';
import {
  type Condition,
  createEmptyPlan,
  type Filter,
  type LensPlan,
  listBaseMeasures,
  listMeasures,
  type Operator,
} from '../../../plan/lens-plan.ts';
import { foldValue } from '../../../reader/words/tokens.ts';
import { getVocabulary } from '../../../reader/words/vocabulary.ts';
import type { FetchedRows, Verdict } from '../../outcome.ts';
import { type AnswerCheck, createPassVerdict, createWarningVerdict, findWorstVerdict } from '../check.ts';
import type { Probes } from '../probes.ts';
import { findNamedGroups, findSharedNameWarnings, isEntity, type NamedGroups } from '../shared-names.ts';

export const namesDistinctCheck: AnswerCheck = {
  name: 'names_distinct',
  critical: false,
  checkPlan(plan, probes) {
    if (plan.plan !== 'compiled') return null;
    const namedEntities = findNamedEntities(plan.grantedLens.lens, plan.lensPlan);
    const namedGroups = findNamedGroups(plan.grantedLens.lens, plan.lensPlan);
    return namedEntities.length + namedGroups.length > 0 ? checkNames(namedEntities, namedGroups, probes) : null;
  },
  async checkRows(fetchedRows, verdict, probes) {
    const unnamed = await findUnnamedRows(fetchedRows, probes);
    return unnamed.length > 0 ? findWorstVerdict([createWarningVerdict(unnamed.join(' ')), verdict]) : verdict;
  },
};

/**
 * Warns if a row of the answer has no name, and the dataset has rows without names. In "flights per aircraft", the
 * reader then can't know which aircraft the row is about.
 */
async function findUnnamedRows({ plan, rows, columns }: FetchedRows, probes: Probes): Promise<string[]> {
  if (plan.plan !== 'compiled' || plan.readingOrigin.by === 'caller') return [];
  const { lensPlan, grantedLens } = plan;
  const { dimensions, per = [] } = lensPlan;
  const paths = lensPlan.measures.length === 0 && lensPlan.rows ? [lensPlan.rows] : per;
  const warnings = paths.map(async (path) => {
    const dataset = findDatasetOfPath(grantedLens.lens, path);
    const shown = dimensions.flatMap((item, index) => (item.path === path ? [{ ...item, ...columns[index]! }] : []));
    const names = getVocabulary(grantedLens.lens)
      .displayFieldsOf(dataset?.name ?? '')
      .map(({ name }) => name);
    const isUnnamed = shown.length > 0 && rows.some((row) => shown.every(({ name }) => row[name] === null));
    if (!dataset || !isUnnamed || !shown.every(({ field }) => names.includes(field))) return [];
    const filters = shown.map(
      ({ field }): Condition => ({ field: { path: dataset.name, field }, op: 'is_null', values: [] }),
    );
    const count = await probes.count({
      ...createEmptyPlan(),
      measures: [{ fn: 'count', rows: dataset.name }],
      filters,
    });
    const rowName = dataset.name.replaceAll('_', ' ');
    const nameOfRow = shown.map(({ field }) => field.replaceAll('_', ' ')).join(' and ');
    return count > 0
      ? [
          `${count} of the ${rowName} ${count === 1 ? 'has' : 'have'} no ${nameOfRow}, so the answer doesn’t show which of the ${rowName} a row without ${nameOfRow} is about.`,
        ]
      : [];
  });
  return (await Promise.all(warnings)).flat();
}

async function checkNames(namedEntities: NamedEntity[], namedGroups: NamedGroups[], probes: Probes): Promise<Verdict> {
  const [groupWarnings, ...sharedNames] = await Promise.all([
    findSharedNameWarnings(namedGroups, probes),
    ...namedEntities.map((item) => findSharedNames(item, probes)),
  ]);
  const nameWarnings = namedEntities.flatMap(({ path }, index) =>
    sharedNames[index]!.map(
      (name) => `Several ${path.replaceAll('_', ' ')} have the name ${name}. The answer combines their rows.`,
    ),
  );
  const warnings = [...nameWarnings, ...groupWarnings];
  return warnings.length > 0
    ? createWarningVerdict([...new Set(warnings)].join(' '))
    : createPassVerdict('Each name belongs to only one row.');
}

/** A dataset, and the conditions on its names that select rows, as in "orders of John Smith". */
interface NamedEntity {
  path: string;
  nameFields: string[];
  filters: Condition[];
}

const findNamedEntities = (lens: Lens, lensPlan: LensPlan): NamedEntity[] =>
  listFiltersByRows(lensPlan).flatMap((filters) => {
    const conditions = filters.filter(
      (filter): filter is Condition => 'field' in filter && filter.op in NAMING_OPERATORS && filter.values.length > 0,
    );
    return [...new Set(conditions.map(({ field }) => field.path))].flatMap((path) => {
      const dataset = findDatasetOfPath(lens, path);
      if (!dataset || keepsRowsSeparate(lens, lensPlan, path) || !isEntity(lens, dataset)) return [];
      const ofDataset = conditions.filter(({ field }) => field.path === path);
      const nameFields = getVocabulary(lens)
        .displayFieldsOf(dataset.name)
        .map(({ name }) => name)
        .filter((name) => ofDataset.some(({ field }) => field.field === name));
      if (nameFields.length === 0) return [];
      const entityFilters = ofDataset.map(({ field, op, values }): Condition => {
        const isName = nameFields.includes(field.field);
        return { field: { ...field, path: dataset.name }, op: isName ? NAMING_OPERATORS[op]! : op, values };
      });
      return [{ path: dataset.name, nameFields, filters: entityFilters }];
    });
  });
/** For each operator that can compare a name, the operator that selects the rows with this name. */
const NAMING_OPERATORS: Partial<Record<Operator, Operator>> = { '=': '=', in: 'in', '!=': '=', not_in: 'in' };

/** Returns lists of filters. All filters in one list apply to the same rows. */
function listFiltersByRows(lensPlan: LensPlan): Filter[][] {
  const lists: Filter[][] = [];
  withFilters(lensPlan, (filters) => {
    lists.push(...groupFiltersByRows(filters));
    return filters;
  });
  return lists;
}
const groupFiltersByRows = (filters: Filter[]): Filter[][] => [
  filters,
  ...filters.flatMap((filter) =>
    'any' in filter
      ? filter.any.flatMap((item) => groupFiltersByRows([item]))
      : groupFiltersByRows(listInnerFilters(filter)),
  ),
];

/**
 * One more than the largest number of values in a condition. If a condition on names selects that many rows, at least
 * two of them have the same name.
 */
const MAX_NAMED_ROWS = 1001;

async function findSharedNames({ path, nameFields, filters }: NamedEntity, probes: Probes): Promise<string[]> {
  const dimensions = nameFields.map((field) => ({ path, field }));
  const namedRows: LensPlan = { ...createEmptyPlan(), rows: path, dimensions, filters, limit: MAX_NAMED_ROWS };
  const names = (await probes.fetchRows(namedRows, MAX_NAMED_ROWS)).map((row) => row.join(' '));
  const keys = names.map(foldValue);
  return names.filter((_, index) => keys.indexOf(keys[index]!) === index && keys.lastIndexOf(keys[index]!) > index);
}

/**
 * Whether the plan counts, lists or groups by the rows of the path, so that two rows with the same name are counted or
 * shown separately.
 */
function keepsRowsSeparate(lens: Lens, lensPlan: LensPlan, path: string): boolean {
  const bases = listMeasures(lensPlan).flatMap(listBaseMeasures);
  if (groupsByKey(lens, lensPlan, path)) return true;
  if (bases.length === 0) return lensPlan.rows === path;
  return lensPlan.per?.includes(path) || bases.every((base) => findCountedDatasets(lens, base).join() === path);
}
/**
 * Whether the plan groups by the primary key. False if the plan has a filter on related rows, because the name may
 * belong to one of these rows.
 */
function groupsByKey(lens: Lens, lensPlan: LensPlan, path: string): boolean {
  const key = findDatasetOfPath(lens, path)?.primaryKey ?? [];
  return (
    key.every((column) =>
      lensPlan.dimensions.some((item) => item.path === path && item.field === column && item.bin === undefined),
    ) && !listFilters(lensPlan).some(isRelated)
  );
}
