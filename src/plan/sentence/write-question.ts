// Writes a plan as a question that the question reader converts to exactly the same plan.

import { toPlural } from '../../lens/model/singular.ts';
import { countsRows, type Filter, type Grouping, indexOfMeasure, type LensPlan, type Order } from '../lens-plan.ts';
import { filtersWords, joinList } from './filter-words.ts';
import { groupingWords, groupTexts, rowFieldsOf, shownFields } from './grouping-words.ts';
import { havingWords, mainDatasetOf, measuresWords, measureWords, shareWord } from './measure-words.ts';
import { type Names, requireDataset, throwNoSentence } from './names.ts';
import { capitalize, periodAsFilters } from './plan-sentence.ts';

/** Throws NoSentenceError if no question can express the plan. */
export const writeQuestion = (names: Names, plan: LensPlan): string =>
  capitalize(writePlanText(names, periodAsFilters(plan)).replace(/ +/g, ' ').trim());

const writePlanText = (names: Names, plan: LensPlan): string => {
  if (plan.offset || plan.every) return throwNoSentence();
  if (plan.limit_per?.ties || plan.order_by.some(({ nulls }) => nulls)) return throwNoSentence();
  if (plan.limit_per) return topPerGroupText(names, plan, plan.limit_per);
  if (plan.limit !== null) return rankedText(names, plan, plan.limit);
  if (plan.measures.length === 0) return plan.grouped ? filteredGroupsText(names, plan) : listingText(names, plan);
  return measuredText(names, plan);
};

const isSameGrouping = (a: Grouping, b: Grouping): boolean =>
  a.path === b.path && a.field === b.field && a.grain === b.grain;

const conditionsText = (names: Names, plan: LensPlan, mainDataset: string): string =>
  filtersWords(names, withoutImpliedFilters(names, plan), mainDataset);
/**
 * Omits filters that a key isn't null, because the words for its rows imply these filters. Words for the values of a
 * field ("the top 3 regions") imply them too, but "by region" doesn't.
 */
const withoutImpliedFilters = (names: Names, { filters, per = [], dimensions, measures, limit }: LensPlan): Filter[] =>
  filters.filter(
    (filter) =>
      !(
        'field' in filter &&
        filter.op === 'is_not_null' &&
        ((per.includes(filter.field.path) &&
          requireDataset(names, filter.field.path).primaryKey.includes(filter.field.field)) ||
          ((limit !== null || measures.length === 0) &&
            dimensions.some(
              (dimension) =>
                !dimension.grain && dimension.path === filter.field.path && dimension.field === filter.field.field,
            )))
      ),
  );

const measuredText = (names: Names, plan: LensPlan): string => {
  const { measures, having, order_by: order } = plan;
  if (having.length > 0) return throwNoSentence();
  // After "growth", a period without its date would mean another measure: "growth from 2015 to 2016".
  const hasGrowth = measures.some((measure) => measure.fn === 'change' && measure.percent && !measure.from);
  const mainDataset = hasGrowth ? '' : mainDatasetOf(names, measures[0]!);
  if (measures.some((measure) => measure.fn === 'change' && measure.from) && plan.dimensions.some(({ grain }) => grain))
    return throwNoSentence();
  // "number of distinct districts where capacity is 0" can also be about all rows of a district.
  const isNumeric = plan.filters.some((filter) => 'field' in filter && typeof filter.values[0] === 'number');
  if (isNumeric && measures.some((measure) => measure.fn === 'count_distinct')) return throwNoSentence();
  const conditions = conditionsText(names, plan, mainDataset);
  const groups = groupTexts(names, plan);
  const [measure, otherMeasure] = measures;
  if (measure?.fn === 'share_of_total' && !otherMeasure && !measure.within) {
    const measureText = measureWords(names, measure.of);
    return order.length > 0 || groups.length !== 1
      ? throwNoSentence()
      : `${shareWord(measure)} of each ${groups[0]} in ${measureText} ${conditions}`;
  }
  if (measure?.fn === 'share' && groups.length > 0)
    return otherMeasure || order.length > 0
      ? throwNoSentence()
      : `for each ${joinList(groups)}, ${measureWords(names, measure)} ${conditions}`;
  const groupText = groups.length === 0 ? '' : `by ${joinList(groups)}`;
  const sortsByField = order.length > 0 && order.every(({ field }) => field);
  return `${measuresWords(names, measures)} ${conditions} ${groupText} ${sortsByField && isOrderedByYear(plan) ? '' : orderText(names, plan)}`;
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

const orderText = (names: Names, { order_by: order }: LensPlan): string => {
  if (order.length === 0) return '';
  const [onlyKey, otherKey] = order;
  return otherKey
    ? throwNoSentence()
    : `ordered by ${sortKeyText(names, onlyKey!)}${onlyKey!.direction === 'desc' ? ' descending' : ''}`;
};
const sortKeyText = (names: Names, { field, measure }: Order): string =>
  field ? names.field(field) : measureWords(names, measure);

/** Writes groups that are filtered by an aggregate of their rows. */
const filteredGroupsText = (names: Names, plan: LensPlan): string => {
  const [groupCondition, otherCondition] = plan.having;
  if (!groupCondition || otherCondition) return throwNoSentence();
  // A period without the name of its date could refer to the groups.
  const conditions = conditionsText(names, plan, '');
  return `${groupedThingsText(names, plan)} ${havingWords(names, groupCondition)} ${conditions} ${orderText(names, plan)}`;
};
/** Words for the dataset or field whose rows or values form the groups. Throws if there are several. */
const groupedThingsText = (names: Names, plan: LensPlan, isSingle = false): string => {
  const [keyPath, otherKeyPath] = plan.per ?? [];
  if (otherKeyPath) return throwNoSentence();
  if (keyPath !== undefined) {
    const shownFieldNames = shownFields(names, keyPath);
    const otherDimensions = plan.dimensions.filter(
      ({ path, field }) => path !== keyPath || !shownFieldNames.includes(field),
    );
    if (otherDimensions.length > 0 || plan.dimensions.some(({ grain }) => grain)) throwNoSentence();
    return isSingle ? names.singular(keyPath) : names.plural(keyPath);
  }
  const [dimension, otherDimension] = plan.dimensions;
  if (!dimension || otherDimension || dimension.grain) return throwNoSentence();
  return fieldWords(names, dimension, isSingle);
};
const fieldWords = (names: Names, grouping: Grouping, isSingle: boolean): string =>
  isSingle ? groupingWords(names, grouping) : toPlural(groupingWords(names, grouping));

const listingText = (names: Names, plan: LensPlan): string => {
  const { rows: mainDataset = throwNoSentence(), dimensions, distinct } = plan;
  if (plan.having.length > 0) return throwNoSentence();
  const conditions = filtersWords(names, plan.filters, mainDataset);
  if (distinct) {
    const [dimension, otherDimension] = dimensions;
    return !dimension || otherDimension || plan.order_by.length > 0
      ? throwNoSentence()
      : `list of ${fieldWords(names, dimension, false)} ${conditions}`;
  }
  return `${rowsText(names, plan, mainDataset)} ${conditions} ${orderText(names, plan)}`;
};
/** Words for the listed rows: the plural of their dataset, or the shown fields. */
const rowsText = (
  names: Names,
  { dimensions, order_by: order }: LensPlan,
  mainDataset: string,
  thingsText = '',
): string => {
  const shownFieldNames = rowFieldsOf(names, mainDataset);
  const rows = thingsText || names.plural(mainDataset);
  const showsRowFields = shownFieldNames.every(
    (field, index) => dimensions[index]?.path === mainDataset && dimensions[index]?.field === field,
  );
  if (showsRowFields && dimensions.length === shownFieldNames.length) return rows;
  const shownDimensions =
    showsRowFields && order.length > 0 && !thingsText ? dimensions.slice(shownFieldNames.length) : dimensions;
  if (shownDimensions.some(({ grain }) => grain)) return throwNoSentence();
  return `${joinList(shownDimensions.map((item) => groupingWords(names, item)))} of ${rows}`;
};

const rankedText = (names: Names, plan: LensPlan, limit: number): string => {
  const [sortKey, otherKey] = plan.order_by;
  if (!sortKey || otherKey || plan.having.length > 0) return throwNoSentence();
  const sortKeyName = sortKeyText(names, sortKey);
  const extreme = sortKey.direction === 'desc' ? 'highest' : 'lowest';
  if (plan.measures.length === 0 && !plan.grouped) return rankedRowsText(names, plan, limit);
  const { measure = throwNoSentence() } = sortKey;
  const conditions = conditionsText(names, plan, mainDatasetOf(names, measure));
  if (plan.measures.length > 1) return throwNoSentence();
  const rankWord = sortKey.direction === 'desc' ? 'top' : 'bottom';
  const [dimension, otherDimension] = plan.dimensions;
  if (!plan.per && dimension && !plan.filters.some((filter) => requiresValue(filter, dimension))) {
    if (plan.measures.length === 0) return throwNoSentence();
    if (otherDimension) return throwNoSentence();
    if (dimension.grain)
      return limit === 1
        ? `${groupingWords(names, dimension)} with the ${extreme} ${sortKeyName} ${conditions}`
        : throwNoSentence();
    if (countsRows(measure) && !measure.where && sortKey.direction === 'desc')
      return `${limitText(limit)}most common ${fieldWords(names, dimension, limit === 1)} of ${names.plural(measure.rows)} ${conditions}`;
  } else if (!plan.per && plan.measures.length > 0) return throwNoSentence();
  if (plan.measures.length > 0 && indexOfMeasure(plan.measures, measure) < 0) return throwNoSentence();
  const thingsText = groupedThingsText(names, plan, limit === 1);
  return plan.measures.length === 0
    ? `${limitText(limit)}${thingsText} with the ${extreme} ${sortKeyName} ${conditions}`
    : `${rankWord} ${limitText(limit)}${thingsText} by ${sortKeyName} ${conditions}`;
};
const limitText = (limit: number): string => (limit === 1 ? '' : `${limit} `);
const requiresValue = (filter: Filter, { path, field }: Grouping): boolean =>
  'field' in filter && filter.op === 'is_not_null' && filter.field.path === path && filter.field.field === field;
const rankedRowsText = (names: Names, plan: LensPlan, limit: number): string => {
  const { rows: mainDataset = throwNoSentence(), dimensions, order_by: order, filters } = plan;
  const [{ field: by = throwNoSentence(), direction }] = order as [Order];
  const conditions = filtersWords(names, filters, mainDataset);
  const shownFieldNames = rowFieldsOf(names, mainDataset);
  const { timeField } = requireDataset(names, mainDataset);
  const [rankWord, extreme] = direction === 'desc' ? ['top', 'highest'] : ['bottom', 'lowest'];
  const startsWithName = shownFieldNames.every(
    (field, index) => dimensions[index]?.path === mainDataset && dimensions[index]?.field === field,
  );
  const rest = startsWithName ? dimensions.slice(shownFieldNames.length) : dimensions;
  const rowsName = limit === 1 ? names.singular(mainDataset) : names.plural(mainDataset);
  if (startsWithName && rest.length === 1 && isSameGrouping(rest[0]!, by) && !shownFieldNames.includes(by.field))
    return `${rankWord} ${limitText(limit)}${rowsName} by ${names.field(by)} ${conditions}`;
  const rows =
    by.path === mainDataset && by.field === timeField
      ? `${limitText(limit)}${direction === 'desc' ? 'latest' : 'earliest'} ${rowsName} ${conditions}`
      : `${limitText(limit)}${rowsName} with the ${extreme} ${names.field(by)} ${conditions}`;
  if (startsWithName && rest.length === 0) return rows;
  return `${joinList(dimensions.map((dimension) => groupingWords(names, dimension)))} of the ${rows}`;
};

const topPerGroupText = (
  names: Names,
  plan: LensPlan,
  { by: dimensions, rows: limit }: NonNullable<LensPlan['limit_per']>,
): string => {
  const groupNames = groupTexts(names, {
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
  return `${rankedText(names, innerPlan.per.length > 0 ? innerPlan : { ...innerPlan, per: undefined }, limit)} in each ${joinList(groupNames)}`;
};
