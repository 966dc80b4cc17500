// Turns a complete term into a plan, in which every name is resolved.

import { findUnits, isCurrencyField } from '../../plan/doubtful-measures.ts';
import { createEmptyPlan, type FieldRef, type Filter, isDayPart, type LensPlan } from '../../plan/lens-plan.ts';
import { isSameGrouping } from '../../plan/sql/dimension.ts';
import { isCountMetric } from '../words/distinct-count.ts';
import { bindConditions, isTotalCondition } from './conditions.ts';
import { hasDates, isYearField } from './dates.ts';
import { bindFilterToRole, hasRowsOfDataset } from './filters.ts';
import { addBridgedEntityGroup, addEntityGroup, addGroup, type GroupBuilder } from './groups.ts';
import { createListingPlan, findFieldOfRow, requireUnambiguousConditions } from './listing.ts';
import {
  findCountedField,
  findGroupingDatasets,
  findMainDataset,
  findMeasureDates,
  findNearestDataset,
  resolveEntity,
  resolveMainDataset,
  resolveMetric,
} from './main-dataset.ts';
import { createGroups, removeDuplicateMeasures, toPlanMeasure } from './measures.ts';
import { type NameResolution, type PlacedField, rejectReading } from './name-resolution.ts';
import {
  createCountMeasure,
  createTotalPredicate,
  isOnNamedDate,
  replaceEntityPredicates,
} from './operators/building.ts';
import { addPeriodDoubts } from './period-doubts.ts';
import { applyComparisonsToSingleRows, describeAmbiguousNumber, describeRowAmbiguity } from './several-rows.ts';
import {
  createField,
  createGroup,
  createNumber,
  createQuery,
  type EntitiesTerm,
  type EntityCandidate,
  type FieldTerm,
  flattenPredicate,
  type GroupTerm,
  type MeasureTerm,
  type PredicateOf,
  type PredicateTerm,
  type QueryTerm,
  type SortOrderTerm,
  type ValueCandidate,
} from './terms.ts';
import { requireVerbLink } from './verbs.ts';

export function createPlan(s: NameResolution, q: QueryTerm): LensPlan {
  const singleRowQuery = applyComparisonsToSingleRows(s, q);
  const plan = q.perGroup
    ? createLimitPerGroupPlan(s, singleRowQuery ?? q, q.perGroup)
    : createFullPlan(s, singleRowQuery ?? q);
  addPeriodDoubts(s, q, plan);
  s.declinedReason = singleRowQuery ? describeAmbiguousNumber(q) : describeRowAmbiguity(s, q);
  return plan;
}

function createLimitPerGroupPlan(s: NameResolution, q: QueryTerm, groupTerm: GroupTerm): LensPlan {
  const fullPlan = createFullPlan(s, createQuery({ ...q, perGroup: null, limit: null }, q.features));
  const [first] = fullPlan.measures;
  const builder: GroupBuilder = { home: fullPlan.rows ?? findMainDatasetOfQuery(s, q), dimensions: [], keys: [] };
  addGroup(s, builder, groupTerm, null);
  const innerDimensions = fullPlan.dimensions.filter(
    (dimension) =>
      !builder.dimensions.some(
        ({ path, field, grain }) => path === dimension.path && field === dimension.field && grain === dimension.grain,
      ),
  );
  if (innerDimensions.length === 0 || builder.dimensions.some((dimension) => dimension.through))
    rejectReading('each group has only one row, so there is no ranking');
  // The question "the first 5 orders by order date" doesn't mean the first 5 orders of each day.
  if (fullPlan.order_by.some(({ field }) => field && builder.dimensions.some((group) => isSameGrouping(group, field))))
    rejectReading('the order does not distinguish rows of the same group');
  if (builder.keys.length > 0) s.addDoubt('Rows with the same name are combined.');
  const keys = [...builder.keys, ...(fullPlan.per ?? [])];
  return {
    ...fullPlan,
    dimensions: [...builder.dimensions, ...innerDimensions],
    limit_per: { by: builder.dimensions, rows: q.limit! },
    ...(first && keys.length > 0 && { per: [...new Set(keys)] }),
  };
}
const findMainDatasetOfQuery = (s: NameResolution, q: QueryTerm): string => {
  const [measure] = q.shown.filter((item): item is MeasureTerm => item.t === 'measure');
  const targetDatasets = (q.things?.options ?? []).filter(({ by }) => !by).map(({ dataset }) => dataset);
  const { home, distinctOf, through } = resolveMainDataset(s, measure!, targetDatasets.slice(0, 1));
  return distinctOf || through
    ? rejectReading("a ranking within groups can't count the rows of a linking dataset")
    : home;
};

/** If rows have titles, "title and release year" lists the rows and not the distinct titles. */
const listRowsInsteadOfNames = (s: NameResolution, q: QueryTerm): QueryTerm => {
  const [option, second] = q.things?.options ?? [];
  const identity = option?.by;
  if (
    !q.things ||
    !identity ||
    identity.role ||
    second ||
    identity.dataset !== option.dataset ||
    identity.fields.length > 1
  )
    return q;
  const isRanked = q.order.some((item) => item.by?.t === 'field');
  if (!(isRanked || q.shown.some(({ t }) => t === 'field')) || q.shown.some(({ t }) => t === 'measure')) return q;
  if (!s.vocabulary.displayFieldsOf(identity.dataset).includes(identity.fields[0]!)) return q;
  const nameField = createField(q.things.text, [identity]);
  return createQuery(
    { ...q, things: { ...q.things, options: [{ dataset: identity.dataset }] }, shown: [nameField, ...q.shown] },
    q.features,
  );
};

function createFullPlan(s: NameResolution, query: QueryTerm): LensPlan {
  const q = listRowsInsteadOfNames(s, query);
  const measures = q.shown.filter((item): item is MeasureTerm => item.t === 'measure');
  // "customers and revenue by state" can mean two separate results, or both measures by state.
  if (q.things && q.groups.length > 0) rejectReading('the question could ask for two results or one');
  if (q.things?.options.every(({ by }) => by) && q.things.predicates.some(isLowerBoundCount))
    return createEntityGroupPlan(
      s,
      q,
      { ...q.things, predicates: q.things.predicates.map((predicate) => toRowCountCondition(s, predicate)) },
      measures,
    );
  const isRanked = q.order.some(({ by }) => by?.t === 'measure');
  if (
    q.things &&
    measures.length === 0 &&
    !isRanked &&
    !q.predicates.some(isTotalCondition) &&
    !q.things.predicates.some(isTotalCondition)
  )
    return createListingPlan(s, q, q.things);
  if (q.things) return createEntityGroupPlan(s, q, q.things, measures);
  return createMeasurePlan(s, q, measures);
}

type HasPredicate = PredicateOf<'has'>;
const isLowerBoundCount = (
  predicate: PredicateTerm,
): predicate is HasPredicate & { count: NonNullable<HasPredicate['count']> } =>
  predicate.is === 'has' && predicate.count !== null && /^(?:>|>=|=)$/.test(predicate.count.op);
/** The condition "genres with more than 25 performances" counts all rows of the genre. */
const toRowCountCondition = (s: NameResolution, predicate: PredicateTerm): PredicateTerm => {
  if (!isLowerBoundCount(predicate)) return predicate;
  if (predicate.verb !== null)
    requireVerbLink(s, predicate.verb, findMainDataset(s, createCountMeasure(predicate.things), []), []);
  return createCountPredicate(predicate, predicate.count);
};
const createCountPredicate = (
  { things }: HasPredicate,
  { op, value }: NonNullable<HasPredicate['count']>,
): PredicateTerm => createTotalPredicate(createCountMeasure(things), op, createNumber(value, null));

/** If the question measures orders, reads "with more than 5 orders" as a condition on the measure. */
const toCountMeasureCondition = (
  s: NameResolution,
  predicate: PredicateTerm,
  measures: readonly MeasureTerm[],
): PredicateTerm => {
  const [firstMeasure] = measures;
  if (predicate.is !== 'has' || !firstMeasure || (predicate.count && !isLowerBoundCount(predicate))) return predicate;
  const measureHome = findMainDataset(s, firstMeasure, []);
  if (!hasRowsOfDataset(predicate.things, measureHome)) return predicate;
  if (predicate.verb !== null) requireVerbLink(s, predicate.verb, measureHome, []);
  else if (!predicate.count && predicate.things.predicates.length === 0)
    return rejectReading('every measured row satisfies the condition');
  return createCountPredicate(predicate, predicate.count ?? { op: '>=', value: 1 });
};

function createMeasurePlan(s: NameResolution, q: QueryTerm, measures: readonly MeasureTerm[]): LensPlan {
  if (q.predicates.some(isTotalCondition)) return createGroupCountPlan(s, q, measures);
  const targetDatasets = q.groups.flatMap((group) => findGroupingDatasets(s, measures[0]!, group));
  const { home, distinctOf, through } = resolveMainDataset(s, measures[0]!, targetDatasets);
  const builder: GroupBuilder = { home, dimensions: [], keys: [], ...(through && { through }) };
  s.measureDates = findMeasureDates(s, measures);
  const timePredicate = q.predicates.find((predicate) => predicate.is === 'time');
  const verb = timePredicate?.is === 'time' ? timePredicate.verb : null;
  for (const item of q.groups) addGroup(s, builder, item, verb);
  // A running total needs a grouping by time.
  if (q.groups.length === 0 && measures.every(({ is }) => is === 'running'))
    addGroup(s, builder, createGroup({ is: 'period', grain: 'month', date: null }), verb);
  for (const shownTerm of q.shown) if (shownTerm.t === 'field') addFieldOfGroup(s, builder, shownTerm, q.groups);
  const predicates = q.predicates.flatMap((predicate) => restrictMeasureToRows(s, predicate, measures, home));
  // "Share of pending orders shipped in 2016" can mean the pending orders that were shipped in 2016.
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
  // Excludes rows that belong to none of the groups.
  if (builder.through && builder.dimensions.some((dimension) => dimension.through))
    plan.filters.push({ exists: builder.through.link });
  plan.order_by = q.order.map(({ by, direction }) => addSortKey(s, plan, { by, direction }, { home, distinctOf }));
  if (plan.order_by.length === 0)
    plan.order_by = builder.dimensions
      .filter(({ path, field }) => !!isYearField(s, path, field))
      .map(({ path, field }) => ({ field: { path, field }, direction: 'asc' }));
  if (builder.dimensions.some(({ path }) => measures.some((measure) => isCountedByOneSide(s, measure, path))))
    rejectReading('only one side of the combined measure counts the groups');
  if (builder.dimensions.length === 0 && (plan.order_by.length > 0 || plan.limit !== null))
    rejectReading('a single row has no order');
  if (measures.some(({ is }) => is === 'change') && !plan.dimensions.some(({ grain }) => grain && !isDayPart(grain)))
    rejectReading('growth needs a period');
  addFirstPeriodDoubt(s, measures, predicates);
  addCurrencyDoubt(s, plan, predicates);
  if (hasPeriodOfLastOnly(measures)) rejectReading('the period may apply to every measure');
  if (plan.measures.some((measure) => countsNamedValues(measure, plan.filters)))
    s.addDoubt('The question names the values that it counts.');
  return plan;
}

/** "Visits and refunds in 2024" doesn't mean all visits and the refunds in 2024. */
const hasPeriodOfLastOnly = (measures: readonly MeasureTerm[]): boolean => {
  const hasPeriod = ({ predicates }: MeasureTerm): boolean =>
    predicates.flatMap(flattenPredicate).some(({ is }) => is === 'time');
  return hasPeriod(measures.at(-1)!) && !measures.every(hasPeriod);
};

/** "Revenue in USD" can mean the revenue of invoices in USD, or all revenue in USD. */
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

/** In "growth by month in 2024", the growth in January needs December 2023, which the question leaves out. */
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
    s.addDoubt(`svc has no growth for the first period, because "${period.period.text}" leaves out the one before it.`);
}

/** In "visits in 2023 by cancelled month", the period limits the months, so it limits the date of the cancellation. */
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

/** "Number of new contracts" doesn't count the values of contract that are "New". */
const countsNamedValues = (measure: LensPlan['measures'][number], filters: readonly Filter[]): boolean =>
  measure.fn === 'count_distinct' &&
  [...filters, ...(measure.where ?? [])].some(
    (filter) =>
      'field' in filter &&
      (filter.op === '=' || filter.op === 'in') &&
      filter.field.path === measure.field.path &&
      filter.field.field === measure.field.field,
  );

/** Returns true if only one side of a combined measure counts the groups. Rows of the other side may be in no group. */
const isCountedByOneSide = (s: NameResolution, measure: MeasureTerm, path: string): boolean => {
  if (measure.is !== 'combined') return false;
  const homes = [findMainDataset(s, measure.left, []), findMainDataset(s, measure.right, [])];
  return homes[0] !== homes[1] && homes.includes(path);
};

/** Shows a field of the groups, as in "… per customer. Return the customer name". */
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
    rejectReading('the condition is about another dataset');
  builder.dimensions.push({ path: placedField.path, field: placedField.field.name });
}

/**
 * The phrase "citations received by publications" means the field if publications have a number of citations. In "gross
 * of films with over 20 votes", the condition restricts the rows, if rows are films.
 */
const restrictMeasureToRows = (
  s: NameResolution,
  predicate: PredicateTerm,
  measures: readonly MeasureTerm[],
  homeDataset: string,
): readonly PredicateTerm[] => {
  if (predicate.is !== 'has' || predicate.count || !hasRowsOfDataset(predicate.things, homeDataset)) return [predicate];
  const { verb, things } = predicate;
  if (verb === null && things.predicates.length > 0 && measures.every(({ is }) => is === 'metric'))
    return things.predicates.some(isTotalCondition)
      ? rejectReading('each row would form its own group')
      : things.predicates;
  if (verb === null || things.predicates.length > 0 || !measures.every(({ is }) => is === 'aggregate'))
    return [predicate];
  requireVerbLink(s, verb, homeDataset, []);
  return [];
};

/** The question "how many states have revenue over 1000" counts groups that meet a condition on a measure. */
function createGroupCountPlan(s: NameResolution, q: QueryTerm, measures: readonly MeasureTerm[]): LensPlan {
  const [countedMeasure, second] = measures;
  if (countedMeasure?.is !== 'count' || second || q.groups.length > 0 || q.order.length > 0)
    return rejectReading('the condition applies to groups, but the question has no groups');
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

/** The extra cost of a name in a dataset that the rows don't lead to. */
const UNREACHABLE_COST = 10;
function addShownField(
  s: NameResolution,
  builder: GroupBuilder,
  shownField: FieldTerm,
  { by, entity }: { by: ReturnType<NameResolution['field']> | undefined; entity: ReturnType<typeof resolveEntity> },
): void {
  const { home } = builder;
  // For "top statuses, return the status", the result already shows the status.
  if (by && s.directCandidates(home, shownField.options).some(({ of }) => of.path === by.path && of.field === by.field))
    return;
  if (by) rejectReading('a value has no fields of its own');
  const placedField = findFieldOfRow(s, home, shownField, entity.dataset);
  if (hasOtherRole(entity, placedField)) rejectReading('the condition applies to another role');
  if (!builder.dimensions.some(({ path, field }) => path === placedField.path && field === placedField.field.name))
    builder.dimensions.push({ path: placedField.path, field: placedField.field.name });
}

function createEntityGroupPlan(
  s: NameResolution,
  q: QueryTerm,
  entityTerm: EntitiesTerm,
  measures: readonly MeasureTerm[],
): LensPlan {
  const totals = [
    ...entityTerm.predicates.map((predicate) => toCountMeasureCondition(s, predicate, measures)),
    ...q.predicates,
  ].filter((item): item is PredicateOf<'total'> => item.is === 'total');
  const [ranking] = q.order.flatMap(({ by }) => (by?.t === 'measure' ? [by] : []));
  const first = measures[0] ?? totals[0]?.measure ?? ranking ?? rejectReading('the question has no measure');
  const rowDatasets = entityTerm.options.filter(({ by }) => !by).map(({ dataset }) => dataset);
  s.measureDates = findMeasureDates(s, [first, ...measures, ...totals.map(({ measure }) => measure)]);
  const measureHome = findMainDataset(s, first, rowDatasets);
  const valueFields = rowDatasets.length > 0 ? [] : entityTerm.options.flatMap(({ by }) => by ?? []);
  const isDistant = valueFields.length > 0 && s.directCandidates(measureHome, valueFields).length === 0;
  const fieldDatasets = valueFields.map(({ dataset }) => dataset);
  const distantDatasets = isDistant ? findNearestDataset(s, measureHome, fieldDatasets) : [];
  const { home, distinctOf, through } = resolveMainDataset(
    s,
    first,
    rowDatasets.length > 0 ? [rowDatasets[0]!] : distantDatasets,
  );
  const placedField = valueFields.length > 0 && !through ? s.field(home, valueFields, entityTerm.text) : undefined;
  // Values belong to the field that the rows lead to, even if something else has the same name.
  const entity = placedField
    ? resolveEntity(s, entityTerm, (dataset) => (dataset === placedField.dataset.name ? 0 : UNREACHABLE_COST))
    : resolveEntity(
        s,
        rowDatasets.length > 0
          ? { ...entityTerm, options: entityTerm.options.filter((option) => !option.by) }
          : entityTerm,
      );
  if (entity.dataset === home && !entity.by) rejectReading('each row would form its own group');
  const builder: GroupBuilder = { home, dimensions: [], keys: [], ...(through && { through }) };
  if (through && (entityTerm.predicates.length > 0 || q.shown.some(({ t }) => t === 'field')))
    rejectReading('the column is on the many side of a relationship');
  if (placedField?.field.masked) rejectReading('the field is masked');
  if (
    (placedField?.path !== home || q.limit === null) &&
    q.order.some(
      ({ by: sortTerm, direction }) => sortTerm?.t === 'measure' && countsRows(s, sortTerm) && direction === 'asc',
    )
  )
    rejectReading('the lowest counts include rows without related rows');
  if (!placedField && totals.some(({ op, measure }) => op.startsWith('<') && countsRows(s, measure)))
    rejectReading('the question could include or exclude rows without related rows');
  const fields = q.shown.filter((item): item is FieldTerm => item.t === 'field');
  if (placedField) builder.dimensions.push({ path: placedField.path, field: placedField.field.name });
  else if (through && entity.by) {
    addGroup(s, builder, createGroup({ is: 'field', field: createField(entityTerm.text, valueFields) }), null);
  } else if (through) addBridgedEntityGroup(s, builder, through);
  else addEntityGroup(s, builder, entity.dataset, s.path(home, entity.dataset, entity.role, entityTerm.text));
  if (q.features.includes('only') && fields.length > 0) builder.dimensions.length = 0;
  for (const candidate of fields) addShownField(s, builder, candidate, { by: placedField, entity });
  // "Wards with a total fee over 100 in 2020" means visits in 2020, because a ward has no date.
  const isTimePredicate = (predicate: PredicateTerm): boolean =>
    predicate.is === 'time' && !predicate.verb && !predicate.field && !placedField && !hasDates(s, entity.dataset);
  const predicates = entityTerm.predicates.filter(
    (predicate) => !isTotalCondition(toCountMeasureCondition(s, predicate, measures)) && !isTimePredicate(predicate),
  );
  if (!placedField && predicates.some((predicate) => appliesToReferringRows(s, predicate, entity.dataset)))
    rejectReading('the condition applies to the groups, not to the measured rows');
  const thingConditions = bindConditions(s, predicates.concat(totals), {
    home,
    from: placedField ? home : entity.dataset,
    ...(placedField && { by: placedField, thing: entity.by!.identity !== undefined }),
  });
  const rowPredicates = q.predicates.filter((predicate) => !isTotalCondition(predicate));
  const timePredicates = entityTerm.predicates.filter(isTimePredicate);
  const rowConditions = bindConditions(s, [...rowPredicates, ...timePredicates], { home, from: home });
  if (thingConditions.time && (rowConditions.time || entity.role))
    rejectReading('the question has two periods, or a period of a role');
  const plan: LensPlan = {
    ...createEmptyPlan(),
    measures: removeDuplicateMeasures(measures.map((measure) => toPlanMeasure(s, measure, home, distinctOf))),
    dimensions: builder.dimensions,
    filters: requireUnambiguousConditions(
      [
        ...thingConditions.filters.map((filter) =>
          bindFilterToRole(s, filter, home, placedField ? { dataset: home } : entity),
        ),
        ...rowConditions.filters,
      ],
      false,
    ),
    time: thingConditions.time ?? rowConditions.time,
    having: thingConditions.having,
    limit: q.limit,
    ...(builder.keys.length > 0 && { per: builder.keys }),
    ...(measures.length === 0 && { grouped: true }),
  };
  const isRanking = q.limit !== null && ranking !== undefined;
  if (plan.having.length > 0 || q.order.length === 0 || isRanking) {
    const isNameNeeded = placedField && (!isRanking || measures.length === 0);
    const nameKey = isNameNeeded && { path: placedField.path, field: placedField.field.name };
    const keys = [...findParentKeys(s, builder.keys, home), ...(nameKey ? [nameKey] : [])];
    plan.filters.push(...keys.map((key): Filter => ({ field: key, op: 'is_not_null', values: [] })));
  }
  plan.order_by = q.order.map(({ by: sortedBy, direction }) =>
    addSortKey(s, plan, { by: sortedBy, direction }, { home, distinctOf }),
  );
  return plan;
}

/**
 * Returns true if the measure is a number of entities, such as "3 orders", also if a metric called orders counts the
 * entities.
 */
const countsRows = (s: NameResolution, measure: MeasureTerm): boolean =>
  measure.is === 'count' ||
  (measure.is === 'metric' && measure.features.includes('thing') && isCountMetric(resolveMetric(s, measure)));

/**
 * Returns the keys of parent rows. These keys must not be null, because rows without a parent belong to none of the
 * entities. A ranking with numbers can include an entity without a name, but a list of names can't.
 */
const findParentKeys = (s: NameResolution, paths: readonly string[], home: string): FieldRef[] =>
  paths.flatMap((path) => {
    const { primaryKey, fields } = s.dataset(path);
    const key = fields.find(({ name, masked }) => name === primaryKey[0] && !masked);
    return key && path !== home ? [{ path, field: key.name }] : [];
  });

/** Returns true if the field belongs to a different role than the entity. */
const hasOtherRole = ({ role }: EntityCandidate, { path }: PlacedField): boolean => role !== undefined && path !== role;

/** Returns true if the condition applies to rows that lead to the entities. */
const appliesToReferringRows = (s: NameResolution, predicate: PredicateTerm, dataset: string): boolean =>
  flattenPredicate(predicate).some(
    (item) => item.is === 'has' && !item.things.options.some((option) => s.leadsTo(dataset, option.dataset)),
  );

function addSortKey(
  s: NameResolution,
  plan: LensPlan,
  { by, direction }: Pick<SortOrderTerm, 'by' | 'direction'>,
  { home, distinctOf }: { home: string; distinctOf: string | null },
): LensPlan['order_by'][number] {
  if (by === null) return rejectReading('the order names no field or measure');
  if (by.t === 'field') {
    // In "by paper, ordered by paper id", the ID distinguishes the groups.
    const key = plan.per?.find((path) =>
      by.options.some(({ dataset, fields }) => {
        const { name, primaryKey } = s.dataset(path);
        return dataset === name && primaryKey.join() === fields[0]!.name;
      }),
    );
    const sortField = key
      ? { path: key, field: s.dataset(key).fields.find(({ name }) => name === s.dataset(key).primaryKey[0])! }
      : s.field(home, by.options, by.text);
    if (key) plan.dimensions = [...plan.dimensions, { path: key, field: sortField.field.name }];
    if (!plan.dimensions.some(({ path, field }) => path === sortField.path && field === sortField.field.name))
      rejectReading("the order uses a field that the result doesn't show");
    return { field: { path: sortField.path, field: sortField.field.name }, direction };
  }
  return { measure: toPlanMeasure(s, by, home, distinctOf), direction };
}
