// Writes the one question for a plan: it reads as that plan and no other.

import { plural } from '../../lens/model/singular.ts';
import { countsRows, type Filter, type Grouping, type LensPlan, type Order, placeOf } from '../lens-plan.ts';
import { filtersWords, listed } from './filter-words.ts';
import { groupingWords, groupTexts, rowOf, shownFields } from './grouping-words.ts';
import { havingWords, homeOf, measureWords, shareWord } from './measure-words.ts';
import { datasetAt, type Names, noSentence } from './names.ts';
import { capitalized, withPeriod } from './plan-sentence.ts';

/** Throws NoSentence if no question expresses the plan. */
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

const conditionsText = (names: Names, plan: LensPlan, home: string): string =>
  filtersWords(names, withoutKeys(names, plan), home);
/** A condition on a thing already implies that there is one. */
const withoutKeys = (names: Names, { filters, per = [], dimensions }: LensPlan): Filter[] =>
  filters.filter(
    (one) =>
      !(
        'field' in one &&
        one.op === 'is_not_null' &&
        ((per.includes(one.field.path) && datasetAt(names, one.field.path).primaryKey.includes(one.field.field)) ||
          dimensions.some((by) => !by.grain && by.path === one.field.path && by.field === one.field.field))
      ),
  );

const measuredText = (names: Names, plan: LensPlan): string => {
  const { measures, having, order_by: order } = plan;
  if (having.length > 0) return noSentence();
  // "growth from 2015 to 2016" is another measure.
  const grown = measures.some((one) => one.fn === 'change' && one.percent && !one.from);
  const home = grown ? '' : homeOf(names, measures[0]!);
  if (measures.some((one) => one.fn === 'change' && one.from) && plan.dimensions.some(({ grain }) => grain))
    return noSentence();
  // "number of distinct districts where capacity is 0" can also be about all the rows of a district.
  const isNumeric = plan.filters.some((one) => 'field' in one && typeof one.values[0] === 'number');
  if (isNumeric && measures.some((one) => one.fn === 'count_distinct')) return noSentence();
  const conditions = conditionsText(names, plan, home);
  const groups = groupTexts(names, plan);
  const [only, more] = measures;
  if (only?.fn === 'share_of_total' && !more && !only.within) {
    const of = measureWords(names, only.of);
    return order.length > 0 || groups.length !== 1
      ? noSentence()
      : `${shareWord(only)} of each ${groups[0]} in ${of} ${conditions}`;
  }
  if (only?.fn === 'share' && groups.length > 0)
    return more || order.length > 0
      ? noSentence()
      : `for each ${listed(groups)}, ${measureWords(names, only)} ${conditions}`;
  const by = groups.length === 0 ? '' : `by ${listed(groups)}`;
  const years = order.length > 0 && order.every(({ field }) => field);
  return `${listed(measures.map((one) => measureWords(names, one)))} ${conditions} ${by} ${years && isYearly(plan) ? '' : orderText(names, plan)}`;
};
/** Years stored as numbers are sorted without being asked. */
const isYearly = ({ order_by: order, dimensions }: LensPlan): boolean =>
  order.every(
    ({ field: by, direction }) =>
      direction === 'asc' &&
      by &&
      /year/i.test(by.field) &&
      dimensions.some((one) => !one.grain && one.path === by.path && one.field === by.field),
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

/** Things filtered by an aggregate of their rows. */
const filteredGroupsText = (names: Names, plan: LensPlan): string => {
  const [of, more] = plan.having;
  if (!of || more) return noSentence();
  // A period alone could apply to one of the things.
  const conditions = conditionsText(names, plan, '');
  return `${groupedThingsText(names, plan)} ${havingWords(names, of)} ${conditions} ${orderText(names, plan)}`;
};
/** The single dataset, or field values, that the rows are grouped by. */
const groupedThingsText = (names: Names, plan: LensPlan, one = false): string => {
  const [only, more] = plan.per ?? [];
  if (more) return noSentence();
  if (only !== undefined) {
    const shown = shownFields(names, only);
    const others = plan.dimensions.filter(({ path, field }) => path !== only || !shown.includes(field));
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
  const { rows: home = noSentence(), dimensions, distinct } = plan;
  if (plan.having.length > 0) return noSentence();
  const conditions = filtersWords(names, plan.filters, home);
  if (distinct) {
    const [only, more] = dimensions;
    return !only || more || plan.order_by.length > 0
      ? noSentence()
      : `list of ${fieldWords(names, only, false)} ${conditions}`;
  }
  return `${rowsText(names, plan, home)} ${conditions} ${orderText(names, plan)}`;
};
/** Rows shown by their names or by these fields. */
const rowsText = (names: Names, { dimensions, order_by: order }: LensPlan, home: string, things = ''): string => {
  const shown = rowOf(names, home);
  const rows = things || names.many(home);
  const usual = shown.every((field, at) => dimensions[at]?.path === home && dimensions[at]?.field === field);
  if (usual && dimensions.length === shown.length) return rows;
  const more = usual && order.length > 0 && !things ? dimensions.slice(shown.length) : dimensions;
  if (more.some(({ grain }) => grain)) return noSentence();
  return `${listed(more.map((one) => groupingWords(names, one)))} of ${rows}`;
};

/** The top rows. */
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
  if (!plan.per && dimension && !plan.filters.some((one) => requiresValue(one, dimension))) {
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
  const things = groupedThingsText(names, plan, limit === 1);
  return plan.measures.length === 0
    ? `${numbered(limit)}${things} with the ${extreme} ${scale} ${conditions}`
    : `${first} ${numbered(limit)}${things} by ${scale} ${conditions}`;
};
const numbered = (limit: number): string => (limit === 1 ? '' : `${limit} `);
const requiresValue = (one: Filter, { path, field }: Grouping): boolean =>
  'field' in one && one.op === 'is_not_null' && one.field.path === path && one.field.field === field;
const rankedRowsText = (names: Names, plan: LensPlan, limit: number): string => {
  const { rows: home = noSentence(), dimensions, order_by: order, filters } = plan;
  const [{ field: by = noSentence(), direction }] = order as [Order];
  const conditions = filtersWords(names, filters, home);
  const shown = rowOf(names, home);
  const { timeField } = datasetAt(names, home);
  const [first, extreme] = direction === 'desc' ? ['top', 'highest'] : ['bottom', 'lowest'];
  const told = shown.every((field, at) => dimensions[at]?.path === home && dimensions[at]?.field === field);
  const rest = told ? dimensions.slice(shown.length) : dimensions;
  const called = limit === 1 ? names.one(home) : names.many(home);
  if (told && rest.length === 1 && same(rest[0]!, by) && !shown.includes(by.field))
    return `${first} ${numbered(limit)}${called} by ${names.field(by)} ${conditions}`;
  const rows =
    by.path === home && by.field === timeField
      ? `${numbered(limit)}${direction === 'desc' ? 'latest' : 'earliest'} ${called} ${conditions}`
      : `${numbered(limit)}${called} with the ${extreme} ${names.field(by)} ${conditions}`;
  if (told && rest.length === 0) return rows;
  return `${listed(dimensions.map((one) => groupingWords(names, one)))} of the ${rows}`;
};

const topPerGroupText = (
  names: Names,
  plan: LensPlan,
  { by: dimensions, rows: limit }: NonNullable<LensPlan['limit_per']>,
): string => {
  const each = groupTexts(names, {
    ...plan,
    dimensions,
    per: (plan.per ?? []).filter((path) => dimensions.some((one) => one.path === path)),
  });
  const rest = plan.dimensions.filter((one) => !dimensions.some((own) => same(own, one)));
  const of = {
    ...plan,
    dimensions: rest,
    per: (plan.per ?? []).filter((path) => rest.some((one) => one.path === path)),
    limit_per: undefined,
    limit,
  };
  return `${rankedText(names, of.per.length > 0 ? of : { ...of, per: undefined }, limit)} in each ${listed(each)}`;
};
