// Writes the one question for a plan: it reads as that plan and no other.
import type { Filter, Grouping, Intent, Order } from '../../lens/model/intent.ts';
import type { Lens } from '../../lens/model/lens.ts';
import { type Vocabulary, vocabularyOf } from '../words/vocabulary.ts';
import { fieldCalled, thingCalled, thingsCalled, Unsaid, unsaid } from './called.ts';
import { filtersSaid } from './conditions.ts';
import { groupSaid, groupsSaid, rowOf, shownOf } from './groups.ts';
import { havingSaid, homeOf, measureSaid } from './measures.ts';

/** Null if no sentence expresses it yet. */
export const canonicalSentence = (lens: Lens, intent: Intent): string | null => {
  try {
    const said = sentenceOf(vocabularyOf(lens), withPeriod(intent)).replace(/ +/g, ' ').trim();
    return `${said.charAt(0).toUpperCase()}${said.slice(1)}`;
  } catch (fault) {
    if (fault instanceof Unsaid) return null;
    throw fault;
  }
};

/** Turns the period into a filter. */
export const withPeriod = ({ time, ...intent }: Intent): Intent => {
  const edge = (op: '>=' | '<', value: string): Filter[] =>
    time ? [{ kind: 'condition', field: time.field, op, values: [value] }] : [];
  return {
    ...intent,
    time: null,
    filters: [...edge('>=', time?.from ?? ''), ...edge('<', time?.to ?? ''), ...intent.filters],
  };
};

const sentenceOf = (vocabulary: Vocabulary, intent: Intent): string => {
  if (intent.offset || intent.every || intent.periods) return unsaid();
  if (intent.perGroup?.ties || intent.order.some(({ nulls }) => nulls)) return unsaid();
  if (intent.perGroup) return firstOfEach(vocabulary, intent, intent.perGroup);
  if (intent.limit !== null) return ranked(vocabulary, intent, intent.limit);
  if (intent.measures.length === 0) return intent.grouped ? chosen(vocabulary, intent) : listing(vocabulary, intent);
  return measured(vocabulary, intent);
};

const list = (all: readonly string[]): string =>
  all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
const same = (a: Grouping, b: Grouping): boolean => a.path === b.path && a.field === b.field && a.grain === b.grain;

const conditionsSaid = (vocabulary: Vocabulary, intent: Intent, home: string): string =>
  filtersSaid(vocabulary, withoutKeys(vocabulary, intent), home);
/** Choosing among things already implies that the thing exists. */
const withoutKeys = (vocabulary: Vocabulary, { filters, groupKeys = [], dimensions }: Intent): Filter[] =>
  filters.filter(
    (one) =>
      !(
        one.kind === 'condition' &&
        one.op === 'is_not_null' &&
        ((groupKeys.includes(one.field.path) &&
          vocabulary
            .dataset(vocabulary.graph.datasetOf(one.field.path) ?? unsaid())
            .primaryKey.includes(one.field.field)) ||
          dimensions.some((by) => !by.grain && by.path === one.field.path && by.field === one.field.field))
      ),
  );

const measured = (vocabulary: Vocabulary, intent: Intent): string => {
  const { measures, having, order } = intent;
  if (having.length > 0) return unsaid();
  // "growth from 2015 to 2016" is another measure.
  const grown = measures.some((one) => one.kind === 'windowed' && one.fn === 'percent_change');
  const home = grown ? '' : homeOf(vocabulary, measures[0]!);
  if (measures.some(({ kind }) => kind === 'change') && intent.dimensions.some(({ grain }) => grain)) return unsaid();
  const conditions = conditionsSaid(vocabulary, intent, home);
  const groups = groupsSaid(vocabulary, intent);
  const [only, more] = measures;
  if (only?.kind === 'windowed' && only.fn === 'share_of_total' && !more && !only.within) {
    const of = measureSaid(vocabulary, only.of);
    return order.length > 0 || groups.length !== 1
      ? unsaid()
      : `${only.percent ? 'percentage' : 'share'} of each ${groups[0]} in ${of} ${conditions}`;
  }
  if (only?.kind === 'part' && groups.length > 0)
    return more || order.length > 0
      ? unsaid()
      : `for each ${list(groups)}, ${measureSaid(vocabulary, only)} ${conditions}`;
  // "average fee per patient" can also be an average of totals.
  const mean = measures.some((one) => one.kind === 'aggregate' && one.fn === 'avg');
  const by = groups.length === 0 ? '' : `${mean ? 'by' : 'per'} ${list(groups)}`;
  const years = order.length > 0 && order.every(({ by: one }) => one.kind === 'field');
  return `${list(measures.map((one) => measureSaid(vocabulary, one)))} ${conditions} ${by} ${years && isYearly(intent) ? '' : ordered(vocabulary, intent)}`;
};
/** Years stored as numbers are sorted without being asked. */
const isYearly = ({ order, dimensions }: Intent): boolean =>
  order.every(
    ({ by, direction }) =>
      direction === 'asc' &&
      by.kind === 'field' &&
      /year/i.test(by.field.field) &&
      dimensions.some((one) => !one.grain && one.path === by.field.path && one.field === by.field.field),
  );

const ordered = (vocabulary: Vocabulary, { order, measures }: Intent): string => {
  if (order.length === 0) return '';
  const [only, more] = order;
  return more
    ? unsaid()
    : `ordered by ${scaleSaid(vocabulary, only!, measures)}${only!.direction === 'desc' ? ' descending' : ''}`;
};
const scaleSaid = (vocabulary: Vocabulary, { by }: Order, measures: Intent['measures']): string =>
  by.kind === 'field'
    ? fieldCalled(vocabulary, by.field)
    : measureSaid(vocabulary, by.kind === 'measure' ? measures[by.index]! : by.measure);

/** Things filtered by a total of their rows. */
const chosen = (vocabulary: Vocabulary, intent: Intent): string => {
  const [of, more] = intent.having;
  if (!of || more) return unsaid();
  // A period alone could apply to one of the things.
  const conditions = conditionsSaid(vocabulary, intent, '');
  return `${thingsTold(vocabulary, intent)} ${havingSaid(vocabulary, of)} ${conditions} ${ordered(vocabulary, intent)}`;
};
/** The single dataset, or field values, that the rows are grouped by. */
const thingsTold = (vocabulary: Vocabulary, intent: Intent): string => {
  const [only, more] = intent.groupKeys ?? [];
  if (more) return unsaid();
  if (only !== undefined) {
    const shown = shownOf(vocabulary, only);
    const others = intent.dimensions.filter(({ path, field }) => path !== only || !shown.includes(field));
    return others.length > 0 || intent.dimensions.some(({ grain }) => grain)
      ? unsaid()
      : thingsCalled(vocabulary, only);
  }
  const [dimension, another] = intent.dimensions;
  return !dimension || another || dimension.grain ? unsaid() : groupSaid(vocabulary, dimension);
};

const listing = (vocabulary: Vocabulary, intent: Intent): string => {
  const { home = unsaid(), dimensions, distinct } = intent;
  if (intent.having.length > 0) return unsaid();
  const conditions = filtersSaid(vocabulary, intent.filters, home);
  if (distinct) {
    const [only, more] = dimensions;
    return !only || more || intent.order.length > 0 ? unsaid() : `list of ${groupSaid(vocabulary, only)} ${conditions}`;
  }
  return `${toldRows(vocabulary, intent, home)} ${conditions} ${ordered(vocabulary, intent)}`;
};
/** Rows shown by their names or by these fields. */
const toldRows = (vocabulary: Vocabulary, { dimensions, order }: Intent, home: string, things = ''): string => {
  const shown = rowOf(vocabulary, home);
  const rows = things || thingsCalled(vocabulary, home);
  const usual = shown.every((field, at) => dimensions[at]?.path === home && dimensions[at]?.field === field);
  if (usual && dimensions.length === shown.length) return rows;
  const more = usual && order.length > 0 && !things ? dimensions.slice(shown.length) : dimensions;
  if (more.some(({ grain }) => grain)) return unsaid();
  return `${list(more.map((one) => groupSaid(vocabulary, one)))} of ${rows}`;
};

/** The top rows. */
const ranked = (vocabulary: Vocabulary, intent: Intent, limit: number): string => {
  const [by, more] = intent.order;
  if (!by || more || intent.having.length > 0) return unsaid();
  const scale = scaleSaid(vocabulary, by, intent.measures);
  const extreme = by.direction === 'desc' ? 'highest' : 'lowest';
  if (intent.measures.length === 0 && !intent.grouped) return rankedRows(vocabulary, intent, limit);
  const measure =
    by.by.kind === 'measure' ? intent.measures[by.by.index]! : by.by.kind === 'expression' ? by.by.measure : unsaid();
  const conditions = conditionsSaid(vocabulary, intent, homeOf(vocabulary, measure));
  if (intent.measures.length > 1) return unsaid();
  const first = by.direction === 'desc' ? 'top' : 'bottom';
  const [dimension, more_] = intent.dimensions;
  if (!intent.groupKeys && dimension && !intent.filters.some((one) => isGiven(one, dimension))) {
    if (intent.measures.length === 0) return unsaid();
    if (more_)
      return `${first} ${limit} combinations of ${list(groupsSaid(vocabulary, intent))} by ${scale} ${conditions}`;
    if (dimension.grain)
      return limit === 1 ? `${groupSaid(vocabulary, dimension)} with the ${extreme} ${scale} ${conditions}` : unsaid();
    if (measure.kind === 'aggregate' && measure.fn === 'count' && !measure.field && by.direction === 'desc')
      return `${limit} most common ${groupSaid(vocabulary, dimension)} of ${thingsCalled(vocabulary, measure.path)} ${conditions}`;
  } else if (!intent.groupKeys && intent.measures.length > 0) return unsaid();
  const things = thingsTold(vocabulary, intent);
  return intent.measures.length === 0
    ? `${limit} ${things} with the ${extreme} ${scale} ${conditions}`
    : `${first} ${limit} ${things} by ${scale} ${conditions}`;
};
const isGiven = (one: Filter, { path, field }: Grouping): boolean =>
  one.kind === 'condition' && one.op === 'is_not_null' && one.field.path === path && one.field.field === field;
const rankedRows = (vocabulary: Vocabulary, intent: Intent, limit: number): string => {
  const { home = unsaid(), dimensions, order, filters } = intent;
  const [{ by, direction }] = order as [Order];
  if (by.kind !== 'field') return unsaid();
  const conditions = filtersSaid(vocabulary, filters, home);
  const shown = rowOf(vocabulary, home);
  const { timeField } = vocabulary.dataset(home);
  const [first, extreme] = direction === 'desc' ? ['top', 'highest'] : ['bottom', 'lowest'];
  const told = shown.every((field, at) => dimensions[at]?.path === home && dimensions[at]?.field === field);
  const rest = told ? dimensions.slice(shown.length) : dimensions;
  const called = limit === 1 ? thingCalled(vocabulary, home) : thingsCalled(vocabulary, home);
  if (told && rest.length === 1 && same(rest[0]!, by.field) && !shown.includes(by.field.field))
    return `${first} ${limit} ${thingsCalled(vocabulary, home)} by ${fieldCalled(vocabulary, by.field)} ${conditions}`;
  const rows =
    by.field.path === home && by.field.field === timeField
      ? `${limit === 1 ? '' : `${limit} `}${direction === 'desc' ? 'latest' : 'earliest'} ${called} ${conditions}`
      : `${limit === 1 ? '' : `${limit} `}${called} with the ${extreme} ${fieldCalled(vocabulary, by.field)} ${conditions}`;
  if (told && rest.length === 0) return rows;
  return `${list(dimensions.map((one) => groupSaid(vocabulary, one)))} of the ${rows}`;
};

const firstOfEach = (
  vocabulary: Vocabulary,
  intent: Intent,
  { dimensions, limit }: NonNullable<Intent['perGroup']>,
): string => {
  const each = groupsSaid(vocabulary, {
    ...intent,
    dimensions,
    groupKeys: (intent.groupKeys ?? []).filter((path) => dimensions.some((one) => one.path === path)),
  });
  const rest = intent.dimensions.filter((one) => !dimensions.some((own) => same(own, one)));
  const of = {
    ...intent,
    dimensions: rest,
    groupKeys: (intent.groupKeys ?? []).filter((path) => rest.some((one) => one.path === path)),
    perGroup: undefined,
    limit,
  };
  return `${ranked(vocabulary, of.groupKeys.length > 0 ? of : { ...of, groupKeys: undefined }, limit)} in each ${list(each)}`;
};
