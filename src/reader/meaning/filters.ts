// Converts a condition of a question to filters on the rows that the condition restricts.

import { isNumeric } from '../../contract/warehouse.ts';
import { findYesValue } from '../../lens/model/flag-values.ts';
import type { LensField, LensMetric } from '../../lens/model/lens.ts';
import { NULL_TESTS, negateExists, toCountBounds } from '../../plan/filters.ts';
import type { ExistsFilter, Filter } from '../../plan/lens-plan.ts';
import { MISSING_VALUE_WORDS } from '../english/words.ts';
import { findDistinctCountMetric, findMetricsNamedAsAggregate } from '../words/governed-metrics.ts';
import type { ReachablePath } from '../words/join-graph.ts';
import { splitWords } from '../words/phrase-key.ts';
import { findTimeUnit } from '../words/time-expressions.ts';
import { foldText } from '../words/tokens.ts';
import { hasDateOfState, hasEventDate, resolveDate } from './dates.ts';
import { type NameResolution, rejectInterpretation, toPeriodFilters } from './name-resolution.ts';
import { createFlagPredicate } from './operators/building.ts';
import { addOtherFormDoubt, addStartDateDoubt } from './start-date-doubt.ts';
import {
  type EntitiesTerm,
  type EntityCandidate,
  flattenPredicate,
  type PredicateOf,
  type PredicateTerm,
} from './terms.ts';
import {
  combineFilters,
  convertToUnit,
  createAmountFilter,
  createFieldRef,
  createValueFilter,
  type FilterContext,
} from './value-filters.ts';
import { canLinkByVerb, isEventOfOtherRows, rejectStateOfVerb, requireRecordedVerb, requireVerbLink } from './verbs.ts';

/**
 * Rejects an interpretation that applies a period to the wrong date. In "cancelled in 2023", the period must restrict
 * the date of the cancellation if "cancelled" is a state with its own date. In "customers who ordered chairs in 2023",
 * the period must restrict the orders and not the customers.
 */
export function rejectDatedState(s: NameResolution, predicates: readonly PredicateTerm[], homeDataset: string): void {
  const times = predicates.flatMap((predicate) => (predicate.is === 'time' ? [predicate] : []));
  const bareTimes = times.filter(({ field, verb }) => field === null && verb === null);
  if (bareTimes.length === 0) return;
  if (bareTimes.length < times.length) rejectInterpretation('it is unclear which date a second period restricts');
  for (const item of predicates) {
    const verb = item.is === 'has' ? item.verb : item.is === 'value' ? item.word : null;
    if (verb && isEventOfOtherRows(s, verb, s.dataset(homeDataset).name))
      rejectInterpretation('the period restricts the date of the event');
  }
  const states = listConditions(predicates).flatMap((item) =>
    item.is === 'value'
      ? item.value.any.flatMap(({ text, options }) =>
          options.map(({ dataset, value }) => ({ dataset, words: [value, text] })),
        )
      : item.is === 'compare'
        ? item.field.options.flatMap(({ dataset, fields }) =>
            fields.flatMap(({ name, datatype }) =>
              datatype === 'boolean' ? [{ dataset, words: splitWords(name) }] : [],
            ),
          )
        : [],
  );
  for (const { dataset, words } of states)
    if (dataset === s.dataset(homeDataset).name || s.reaches(homeDataset, dataset)) {
      if (words.some((word) => hasDateOfState(s, dataset, word)))
        rejectInterpretation(`${words.join(' ')} has a separate date`);
      const event = words.find((word) => hasEventDate(s, dataset, foldText(word)));
      if (event) s.addDoubt(`svc read "${event}" as the state of ${dataset.replaceAll('_', ' ')}, not as a date.`);
    }
}

/** Returns the conditions, all conditions nested in them, and their conditions on related rows. */
const listConditions = (predicates: readonly PredicateTerm[]): PredicateTerm[] =>
  predicates
    .flatMap(flattenPredicate)
    .flatMap((item) => (item.is === 'has' ? [item, ...listConditions(item.things.predicates)] : [item]));

export function toFilters(s: NameResolution, predicates: readonly PredicateTerm[], context: FilterContext): Filter[] {
  rejectDatedState(s, predicates, context.from);
  return predicates.flatMap((predicate) => toFilter(s, predicate, context));
}

function toFilter(s: NameResolution, predicate: PredicateTerm, context: FilterContext): Filter[] {
  switch (predicate.is) {
    case 'value':
      return createValueFilter(s, predicate, context);
    case 'compare': {
      const placedField = s.field(context.home, predicate.field.options, predicate.field.text, context.from);
      if (
        isNumeric(placedField.field.datatype) &&
        (context.by || findDistinctCountMetric(s.vocabulary, placedField.dataset.name, context.rowsName ?? ''))
      )
        return rejectInterpretation('the condition could be about one row or all rows');
      if (predicate.field.features.includes('own') && placedField.dataset.name !== s.dataset(context.from).name)
        return rejectInterpretation('the field belongs to another dataset');
      if (placedField.path !== context.from && findTimeUnit(s.vocabulary.key(predicate.field.text)))
        return rejectInterpretation('the words can name a duration of the rows themselves');
      if (predicate.field.features.includes('adjacent') && placedField.dataset.name !== s.dataset(context.from).name)
        s.addDoubt(
          `svc read "${predicate.field.text}" as a property of ${placedField.dataset.name.replaceAll('_', ' ')}.`,
        );
      const values =
        predicate.unit === null
          ? [...predicate.values]
          : predicate.values.map((rawValue) => convertToUnit(Number(rawValue), predicate.unit!, placedField.field));
      return [{ field: createFieldRef(placedField), op: predicate.op, values }];
    }
    case 'amount':
      return createAmountFilter(s, predicate, context);
    case 'missing': {
      const placedField = s.field(context.home, predicate.field.options, predicate.field.text, context.from);
      if (placedField.path !== context.home)
        return rejectInterpretation('the field with missing values belongs to another dataset');
      // If the field stores only "yes" and "no", "without" means "no". For example, "orders without a gift" means the
      // orders whose field gift is "no".
      const yes = findYesValue(placedField.field);
      if (yes !== undefined) return [createNegatedFilter(s, createFlagPredicate(predicate.field, yes), context)];
      addMissingValueWordDoubt(s, placedField.field);
      return [{ field: createFieldRef(placedField), op: 'is_null', values: [] }];
    }
    case 'time':
      return createPeriodFilters(s, predicate, context);
    case 'has':
      return toFiltersOnRelatedRows(s, predicate, context, false);
    case 'not':
      return [createNegatedFilter(s, predicate.of, context)];
    case 'all':
      return predicate.of.flatMap((part) => toFilter(s, part, context));
    case 'any':
      return [{ any: predicate.of.map((part) => combineFilters(toFilter(s, part, context))) }];
    default:
      return rejectInterpretation(`${predicate.is} restricts no rows`);
  }
}
function createPeriodFilters(
  s: NameResolution,
  { period, field, verb }: PredicateOf<'time'>,
  context: FilterContext,
): Filter[] {
  const { home, from } = context;
  const isOnRows = from === home || context.by !== undefined;
  const namedField = field && s.field(home, field.options, field.text, from);
  if (namedField && namedField.path !== from && hasEventDate(s, from, foldText(field.text)))
    return rejectInterpretation('the rows themselves have a date with this name');
  if (verb && !hasEventDate(s, home, verb)) rejectStateOfVerb(s, verb, home);
  if (namedField) addOtherFormDoubt(s, namedField, field.text, period.text);
  if (namedField) return toPeriodFilters({ ...namedField, year: false }, period);
  // A period restricts the default date of the measured rows, not a date of joined rows. For example, "loans in the
  // Harbour branch in May" means loans in May, regardless of when the branch opened.
  if (!verb && !isOnRows && s.dataset(home).timeField !== null)
    return rejectInterpretation('the period restricts the date of the measured rows');
  const dateField = resolveDate(s, isOnRows ? home : from, period.text, verb);
  if (!verb) addStartDateDoubt(s, dateField, period.text, []);
  const path = isOnRows ? dateField.path : findFilterPath(s, context, dateField.path);
  return toPeriodFilters({ ...dateField, path }, period);
}
/**
 * Adds a doubt if the field stores a word such as "none". For example, "passes with no channel" doesn't include passes
 * whose channel is "none".
 */
function addMissingValueWordDoubt(s: NameResolution, { name, dictionary }: LensField): void {
  const storedNothing = dictionary?.values.find(({ value }) => MISSING_VALUE_WORDS.has(foldText(value)));
  if (storedNothing)
    s.addDoubt(
      `Rows with the stored value "${storedNothing.value}" of ${name.replaceAll('_', ' ')} are not counted as missing.`,
    );
}
const findFilterPath = (s: NameResolution, { home, from }: FilterContext, path: string): string => {
  const dataset = s.dataset(path).name;
  return path === from
    ? s.path(home, from, undefined, from)
    : s.path(home, dataset, path === dataset ? undefined : path, path);
};

const createNoMatchingRowFilter = ({ home, by }: FilterContext, where: Filter[]): Filter => ({
  not_exists: home,
  where,
  sharing: by!.field.name,
});

function createNegatedFilter(s: NameResolution, predicate: PredicateTerm, context: FilterContext): Filter {
  if (predicate.is === 'has') return combineFilters(toFiltersOnRelatedRows(s, predicate, context, true));
  const [first, second] = toFilter(s, predicate, context);
  if (!first || second) return rejectInterpretation("svc can't negate several filters together");
  // If an entity has several rows, the negation of a condition means that no row of the entity matches the condition.
  if (context.by)
    return 'field' in first && context.thing
      ? createNoMatchingRowFilter(context, [first])
      : rejectInterpretation('the negation could be about some rows or all rows');
  if ('exists' in first) return negateExists(first);
  if ('not' in first) return first.not;
  if ('field' in first && first.or_null)
    return { field: first.field, op: first.op === '!=' ? '=' : 'in', values: first.values };
  if ('field' in first && (first.op === '=' || first.op === 'in'))
    return { ...first, op: first.op === '=' ? '!=' : 'not_in', or_null: true };
  const isComparison = 'field' in first && !NULL_TESTS.has(first.op) && !first.other && !first.than;
  return { not: isComparison ? { all: [{ ...first, op: 'is_not_null', values: [] }, first] } : first };
}

type RelatedRowsCondition = Pick<PredicateOf<'has'>, 'things' | 'verb' | 'count'>;
/**
 * Returns true if the only period applies to the event that the verb names. For example, in "cancelled a subscription
 * in 2023", the period restricts the date of the cancellation.
 */
const isDatedByVerb = (s: NameResolution, { options, predicates }: EntitiesTerm, verb: string): boolean =>
  predicates.filter((predicate) => predicate.is === 'time' && predicate.verb === null && predicate.field === null)
    .length === 1 && options.every(({ dataset, by }) => !by && hasEventDate(s, dataset, verb));
const addVerbToPeriods = (things: EntitiesTerm, verb: string): EntitiesTerm => ({
  ...things,
  predicates: things.predicates.map((predicate) => (predicate.is === 'time' ? { ...predicate, verb } : predicate)),
});

export const hasRowsOfDataset = ({ options }: EntitiesTerm, homeDataset: string): boolean =>
  options.some(({ dataset, role, by }) => dataset === homeDataset && !role && !by);

/**
 * Converts a condition on related rows to filters. Through a many-to-one join, the filters restrict the one joined row.
 * In the other direction, they require that a matching row exists.
 */
function toFiltersOnRelatedRows(
  s: NameResolution,
  { things, verb, count }: RelatedRowsCondition,
  context: FilterContext,
  isNegated: boolean,
): Filter[] {
  if (verb && !count && isDatedByVerb(s, things, verb))
    return toFiltersOnRelatedRows(s, { things: addVerbToPeriods(things, verb), verb: null, count }, context, isNegated);
  if (verb)
    requireVerbLink(
      s,
      verb,
      context.home,
      things.options.map(({ dataset }) => dataset),
    );
  if (verb) requireRecordedVerb(s, verb, context);
  const { home, from } = context;
  // If customers are values of a field, "customers who never ordered in 2016" means that no row of a customer matches
  // the condition.
  if (isNegated && verb === null && !count && context.by && context.thing && hasRowsOfDataset(things, home)) {
    const where = toFilters(s, things.predicates, { home, from: home });
    return where.length > 0
      ? [createNoMatchingRowFilter(context, where)]
      : rejectInterpretation('every value has at least one related row');
  }
  // If the counted values are a field of the named rows, the condition restricts these rows directly. For example, in
  // "cities of patients with a visit", the city is a field of the patients.
  if (context.by)
    return context.distinct && verb === null && !count && !isNegated && hasRowsOfDataset(things, home)
      ? toFilters(s, things.predicates, { home, from: home })
      : rejectInterpretation('a value of a field has no related rows');
  const option = s.pick(
    'which name',
    things.text,
    things.options
      .filter(({ by }) => !by)
      .map((option) => ({ of: option, key: option.role ?? option.dataset, cost: 0 })),
  );
  const { dataset, role } = option;
  // A condition on the measured rows themselves restricts these rows. For example, "profit on lines with a discount
  // over 20 percent" means the profit of those lines.
  const areNumbers =
    things.predicates.length > 0 &&
    things.predicates.every((predicate) => predicate.is === 'compare' || predicate.is === 'amount');
  if (dataset === from && !role && !isNegated && !count && verb === null && areNumbers)
    return findDistinctCountMetric(s.vocabulary, dataset, things.text)
      ? rejectInterpretation('the question could mean rows or distinct values')
      : toFilters(s, things.predicates, { home, from });
  if (dataset === from && !role) return rejectInterpretation(`no relationship connects ${dataset} to itself`);
  if (s.reaches(from, dataset)) {
    const path = s.path(home, dataset, role, things.text);
    if (count) return rejectInterpretation('each row has at most one related row');
    const innerFilters = toFilters(s, things.predicates, { home, from: dataset }).map((filter) =>
      bindFilterToRole(s, filter, home, option),
    );
    if (isNegated && innerFilters.length > 0)
      return rejectInterpretation('the negation could be about the related row or its condition');
    if (isNegated && s.vocabulary.lens.rowPolicies.some((policy) => policy.dataset === dataset))
      return rejectInterpretation('a row policy may hide the related row');
    if (!isNegated && innerFilters.length === 0 && verb === null)
      return rejectInterpretation('the condition restricts no rows');
    return innerFilters.length > 0
      ? innerFilters
      : [{ field: { path, field: requireFirstKey(s, path) }, op: isNegated ? 'is_null' : 'is_not_null', values: [] }];
  }
  if (role) rejectInterpretation('no role of these rows has this name');
  return createRelatedFilter(s, { things, verb, count }, dataset, context, isNegated);
}

/**
 * Binds a filter to the role that the question names. For example, in "employees with a supervisor in Rome", the filter
 * restricts only the supervisor's city.
 */
export function bindFilterToRole(
  s: NameResolution,
  filter: Filter,
  homeDataset: string,
  { dataset, role }: EntityCandidate,
): Filter {
  if (role === undefined) return filter;
  if (!('field' in filter) || filter.other || filter.than)
    return rejectInterpretation("the filter can't apply to a role");
  const { path } = filter.field;
  if (path === dataset) return { ...filter, field: { ...filter.field, path: role } };
  const steps = s.vocabulary.graph.pathsFrom(homeDataset).get(path)?.via ?? [];
  return steps.some((step) => step.role === role)
    ? filter
    : rejectInterpretation('the condition applies to another role');
}

/** Creates the filter for entities that have at least one, no, or a given number of related rows. */
function createRelatedFilter(
  s: NameResolution,
  { things, verb, count }: RelatedRowsCondition,
  dataset: string,
  context: FilterContext,
  isNegated: boolean,
): Filter[] {
  const { home, from } = context;
  if (count && findDistinctCountMetric(s.vocabulary, dataset, things.text))
    return rejectInterpretation('the question could mean rows or distinct values');
  addCountMetricDoubt(
    s,
    things.text,
    count ? findMetricsNamedAsAggregate(s.vocabulary, { fn: 'count', path: dataset }) : [],
  );
  // The question "customers with fewer than 3 orders" could include or exclude customers without orders.
  if (count?.op.startsWith('<'))
    return rejectInterpretation('the question could include or exclude rows without related rows');
  const asExistence = (exists: ExistsFilter): Filter[] => [isNegated ? negateExists(exists) : exists];
  const bounds = count ? toCountBounds(count.op, count.value) : {};
  if (context.outerPath === dataset) return rejectInterpretation('the condition describes the outer rows');
  const routes = s.reaches(dataset, from) ? s.vocabulary.graph.paths(dataset, from) : [];
  const links = (
    routes.length > 0
      ? listAlternativeLinkTables(s, routes, from, dataset)
      : s.vocabulary.graph.linkingDatasets(from, dataset)
  ).filter((link) => link !== home && (verb === null || canLinkByVerb(s, verb, link)));
  if (routes.length === 0 && links.length === 0)
    return rejectInterpretation(`no dataset links ${things.text} to these rows`);
  const { link, via } = s.pick<{ link?: string; via?: string }>('which way', things.text, [
    ...routes.map(({ path, hops }) => ({ of: { via: path }, key: path, cost: hops })),
    ...links.map((link) => ({ of: { link }, key: link, cost: routes[0]?.hops ?? 0 })),
  ]);
  if (link === undefined)
    return asExistence({
      exists: dataset,
      where: toFilters(s, things.predicates, { home: dataset, from: dataset, outerPath: from }),
      ...(via && routes.length > 1 && { via }),
      ...bounds,
    });
  const linksOnlyPairs = s.isPureLinkTable(link, from, dataset);
  if (count && !linksOnlyPairs)
    return rejectInterpretation('several rows can link the same two rows, so a count would be wrong');
  return asExistence({
    exists: link,
    where: toFilters(s, things.predicates, { home: link, from: dataset, outerPath: from }),
    ...bounds,
  });
}
/**
 * Lists the link tables that can connect the datasets instead of a role that the question doesn't name. For example,
 * "members without courses" can mean members who teach no course or members who attend no course.
 */
const listAlternativeLinkTables = (
  s: NameResolution,
  routes: readonly ReachablePath[],
  from: string,
  dataset: string,
): string[] =>
  routes.some(({ via }) => s.isMentioned(via.at(-1)!))
    ? []
    : s.vocabulary.lens.datasets
        .map(({ name }) => name)
        .filter(
          (name) =>
            name !== from &&
            name !== dataset &&
            s.reaches(name, from) &&
            s.reaches(name, dataset) &&
            s.isPureLinkTable(name, from, dataset),
        );
/**
 * Adds a doubt if a metric with the name of the related rows counts only some of them. For example, the metric "scans"
 * may count fewer rows than "lifts without scans" means.
 */
function addCountMetricDoubt(s: NameResolution, phrase: string, countMetrics: readonly LensMetric[]): void {
  const { phrases, key } = s.vocabulary;
  const namedMetrics = (phrases.get(key(phrase)) ?? []).flatMap((item) =>
    item.kind === 'metric' ? [item.metric] : [],
  );
  const countMetric = [...namedMetrics, ...countMetrics].find(({ filter }) => filter !== null);
  if (countMetric)
    s.addDoubt(`"${phrase}" means all rows here, but the metric ${countMetric.name} counts only some of them.`);
}
const requireFirstKey = (s: NameResolution, path: string): string =>
  s.dataset(path).primaryKey[0] ?? rejectInterpretation(`${path} has no key`);
