// Declines questions such as "average fee per patient" or "customers with line amount over 60" if each entity has
// several rows, because the number could be a total or the number in a single row.

import { isNumeric } from '../../contract/warehouse.ts';
import { determineSummability } from '../words/summability.ts';
import type { NameResolution } from './name-resolution.ts';
import { createMeasurePredicate, replaceEntityPredicates } from './operators/building.ts';
import {
  createEntities,
  createField,
  createMeasure,
  createNumber,
  createPredicate,
  createQuery,
  type EntitiesTerm,
  type FieldCandidate,
  type GroupTerm,
  type MeasureTerm,
  type PredicateTerm,
  type QueryTerm,
} from './terms.ts';

/** Returns the entities that the question lists, ranks or counts, or null. */
const findSubjectEntities = ({ things: listedEntities, shown, groups }: QueryTerm): EntitiesTerm | null => {
  const [first, second] = shown;
  const isCount = !listedEntities && first?.t === 'measure' && first.is === 'count' && !second && groups.length === 0;
  return listedEntities ?? (isCount ? first.things : null);
};
const isMeasure = (item: QueryTerm['shown'][number] | null): item is MeasureTerm => item?.t === 'measure';

/**
 * Applies comparisons with a number to single rows if each entity has several rows with this number. Returns null if no
 * comparison changes. In a question with a measure, the numbers belong to the measured rows.
 */
export function applyComparisonsToSingleRows(s: NameResolution, q: QueryTerm): QueryTerm | null {
  const subject = findSubjectEntities(q);
  if (!subject || (q.things && [...q.shown, ...q.order.map(({ by }) => by)].some(isMeasure))) return null;
  const predicates = [...q.predicates, ...(q.things?.predicates ?? [])];
  if (predicates.some(({ is }) => is === 'total')) return null;
  const homeDataset = findOnlyDataset(subject);
  const withSingleRow = (condition: PredicateTerm): PredicateTerm => {
    if (condition.is !== 'compare' || condition.values.some((value) => typeof value === 'string')) return condition;
    const detailField = homeDataset
      ? findFieldOfDetailRows(s, condition.field.options, homeDataset)
      : findFieldOfValueRows(s, condition.field.options, subject);
    if (!detailField || (homeDataset === null && condition.values.length > 1)) return condition;
    const field = createField(condition.field.text, [detailField], ['number']);
    if (homeDataset === null) {
      const sum = createMeasure({ is: 'aggregate', fn: 'sum', field, predicates: [] });
      return createMeasurePredicate(sum, condition.op, createNumber(Number(condition.values[0]), null));
    }
    const { dataset } = detailField;
    const rowPredicate = createPredicate({ ...condition, field });
    const rows = createEntities(dataset, [{ dataset }], [rowPredicate], ['many', 'rows']);
    return createPredicate({ is: 'has', things: rows, verb: null, count: null }, ['has']);
  };
  if (predicates.every((predicate) => withSingleRow(predicate) === predicate)) return null;
  const things = q.things && replaceEntityPredicates(q.things, q.things.predicates.map(withSingleRow));
  return createQuery({ ...q, predicates: q.predicates.map(withSingleRow), things }, q.features);
}
export const describeAmbiguousNumber = (q: QueryTerm): string =>
  `Each of the ${findSubjectEntities(q)!.text.toLowerCase()} can have several of these numbers. Write "total" or "average" before the number's name.`;

/** Returns the reason why the question could mean another plan, or null. */
export function describeRowAmbiguity(s: NameResolution, q: QueryTerm): string | null {
  if (
    q.shown.some(
      (shownTerm) => isMeasure(shownTerm) && q.groups.some((group) => isAverageOverSeveralRows(s, shownTerm, group)),
    )
  )
    return 'The average could be over totals or over single rows. Ask for the "average of the … of each …".';
  const subject = findSubjectEntities(q);
  if (!subject) return null;
  const ranking = q.limit === 1 ? q.order.map(({ by }) => by).filter(isMeasure) : [];
  const totals = [...q.predicates, ...(q.things?.predicates ?? [])].flatMap((item) =>
    item.is === 'total' ? [item.measure] : [],
  );
  return [...ranking, ...totals].some((item) => namesFieldInsteadOfMetric(s, item, subject))
    ? describeAmbiguousNumber(q)
    : null;
}

const findOnlyDataset = ({ options }: EntitiesTerm): string | null => {
  const [first, second] = new Set(options.filter(({ by }) => !by).map(({ dataset }) => dataset));
  return first !== undefined && second === undefined ? first : null;
};
/** Returns the only matching numeric field of rows that refer to the entity, if the entity itself has no such field. */
const findFieldOfDetailRows = (
  s: NameResolution,
  options: readonly FieldCandidate[],
  homeDataset: string,
): FieldCandidate | null => {
  if (options.some(({ dataset }) => dataset === homeDataset || s.reaches(homeDataset, dataset))) return null;
  const relatedOptions = options.filter(
    ({ dataset, fields }) => isNumeric(fields[0]!.datatype) && s.reaches(dataset, homeDataset),
  );
  const minLooseness = Math.min(...relatedOptions.map(({ loose }) => loose));
  const [first, second] = relatedOptions.filter(({ loose }) => loose === minLooseness);
  return first && !second ? first : null;
};
/**
 * Returns true if the question uses the name of a field instead of the name of the metric that aggregates the field. An
 * example is "mrr" for the metric total mrr.
 */
const namesFieldInsteadOfMetric = (s: NameResolution, measureTerm: MeasureTerm, entityTerm: EntitiesTerm): boolean => {
  if (measureTerm.is !== 'metric' || measureTerm.called === undefined || measureTerm.metrics.length !== 1) return false;
  const { key, phrases } = s.vocabulary;
  const [metric] = measureTerm.metrics;
  const phrase = key(measureTerm.called);
  if ([metric!.name, ...metric!.synonyms].some((name) => key(name) === phrase)) return false;
  const fields = (phrases.get(phrase) ?? []).flatMap((term): FieldCandidate[] =>
    term.kind === 'field' && metric!.references.fields.some(({ field }) => field === term.field.name)
      ? [{ dataset: term.dataset, fields: [term.field], loose: term.loose }]
      : [],
  );
  const homeDataset = findOnlyDataset(entityTerm);
  return (
    (homeDataset ? findFieldOfDetailRows(s, fields, homeDataset) : findFieldOfValueRows(s, fields, entityTerm)) !== null
  );
};

/**
 * Returns true for "average fee per patient" if each patient has several fees, because the average could be over the
 * totals of patients or over the single fees.
 */
function isAverageOverSeveralRows(s: NameResolution, mean: MeasureTerm, group: GroupTerm): boolean {
  if (mean.is !== 'aggregate' || mean.fn !== 'avg' || !group.features.includes('per')) return false;
  const entityTerm = findGroupedEntities(s, group);
  const homeDataset = entityTerm && findOnlyDataset(entityTerm);
  const detailField = homeDataset
    ? findFieldOfDetailRows(s, mean.field.options, homeDataset)
    : entityTerm && findFieldOfValueRows(s, mean.field.options, entityTerm);
  return (
    detailField !== null &&
    determineSummability(s.vocabulary.lens, detailField.dataset, detailField.fields[0]!) !== 'no' &&
    !mean.field.of?.options.some(({ dataset }) => dataset === detailField.dataset)
  );
}
/** Finds a numeric field of rows that store only the entity's name, such as order lines with a customer column. */
const findFieldOfValueRows = (
  s: NameResolution,
  options: readonly FieldCandidate[],
  { options: [entity] }: EntitiesTerm,
): FieldCandidate | null => {
  const [key, second] = entity?.by?.fields ?? [];
  if (!entity || !key || second || s.dataset(entity.dataset).primaryKey.includes(key.name)) return null;
  return options.find(({ dataset, fields }) => dataset === entity.dataset && isNumeric(fields[0]!.datatype)) ?? null;
};
/**
 * Returns the entities of a group. Returns null for kinds and towns, because "per town" means one row for each town.
 */
const findGroupedEntities = (s: NameResolution, group: GroupTerm): EntitiesTerm | null => {
  if (group.is === 'things') return group.things;
  if (group.is !== 'field') return null;
  const { text, options } = group.field;
  const keys = options.filter(({ identity, fields: [key] }) => identity === 'key' && !key!.masked);
  const isName = ({ dataset, fields }: FieldCandidate): boolean =>
    fields.every(
      (field) =>
        s.dataset(dataset).primaryKey.includes(field.name) || s.vocabulary.displayFieldsOf(dataset).includes(field),
    );
  const entityOptions =
    keys.length > 0
      ? keys.map((by) => ({ dataset: by.dataset, by }))
      : options.filter(isName).map(({ dataset }) => ({ dataset }));
  return entityOptions.length > 0 ? createEntities(text, entityOptions) : null;
};
