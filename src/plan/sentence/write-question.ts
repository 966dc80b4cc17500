// Writes a plan as a question that the question reader converts to exactly the same plan.

import { toPlural } from '../../lens/model/singular.ts';
import {
  countsRows,
  type Filter,
  findMeasureIndex,
  type Grouping,
  type LensPlan,
  type SortOrder,
} from '../lens-plan.ts';
import { describeFilters, isPeriodOnly, joinList } from './filter-words.ts';
import { describeGrouping, describeGroups, findShownFields, listRowFields } from './grouping-words.ts';
import { chooseShareWord, findMainDataset, writeClosedMeasure, writeHaving, writeMeasures } from './measure-words.ts';
import { requireDataset, type SentenceNames, throwNoSentence, withNamedDates } from './names.ts';
import { capitalize, replacePeriodWithFilters } from './plan-sentence.ts';

/** Throws NoUnambiguousSentenceError if no question can express the plan. */
export const writeQuestion = (names: SentenceNames, plan: LensPlan): string =>
  capitalize(writePlanText(withNamedDates(names, plan), replacePeriodWithFilters(plan)).replace(/ +/g, ' ').trim());

const writePlanText = (names: SentenceNames, plan: LensPlan): string => {
  if (plan.offset || plan.every) return throwNoSentence();
  if (plan.limit_per?.ties || plan.order_by.some(({ nulls }) => nulls)) return throwNoSentence();
  if (plan.limit_per) return writeTopPerGroup(names, plan, plan.limit_per);
  if (plan.limit !== null) return writeRanking(names, plan, plan.limit);
  if (plan.measures.length === 0) return plan.grouped ? writeFilteredGroups(names, plan) : writeListing(names, plan);
  return writeMeasuredQuestion(names, plan);
};

const isSameGrouping = (a: Grouping, b: Grouping): boolean =>
  a.path === b.path && a.field === b.field && a.grain === b.grain;

const writeConditions = (names: SentenceNames, plan: LensPlan, mainDataset: string): string =>
  describeFilters(names, removeImpliedFilters(names, plan), mainDataset);
/**
 * Omits filters that require a non-null key or field if the plan shows the key's rows or the field's values. "The top 3
 * regions" implies these filters, but "by region" doesn't.
 */
const removeImpliedFilters = (
  names: SentenceNames,
  { filters, per = [], dimensions, measures, limit }: LensPlan,
): Filter[] => {
  if (limit === null && measures.length > 0) return filters;
  const isShown = (filter: Filter): boolean =>
    per.some((path) => requiresRow(names, filter, path)) ||
    dimensions.some((dimension) => !dimension.grain && requiresValue(filter, dimension));
  return filters.filter((filter) => !isShown(filter));
};

const requiresRow = (names: SentenceNames, filter: Filter, path: string): boolean =>
  requireDataset(names, path).primaryKey.some((field) => requiresValue(filter, { path, field }));

const writeMeasuredQuestion = (names: SentenceNames, plan: LensPlan): string => {
  const { measures, having, order_by: order } = plan;
  if (having.length > 0) return throwNoSentence();
  // After "growth", a period needs the name of its date, because "growth from 2015 to 2016" is another measure.
  const hasGrowth = measures.some((measure) => measure.fn === 'change' && measure.percent && !measure.from);
  const mainDataset = hasGrowth ? '' : findMainDataset(names, measures[0]!);
  if (measures.some((measure) => measure.fn === 'change' && measure.from) && plan.dimensions.some(({ grain }) => grain))
    return throwNoSentence();
  // Writes no question like "number of distinct districts where capacity is 0", because the condition could also mean
  // all rows of a district.
  const isNumeric = plan.filters.some((filter) => 'field' in filter && typeof filter.values[0] === 'number');
  if (isNumeric && measures.some((measure) => measure.fn === 'count_distinct')) return throwNoSentence();
  const conditions = writeConditions(names, plan, mainDataset);
  const groups = describeGroups(names, plan);
  const [measure, otherMeasure] = measures;
  if (measure?.fn === 'share_of_total' && !otherMeasure && !measure.within) {
    const measureText = writeClosedMeasure(names, measure.of);
    return order.length > 0 || groups.length !== 1
      ? throwNoSentence()
      : `${chooseShareWord(measure)} of each ${groups[0]} in ${measureText} ${conditions}`;
  }
  const groupText = groups.length === 0 ? '' : `by ${joinList(groups)}`;
  // A period after "share of orders where urgent" applies to all the orders.
  const isPeriod = measure?.fn === 'share' && isPeriodOnly(names, plan.filters, mainDataset);
  const followedBy = { conditions: conditions !== '' && !isPeriod, groups: groupText !== '' };
  const measureText = writeMeasures(names, measures, followedBy);
  if (measure?.fn === 'share' && groups.length > 0)
    return otherMeasure || order.length > 0
      ? throwNoSentence()
      : `for each ${joinList(groups)}, ${measureText} ${conditions}`;
  const sortsByField = order.length > 0 && order.every(({ field }) => field);
  return `${measureText} ${conditions} ${groupText} ${sortsByField && isOrderedByYear(plan) ? '' : writeOrder(names, plan)}`;
};
/** Results by year are sorted by year even if the question doesn't ask for an order. */
const isOrderedByYear = ({ order_by: order, dimensions }: LensPlan): boolean =>
  order.every(
    ({ field: by, direction }) =>
      direction === 'asc' &&
      by &&
      /year/i.test(by.field) &&
      dimensions.some((dimension) => !dimension.grain && dimension.path === by.path && dimension.field === by.field),
  );

const writeOrder = (names: SentenceNames, { order_by: order }: LensPlan): string => {
  if (order.length === 0) return '';
  const [onlyKey, otherKey] = order;
  return otherKey
    ? throwNoSentence()
    : `ordered by ${writeSortKey(names, onlyKey!)}${onlyKey!.direction === 'desc' ? ' descending' : ''}`;
};
const writeSortKey = (names: SentenceNames, { field, measure }: SortOrder): string =>
  field ? names.field(field) : writeClosedMeasure(names, measure);

/** Writes groups that are filtered by an aggregate of their rows. */
const writeFilteredGroups = (names: SentenceNames, plan: LensPlan): string => {
  const [groupCondition, otherCondition] = plan.having;
  if (!groupCondition || otherCondition) return throwNoSentence();
  // Without the name of its date, a period could be taken as the period of the groups.
  const conditions = writeConditions(names, plan, '');
  return `${writeGroupNoun(names, plan)} ${writeHaving(names, groupCondition)} ${conditions} ${writeOrder(names, plan)}`;
};
/**
 * Returns words for the dataset or field whose rows or values form the groups. Throws if several datasets or fields
 * form the groups.
 */
const writeGroupNoun = (names: SentenceNames, plan: LensPlan, isSingle = false): string => {
  const [keyPath, otherKeyPath] = plan.per ?? [];
  if (otherKeyPath) return throwNoSentence();
  if (keyPath !== undefined) {
    const shownFieldNames = findShownFields(names, keyPath);
    const otherDimensions = plan.dimensions.filter(
      ({ path, field }) => path !== keyPath || !shownFieldNames.includes(field),
    );
    if (otherDimensions.length > 0 || plan.dimensions.some(({ grain }) => grain)) throwNoSentence();
    return isSingle ? names.singular(keyPath) : names.plural(keyPath);
  }
  const [dimension, otherDimension] = plan.dimensions;
  if (!dimension || otherDimension || dimension.grain) return throwNoSentence();
  return writeFieldNoun(names, dimension, isSingle);
};
const writeFieldNoun = (names: SentenceNames, grouping: Grouping, isSingle: boolean): string =>
  isSingle ? describeGrouping(names, grouping) : toPlural(describeGrouping(names, grouping));

const writeListing = (names: SentenceNames, plan: LensPlan): string => {
  const { rows: mainDataset = throwNoSentence(), dimensions, distinct } = plan;
  if (plan.having.length > 0) return throwNoSentence();
  const conditions = describeFilters(names, plan.filters, mainDataset);
  if (distinct) {
    const [dimension, otherDimension] = dimensions;
    return !dimension || otherDimension || dimension.grain || dimension.path !== mainDataset || plan.order_by.length > 0
      ? throwNoSentence()
      : `list of ${writeFieldNoun(names, dimension, false)} ${conditions}`;
  }
  return `${writeRowsNoun(names, plan, mainDataset)} ${conditions} ${writeOrder(names, plan)}`;
};
/** Writes words for the listed rows: the plural of their dataset, or the shown fields. */
const writeRowsNoun = (
  names: SentenceNames,
  { dimensions, order_by: order }: LensPlan,
  mainDataset: string,
  thingsText = '',
): string => {
  const shownFieldNames = listRowFields(names, mainDataset);
  const rows = thingsText || names.plural(mainDataset);
  const showsRowFields = shownFieldNames.every(
    (field, index) => dimensions[index]?.path === mainDataset && dimensions[index]?.field === field,
  );
  if (showsRowFields && dimensions.length === shownFieldNames.length) return rows;
  const shownDimensions =
    showsRowFields && order.length > 0 && !thingsText ? dimensions.slice(shownFieldNames.length) : dimensions;
  if (shownDimensions.some(({ grain }) => grain)) return throwNoSentence();
  return `${joinList(shownDimensions.map((item) => describeGrouping(names, item)))} of ${rows}`;
};

const writeRanking = (names: SentenceNames, plan: LensPlan, limit: number): string => {
  const [sortKey, otherKey] = plan.order_by;
  // Words such as "the 3 orders with the highest total" count rows, not distinct values.
  if (!sortKey || otherKey || plan.having.length > 0 || plan.distinct) return throwNoSentence();
  const sortKeyName = writeSortKey(names, sortKey);
  const extreme = sortKey.direction === 'desc' ? 'highest' : 'lowest';
  if (plan.measures.length === 0 && !plan.grouped) return writeRowRanking(names, plan, limit);
  const { measure = throwNoSentence() } = sortKey;
  const mainDataset = findMainDataset(names, measure);
  const conditions = writeConditions(names, plan, mainDataset);
  if (plan.measures.length > 1) return throwNoSentence();
  const rankWord = sortKey.direction === 'desc' ? 'top' : 'bottom';
  const [dimension, otherDimension] = plan.dimensions;
  if (!plan.per && dimension && !plan.filters.some((filter) => requiresValue(filter, dimension))) {
    if (plan.measures.length === 0) return throwNoSentence();
    if (otherDimension) return throwNoSentence();
    if (dimension.grain)
      return limit === 1
        ? `${describeGrouping(names, dimension)} with the ${extreme} ${sortKeyName} ${conditions}`
        : throwNoSentence();
    if (countsRows(measure) && !measure.where && sortKey.direction === 'desc')
      return `${writeLimit(limit)}most common ${writeFieldNoun(names, dimension, limit === 1)} of ${names.plural(measure.rows)} ${conditions}`;
  } else if (!plan.per && plan.measures.length > 0) return throwNoSentence();
  if (plan.measures.length > 0 && findMeasureIndex(plan.measures, measure) < 0) return throwNoSentence();
  // "The top 3 customers" leaves out the measured rows without a customer.
  if (
    plan.per?.some((path) => path !== mainDataset && !plan.filters.some((filter) => requiresRow(names, filter, path)))
  )
    return throwNoSentence();
  const thingsText = writeGroupNoun(names, plan, limit === 1);
  return plan.measures.length === 0
    ? `${writeLimit(limit)}${thingsText} with the ${extreme} ${sortKeyName} ${conditions}`
    : `${rankWord} ${writeLimit(limit)}${thingsText} by ${sortKeyName} ${conditions}`;
};
const writeLimit = (limit: number): string => (limit === 1 ? '' : `${limit} `);
const requiresValue = (filter: Filter, { path, field }: Grouping): boolean =>
  'field' in filter && filter.op === 'is_not_null' && filter.field.path === path && filter.field.field === field;
const writeRowRanking = (names: SentenceNames, plan: LensPlan, limit: number): string => {
  const { rows: mainDataset = throwNoSentence(), dimensions, order_by: order, filters } = plan;
  const [{ field: by = throwNoSentence(), direction }] = order as [SortOrder];
  const conditions = describeFilters(names, filters, mainDataset);
  const shownFieldNames = listRowFields(names, mainDataset);
  const { timeField } = requireDataset(names, mainDataset);
  const [rankWord, extreme] = direction === 'desc' ? ['top', 'highest'] : ['bottom', 'lowest'];
  const startsWithName = shownFieldNames.every(
    (field, index) => dimensions[index]?.path === mainDataset && dimensions[index]?.field === field,
  );
  const rest = startsWithName ? dimensions.slice(shownFieldNames.length) : dimensions;
  const rowsName = limit === 1 ? names.singular(mainDataset) : names.plural(mainDataset);
  if (startsWithName && rest.length === 1 && isSameGrouping(rest[0]!, by) && !shownFieldNames.includes(by.field))
    return `${rankWord} ${writeLimit(limit)}${rowsName} by ${names.field(by)} ${conditions}`;
  const rows =
    by.path === mainDataset && by.field === timeField
      ? `${writeLimit(limit)}${direction === 'desc' ? 'latest' : 'earliest'} ${rowsName} ${conditions}`
      : `${writeLimit(limit)}${rowsName} with the ${extreme} ${names.field(by)} ${conditions}`;
  if (startsWithName && rest.length === 0) return rows;
  return `${joinList(dimensions.map((dimension) => describeGrouping(names, dimension)))} of the ${rows}`;
};

const writeTopPerGroup = (
  names: SentenceNames,
  plan: LensPlan,
  { by: dimensions, rows: limit }: NonNullable<LensPlan['limit_per']>,
): string => {
  const groupNames = describeGroups(names, {
    ...plan,
    dimensions,
    per: (plan.per ?? []).filter((path) => dimensions.some((dimension) => dimension.path === path)),
  });
  const rest = plan.dimensions.filter(
    (dimension) => !dimensions.some((ownDimension) => isSameGrouping(ownDimension, dimension)),
  );
  const innerPlan = {
    ...plan,
    dimensions: rest,
    per: (plan.per ?? []).filter((path) => rest.some((item) => item.path === path)),
    limit_per: undefined,
    limit,
  };
  return `${writeRanking(names, innerPlan.per.length > 0 ? innerPlan : { ...innerPlan, per: undefined }, limit)} in each ${joinList(groupNames)}`;
};
