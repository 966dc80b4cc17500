// Writes the one question for a plan: it reads as that plan and no other.

import type { Lens } from '../../lens/model/lens.ts';
import {
  countsRows,
  type Filter,
  type Grouping,
  isAggregate,
  type LensPlan,
  type Order,
} from '../../plan/lens-plan.ts';
import { type Vocabulary, vocabularyOf } from '../words/vocabulary.ts';
import { filtersText } from './conditions.ts';
import { groupText, groupTexts, rowOf, shownFields } from './groups.ts';
import { havingText, homeOf, measureText } from './measures.ts';
import { fieldName, NoSentence, noSentence, pluralName, singularName } from './names-of.ts';

/** Null if no sentence expresses it yet. */
export const canonicalSentence = (lens: Lens, plan: LensPlan): string | null => {
  try {
    const said = sentenceOf(vocabularyOf(lens), withPeriod(plan)).replace(/ +/g, ' ').trim();
    return `${said.charAt(0).toUpperCase()}${said.slice(1)}`;
  } catch (fault) {
    if (fault instanceof NoSentence) return null;
    throw fault;
  }
};

/** Turns the period into a filter. */
export const withPeriod = ({ time, ...plan }: LensPlan): LensPlan => {
  const edge = (op: '>=' | '<', value: string): Filter[] => (time ? [{ field: time.field, op, values: [value] }] : []);
  return {
    ...plan,
    time: null,
    filters: [...edge('>=', time?.from ?? ''), ...edge('<', time?.to ?? ''), ...plan.filters],
  };
};

const sentenceOf = (vocabulary: Vocabulary, plan: LensPlan): string => {
  if (plan.offset || plan.every) return noSentence();
  if (plan.limit_per?.ties || plan.order_by.some(({ nulls }) => nulls)) return noSentence();
  if (plan.limit_per) return topPerGroupText(vocabulary, plan, plan.limit_per);
  if (plan.limit !== null) return rankedText(vocabulary, plan, plan.limit);
  if (plan.measures.length === 0)
    return plan.grouped ? filteredGroupsText(vocabulary, plan) : listingText(vocabulary, plan);
  return measuredText(vocabulary, plan);
};

const list = (all: readonly string[]): string =>
  all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
const same = (a: Grouping, b: Grouping): boolean => a.path === b.path && a.field === b.field && a.grain === b.grain;

const conditionsText = (vocabulary: Vocabulary, plan: LensPlan, home: string): string =>
  filtersText(vocabulary, withoutKeys(vocabulary, plan), home);
/** A condition on a thing already implies that there is one. */
const withoutKeys = (vocabulary: Vocabulary, { filters, per = [], dimensions }: LensPlan): Filter[] =>
  filters.filter(
    (one) =>
      !(
        'field' in one &&
        one.op === 'is_not_null' &&
        ((per.includes(one.field.path) &&
          vocabulary
            .dataset(vocabulary.graph.datasetOf(one.field.path) ?? noSentence())
            .primaryKey.includes(one.field.field)) ||
          dimensions.some((by) => !by.grain && by.path === one.field.path && by.field === one.field.field))
      ),
  );

const measuredText = (vocabulary: Vocabulary, plan: LensPlan): string => {
  const { measures, having, order_by: order } = plan;
  if (having.length > 0) return noSentence();
  // "growth from 2015 to 2016" is another measure.
  const grown = measures.some((one) => one.fn === 'change' && one.percent && !one.from);
  const home = grown ? '' : homeOf(vocabulary, measures[0]!);
  if (measures.some((one) => one.fn === 'change' && one.from) && plan.dimensions.some(({ grain }) => grain))
    return noSentence();
  // "number of distinct districts where capacity is 0" can also be about all the rows of a district.
  const isNumeric = plan.filters.some((one) => 'field' in one && typeof one.values[0] === 'number');
  if (isNumeric && measures.some((one) => one.fn === 'count_distinct')) return noSentence();
  const conditions = conditionsText(vocabulary, plan, home);
  const groups = groupTexts(vocabulary, plan);
  const [only, more] = measures;
  if (only?.fn === 'share_of_total' && !more && !only.within) {
    const of = measureText(vocabulary, only.of);
    return order.length > 0 || groups.length !== 1
      ? noSentence()
      : `${only.percent ? 'percentage' : 'share'} of each ${groups[0]} in ${of} ${conditions}`;
  }
  if (only?.fn === 'share' && groups.length > 0)
    return more || order.length > 0
      ? noSentence()
      : `for each ${list(groups)}, ${measureText(vocabulary, only)} ${conditions}`;
  // "average fee per patient" can also be an average of totals.
  const mean = measures.some((one) => isAggregate(one) && one.fn === 'avg' && !one.where);
  const by = groups.length === 0 ? '' : `${mean ? 'by' : 'per'} ${list(groups)}`;
  const years = order.length > 0 && order.every(({ field }) => field);
  return `${list(measures.map((one) => measureText(vocabulary, one)))} ${conditions} ${by} ${years && isYearly(plan) ? '' : orderText(vocabulary, plan)}`;
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

const orderText = (vocabulary: Vocabulary, { order_by: order }: LensPlan): string => {
  if (order.length === 0) return '';
  const [only, more] = order;
  return more
    ? noSentence()
    : `ordered by ${sortKeyText(vocabulary, only!)}${only!.direction === 'desc' ? ' descending' : ''}`;
};
const sortKeyText = (vocabulary: Vocabulary, { field, measure }: Order): string =>
  field ? fieldName(vocabulary, field) : measureText(vocabulary, measure);

/** Things filtered by an aggregate of their rows. */
const filteredGroupsText = (vocabulary: Vocabulary, plan: LensPlan): string => {
  const [of, more] = plan.having;
  if (!of || more) return noSentence();
  // A period alone could apply to one of the things.
  const conditions = conditionsText(vocabulary, plan, '');
  return `${groupedThingsText(vocabulary, plan)} ${havingText(vocabulary, of)} ${conditions} ${orderText(vocabulary, plan)}`;
};
/** The single dataset, or field values, that the rows are grouped by. */
const groupedThingsText = (vocabulary: Vocabulary, plan: LensPlan): string => {
  const [only, more] = plan.per ?? [];
  if (more) return noSentence();
  if (only !== undefined) {
    const shown = shownFields(vocabulary, only);
    const others = plan.dimensions.filter(({ path, field }) => path !== only || !shown.includes(field));
    return others.length > 0 || plan.dimensions.some(({ grain }) => grain)
      ? noSentence()
      : pluralName(vocabulary, only);
  }
  const [dimension, another] = plan.dimensions;
  return !dimension || another || dimension.grain ? noSentence() : groupText(vocabulary, dimension);
};

const listingText = (vocabulary: Vocabulary, plan: LensPlan): string => {
  const { rows: home = noSentence(), dimensions, distinct } = plan;
  if (plan.having.length > 0) return noSentence();
  const conditions = filtersText(vocabulary, plan.filters, home);
  if (distinct) {
    const [only, more] = dimensions;
    return !only || more || plan.order_by.length > 0
      ? noSentence()
      : `list of ${groupText(vocabulary, only)} ${conditions}`;
  }
  return `${rowsText(vocabulary, plan, home)} ${conditions} ${orderText(vocabulary, plan)}`;
};
/** Rows shown by their names or by these fields. */
const rowsText = (
  vocabulary: Vocabulary,
  { dimensions, order_by: order }: LensPlan,
  home: string,
  things = '',
): string => {
  const shown = rowOf(vocabulary, home);
  const rows = things || pluralName(vocabulary, home);
  const usual = shown.every((field, at) => dimensions[at]?.path === home && dimensions[at]?.field === field);
  if (usual && dimensions.length === shown.length) return rows;
  const more = usual && order.length > 0 && !things ? dimensions.slice(shown.length) : dimensions;
  if (more.some(({ grain }) => grain)) return noSentence();
  return `${list(more.map((one) => groupText(vocabulary, one)))} of ${rows}`;
};

/** The top rows. */
const rankedText = (vocabulary: Vocabulary, plan: LensPlan, limit: number): string => {
  const [by, more] = plan.order_by;
  if (!by || more || plan.having.length > 0) return noSentence();
  const scale = sortKeyText(vocabulary, by);
  const extreme = by.direction === 'desc' ? 'highest' : 'lowest';
  if (plan.measures.length === 0 && !plan.grouped) return rankedRowsText(vocabulary, plan, limit);
  const { measure = noSentence() } = by;
  const conditions = conditionsText(vocabulary, plan, homeOf(vocabulary, measure));
  if (plan.measures.length > 1) return noSentence();
  const first = by.direction === 'desc' ? 'top' : 'bottom';
  const [dimension, more_] = plan.dimensions;
  if (!plan.per && dimension && !plan.filters.some((one) => isGiven(one, dimension))) {
    if (plan.measures.length === 0) return noSentence();
    if (more_) return noSentence();
    if (dimension.grain)
      return limit === 1
        ? `${groupText(vocabulary, dimension)} with the ${extreme} ${scale} ${conditions}`
        : noSentence();
    if (countsRows(measure) && !measure.where && by.direction === 'desc')
      return `${limit} most common ${groupText(vocabulary, dimension)} of ${pluralName(vocabulary, measure.rows)} ${conditions}`;
  } else if (!plan.per && plan.measures.length > 0) return noSentence();
  const things = groupedThingsText(vocabulary, plan);
  return plan.measures.length === 0
    ? `${limit} ${things} with the ${extreme} ${scale} ${conditions}`
    : `${first} ${limit} ${things} by ${scale} ${conditions}`;
};
const isGiven = (one: Filter, { path, field }: Grouping): boolean =>
  'field' in one && one.op === 'is_not_null' && one.field.path === path && one.field.field === field;
const rankedRowsText = (vocabulary: Vocabulary, plan: LensPlan, limit: number): string => {
  const { rows: home = noSentence(), dimensions, order_by: order, filters } = plan;
  const [{ field: by = noSentence(), direction }] = order as [Order];
  const conditions = filtersText(vocabulary, filters, home);
  const shown = rowOf(vocabulary, home);
  const { timeField } = vocabulary.dataset(home);
  const [first, extreme] = direction === 'desc' ? ['top', 'highest'] : ['bottom', 'lowest'];
  const listsRows = shown.every((field, at) => dimensions[at]?.path === home && dimensions[at]?.field === field);
  const rest = listsRows ? dimensions.slice(shown.length) : dimensions;
  const called = limit === 1 ? singularName(vocabulary, home) : pluralName(vocabulary, home);
  if (listsRows && rest.length === 1 && same(rest[0]!, by) && !shown.includes(by.field))
    return `${first} ${limit} ${pluralName(vocabulary, home)} by ${fieldName(vocabulary, by)} ${conditions}`;
  const rows =
    by.path === home && by.field === timeField
      ? `${limit === 1 ? '' : `${limit} `}${direction === 'desc' ? 'latest' : 'earliest'} ${called} ${conditions}`
      : `${limit === 1 ? '' : `${limit} `}${called} with the ${extreme} ${fieldName(vocabulary, by)} ${conditions}`;
  if (listsRows && rest.length === 0) return rows;
  return `${list(dimensions.map((one) => groupText(vocabulary, one)))} of the ${rows}`;
};

const topPerGroupText = (
  vocabulary: Vocabulary,
  plan: LensPlan,
  { by: dimensions, rows: limit }: NonNullable<LensPlan['limit_per']>,
): string => {
  const each = groupTexts(vocabulary, {
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
  return `${rankedText(vocabulary, of.per.length > 0 ? of : { ...of, per: undefined }, limit)} in each ${list(each)}`;
};
