// Finds the dataset whose rows a measure aggregates (the main dataset), and the paths from it to the entities in a
// question.

import { isNumeric } from '../../contract/warehouse.ts';
import type { Lens, LensDefinition, LensMetric } from '../../lens/model/lens.ts';
import { countsDistinct, isCountMetric } from '../words/distinct-count.ts';
import { findMetricByExpression, findMetricsNamedAsAggregate } from '../words/governed-metrics.ts';
import { isSingleField, type NameResolution, type PlacedField, rejectInterpretation } from './name-resolution.ts';
import {
  type AggregateFunction,
  type EntitiesTerm,
  type EntityCandidate,
  type FieldTerm,
  flattenPredicate,
  type GroupTerm,
  type MeasureTerm,
  type PredicateTerm,
} from './terms.ts';
import type { FilterContext } from './value-filters.ts';

export const resolveMetric = (
  s: NameResolution,
  { metrics, said, defined }: { metrics: readonly LensMetric[]; said?: string; defined?: LensDefinition },
): LensMetric => {
  if (defined) {
    const { metric } = s.resolveSense(defined);
    return (
      metrics.find(({ name }) => name === metric) ??
      rejectInterpretation(`the chosen meaning of ${defined.term} is not a measure`)
    );
  }
  return s.pick(
    'which name',
    said ?? metrics[0]!.name,
    metrics.map((metric) => ({ of: metric, key: metric.name, cost: 0 })),
  );
};

const listInnermostMeasures = (
  measure: MeasureTerm,
): Exclude<MeasureTerm, { of: MeasureTerm } | { is: 'combined' }>[] =>
  measure.is === 'combined'
    ? [measure.left, measure.right].flatMap(listInnermostMeasures)
    : 'of' in measure
      ? listInnermostMeasures(measure.of)
      : [measure];

/**
 * Returns the date fields of the metrics in these measures. For measures without a metric, returns the default date
 * field of the main dataset.
 */
export function findMeasureDates(s: NameResolution, measures: readonly MeasureTerm[]): NameResolution['measureDates'] {
  const dates = measures.flatMap(listInnermostMeasures).flatMap((measure): NameResolution['measureDates'] => {
    const metric = findMetricOfMeasure(s, measure);
    const metricDates = metric ? listMetricDates(s.vocabulary.lens, metric) : [];
    if (measure.is === 'metric' || metricDates.length > 0) return metricDates;
    const { options } = measure.is === 'count' ? measure.things : measure.field;
    return options.flatMap(({ dataset }) => {
      const field = s.dataset(dataset).timeField;
      return field ? [{ home: dataset, dataset, field }] : [];
    });
  });
  return [...new Map(dates.map((date) => [`${date.dataset}.${date.field}`, date])).values()];
}

/**
 * Returns the metric that the question names. Otherwise, returns the approved metric that counts the named rows or
 * aggregates the named field.
 */
function findMetricOfMeasure(
  s: NameResolution,
  measure: ReturnType<typeof listInnermostMeasures>[number],
): LensMetric | undefined {
  if (measure.is === 'metric') return resolveMetric(s, measure);
  if (measure.is === 'count') {
    const { dataset, by } = resolveEntity(s, measure.things);
    return by ? undefined : findApprovedRowCount(s, dataset);
  }
  const { dataset, field } = placeField(s, measure.field, () => 0);
  return findApprovedAggregate(s, measure.is === 'distinct' ? 'count_distinct' : measure.fn, dataset.name, field.name);
}

/** Returns the date of the metric. For a metric that combines other metrics, returns their dates. */
const listMetricDates = (
  lens: Lens,
  { home, timeField, references }: LensMetric,
): NameResolution['measureDates'][number][] =>
  timeField
    ? [{ home, ...timeField }]
    : lens.metrics
        .filter(({ name }) => references.metrics.includes(name))
        .flatMap((metric) => listMetricDates(lens, metric));

export const resolveEntity = (
  s: NameResolution,
  entityTerm: EntitiesTerm,
  distanceTo: (dataset: string) => number = () => 0,
): EntityCandidate => {
  const entity = s.pick(
    'which name',
    entityTerm.text,
    entityTerm.options.map((option) => ({
      of: option,
      key: option.by ? `${option.dataset}.${option.by.fields[0]!.name}` : option.dataset,
      cost:
        distanceTo(option.dataset) +
        (option.by && s.vocabulary.dataset(option.dataset).primaryKey.join() === option.by.fields[0]!.name
          ? -0.25
          : 0) +
        (option.by ? 1 + option.by.loose + (option.by.identity === 'key' ? 0 : 0.5) : 0) +
        (option.role ? 1 : 0),
    })),
  );
  if (entity.by && entity.by.loose > 0 && entityTerm.options.some(({ dataset }) => dataset !== entity.dataset))
    s.addDoubt(`svc read "${entityTerm.text}" as ${entity.dataset}.${entity.by.fields[0]!.name}.`);
  return entity;
};

/**
 * Returns false if only some rows of the dataset can be in the role. For example, not all employees are supervisors,
 * and no plan can measure only the supervisors.
 */
export const hasAllRowsOfDataset = (
  s: NameResolution,
  { dataset, role }: Pick<EntityCandidate, 'dataset' | 'role'>,
): boolean => {
  if (role === undefined) return true;
  const { name, synonyms } = s.vocabulary.dataset(dataset);
  const nameWords = [name, ...synonyms].map((item) => s.vocabulary.key(item).split(' '));
  return nameWords.some((title) =>
    s.vocabulary
      .key(role)
      .split(' ')
      .every((word) => title.includes(word)),
  );
};
/** Returns the dataset if all its rows are entities of this term. */
export const resolveWholeEntity = (
  s: NameResolution,
  entityTerm: EntitiesTerm,
  distanceTo?: (dataset: string) => number,
): EntityCandidate => {
  const entity = resolveEntity(s, entityTerm, distanceTo);
  return hasAllRowsOfDataset(s, entity)
    ? entity
    : rejectInterpretation(`"${entityTerm.text}" means only some rows of ${entity.dataset}`);
};

/**
 * Finds the dataset that contains the field. If the question names entities, prefers the dataset that is closest to
 * these entities.
 */
export function placeField(
  s: NameResolution,
  { options: candidates, text, of }: FieldTerm,
  distanceTo: (dataset: string) => number,
): PlacedField {
  const options = candidates.filter((item) => isSingleField(item) && hasAllRowsOfDataset(s, item));
  if (options.length === 0) return rejectInterpretation(`"${text}" means only some of the rows`);
  if (of) {
    const owner = resolveWholeEntity(s, of);
    const ownerFields = s.listDirectCandidates(owner.dataset, options);
    if (ownerFields.length > 0) return { ...s.pick('which name', text, ownerFields) };
  }
  const fieldOptions = options.map(({ dataset, fields, loose }) => ({
    of: { path: dataset, field: fields[0]!, dataset: s.vocabulary.dataset(dataset) },
    key: `${dataset}.${fields[0]!.name}`,
    cost: distanceTo(dataset) + loose,
  }));
  const placedField = s.pick('which name', text, fieldOptions);
  const rival = findCompetingField(s, text, placedField, fieldOptions);
  if (rival) s.addOtherFieldDoubt(text, placedField, rival);
  if (of && s.vocabulary.graph.distance(resolveEntity(s, of).dataset, placedField.dataset.name) > 2)
    return rejectInterpretation('the field is too far from the named rows');
  return placedField;
}

/**
 * Finds another field in the same unit that a short name can also mean. For example, "total delay" can mean the delay
 * minutes of delay records or the arrival delay of flights.
 */
const findCompetingField = (
  { vocabulary: { key } }: NameResolution,
  text: string,
  { dataset, field: { name, synonyms, unit } }: PlacedField,
  options: readonly { of: PlacedField }[],
): PlacedField | undefined =>
  unit === null || [name, ...synonyms].some((item) => key(item) === key(text))
    ? undefined
    : options.find(({ of }) => of.dataset !== dataset && of.field.unit === unit)?.of;

export function findMainDataset(
  s: NameResolution,
  measureTerm: MeasureTerm,
  targetDatasets: readonly string[],
): string {
  const distanceTo = (dataset: string): number =>
    targetDatasets.length === 0 || targetDatasets.some((name) => name === dataset || s.reaches(dataset, name)) ? 0 : 1;
  switch (measureTerm.is) {
    case 'metric':
      return resolveMetric(s, measureTerm).home ?? rejectInterpretation('the metric uses several datasets');
    case 'count':
      return resolveWholeEntity(s, measureTerm.things, distanceTo).dataset;
    case 'distinct':
    case 'aggregate':
      return placeField(s, measureTerm.field, distanceTo).dataset.name;
    case 'combined':
      return findMainDataset(s, measureTerm.left, targetDatasets);
    default:
      return findMainDataset(s, measureTerm.of, targetDatasets);
  }
}

/**
 * Returns the datasets whose rows form the groups of a measure. If a grouping field isn't reachable from the main
 * dataset, returns the nearest dataset with this field.
 */
export function findGroupingDatasets(s: NameResolution, measureTerm: MeasureTerm, group: GroupTerm): string[] {
  if (group.is === 'things')
    return group.things.options
      .filter((option) => !option.by)
      .map(({ dataset }) => dataset)
      .slice(0, 1);
  if (group.is !== 'field') return [];
  const measureHome = findMainDataset(s, measureTerm, []);
  return s.listDirectCandidates(measureHome, group.field.options).length > 0
    ? []
    : findNearestDataset(
        s,
        measureHome,
        group.field.options.map(({ dataset }) => dataset),
      );
}

export const findNearestDataset = (s: NameResolution, homeDataset: string, datasets: readonly string[]): string[] =>
  [...new Set(datasets)]
    .sort((a, b) => s.vocabulary.graph.distance(homeDataset, a) - s.vocabulary.graph.distance(homeDataset, b))
    .slice(0, 1);

/** A grouping through a many-to-many join, in which each measured row counts once in each of its groups. */
export interface BridgedGrouping {
  dataset: string;
  link: string;
}
/**
 * Finds the main dataset. If each measured row belongs to several groups, finds the dataset that links the measured
 * rows to the groups.
 */
export function resolveMainDataset(
  s: NameResolution,
  measureTerm: MeasureTerm,
  targetDatasets: readonly string[],
): { home: string; distinctOf: string | null; through?: BridgedGrouping } {
  const measureHome = findMainDataset(s, measureTerm, targetDatasets);
  const distantDatasets = targetDatasets.filter((name) => name !== measureHome && !s.reaches(measureHome, name));
  if (distantDatasets.length === 0) return { home: measureHome, distinctOf: null };
  if (distantDatasets.length > 1)
    return rejectInterpretation(
      `${distantDatasets.join(' and ')} are not reachable from ${measureHome} through many-to-one joins`,
    );
  const links = s.vocabulary.graph.linkingDatasets(measureHome, distantDatasets[0]!);
  if (links.length === 0) return rejectInterpretation(`no dataset links ${measureHome} and ${distantDatasets[0]!}`);
  const link = s.pick(
    'which way',
    measureTerm.is === 'count' ? measureTerm.things.text : distantDatasets[0]!,
    links.map((link) => ({ of: link, key: link, cost: 0 })),
  );
  // A count over the rows of a linking dataset must be distinct.
  if (
    measureTerm.is === 'metric' &&
    resolveMetric(s, measureTerm).filter === null &&
    isCountMetric(resolveMetric(s, measureTerm))
  )
    return rejectInterpretation('the metric would count the linking rows');
  if (
    measureTerm.is !== 'count' &&
    !(s.isPureLinkTable(link, measureHome, distantDatasets[0]!) && allowsRepeatedRows(s, measureTerm))
  )
    return rejectInterpretation('several groups would include the same row');
  if (measureTerm.is !== 'count')
    return { home: measureHome, distinctOf: null, through: { dataset: distantDatasets[0]!, link } };
  return { home: link, distinctOf: measureHome };
}

/**
 * Returns the approved metric that the question names. Otherwise, returns the approved metric that computes exactly
 * this aggregate.
 */
const findApprovedMetric = (
  s: NameResolution,
  aggregate: { fn: string; path: string; field?: string },
  expressions: readonly string[],
): LensMetric | undefined => {
  const namedMetrics = findMetricsNamedAsAggregate(s.vocabulary, aggregate);
  return namedMetrics.length > 0
    ? resolveMetric(s, { metrics: namedMetrics, said: namedMetrics[0]!.name })
    : (findMetricByExpression(s.vocabulary, aggregate.path, expressions) ?? undefined);
};
export const findApprovedAggregate = (
  s: NameResolution,
  fn: AggregateFunction | 'count_distinct',
  path: string,
  field: string,
): LensMetric | undefined =>
  findApprovedMetric(s, { fn, path, field }, [
    fn === 'count_distinct' ? `count(distinct ${path}.${field})` : `${fn}(${path}.${field})`,
  ]);
export const findApprovedRowCount = (s: NameResolution, dataset: string): LensMetric | undefined => {
  const key = s.vocabulary.dataset(dataset).primaryKey.map((item) => `${dataset}.${item}`);
  return findApprovedMetric(s, { fn: 'count', path: dataset }, [
    'count(*)',
    ...(key.length === 1 ? [`count(${key[0]})`, `count(distinct ${key[0]})`] : []),
  ]);
};

/**
 * Finds the field whose distinct values the measure counts. The field matters for negations, because if a value has
 * several rows, "no row matches" differs from "one row doesn't match".
 */
export function findCountedField(
  s: NameResolution,
  measures: readonly MeasureTerm[],
  homeDataset: string,
  predicates: readonly PredicateTerm[],
): Pick<FilterContext, 'by' | 'thing'> {
  const conditions = predicates.flatMap(flattenPredicate);
  for (const measure of measures.flatMap(listInnermostMeasures)) {
    const things = measure.is === 'count' ? measure.things : null;
    const entity = things && resolveEntity(s, things);
    if (things && entity?.by && measures.length === 1 && measures[0] === measure)
      return { by: s.field(homeDataset, [entity.by], things.text), thing: entity.by.identity !== undefined };
    const isCountedOnce =
      entity?.by || measure.is === 'distinct' || (measure.is === 'metric' && countsDistinct(resolveMetric(s, measure)));
    if (isCountedOnce && conditions.some(({ is }) => is === 'not'))
      rejectInterpretation('the negation could be about some rows or all rows');
    if (isCountedOnce && measure.is === 'metric' && conditions.some((item) => appliesToSingleRows(item, homeDataset)))
      rejectInterpretation('the condition could be about one row or all rows');
  }
  return {};
}

/**
 * Returns true if the condition restricts individual rows. For example, if the rows are order lines, "orders with a
 * quantity over 10" is a condition on each line.
 */
const appliesToSingleRows = (predicate: PredicateTerm, homeDataset: string): boolean =>
  predicate.is === 'amount' ||
  (predicate.is === 'compare' &&
    predicate.field.options.some(({ dataset, fields }) => dataset === homeDataset && isNumeric(fields[0]!.datatype)));

/**
 * Returns true if counting a row several times is acceptable: in an average, a minimum or a maximum, but not in a sum.
 */
const allowsRepeatedRows = (s: NameResolution, measureTerm: MeasureTerm): boolean =>
  measureTerm.is === 'aggregate'
    ? measureTerm.fn !== 'sum'
    : measureTerm.is === 'metric' &&
      resolveMetric(s, measureTerm).references.aggregates.every((aggregate) => /^(?:avg|min|max)$/i.test(aggregate));
