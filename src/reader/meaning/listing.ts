// Creates plans that list entities with the requested fields.

import { createEmptyPlan, type Filter, type LensPlan } from '../../plan/lens-plan.ts';
import { resolveDate } from './dates.ts';
import { toFilters } from './filters.ts';
import { addRowGroup, type GroupBuilder } from './groups.ts';
import { hasAllRowsOfDataset, resolveEntity } from './main-dataset.ts';
import { type NameResolution, type PlacedField, rejectInterpretation } from './name-resolution.ts';
import type { EntitiesTerm, EntityCandidate, FieldTerm, QueryTerm } from './terms.ts';

export function createListingPlan(s: NameResolution, q: QueryTerm, entityTerm: EntitiesTerm): LensPlan {
  const entity = resolveEntity(s, entityTerm);
  const { dataset: homeDataset } = entity;
  const fields = q.shown as readonly FieldTerm[];
  const builder: GroupBuilder = { home: homeDataset, dimensions: [], keys: [] };
  const isKey =
    entity.by !== undefined && s.vocabulary.dataset(homeDataset).primaryKey.join() === entity.by.fields[0]!.name;
  if (isKey) builder.dimensions.push({ path: homeDataset, field: entity.by!.fields[0]!.name });
  const identifyingField =
    entity.by && !isKey
      ? { path: homeDataset, field: entity.by.fields[0]!, dataset: s.vocabulary.dataset(homeDataset) }
      : undefined;
  if (identifyingField?.field.masked) rejectInterpretation('the field is masked');
  if (identifyingField) builder.dimensions.push({ path: homeDataset, field: identifyingField.field.name });
  else if (!isKey && (fields.length === 0 || (q.order.length > 0 && !q.features.includes('only')) || q.named))
    addRowGroup(s, builder, homeDataset);
  for (const candidate of fields) {
    const options = candidate.options.find(
      ({ dataset, fields: fieldsOfOption }) => dataset === homeDataset && fieldsOfOption.length > 1,
    )?.fields;
    const placedFields = options
      ? options.map((field) => ({ path: homeDataset, field }))
      : [findFieldOfRow(s, homeDataset, candidate)];
    for (const { path, field } of placedFields)
      if (!builder.dimensions.some((dimension) => dimension.path === path && dimension.field === field.name))
        builder.dimensions.push({ path, field: field.name });
  }
  if (identifyingField && (fields.length > 0 || q.order.length > 0))
    rejectInterpretation('only rows have further fields, not values');
  const filterContext = {
    home: homeDataset,
    from: homeDataset,
    rowsName: entityTerm.text,
    ...(identifyingField && {
      by: identifyingField,
      thing: entity.by!.identity !== undefined,
      distinct: entityTerm.features.includes('distinct'),
    }),
  };
  const filters = requireUnambiguousConditions(
    toFilters(s, [...entityTerm.predicates, ...q.predicates], filterContext),
    identifyingField !== undefined,
  );
  if (!hasAllRowsOfDataset(s, entity) && !filters.some((filter) => isReachedInRole(s, filter, entity)))
    rejectInterpretation(`"${entityTerm.text}" means only some rows of ${entity.dataset}`);
  if (identifyingField && filters.length === 0 && !entityTerm.features.includes('distinct'))
    s.addOccurrenceDoubt({ path: identifyingField.path, field: identifyingField.field.name });
  const order = q.order.map(({ by: sortedBy, direction }): LensPlan['order_by'][number] => {
    const placedField =
      sortedBy === null
        ? resolveDate(s, homeDataset, entityTerm.text, null)
        : sortedBy.t === 'field'
          ? s.field(homeDataset, sortedBy.options, sortedBy.text)
          : rejectInterpretation('the order needs a field of the listed rows');
    if (sortedBy?.features.includes('own') && placedField.path !== homeDataset)
      return rejectInterpretation('the field belongs to another dataset');
    const field = { path: placedField.path, field: placedField.field.name };
    return { field, direction };
  });
  return {
    ...createEmptyPlan(),
    rows: homeDataset,
    dimensions: builder.dimensions,
    filters,
    order_by: order,
    limit: q.limit,
    distinct: identifyingField !== undefined,
  };
}

/**
 * Returns true if the related rows of the filter refer to the entity only in this role. For example, in "the homeroom
 * teacher of 5A", classes refer to teachers only as homeroom teachers.
 */
const isReachedInRole = (
  { vocabulary: { lens } }: NameResolution,
  filter: Filter,
  { dataset, role }: EntityCandidate,
): boolean =>
  'exists' in filter &&
  filter.exists !== dataset &&
  lens.relationships
    .filter(({ from, to }) => from.dataset === filter.exists && to.dataset === dataset)
    .every((each) => each.role === role || filter.via === role);

/**
 * Finds a field of the entities, or a field of a joined dataset whose name is part of the field's name, such as
 * "customer name" for orders.
 */
export function findFieldOfRow(
  s: NameResolution,
  homeDataset: string,
  { options, text }: FieldTerm,
  from = homeDataset,
): PlacedField {
  const placedField = s.field(homeDataset, options, text, from);
  if (placedField.dataset.name === from && (placedField.path === from || from !== homeDataset)) return placedField;
  const words = s.vocabulary.key(text).split(' ');
  const titles = [placedField.path, placedField.dataset.name, ...placedField.dataset.synonyms].flatMap((item) =>
    s.vocabulary.key(item).split(' '),
  );
  return titles.some((title) => words.includes(title))
    ? placedField
    : rejectInterpretation('the field belongs to another dataset');
}

/**
 * Rejects several conditions on the rows of one listed value, because all conditions could apply to the same row or
 * each condition to a different row.
 */
export const requireUnambiguousConditions = (filters: Filter[], isValueList: boolean): Filter[] =>
  isValueList &&
  new Set(
    filters.flatMap((filter) =>
      'field' in filter && !(filter.op === '>=' || filter.op === '<')
        ? [`${filter.field.path}.${filter.field.field}`]
        : [],
    ),
  ).size > 1
    ? rejectInterpretation('the conditions could apply to one row or to several rows')
    : filters;
