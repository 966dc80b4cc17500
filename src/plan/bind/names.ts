// Resolves the names of a plan in a lens. For an unknown name, reports an error with the closest valid names.

import { isTemporal } from '../../contract/warehouse.ts';
import {
  findDatasetOfPath,
  findPath,
  hasSeveralPaths,
  isDatasetOrRole,
  listReachablePaths,
} from '../../lens/model/join-paths.ts';
import { findField, GRAINS, type Grain, type Lens, type LensDataset, type LensField } from '../../lens/model/lens.ts';
import { findClosestNames } from '../../platform/closest-names.ts';
import { DAY_PARTS, type DayPart, type FieldRef, formatField } from '../lens-plan.ts';

export type PlanProblemReporter = (path: string, message: string, code?: string) => null;

export interface BindingContext {
  lens: Lens;
  now: Date;
  reportProblem: PlanProblemReporter;
  /** The dataset where svc first looks up unqualified fields. */
  nearPath: string | null;
  /** The dataset whose rows the plan measures or lists. The fields of this dataset need no role. */
  home: string | null;
}

const PERIOD_SUFFIXES: readonly string[] = [...GRAINS, ...DAY_PARTS];

export const suggestNames = (name: string, validNames: readonly string[]): string => {
  const similarNames = findClosestNames(name, validNames);
  return similarNames.length > 0
    ? ` Did you mean ${similarNames.join(' or ')}?`
    : validNames.length > 0
      ? ` Valid names: ${validNames.slice(0, 20).join(', ')}.`
      : '';
};

/** Returns the name if it is valid. Otherwise, reports an error and returns null. */
export const requireName = (
  { reportProblem }: BindingContext,
  kind: string,
  name: string,
  validNames: readonly string[],
  path: string,
): string | null =>
  validNames.includes(name)
    ? name
    : reportProblem(path, `There is no ${kind} "${name}".${suggestNames(name, validNames)}`, 'unknown_name');

export const resolveMetric = (names: BindingContext, name: string, path: string): string | null =>
  requireName(
    names,
    'metric',
    name,
    names.lens.metrics.map((metric) => metric.name),
    path,
  );

/** Returns the name of a dataset, or of the role through which a dataset is joined. */
export function resolvePath(names: BindingContext, name: string, path: string): string | null {
  const unknownWord = name.split('.').find((word) => !isDatasetOrRole(names.lens, word));
  return unknownWord === undefined
    ? name
    : requireName(names, 'dataset or role', unknownWord, listPathWords(names.lens), path);
}
/** Unlike `resolvePath`, refuses the name of a role. */
export const resolveDataset = (names: BindingContext, name: string, path: string): string | null =>
  requireName(
    names,
    'dataset',
    name,
    names.lens.datasets.map((dataset) => dataset.name),
    path,
  );

const listPathWords = (lens: Lens): string[] => [
  ...lens.datasets.map((dataset) => dataset.name),
  ...lens.relationships.filter(({ named }) => named).map(({ role }) => role),
];

/** Returns the field. If the field has a period but must not have one, reports an error and returns null. */
export const requirePlainField = (
  { reportProblem }: BindingContext,
  ref: FieldRef | null,
  subject: string,
  path: string,
  advice = '',
): FieldRef | null =>
  ref?.grain ? reportProblem(path, `${subject} needs ${formatField(ref)} itself. Remove .${ref.grain}${advice}.`) : ref;

export const listDates = ({ fields }: LensDataset): string[] =>
  fields.filter(({ datatype }) => isTemporal(datatype)).map(({ name }) => name);

/**
 * Resolves `dataset.field`, `role.field`, or an unqualified field that only one dataset has. Each can end with a
 * period, such as `.month`.
 */
export function resolveField(names: BindingContext, name: string, planPath: string): FieldRef | null {
  const { lens, reportProblem } = names;
  const parts = name.split('.');
  const lastPart = parts.at(-1)!;
  const pathKnown = parts.length >= 2 && isDatasetOrRole(lens, parts.at(-2)!);
  const fieldOfLast = pathKnown && findField(findDatasetOfPath(lens, parts.at(-2)!)!, lastPart);
  const grain =
    parts.length > 1 && !fieldOfLast && PERIOD_SUFFIXES.includes(lastPart) ? (lastPart as Grain | DayPart) : undefined;
  const rest = grain ? parts.slice(0, -1) : parts;
  const field = rest.at(-1)!;
  if (rest.length === 1) return resolveUnqualifiedField(names, field, grain, planPath);
  const path = rest.slice(0, -1).join('.');
  const date = grain ? null : findDate(lens, rest.slice(0, -1));
  if (date)
    return reportProblem(
      planPath,
      `The date ${path} has no period "${field}". Periods: ${PERIOD_SUFFIXES.join(', ')}.`,
      'unknown_name',
    );
  if (!resolvePath(names, path, planPath)) return null;
  const dataset = findDatasetOfPath(lens, path)!;
  const lensField = findField(dataset, field);
  if (!lensField) {
    const fieldNames = dataset.fields.map((field) => field.name);
    const joinedNames = listReachablePaths(lens, dataset.name)
      .filter((joinedPath) => findField(findDatasetOfPath(lens, joinedPath)!, field))
      .map((joinedPath) => `${path}.${joinedPath}.${field}`);
    const hint =
      joinedNames.length > 0 ? ` Did you mean ${joinedNames.join(' or ')}?` : suggestNames(field, fieldNames);
    return reportProblem(planPath, `There is no field "${field}" in ${path}.${hint}`, 'unknown_name');
  }
  return withGrain(names, { path, field }, grain, lensField, planPath);
}

/** The date field that a path such as orders.order_date names. */
function findDate(lens: Lens, path: readonly string[]): LensField | null {
  const [owner, name] = [path.slice(0, -1).join('.'), path.at(-1)!];
  const dataset = owner && !isDatasetOrRole(lens, name) ? findDatasetOfPath(lens, owner) : undefined;
  const field = dataset && findField(dataset, name);
  return field && isTemporal(field.datatype) ? field : null;
}

function resolveUnqualifiedField(
  names: BindingContext,
  field: string,
  grain: Grain | DayPart | undefined,
  planPath: string,
): FieldRef | null {
  const { lens, reportProblem, nearPath } = names;
  const nearDataset = nearPath ? findDatasetOfPath(lens, nearPath) : undefined;
  const nearestField = nearDataset && findField(nearDataset, field);
  if (nearestField) return withGrain(names, { path: nearPath!, field }, grain, nearestField, planPath);
  const owners = lens.datasets.filter((dataset) => findField(dataset, field));
  if (owners.length === 0) {
    const fieldNames = [...new Set(lens.datasets.flatMap((dataset) => dataset.fields.map(({ name }) => name)))];
    const validNames = planPath.startsWith('dimensions')
      ? fieldNames
      : [...fieldNames, ...lens.metrics.map(({ name }) => name)];
    return reportProblem(planPath, `There is no field "${field}".${suggestNames(field, validNames)}`, 'unknown_name');
  }
  const path =
    owners.length === 1 ? findOnlyPath(names, owners[0]!, planPath) : findMeasuredSide(names, owners, field, planPath);
  if (path !== null)
    return withGrain(names, { path, field }, grain, findField(findDatasetOfPath(lens, path)!, field)!, planPath);
  const candidates = owners
    .flatMap((owner) => listPathsTo(names, owner.name, planPath))
    .map((candidate) => `${candidate}.${field}`);
  return reportProblem(
    planPath,
    owners.length === 1
      ? `svc can reach "${field}" of ${owners[0]!.name} in several ways. Write ${candidates.join(' or ')}.`
      : `"${field}" is in several datasets. Write ${candidates.join(' or ')}.`,
    'ambiguous',
  );
}

const isInMeasure = (planPath: string): boolean => planPath.includes('measure');
const listRolesOf = (lens: Lens, dataset: string): string[] =>
  lens.relationships.filter(({ named, to }) => named && to.dataset === dataset).map(({ role }) => role);

/**
 * Returns the dataset, unless the plan measures other rows that have several roles of it. A measure of a dataset with
 * several roles can also mean the rows that are joined to the rows of other measures.
 */
function findOnlyPath({ lens, home }: BindingContext, { name }: LensDataset, planPath: string): string | null {
  if (home === null || home === name || listRolesOf(lens, name).length < 2) return name;
  const isOnlyPath = findPath(lens, home, name).kind === 'path' && !hasSeveralPaths(lens, home, name);
  return isOnlyPath && !isInMeasure(planPath) ? name : null;
}

/**
 * Returns the measured dataset if its field has the same values as the field of each other dataset that the plan could
 * group or filter by, because a join links both. In a measure, such fields count different rows.
 */
function findMeasuredSide(
  { lens, home }: BindingContext,
  owners: readonly LensDataset[],
  field: string,
  planPath: string,
): string | null {
  if (home === null || isInMeasure(planPath) || !owners.some(({ name }) => name === home)) return null;
  const isColumn = ({ fields }: LensDataset): boolean =>
    fields.some(({ name, expression }) => name === field && expression === null);
  const isJoinedOnField = (dataset: string): boolean =>
    lens.relationships.some(
      ({ from, to }) =>
        [`${from.dataset} ${to.dataset}`, `${to.dataset} ${from.dataset}`].includes(`${home} ${dataset}`) &&
        [from, to].every(({ columns }) => columns.length === 1 && columns[0] === field),
    );
  const joinedOwners = owners.filter(({ name }) => name === home || findPath(lens, home, name).kind !== 'unreachable');
  return joinedOwners.every((owner) => owner.name === home || isJoinedOnField(owner.name)) &&
    (joinedOwners.length === 1 || joinedOwners.every(isColumn))
    ? home
    : null;
}

/** The paths with which a plan can name the dataset: its name, then its roles. */
function listPathsTo({ lens, home }: BindingContext, dataset: string, planPath: string): string[] {
  const roles = listRolesOf(lens, dataset);
  const paths = [dataset, ...(roles.length > 1 ? roles : [])];
  const joinedPaths = paths.filter((path) => home !== null && findPath(lens, home, path).kind === 'path');
  return joinedPaths.length === 0
    ? paths
    : isInMeasure(planPath)
      ? [...new Set([dataset, ...joinedPaths])]
      : joinedPaths;
}

function withGrain(
  { reportProblem, lens }: BindingContext,
  ref: FieldRef,
  grain: Grain | DayPart | undefined,
  { datatype }: LensField,
  planPath: string,
): FieldRef | null {
  if (!grain) return ref;
  const writtenName = formatField(ref);
  if (!isTemporal(datatype)) {
    const dates = listDates(findDatasetOfPath(lens, ref.path)!);
    const validNames = dates.length > 0 ? ` Dates in ${ref.path}: ${dates.join(', ')}.` : ` Leave out .${grain}.`;
    return reportProblem(planPath, `${writtenName} is not a date, so it has no .${grain}.${validNames}`);
  }
  if (grain === 'hour' && datatype === 'date')
    return reportProblem(
      planPath,
      `${writtenName} is a date without a time of day. Use .day, .weekday, .month or a longer period.`,
    );
  return { ...ref, grain };
}
