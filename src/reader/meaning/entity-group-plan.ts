// Creates plans that list entities with their measures, such as "top 5 customers by revenue".

import { createEmptyPlan, type FieldRef, type Filter, type LensPlan } from '../../plan/lens-plan.ts';
import { isCountMetric } from '../words/distinct-count.ts';
import { bindConditions, isMeasureCondition } from './conditions.ts';
import { hasDates } from './dates.ts';
import { bindFilterToRole, hasRowsOfDataset } from './filters.ts';
import { addBridgedEntityGroup, addEntityGroup, addGroup, type GroupBuilder } from './groups.ts';
import { findFieldOfRow, requireUnambiguousConditions } from './listing.ts';
import {
  findMainDataset,
  findMeasureDates,
  findNearestDataset,
  resolveEntity,
  resolveMainDataset,
  resolveMetric,
} from './main-dataset.ts';
import { removeDuplicateMeasures, toPlanMeasure } from './measures.ts';
import { type NameResolution, type PlacedField, rejectInterpretation } from './name-resolution.ts';
import { createCountMeasure, createMeasurePredicate } from './operators/building.ts';
import {
  createField,
  createGroup,
  createNumber,
  type EntitiesTerm,
  type EntityCandidate,
  type FieldTerm,
  flattenPredicate,
  type MeasureTerm,
  type PredicateOf,
  type PredicateTerm,
  type QueryTerm,
  type SortOrderTerm,
} from './terms.ts';
import { requireVerbLink } from './verbs.ts';

type HasPredicate = PredicateOf<'has'>;
export const isLowerBoundCount = (
  predicate: PredicateTerm,
): predicate is HasPredicate & { count: NonNullable<HasPredicate['count']> } =>
  predicate.is === 'has' && predicate.count !== null && /^(?:>|>=|=)$/.test(predicate.count.op);
/**
 * Converts a minimum or exact number of related rows, as in "genres with more than 25 performances", to a condition on
 * a count measure. The measure counts all performances of the genre.
 */
export const toRowCountCondition = (s: NameResolution, predicate: PredicateTerm): PredicateTerm => {
  if (!isLowerBoundCount(predicate)) return predicate;
  if (predicate.verb !== null)
    requireVerbLink(s, predicate.verb, findMainDataset(s, createCountMeasure(predicate.things), []), []);
  return createCountPredicate(predicate, predicate.count);
};
const createCountPredicate = (
  { things }: HasPredicate,
  { op, value }: NonNullable<HasPredicate['count']>,
): PredicateTerm => createMeasurePredicate(createCountMeasure(things), op, createNumber(value, null));

/** Converts "with more than 5 orders" to a condition on a count measure, if the question also measures orders. */
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
    return rejectInterpretation('every measured row satisfies the condition');
  return createCountPredicate(predicate, predicate.count ?? { op: '>=', value: 1 });
};
const UNREACHABLE_COST = 10;
function addShownField(
  s: NameResolution,
  builder: GroupBuilder,
  shownField: FieldTerm,
  { by, entity }: { by: ReturnType<NameResolution['field']> | undefined; entity: ReturnType<typeof resolveEntity> },
): void {
  const { home } = builder;
  // In "top statuses, return the status", the requested field is already a column of the result.
  if (
    by &&
    s.listDirectCandidates(home, shownField.options).some(({ of }) => of.path === by.path && of.field === by.field)
  )
    return;
  if (by) rejectInterpretation('a value of a field has no other fields');
  const placedField = findFieldOfRow(s, home, shownField, entity.dataset);
  if (hasOtherRole(entity, placedField)) rejectInterpretation('the condition applies to another role');
  if (!builder.dimensions.some(({ path, field }) => path === placedField.path && field === placedField.field.name))
    builder.dimensions.push({ path: placedField.path, field: placedField.field.name });
}

export function createEntityGroupPlan(
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
  const first = measures[0] ?? totals[0]?.measure ?? ranking ?? rejectInterpretation('the question has no measure');
  const rowDatasets = entityTerm.options.filter(({ by }) => !by).map(({ dataset }) => dataset);
  s.measureDates = findMeasureDates(s, [first, ...measures, ...totals.map(({ measure }) => measure)]);
  const measureHome = findMainDataset(s, first, rowDatasets);
  const valueFields = rowDatasets.length > 0 ? [] : entityTerm.options.flatMap(({ by }) => by ?? []);
  const isDistant = valueFields.length > 0 && s.listDirectCandidates(measureHome, valueFields).length === 0;
  const fieldDatasets = valueFields.map(({ dataset }) => dataset);
  const distantDatasets = isDistant ? findNearestDataset(s, measureHome, fieldDatasets) : [];
  const { home, distinctOf, through } = resolveMainDataset(
    s,
    first,
    rowDatasets.length > 0 ? [rowDatasets[0]!] : distantDatasets,
  );
  const placedField = valueFields.length > 0 && !through ? s.field(home, valueFields, entityTerm.text) : undefined;
  // If the listed entities are values of a field, uses the field that is reachable from the measured dataset, even if
  // another object has the same name.
  const entity = placedField
    ? resolveEntity(s, entityTerm, (dataset) => (dataset === placedField.dataset.name ? 0 : UNREACHABLE_COST))
    : resolveEntity(
        s,
        rowDatasets.length > 0
          ? { ...entityTerm, options: entityTerm.options.filter((option) => !option.by) }
          : entityTerm,
      );
  if (entity.dataset === home && !entity.by) rejectInterpretation('each row would form its own group');
  const builder: GroupBuilder = { home, dimensions: [], keys: [], ...(through && { through }) };
  if (through && (entityTerm.predicates.length > 0 || q.shown.some(({ t }) => t === 'field')))
    rejectInterpretation('the column is on the many side of a relationship');
  if (placedField?.field.masked) rejectInterpretation('the field is masked');
  if (
    (placedField?.path !== home || q.limit === null) &&
    q.order.some(
      ({ by: sortTerm, direction }) => sortTerm?.t === 'measure' && countsRows(s, sortTerm) && direction === 'asc',
    )
  )
    rejectInterpretation('a ranking by the lowest count must include entities without rows');
  if (!placedField && totals.some(({ op, measure }) => op.startsWith('<') && countsRows(s, measure)))
    rejectInterpretation('the question could include or exclude rows without related rows');
  const fields = q.shown.filter((item): item is FieldTerm => item.t === 'field');
  if (placedField) builder.dimensions.push({ path: placedField.path, field: placedField.field.name });
  else if (through && entity.by) {
    addGroup(s, builder, createGroup({ is: 'field', field: createField(entityTerm.text, valueFields) }), null);
  } else if (through) addBridgedEntityGroup(s, builder, through);
  else addEntityGroup(s, builder, entity.dataset, s.path(home, entity.dataset, entity.role, entityTerm.text));
  if (q.features.includes('only') && fields.length > 0) builder.dimensions.length = 0;
  for (const candidate of fields) addShownField(s, builder, candidate, { by: placedField, entity });
  // If the listed entities have no date, a period restricts the measured rows. For example, "wards with a total fee
  // over 100 in 2020" means visits in 2020.
  const isTimePredicate = (predicate: PredicateTerm): boolean =>
    predicate.is === 'time' && !predicate.verb && !predicate.field && !placedField && !hasDates(s, entity.dataset);
  const predicates = entityTerm.predicates.filter(
    (predicate) => !isMeasureCondition(toCountMeasureCondition(s, predicate, measures)) && !isTimePredicate(predicate),
  );
  if (!placedField && predicates.some((predicate) => appliesToReferringRows(s, predicate, entity.dataset)))
    rejectInterpretation('the condition applies to the groups, not to the measured rows');
  const thingConditions = bindConditions(s, predicates.concat(totals), {
    home,
    from: placedField ? home : entity.dataset,
    ...(placedField && { by: placedField, thing: entity.by!.identity !== undefined }),
  });
  const rowPredicates = q.predicates.filter((predicate) => !isMeasureCondition(predicate));
  const timePredicates = entityTerm.predicates.filter(isTimePredicate);
  const rowConditions = bindConditions(s, [...rowPredicates, ...timePredicates], { home, from: home });
  if (thingConditions.time && (rowConditions.time || entity.role))
    rejectInterpretation('the question has two periods, or its period restricts a role');
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
 * Returns true if the measure counts rows, either directly or through a metric with the name of the rows, such as a
 * metric called orders.
 */
const countsRows = (s: NameResolution, measure: MeasureTerm): boolean =>
  measure.is === 'count' ||
  (measure.is === 'metric' && measure.features.includes('thing') && isCountMetric(resolveMetric(s, measure)));

/**
 * Returns the keys of parent rows. The plan requires that these keys aren't null, because a row without a parent
 * belongs to no entity. A ranking with numbers can include an entity without a name, but a list of names can't.
 */
const findParentKeys = (s: NameResolution, paths: readonly string[], home: string): FieldRef[] =>
  paths.flatMap((path) => {
    const { primaryKey, fields } = s.dataset(path);
    const key = fields.find(({ name, masked }) => name === primaryKey[0] && !masked);
    return key && path !== home ? [{ path, field: key.name }] : [];
  });

/** Returns true if the entities are in a role and the field belongs to another path. */
export const hasOtherRole = ({ role }: EntityCandidate, { path }: PlacedField): boolean =>
  role !== undefined && path !== role;

/** Returns true if the condition restricts rows that refer to the entities. */
const appliesToReferringRows = (s: NameResolution, predicate: PredicateTerm, dataset: string): boolean =>
  flattenPredicate(predicate).some(
    (item) => item.is === 'has' && !item.things.options.some((option) => s.reaches(dataset, option.dataset)),
  );

export function addSortKey(
  s: NameResolution,
  plan: LensPlan,
  { by, direction }: Pick<SortOrderTerm, 'by' | 'direction'>,
  { home, distinctOf }: { home: string; distinctOf: string | null },
): LensPlan['order_by'][number] {
  if (by === null) return rejectInterpretation('the order names no field or measure');
  if (by.t === 'field') {
    // In "by paper, ordered by paper id", the sort field is the key that distinguishes the groups.
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
      rejectInterpretation("the order uses a field that the result doesn't show");
    return { field: { path: sortField.path, field: sortField.field.name }, direction };
  }
  return { measure: toPlanMeasure(s, by, home, distinctOf), direction };
}
