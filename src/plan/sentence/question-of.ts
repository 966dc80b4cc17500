// Writes a plan as a question that the reader turns into that plan and no other.

import { plural } from '../../lens/model/singular.ts';
import { countsRows, type Filter, type Grouping, type LensPlan, type Order, placeOf } from '../lens-plan.ts';
import { filtersWords, listed } from './filter-words.ts';
import { groupingWords, groupTexts, rowOf, shownFields } from './grouping-words.ts';
import { havingWords, homeOf, measureWords, shareWord } from './measure-words.ts';
import { datasetAt, type Names, noSentence } from './names.ts';
import { capitalized, withPeriod } from './plan-sentence.ts';

/** Throws NoSentence if no question can express the plan. */
export const questionOf = (names: Names, plan: LensPlan): string =>
  capitalized(formOf(names, withPeriod(plan)).replace(/ +/g, ' ').trim());

const formOf = (names: Names, plan: LensPlan): string => {
  if (plan.offset || plan.every) return noSentence();
  if (plan.limit_per?.ties || plan.order_by.some(({ nulls }) => nulls)) return noSentence();
  if (plan.limit_per) return topPerGroupText(names, plan, plan.limit_per);
  if (plan.limit !== null) return rankedText(names, plan, plan.limit);
  if (plan.measures.length === 0) return plan.grouped ? filteredGroupsText(names, plan) : listingText(names, plan);
  return measuredText(names, plan);
};

const same = (a: Grouping, b: Grouping): boolean => a.path === b.path && a.field === b.field && a.grain === b.grain;

const conditionsText = (names: Names, plan: LensPlan, homeDataset: string): string =>
  filtersWords(names, withoutKeys(names, plan), homeDataset);
/** Omits filters for existing rows if another condition on them already implies that they exist. */
const withoutKeys = (names: Names, { filters, per = [], dimensions }: LensPlan): Filter[] =>
  filters.filter(
    (filter) =>
      !(
        'field' in filter &&
        filter.op === 'is_not_null' &&
        ((per.includes(filter.field.path) &&
          datasetAt(names, filter.field.path).primaryKey.includes(filter.field.field)) ||
          dimensions.some((by) => !by.grain && by.path === filter.field.path && by.field === filter.field.field))
      ),
  );

const measuredText = (names: Names, plan: LensPlan): string => {
  const { measures, having, order_by: order } = plan;
  if (having.length > 0) return noSentence();
  // "growth from 2015 to 2016" means another measure.
  const grown = measures.some((measure) => measure.fn === 'change' && measure.percent && !measure.from);
  const homeDataset = grown ? '' : homeOf(names, measures[0]!);
  if (measures.some((measure) => measure.fn === 'change' && measure.from) && plan.dimensions.some(({ grain }) => grain))
    return noSentence();
  // "number of distinct districts where capacity is 0" can also be about all rows of a district.
  const isNumeric = plan.filters.some((filter) => 'field' in filter && typeof filter.values[0] === 'number');
  if (isNumeric && measures.some((measure) => measure.fn === 'count_distinct')) return noSentence();
  const conditions = conditionsText(names, plan, homeDataset);
  const groups = groupTexts(names, plan);
  const [only, more] = measures;
  if (only?.fn === 'share_of_total' && !more && !only.within) {
    const measureText = measureWords(names, only.of);
    return order.length > 0 || groups.length !== 1
      ? noSentence()
      : `${shareWord(only)} of each ${groups[0]} in ${measureText} ${conditions}`;
  }
  if (only?.fn === 'share' && groups.length > 0)
    return more || order.length > 0
      ? noSentence()
      : `for each ${listed(groups)}, ${measureWords(names, only)} ${conditions}`;
  const by = groups.length === 0 ? '' : `by ${listed(groups)}`;
  const years = order.length > 0 && order.every(({ field }) => field);
  return `${listed(measures.map((measure) => measureWords(names, measure)))} ${conditions} ${by} ${years && isYearly(plan) ? '' : orderText(names, plan)}`;
};
/** Results by year are sorted by year without a request. */
const isYearly = ({ order_by: order, dimensions }: LensPlan): boolean =>
  order.every(
    ({ field: by, direction }) =>
      direction === 'asc' &&
      by &&
      /year/i.test(by.field) &&
      dimensions.some((dimension) => !dimension.grain && dimension.path === by.path && dimension.field === by.field),
  );

const orderText = (names: Names, { order_by: order }: LensPlan): string => {
  if (order.length === 0) return '';
  const [only, more] = order;
  return more
    ? noSentence()
    : `ordered by ${sortKeyText(names, only!)}${only!.direction === 'desc' ? ' descending' : ''}`;
};
const sortKeyText = (names: Names, { field, measure }: Order): string =>
  field ? names.field(field) : measureWords(names, measure);

/** Groups with a condition on an aggregate of their rows. */
const filteredGroupsText = (names: Names, plan: LensPlan): string => {
  const [groupCondition, more] = plan.having;
  if (!groupCondition || more) return noSentence();
  // A period without its date could refer to the groups.
  const conditions = conditionsText(names, plan, '');
  return `${groupedThingsText(names, plan)} ${havingWords(names, groupCondition)} ${conditions} ${orderText(names, plan)}`;
};
/** The dataset or the field values that form the groups, if there is only one. */
const groupedThingsText = (names: Names, plan: LensPlan, one = false): string => {
  const [only, more] = plan.per ?? [];
  if (more) return noSentence();
  if (only !== undefined) {
    const shownFieldNames = shownFields(names, only);
    const others = plan.dimensions.filter(({ path, field }) => path !== only || !shownFieldNames.includes(field));
    if (others.length > 0 || plan.dimensions.some(({ grain }) => grain)) noSentence();
    return one ? names.one(only) : names.many(only);
  }
  const [dimension, another] = plan.dimensions;
  if (!dimension || another || dimension.grain) return noSentence();
  return fieldWords(names, dimension, one);
};
const fieldWords = (names: Names, one: Grouping, single: boolean): string =>
  single ? groupingWords(names, one) : plural(groupingWords(names, one));

const listingText = (names: Names, plan: LensPlan): string => {
  const { rows: homeDataset = noSentence(), dimensions, distinct } = plan;
  if (plan.having.length > 0) return noSentence();
  const conditions = filtersWords(names, plan.filters, homeDataset);
  if (distinct) {
    const [only, more] = dimensions;
    return !only || more || plan.order_by.length > 0
      ? noSentence()
      : `list of ${fieldWords(names, only, false)} ${conditions}`;
  }
  return `${rowsText(names, plan, homeDataset)} ${conditions} ${orderText(names, plan)}`;
};
/** The rows, by their names or by these fields. */
const rowsText = (
  names: Names,
  { dimensions, order_by: order }: LensPlan,
  homeDataset: string,
  thingsText = '',
): string => {
  const shownFieldNames = rowOf(names, homeDataset);
  const rows = thingsText || names.many(homeDataset);
  const usual = shownFieldNames.every(
    (field, index) => dimensions[index]?.path === homeDataset && dimensions[index]?.field === field,
  );
  if (usual && dimensions.length === shownFieldNames.length) return rows;
  const more = usual && order.length > 0 && !thingsText ? dimensions.slice(shownFieldNames.length) : dimensions;
  if (more.some(({ grain }) => grain)) return noSentence();
  return `${listed(more.map((item) => groupingWords(names, item)))} of ${rows}`;
};

const rankedText = (names: Names, plan: LensPlan, limit: number): string => {
  const [by, more] = plan.order_by;
  if (!by || more || plan.having.length > 0) return noSentence();
  const scale = sortKeyText(names, by);
  const extreme = by.direction === 'desc' ? 'highest' : 'lowest';
  if (plan.measures.length === 0 && !plan.grouped) return rankedRowsText(names, plan, limit);
  const { measure = noSentence() } = by;
  const conditions = conditionsText(names, plan, homeOf(names, measure));
  if (plan.measures.length > 1) return noSentence();
  const first = by.direction === 'desc' ? 'top' : 'bottom';
  const [dimension, more_] = plan.dimensions;
  if (!plan.per && dimension && !plan.filters.some((filter) => requiresValue(filter, dimension))) {
    if (plan.measures.length === 0) return noSentence();
    if (more_) return noSentence();
    if (dimension.grain)
      return limit === 1
        ? `${groupingWords(names, dimension)} with the ${extreme} ${scale} ${conditions}`
        : noSentence();
    if (countsRows(measure) && !measure.where && by.direction === 'desc')
      return `${numbered(limit)}most common ${fieldWords(names, dimension, limit === 1)} of ${names.many(measure.rows)} ${conditions}`;
  } else if (!plan.per && plan.measures.length > 0) return noSentence();
  if (plan.measures.length > 0 && placeOf(plan.measures, measure) < 0) return noSentence();
  const thingsText = groupedThingsText(names, plan, limit === 1);
  return plan.measures.length === 0
    ? `${numbered(limit)}${thingsText} with the ${extreme} ${scale} ${conditions}`
    : `${first} ${numbered(limit)}${thingsText} by ${scale} ${conditions}`;
};
const numbered = (limit: number): string => (limit === 1 ? '' : `${limit} `);
const requiresValue = (one: Filter, { path, field }: Grouping): boolean =>
  'field' in one && one.op === 'is_not_null' && one.field.path === path && one.field.field === field;
const rankedRowsText = (names: Names, plan: LensPlan, limit: number): string => {
  const { rows: homeDataset = noSentence(), dimensions, order_by: order, filters } = plan;
  const [{ field: by = noSentence(), direction }] = order as [Order];
  const conditions = filtersWords(names, filters, homeDataset);
  const shownFieldNames = rowOf(names, homeDataset);
  const { timeField } = datasetAt(names, homeDataset);
  const [first, extreme] = direction === 'desc' ? ['top', 'highest'] : ['bottom', 'lowest'];
  const startsWithName = shownFieldNames.every(
    (field, index) => dimensions[index]?.path === homeDataset && dimensions[index]?.field === field,
  );
  const rest = startsWithName ? dimensions.slice(shownFieldNames.length) : dimensions;
  const called = limit === 1 ? names.one(homeDataset) : names.many(homeDataset);
  if (startsWithName && rest.length === 1 && same(rest[0]!, by) && !shownFieldNames.includes(by.field))
    return `${first} ${numbered(limit)}${called} by ${names.field(by)} ${conditions}`;
  const rows =
    by.path === homeDataset && by.field === timeField
      ? `${numbered(limit)}${direction === 'desc' ? 'latest' : 'earliest'} ${called} ${conditions}`
      : `${numbered(limit)}${called} with the ${extreme} ${names.field(by)} ${conditions}`;
  if (startsWithName && rest.length === 0) return rows;
  return `${listed(dimensions.map((dimension) => groupingWords(names, dimension)))} of the ${rows}`;
};

const topPerGroupText = (
  names: Names,
  plan: LensPlan,
  { by: dimensions, rows: limit }: NonNullable<LensPlan['limit_per']>,
): string => {
  const each = groupTexts(names, {
    ...plan,
    dimensions,
    per: (plan.per ?? []).filter((path) => dimensions.some((dimension) => dimension.path === path)),
  });
  const rest = plan.dimensions.filter((dimension) => !dimensions.some((own) => same(own, dimension)));
  const innerPlan = {
    ...plan,
    dimensions: rest,
    per: (plan.per ?? []).filter((path) => rest.some((item) => item.path === path)),
    limit_per: undefined,
    limit,
  };
  return `${rankedText(names, innerPlan.per.length > 0 ? innerPlan : { ...innerPlan, per: undefined }, limit)} in each ${listed(each)}`;
};
