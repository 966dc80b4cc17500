// Converts a measure of a question to a measure of a plan.

import { isNumeric, isTemporal } from '../../contract/warehouse.ts';
import { findPlainMetricName, type Grouping, type Measure as Measured, restrictRows } from '../../plan/lens-plan.ts';
import { findDistinctCountMetric } from '../words/governed-metrics.ts';
import { determineSummability } from '../words/summability.ts';
import { resolveDate } from './dates.ts';
import { toFilters } from './filters.ts';
import { addGroup, type GroupBuilder } from './groups.ts';
import {
  findApprovedAggregate,
  findApprovedRowCount,
  findCountedField,
  findMainDataset,
  findMeasureDates,
  placeField,
  resolveEntity,
  resolveMetric,
  resolveWholeEntity,
} from './main-dataset.ts';
import { type NameResolution, type PlacedField, rejectInterpretation } from './name-resolution.ts';
import type { AggregateFunction, MeasureTerm } from './terms.ts';

export const removeDuplicateMeasures = (measures: Measured[]): Measured[] =>
  measures.filter(
    (item, index) => measures.findIndex((other) => JSON.stringify(other) === JSON.stringify(item)) === index,
  );

export function toPlanMeasure(
  s: NameResolution,
  measureTerm: MeasureTerm,
  homeDataset: string,
  distinctOf: string | null,
): Measured {
  const base = toBaseMeasure(s, measureTerm, homeDataset, distinctOf);
  if (measureTerm.predicates.length === 0) return base;
  const measureHome = findMainDataset(s, measureTerm, []);
  const { measureDates } = s;
  // Each part has its own date. For example, in "revenue in 2023 minus refunds in 2023", each period restricts the date
  // of its metric.
  s.measureDates = findMeasureDates(s, [measureTerm]);
  const filters = toFilters(s, measureTerm.predicates, {
    home: measureHome,
    from: measureHome,
    ...findCountedField(s, [measureTerm], measureHome, measureTerm.predicates),
  });
  s.measureDates = measureDates;
  return restrictRows(base, filters);
}

/** Groups by the keys of rows, or by the dimensions if there are no keys. */
export const createGroups = (keys: string[] = [], dimensions: Grouping[]): { per: string[] } | { by: Grouping[] } =>
  keys.length > 0 ? { per: keys } : { by: dimensions };

const toPlanAggregate = (
  s: NameResolution,
  fn: AggregateFunction | 'count_distinct',
  path: string,
  field: string,
): Measured => {
  const metric = findApprovedAggregate(s, fn, path, field);
  return metric ? { fn: 'metric', metric: metric.name } : { fn, field: { path, field } };
};

function toBaseMeasure(
  s: NameResolution,
  measureTerm: MeasureTerm,
  homeDataset: string,
  distinctOf: string | null,
): Measured {
  const measureOfInner = (measure: MeasureTerm): Measured => toPlanMeasure(s, measure, homeDataset, distinctOf);
  switch (measureTerm.is) {
    case 'metric':
      return { fn: 'metric', metric: resolveMetric(s, measureTerm).name };
    case 'count':
      return toCountMeasure(s, measureTerm, homeDataset, distinctOf);
    case 'distinct': {
      const placedField = placeField(s, measureTerm.field, () => 0);
      return toPlanAggregate(s, 'count_distinct', placedField.dataset.name, placedField.field.name);
    }
    case 'aggregate': {
      const placedField = placeField(s, measureTerm.field, () => 0);
      const isExtreme = measureTerm.fn === 'max' || measureTerm.fn === 'min';
      if (
        !(isNumeric(placedField.field.datatype) || (isExtreme && isTemporal(placedField.field.datatype))) ||
        isKey(s, placedField)
      )
        return rejectInterpretation(`${placedField.field.name} is not an amount`);
      if (measureTerm.ofRows && placedField.dataset.name !== resolveEntity(s, measureTerm.field.of!).dataset)
        return rejectInterpretation('the field belongs to another dataset');
      if (
        measureTerm.unsaid &&
        determineSummability(s.vocabulary.lens, placedField.dataset.name, placedField.field) !== 'yes'
      )
        return rejectInterpretation(`${placedField.field.name} might not be safe to sum`);
      return toPlanAggregate(s, measureTerm.fn, placedField.dataset.name, placedField.field.name);
    }
    case 'combined':
      return { fn: measureTerm.fn, of: [measureOfInner(measureTerm.left), measureOfInner(measureTerm.right)] };
    case 'part': {
      const measureHome = findMainDataset(s, measureTerm.of, []);
      return {
        fn: 'share',
        of: measureOfInner(measureTerm.of),
        where: toFilters(s, measureTerm.where, {
          home: measureHome,
          from: measureHome,
          ...findCountedField(s, [measureTerm.of], measureHome, measureTerm.where),
        }),
        ...(measureTerm.percent && { percent: true }),
      };
    }
    case 'averaged': {
      const ownHome = findMainDataset(s, measureTerm.of, []);
      const builder: GroupBuilder = { home: ownHome, dimensions: [], keys: [] };
      addGroup(s, builder, measureTerm.over, null);
      return {
        fn: 'over_groups',
        take: measureTerm.fn,
        of: measureOfInner(measureTerm.of),
        ...createGroups(builder.keys, builder.dimensions),
      };
    }
    case 'share':
      return {
        fn: 'share_of_total',
        of: measureOfInner(measureTerm.of),
        ...(measureTerm.percent && { percent: true }),
      };
    case 'running':
      return { fn: 'running_total', of: measureOfInner(measureTerm.of) };
    case 'between': {
      const dateField = resolveDate(s, findMainDataset(s, measureTerm.of, []), 'growth', null);
      if (dateField.year) return rejectInterpretation('the field contains only years');
      s.addDoubt('svc read growth between two periods as the change in percent.');
      const { part } = measureTerm;
      const windowOf = (ends: typeof measureTerm.earlier) => ({
        field: { path: dateField.path, field: dateField.field.name },
        ...ends,
      });
      return {
        fn: 'change',
        of: measureOfInner(measureTerm.of),
        ...(part === 'percent' && { percent: true }),
        ...((part === 'from' || part === 'to') && { show: part }),
        from: windowOf(measureTerm.earlier),
        to: windowOf(measureTerm.later),
      };
    }
    case 'change':
      return { fn: 'change', of: measureOfInner(measureTerm.of), percent: true };
  }
}

/** Counts an entity's rows, or the values of a field. The count is distinct if the rows come from a linking dataset. */
function toCountMeasure(
  s: NameResolution,
  measureTerm: Extract<MeasureTerm, { is: 'count' }>,
  homeDataset: string,
  distinctOf: string | null,
): Measured {
  const { dataset, by } = resolveWholeEntity(s, measureTerm.things);
  if (!by && measureTerm.things.text === '') return resolveAmbiguousCount(s, dataset, 'how often');
  if (!by && findDistinctCountMetric(s.vocabulary, dataset, measureTerm.things.text))
    return rejectInterpretation('the question could mean rows or distinct values');
  if (by) return toPlanAggregate(s, 'count_distinct', dataset, by.fields[0]!.name);
  const { primaryKey } = s.vocabulary.dataset(dataset);
  if (distinctOf === dataset) {
    if (primaryKey.length !== 1)
      return rejectInterpretation("the primary key has several columns, so svc can't count it");
    const relationship = s.vocabulary.lens.relationships.find(
      ({ from, to }) => from.dataset === homeDataset && to.dataset === dataset,
    );
    const column = relationship?.from.columns[0];
    const isField =
      column !== undefined && s.vocabulary.dataset(homeDataset).fields.some(({ name }) => name === column);
    return isField
      ? { fn: 'count_distinct', field: { path: homeDataset, field: column } }
      : { fn: 'count_distinct', field: { path: dataset, field: primaryKey[0]! } };
  }
  return createRowCount(s, dataset);
}
const createRowCount = (s: NameResolution, dataset: string): Measured => {
  const metric = findApprovedRowCount(s, dataset);
  return metric ? { fn: 'metric', metric: metric.name } : { fn: 'count', rows: dataset };
};
/** Counts rows, or distinct entities that have several rows each. Records an ambiguity if both are possible. */
export const resolveAmbiguousCount = (s: NameResolution, dataset: string, term: string): Measured => {
  const rows = createRowCount(s, dataset);
  const distinctMetric = findDistinctCountMetric(s.vocabulary, dataset);
  return s.pick<Measured>('row or total', term, [
    { of: rows, key: findPlainMetricName(rows) ?? 'rows', cost: 0 },
    ...(distinctMetric
      ? [{ of: { fn: 'metric' as const, metric: distinctMetric.name }, key: distinctMetric.name, cost: 0 }]
      : []),
  ]);
};

const isKey = (s: NameResolution, { dataset, field }: PlacedField): boolean =>
  dataset.primaryKey.includes(field.name) ||
  s.vocabulary.lens.relationships.some(
    ({ from }) => from.dataset === dataset.name && from.columns.includes(field.name),
  );
