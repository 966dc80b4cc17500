// Finds rows with a null that an answer silently includes or excludes, as in "not approved" if the status is null, or
// price times discount if the discount is null. The answer states how many such rows there are.

import { isNumeric } from '../../../contract/warehouse.ts';
import { findCommonDataset, findDatasetOfPath } from '../../../lens/model/join-paths.ts';
import { findField, type Lens } from '../../../lens/model/lens.ts';
import { findBaseDataset, listSimpleBases } from '../../../plan/base-measures.ts';
import { isRelated, listInnerFilters, NULL_TESTS } from '../../../plan/filters.ts';
import {
  type Condition,
  createEmptyPlan,
  type FieldRef,
  type Filter,
  formatField,
  type Grouping,
  isBaseMeasure,
  type LensPlan,
  listInnerMeasures,
  listMeasures,
  type Measure,
  type Operator,
  type RowValue,
  type ValueAggregate,
} from '../../../plan/lens-plan.ts';
import { OPERATOR_WORDS } from '../../../plan/sentence/filter-words.ts';
import { findFilterPaths } from '../../../plan/sql/filter-sql.ts';
import type { CompiledPlan, FetchedRows, Verdict } from '../../outcome.ts';
import { type AnswerCheck, createPassVerdict, createWarningVerdict, ignoreInvalidProbe } from '../check.ts';
import { findHiddenAbsenceWarnings, findHiddenGroupWarnings } from '../hidden-absences.ts';
import type { Probes } from '../probes.ts';

export const nullsStatedCheck: AnswerCheck = {
  name: 'nulls_stated',
  critical: false,
  checkPlan(plan, probes) {
    if (plan.plan !== 'compiled') return null;
    const { lensPlan, grantedLens } = plan;
    const restrictedRows = findRestrictedRows(grantedLens.lens, lensPlan);
    const nullConditions = findConditions(restrictedRows, findConditionWithNulls);
    const amounts = listMeasures(lensPlan).flatMap(findComputedAggregates);
    const yesNoGroups = lensPlan.dimensions.filter(({ when }) => when);
    const absences = listMainDatasets(restrictedRows).flatMap((dataset) => findHiddenAbsenceWarnings(plan, dataset));
    const wordedRows = plan.readingOrigin.by === 'caller' ? [] : restrictedRows;
    const missingConditions = findConditions(wordedRows, (filter) => findAbsenceCondition(grantedLens.lens, filter));
    const unknownFlags = findUnknownFlags(grantedLens.lens, lensPlan, wordedRows);
    const negatedRows = plan.readingOrigin.by === 'reader' ? [] : restrictedRows;
    const negations = findConditions(negatedRows, findNegation);
    const found = [nullConditions, amounts, absences, missingConditions, yesNoGroups, unknownFlags, negations];
    if (found.every((items) => items.length === 0)) return null;
    const pendingNotes = Promise.all(
      negations.map((item) => findExcludedNullNotes(grantedLens.lens, lensPlan, item, probes)),
    );
    const pendingWarnings = Promise.all([
      absences,
      ...nullConditions.map((item) => findIncludedNullWarnings(lensPlan, item, probes)),
      ...missingConditions.map((item) => findEmptyValueWarnings(lensPlan, item, probes)),
      ...unknownFlags.map((item) => findUnknownFlagWarnings(lensPlan, item, probes)),
      ...amounts.map((amount) => findIgnoredRowWarnings(grantedLens.lens, lensPlan, amount, probes)),
      ...yesNoGroups.map((group) => findUnknownGroupWarnings(lensPlan, restrictedRows, group, probes)),
    ]);
    return Promise.all([pendingWarnings, pendingNotes]).then(([warnings, notes]) => toVerdict(warnings, notes.flat()));
  },
  checkRows({ plan, ...fetched }, verdict) {
    if (plan.plan !== 'compiled') return verdict;
    const restricted =
      plan.scope.row_policies.length === 0
        ? []
        : listMainDatasets(findRestrictedRows(plan.grantedLens.lens, plan.lensPlan));
    const warnings = [
      ...restricted.flatMap((dataset) => findHiddenGroupWarnings(plan, dataset, fetched)),
      ...findRankedNullWarnings(plan, fetched),
    ];
    if (warnings.length === 0) return verdict;
    return toVerdict([warnings, verdict?.warning === undefined ? [] : [verdict.warning]]);
  },
};

/**
 * Warns about a ranking that includes a null. For example, the answer to "the most common breed" must not be the group
 * of animals without a breed.
 */
function findRankedNullWarnings(
  { lensPlan, readingOrigin }: CompiledPlan,
  { rows, columns }: Pick<FetchedRows, 'rows' | 'columns'>,
): string[] {
  const { limit, limit_per, measures, dimensions } = lensPlan;
  if ((limit === null && !limit_per) || measures.length === 0 || readingOrigin.by === 'caller') return [];
  return dimensions
    .filter((field, index) => !limit_per?.by.includes(field) && rows.some((row) => row[columns[index]!.name] === null))
    .map((field) => `The ranking includes a group without ${formatField(field)}.`);
}

/** The rows that a listing shows or a measure counts, and the filters of the plan and of the measure on these rows. */
interface RestrictedRows {
  dataset: string;
  filters: Filter[];
}
function findRestrictedRows(lens: Lens, lensPlan: LensPlan): RestrictedRows[] {
  const { rows, dimensions, filters } = lensPlan;
  const measures = listMeasures(lensPlan);
  const shownPaths = dimensions.map(({ path }) => path);
  const allRows =
    measures.length === 0
      ? [{ dataset: rows ?? findCommonDataset(lens, shownPaths), filters }]
      : measures.flatMap((measure) => findMeasuredRows(lens, measure, filters));
  // For a distinct count, the filtered rows can belong to a dataset from which the counted dataset is reachable through
  // many-to-one joins.
  const reachingRows = allRows.flatMap((item) => {
    const dataset = item.dataset && findCommonDataset(lens, [item.dataset, ...findFilterPaths(item.filters)]);
    return dataset ? [{ ...item, dataset }] : [];
  });
  return [...new Map(reachingRows.map((item) => [JSON.stringify(item), item])).values()];
}
const findMeasuredRows = (
  lens: Lens,
  measure: Measure,
  filters: Filter[],
): { dataset: string | null; filters: Filter[] }[] => {
  const ownFilters = 'where' in measure && measure.where ? [...filters, ...measure.where] : filters;
  return isBaseMeasure(measure)
    ? listSimpleBases(lens, measure).map((base) => ({ dataset: findBaseDataset(lens, base), filters: ownFilters }))
    : listInnerMeasures(measure).flatMap((inner) => findMeasuredRows(lens, inner, ownFilters));
};
/** Returns [null] if svc doesn't know which rows the answer is about. */
const listMainDatasets = (restrictedRows: RestrictedRows[]): (string | null)[] =>
  restrictedRows.length === 0 ? [null] : [...new Set(restrictedRows.map(({ dataset }) => dataset))];

/** A condition, and all sets of rows that the condition restricts. */
type RestrictingCondition<Found> = Found & { restricted: RestrictedRows[] };
const findConditions = <Found extends object>(
  restrictedRows: RestrictedRows[],
  find: (filter: Filter) => Found | null,
): RestrictingCondition<Found>[] =>
  [...new Set(restrictedRows.flatMap(({ filters }) => filters))].flatMap((filter) => {
    const condition = find(filter);
    return condition
      ? [{ ...condition, restricted: restrictedRows.filter(({ filters }) => filters.includes(filter)) }]
      : [];
  });

/** Counts the rows that match `replacement` instead of `filter`, in the first dataset that has such rows. */
async function countReplacedNulls(
  lensPlan: LensPlan,
  restricted: RestrictedRows[],
  { filter, replacement }: { filter: Filter; replacement: Condition },
  probes: Probes,
): Promise<number> {
  for (const { dataset, filters } of restricted) {
    const otherFilters = filters.filter((item) => item !== filter);
    const count = await probes.count(createCountPlan(lensPlan, dataset, [...otherFilters, replacement]));
    if (count > 0) return count;
  }
  return 0;
}

/** The answer also states the notes, but they don't change its grade. */
function toVerdict(warnings: string[][], notes: string[] = []): Verdict {
  const text = [...new Set([...warnings.flat(), ...notes])].join(' ');
  if (warnings.flat().length > 0) return createWarningVerdict(text);
  return text === ''
    ? createPassVerdict('Every row has a value in the fields that the plan excludes or computes with.')
    : { ...createPassVerdict(text), warning: text };
}

interface NullCondition {
  filter: Filter;
  condition: Condition;
}

const INTERVAL_OPERATORS: ReadonlySet<Operator> = new Set(['>', '>=', '<', '<=', 'between']);
async function findIncludedNullWarnings(
  lensPlan: LensPlan,
  { filter, condition, restricted }: RestrictingCondition<NullCondition>,
  probes: Probes,
) {
  const replacement = createNullCondition(condition.field);
  const count = await countReplacedNulls(lensPlan, restricted, { filter, replacement }, probes);
  const { op, values } = condition;
  const excluded = INTERVAL_OPERATORS.has(op)
    ? `${OPERATOR_WORDS[op]} ${values.join(' and ')}`
    : values.length > 0
      ? values.join(' or ')
      : 'in the excluded period';
  return count > 0
    ? [
        `${writeRowCount(count)} no ${formatField(condition.field)}, and svc treats ${count === 1 ? 'it' : 'them'} as not ${excluded}.`,
      ]
    : [];
}

/**
 * States how many rows a negation in a plan or in SQL leaves out, because their field is null. The answer is right, as
 * missing values satisfy neither a condition nor its opposite in plans and in SQL, but people often expect these rows.
 */
async function findExcludedNullNotes(
  lens: Lens,
  lensPlan: LensPlan,
  { filter, condition, restricted }: RestrictingCondition<NullCondition>,
  probes: Probes,
): Promise<string[]> {
  const comparedFields = [condition.field, ...(condition.other ? [condition.other.field] : [])];
  const notes = comparedFields.map(async (field): Promise<string[]> => {
    const isNeverNull = (dataset: string): boolean =>
      field.path === dataset && findField(findDatasetOfPath(lens, dataset)!, field.field)?.nullable === false;
    const count = await countReplacedNulls(
      lensPlan,
      restricted.filter(({ dataset }) => !isNeverNull(dataset)),
      { filter, replacement: createNullCondition(field) },
      probes,
    ).catch(ignoreInvalidProbe);
    return count
      ? [`${writeRowCount(count)} no ${formatField(field)}, and svc leaves ${count === 1 ? 'it' : 'them'} out.`]
      : [];
  });
  return (await Promise.all(notes)).flat();
}

const writeRowCount = (count: number): string => (count === 1 ? '1 row has' : `${count} rows have`);

/** Warns about rows that store 0 or false, because "without a discount" can also mean a discount of 0. */
async function findEmptyValueWarnings(
  lensPlan: LensPlan,
  { condition, emptyValue, restricted }: RestrictingCondition<AbsenceCondition>,
  probes: Probes,
): Promise<string[]> {
  const replacement: Condition = { field: condition.field, op: '=', values: [emptyValue] };
  const count = await countReplacedNulls(lensPlan, restricted, { filter: condition, replacement }, probes);
  return count > 0
    ? [
        `${writeRowCount(count)} ${emptyValue} in ${formatField(condition.field)}, and svc doesn’t count ${count === 1 ? 'it' : 'them'} as missing.`,
      ]
    : [];
}
interface AbsenceCondition {
  condition: Condition;
  /** The value that the field stores instead of null. */
  emptyValue: 0 | false;
}
const findAbsenceCondition = (lens: Lens, filter: Filter): AbsenceCondition | null => {
  if (!('field' in filter) || filter.op !== 'is_null') return null;
  const dataset = findDatasetOfPath(lens, filter.field.path);
  const field = dataset && findField(dataset, filter.field.field);
  if (!field || dataset.primaryKey.includes(field.name)) return null;
  if (field.datatype === 'boolean') return { condition: filter, emptyValue: false };
  return isNumeric(field.datatype) ? { condition: filter, emptyValue: 0 } : null;
};

/** Finds conditions on boolean fields in shares, as in "share of members who are active". */
function findUnknownFlags(
  lens: Lens,
  lensPlan: LensPlan,
  restrictedRows: RestrictedRows[],
): RestrictingCondition<NullCondition>[] {
  const parts = listMeasures(lensPlan).flatMap((measure) => (measure.fn === 'share' ? measure.where : []));
  return findConditions(restrictedRows, (filter) => {
    if (!parts.includes(filter) || !('field' in filter) || filter.op !== '=' || filter.or_null) return null;
    const dataset = findDatasetOfPath(lens, filter.field.path);
    const isFlag = dataset && findField(dataset, filter.field.field)?.datatype === 'boolean';
    return isFlag ? { filter, condition: filter } : null;
  });
}
/**
 * Warns about rows whose boolean field is null. In "share of members who are active", such members are in the total but
 * not in the share.
 */
async function findUnknownFlagWarnings(
  lensPlan: LensPlan,
  { filter, condition: { field }, restricted }: RestrictingCondition<NullCondition>,
  probes: Probes,
): Promise<string[]> {
  const count = await countReplacedNulls(
    lensPlan,
    restricted,
    { filter, replacement: createNullCondition(field) },
    probes,
  );
  return count > 0
    ? [
        `${writeRowCount(count)} no ${formatField(field)}, and svc counts ${count === 1 ? 'it' : 'them'} in the total, but not in the share.`,
      ]
    : [];
}

interface ComputedAggregate {
  amount: ValueAggregate;
  fields: FieldRef[];
}

/** Warns about rows that an aggregate over a computed value ignores, because one of the value's fields is null. */
async function findIgnoredRowWarnings(
  lens: Lens,
  lensPlan: LensPlan,
  { amount, fields }: ComputedAggregate,
  probes: Probes,
): Promise<string[]> {
  const mainDataset = findCommonDataset(lens, [...new Set(fields.map(({ path }) => path))])!;
  const partlyNullPlan = (nullFields: FieldRef[]): LensPlan =>
    createCountPlan(lensPlan, mainDataset, [
      ...lensPlan.filters,
      ...(amount.where ?? []),
      { any: nullFields.map(createNullCondition) },
      { any: fields.map((field) => ({ ...createNullCondition(field), op: 'is_not_null' as const })) },
    ]);
  if ((await probes.count(partlyNullPlan(fields))) === 0) return [];
  const counts = await Promise.all(fields.map((field) => probes.count(partlyNullPlan([field]))));
  return fields.flatMap((field, index) => {
    const rows = counts[index]!;
    if (rows === 0) return [];
    const them = rows === 1 ? 'it' : 'them';
    const warning = `${writeRowCount(rows)} no ${formatField(field)}, so ${AGGREGATE_NAMES[amount.fn]} leaves ${them} out.`;
    if (!isNumeric(findField(findDatasetOfPath(lens, field.path)!, field.field)!.datatype)) return [warning];
    const replacement = JSON.stringify({ field: formatField(field), or: 0 });
    return [`${warning} To include ${them}, write ${replacement} in the value, with the right number instead of 0.`];
  });
}

/** Warns about rows in the group "no" for which the condition is unknown, because a compared field is null. */
async function findUnknownGroupWarnings(
  lensPlan: LensPlan,
  restrictedRows: RestrictedRows[],
  { when = [], as }: Grouping,
  probes: Probes,
): Promise<string[]> {
  const compared = when
    .flatMap(listFiltersOnRow)
    .flatMap((filter) =>
      'field' in filter && !NULL_TESTS.has(filter.op) && !filter.or_null
        ? [filter.field, ...(filter.other ? [filter.other.field] : [])]
        : [],
    );
  const fields = [...new Map(compared.map((field) => [formatField(field), field])).values()];
  const warnings = fields.map(async ({ path, field }) => {
    const filter: Filter = { all: when };
    const replacement = createNullCondition({ path, field });
    const count = await countReplacedNulls(lensPlan, restrictedRows, { filter, replacement }, probes);
    const them = count === 1 ? 'it' : 'them';
    return count > 0 ? [`${writeRowCount(count)} no ${path}.${field}, and svc counts ${them} as “no” in ${as}.`] : [];
  });
  return (await Promise.all(warnings)).flat();
}

/**
 * Returns the simple filters inside a filter. Doesn't split filters on related rows, because they are never unknown.
 */
const listFiltersOnRow = (filter: Filter): Filter[] =>
  'field' in filter || isRelated(filter) ? [filter] : listInnerFilters(filter).flatMap(listFiltersOnRow);

const AGGREGATE_NAMES = {
  sum: 'the sum',
  avg: 'the average',
  median: 'the median',
  min: 'the lowest',
  max: 'the highest',
};

function findComputedAggregates(measure: Measure): ComputedAggregate[] {
  if (!('value' in measure)) return listInnerMeasures(measure).flatMap(findComputedAggregates);
  const fields = new Map(listOperands(measure.value).map((operand) => [formatField(operand), operand]));
  return fields.size > 1 && !isRatioOrDurationOfRow(measure) ? [{ amount: measure, fields: [...fields.values()] }] : [];
}

/**
 * Returns true for an average, median, minimum or maximum of a ratio or duration. A row with a null in either field has
 * no such value, so the aggregate can skip the row without a warning.
 */
const isRatioOrDurationOfRow = ({ fn, value }: ValueAggregate): boolean =>
  fn !== 'sum' && typeof value === 'object' && ('op' in value ? value.op === '/' : 'in' in value);

function listOperands(value: RowValue): FieldRef[] {
  if (typeof value === 'number') return [];
  if ('op' in value) return value.of.flatMap(listOperands);
  if ('in' in value) return [value.from, value.to];
  if ('items' in value) return [value.items];
  return 'path' in value ? [value] : [];
}

const createCountPlan = (lensPlan: LensPlan, mainDataset: string, filters: Filter[]): LensPlan => ({
  ...createEmptyPlan(),
  measures: [{ fn: 'count', rows: mainDataset }],
  filters,
  time: lensPlan.time,
});
const createNullCondition = (field: FieldRef): Condition => ({ field, op: 'is_null', values: [] });

/** A negative condition that rows without a value also satisfy, such as "not approved" or "except in 2016". */
const findConditionWithNulls = (filter: Filter): NullCondition | null => {
  if ('field' in filter) return filter.or_null ? { filter, condition: filter } : null;
  if ('not' in filter && 'all' in filter.not) {
    const [given, excluded] = filter.not.all;
    return given && 'field' in given && given.op === 'is_not_null' && excluded && 'field' in excluded
      ? { filter, condition: excluded }
      : null;
  }
  if (!('any' in filter)) return null;
  const conditions = filter.any.filter((item): item is Condition => 'field' in item);
  return conditions.map(({ op }) => op).join(' ') === '< >= is_null' ? { filter, condition: conditions[2]! } : null;
};

/** A negative condition that rows without a value don't satisfy. */
function findNegation(filter: Filter): NullCondition | null {
  const isNot = 'not' in filter;
  const condition = isNot ? filter.not : filter;
  if (!('field' in condition) || condition.or_null || condition.than) return null;
  const isNegative = isNot ? !NULL_TESTS.has(condition.op) : condition.op === '!=' || condition.op === 'not_in';
  return isNegative ? { filter, condition } : null;
}
