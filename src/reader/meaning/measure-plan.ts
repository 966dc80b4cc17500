// Creates plans for measures by group, and for the number of groups that meet a condition.

import { findUnits, isCurrencyField } from '../../plan/doubtful-measures.ts';
import { createEmptyPlan, type Filter, isDayPart, type LensPlan } from '../../plan/lens-plan.ts';
import { bindConditions, isMeasureCondition } from './conditions.ts';
import { isYearField } from './dates.ts';
import { addSortKey, createEntityGroupPlan, hasOtherRole } from './entity-group-plan.ts';
import { hasRowsOfDataset } from './filters.ts';
import { addGroup, type GroupBuilder } from './groups.ts';
import { findFieldOfRow } from './listing.ts';
import {
  findCountedField,
  findGroupingDatasets,
  findMainDataset,
  findMeasureDates,
  resolveMainDataset,
} from './main-dataset.ts';
import { createGroups, removeDuplicateMeasures, toPlanMeasure } from './measures.ts';
import { type NameResolution, rejectInterpretation } from './name-resolution.ts';
import { isOnNamedDate, replaceEntityPredicates } from './operators/building.ts';
import {
  createGroup,
  createQuery,
  type FieldTerm,
  flattenPredicate,
  type GroupTerm,
  type MeasureTerm,
  type PredicateTerm,
  type QueryTerm,
  type ValueCandidate,
} from './terms.ts';
import { requireVerbLink } from './verbs.ts';

export function createMeasurePlan(s: NameResolution, q: QueryTerm, measures: readonly MeasureTerm[]): LensPlan {
  if (q.predicates.some(isMeasureCondition)) return createGroupCountPlan(s, q, measures);
  const targetDatasets = q.groups.flatMap((group) => findGroupingDatasets(s, measures[0]!, group));
  const { home, distinctOf, through } = resolveMainDataset(s, measures[0]!, targetDatasets);
  const builder: GroupBuilder = { home, dimensions: [], keys: [], ...(through && { through }) };
  s.measureDates = findMeasureDates(s, measures);
  const timePredicate = q.predicates.find((predicate) => predicate.is === 'time');
  const verb = timePredicate?.is === 'time' ? timePredicate.verb : null;
  for (const item of q.groups) addGroup(s, builder, item, verb);
  // A running total without groups has one row for each month.
  if (q.groups.length === 0 && measures.every(({ is }) => is === 'running'))
    addGroup(s, builder, createGroup({ is: 'period', grain: 'month', date: null }), verb);
  for (const shownTerm of q.shown) if (shownTerm.t === 'field') addFieldOfGroup(s, builder, shownTerm, q.groups);
  const predicates = q.predicates.flatMap((predicate) => replaceConditionOnMeasuredRows(s, predicate, measures, home));
  // In "share of pending orders shipped in 2016", the period could restrict only the pending orders or all orders.
  const sharedPeriod = measures.some(({ is }) => is === 'part') && predicates.find(isOnNamedDate);
  if (sharedPeriod) s.addDoubt(`svc applied "${sharedPeriod.period.text}" to the whole as well as to its part.`);
  const boundConditions = bindConditions(s, predicates, {
    home,
    from: home,
    ...findCountedField(s, measures, home, predicates),
  });
  const plan: LensPlan = {
    ...createEmptyPlan(),
    measures: removeDuplicateMeasures(measures.map((measure) => toPlanMeasure(s, measure, home, distinctOf))),
    dimensions: builder.dimensions,
    ...boundConditions,
    ...(builder.keys.length > 0 && { per: builder.keys }),
    limit: q.limit,
  };
  applyPeriodToGroups(s, plan, predicates);
  // Excludes rows that belong to no group.
  if (builder.through && builder.dimensions.some((dimension) => dimension.through))
    plan.filters.push({ exists: builder.through.link });
  plan.order_by = q.order.map(({ by, direction }) => addSortKey(s, plan, { by, direction }, { home, distinctOf }));
  if (plan.order_by.length === 0)
    plan.order_by = builder.dimensions
      .filter(({ path, field }) => !!isYearField(s, path, field))
      .map(({ path, field }) => ({ field: { path, field }, direction: 'asc' }));
  if (builder.dimensions.some(({ path }) => measures.some((measure) => isCountedByOneSide(s, measure, path))))
    rejectInterpretation('only one side of the combined measure counts the groups');
  if (builder.dimensions.length === 0 && (plan.order_by.length > 0 || plan.limit !== null))
    rejectInterpretation('a result with one row needs no order');
  if (measures.some(({ is }) => is === 'change') && !plan.dimensions.some(({ grain }) => grain && !isDayPart(grain)))
    rejectInterpretation('growth needs a period');
  addFirstPeriodDoubt(s, measures, predicates);
  addCurrencyDoubt(s, plan, predicates);
  if (hasPeriodOnlyForLast(measures)) rejectInterpretation('the period may apply to every measure');
  if (plan.measures.some((measure) => countsNamedValues(measure, plan.filters)))
    s.addDoubt('svc counted only values that the question names, which may not be what you meant.');
  const [only] = plan.measures;
  if (measures.every(isCountOfEntities) && only?.fn === 'count_distinct' && !isRestricted(plan))
    s.addOccurrenceDoubt(only.field);
  return plan;
}
/** Returns false if the question asks for "different" values. */
const isCountOfEntities = (measure: MeasureTerm): boolean =>
  measure.is === 'count' && !measure.things.features.includes('distinct');
const isRestricted = ({ dimensions, filters, time }: LensPlan): boolean =>
  dimensions.length > 0 || filters.length > 0 || time !== null;

/**
 * Returns true if only the last measure has a period. In "visits and refunds in 2024", the period may apply to both
 * measures.
 */
const hasPeriodOnlyForLast = (measures: readonly MeasureTerm[]): boolean => {
  const hasPeriod = ({ predicates }: MeasureTerm): boolean =>
    predicates.flatMap(flattenPredicate).some(({ is }) => is === 'time');
  return hasPeriod(measures.at(-1)!) && !measures.every(hasPeriod);
};

/**
 * Adds a doubt about "revenue in USD", which can mean the revenue of invoices in USD, or all revenue converted to USD.
 */
function addCurrencyDoubt(s: NameResolution, plan: LensPlan, predicates: readonly PredicateTerm[]): void {
  const isCurrency = ({ field }: ValueCandidate): boolean => isCurrencyField(field);
  const value = predicates
    .flatMap(flattenPredicate)
    .find((item) => item.is === 'value' && item.value.any.some(({ options }) => options.some(isCurrency)));
  const { lens } = s.vocabulary;
  const unit = plan.measures.flatMap((measure) => findUnits(lens, measure))[0];
  if (unit !== undefined && value?.is === 'value')
    s.addDoubt(`svc read "${value.value.text}" as the currency of the rows. The amounts are in ${unit}.`);
}

/**
 * Adds a doubt about the growth in the first period. For example, in "growth by month in 2024", svc can't compute the
 * growth in January, because the question excludes December 2023.
 */
function addFirstPeriodDoubt(
  s: NameResolution,
  measures: readonly MeasureTerm[],
  predicates: readonly PredicateTerm[],
): void {
  const limits = measures.flatMap((item) =>
    item.is === 'change' ? [...predicates, ...item.predicates, ...item.of.predicates] : [],
  );
  const period = limits.flatMap(flattenPredicate).find(({ is }) => is === 'time');
  if (period?.is === 'time' && period.period.mention.from)
    s.addDoubt(
      `svc has no growth for the first period, because "${period.period.text}" leaves out the period before it.`,
    );
}

/**
 * Applies a period to the date of the groups. For example, in "visits in 2023 by cancelled month", the period restricts
 * the date of the cancellation.
 */
function applyPeriodToGroups(s: NameResolution, plan: LensPlan, predicates: readonly PredicateTerm[]): void {
  const { time, dimensions } = plan;
  const period = predicates.find((item) => item.is === 'time' && item.field === null && item.verb === null);
  const groups = dimensions.filter(({ grain, path }) => grain && path === time?.field.path);
  const [group] = groups;
  if (!time || period?.is !== 'time' || !group || groups.some(({ field }) => field === time.field.field)) return;
  const [shown, usual] = [group.field, time.field.field].map((field) => field.replaceAll('_', ' '));
  s.addDoubt(`svc applied "${period.period.text}" to the ${shown} of the groups, not to the ${usual}.`);
  plan.time = { ...time, field: { path: group.path, field: group.field } };
}

/**
 * Returns true if the measure counts the distinct values of a field that a filter restricts to named values. For
 * example, "number of new contracts" shouldn't count values of the field contract that are "New".
 */
const countsNamedValues = (measure: LensPlan['measures'][number], filters: readonly Filter[]): boolean =>
  measure.fn === 'count_distinct' &&
  [...filters, ...(measure.where ?? [])].some(
    (filter) =>
      'field' in filter &&
      (filter.op === '=' || filter.op === 'in') &&
      filter.field.path === measure.field.path &&
      filter.field.field === measure.field.field,
  );

/**
 * Returns true if only one side of a combined measure has the groups as its main dataset. Rows of the other side may be
 * in no group.
 */
const isCountedByOneSide = (s: NameResolution, measure: MeasureTerm, path: string): boolean => {
  if (measure.is !== 'combined') return false;
  const homes = [findMainDataset(s, measure.left, []), findMainDataset(s, measure.right, [])];
  return homes[0] !== homes[1] && homes.includes(path);
};

/** Adds a field of the grouped entities as a column, as in "… per customer. Return the customer name". */
function addFieldOfGroup(
  s: NameResolution,
  builder: GroupBuilder,
  fieldTerm: FieldTerm,
  groups: readonly GroupTerm[],
): void {
  const groupEntities = groups.flatMap((groupTerm) =>
    groupTerm.is === 'things' ? groupTerm.things.options.filter((option) => !option.by) : [],
  );
  const [entity] = groupEntities;
  const placedField = entity
    ? findFieldOfRow(s, builder.home, fieldTerm, entity.dataset)
    : s.field(builder.home, fieldTerm.options, fieldTerm.text);
  const isShown = builder.dimensions.some(
    ({ path, field: name }) => path === placedField.path && name === placedField.field.name,
  );
  if (isShown) return;
  if (!entity || placedField.dataset.name !== entity.dataset || hasOtherRole(entity, placedField) || builder.through)
    rejectInterpretation('the condition is about another dataset');
  builder.dimensions.push({ path: placedField.path, field: placedField.field.name });
}

/**
 * Replaces a condition that related rows exist if these rows are the measured rows. In "gross of films with over 20
 * votes", the condition then restricts the films directly. In "citations received by publications", it restricts
 * nothing, because "received" only links the field to its rows.
 */
const replaceConditionOnMeasuredRows = (
  s: NameResolution,
  predicate: PredicateTerm,
  measures: readonly MeasureTerm[],
  homeDataset: string,
): readonly PredicateTerm[] => {
  if (predicate.is !== 'has' || predicate.count || !hasRowsOfDataset(predicate.things, homeDataset)) return [predicate];
  const { verb, things } = predicate;
  if (verb === null && things.predicates.length > 0 && measures.every(({ is }) => is === 'metric'))
    return things.predicates.some(isMeasureCondition)
      ? rejectInterpretation('each row would form its own group')
      : things.predicates;
  if (verb === null || things.predicates.length > 0 || !measures.every(({ is }) => is === 'aggregate'))
    return [predicate];
  requireVerbLink(s, verb, homeDataset, []);
  return [];
};

/** Counts the groups that meet a condition on a measure, as in "how many states have revenue over 1000". */
function createGroupCountPlan(s: NameResolution, q: QueryTerm, measures: readonly MeasureTerm[]): LensPlan {
  const [countedMeasure, second] = measures;
  if (countedMeasure?.is !== 'count' || second || q.groups.length > 0 || q.order.length > 0)
    return rejectInterpretation('the condition applies to groups, but the question has no groups');
  const groupedPlan = createEntityGroupPlan(
    s,
    createQuery({
      things: replaceEntityPredicates(countedMeasure.things, q.predicates),
    }),
    { ...countedMeasure.things, predicates: q.predicates },
    [],
  );
  return {
    ...createEmptyPlan(),
    measures: [
      {
        fn: 'count_groups',
        of: groupedPlan.having[0]!.measure,
        ...createGroups(groupedPlan.per, groupedPlan.dimensions),
        having: groupedPlan.having,
      },
    ],
    filters: groupedPlan.filters,
    time: groupedPlan.time,
  };
}
