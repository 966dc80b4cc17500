// Converts the groups of a question to dimensions of a plan.

import { isNumeric } from '../../contract/warehouse.ts';
import { GRAINS, type Lens } from '../../lens/model/lens.ts';
import type { Grouping } from '../../plan/lens-plan.ts';
import { IDENTIFYING_NOUNS } from '../english/words.ts';
import { splitWords } from '../words/phrase-key.ts';
import { hasDates, resolveDate } from './dates.ts';
import { type BridgedGrouping, resolveEntity } from './main-dataset.ts';
import { type NameResolution, type PlacedField, rejectInterpretation } from './name-resolution.ts';
import type { FieldTerm, GroupTerm } from './terms.ts';
import { requireVerbLink } from './verbs.ts';

export interface GroupBuilder {
  home: string;
  dimensions: Grouping[];
  keys: string[];
  through?: BridgedGrouping;
}

export function addGroup(s: NameResolution, builder: GroupBuilder, groupTerm: GroupTerm, verb: string | null): void {
  const { home } = builder;
  if (groupTerm.verb && groupTerm.is !== 'period')
    requireVerbLink(s, groupTerm.verb, home, listDatasetsOfGroup(groupTerm));
  switch (groupTerm.is) {
    case 'several':
      for (const item of groupTerm.of)
        addGroup(s, builder, { ...item, features: [...item.features, ...groupTerm.features] }, verb);
      return;
    case 'field': {
      if (builder.through && s.listDirectCandidates(home, groupTerm.field.options).length === 0) {
        const placedField = s.field(
          builder.through.link,
          groupTerm.field.options,
          groupTerm.field.text,
          builder.through.dataset,
        );
        if (!s.vocabulary.displayFieldsOf(builder.through.dataset).includes(placedField.field))
          rejectInterpretation("the field doesn't identify a group");
        addBridgedEntityGroup(s, builder, builder.through);
        return;
      }
      const placedField = s.field(home, groupTerm.field.options, groupTerm.field.text);
      s.addOtherPathDoubt(home, placedField.path);
      addNearerFieldDoubt(s, home, groupTerm.field, placedField);
      if (placedField.field.masked) rejectInterpretation('the field is masked');
      // The phrase "by year" refers to the date of the measured rows, not to a year of joined rows or the year of only
      // one measure.
      const isPeriod = GRAINS.some((grain) => grain === s.vocabulary.key(groupTerm.field.text));
      if (isPeriod && (s.measureDates.length > 1 || (placedField.path !== home && hasDates(s, home))))
        rejectInterpretation('the period belongs to other rows or to only one measure');
      if (placedField.path === home && s.vocabulary.displayFieldsOf(home).includes(placedField.field)) {
        addGroupForEachRow(s, builder, groupTerm);
        return;
      }
      if (isNumeric(placedField.field.datatype) && !isClassifyingNumber(placedField, s))
        rejectInterpretation("an amount doesn't identify a group");
      if (
        placedField.path === home &&
        placedField.dataset.primaryKey.join() === placedField.field.name &&
        !groupTerm.features.includes('by word')
      )
        rejectInterpretation('each row would form its own group');
      // Groups by the entity's key as well as its name, so that two entities with the same name remain separate groups.
      if (
        placedField.path !== home &&
        s.vocabulary
          .displayFieldsOf(placedField.dataset.name)
          .map(({ name }) => name)
          .join() === placedField.field.name
      ) {
        addEntityGroup(s, builder, placedField.dataset.name, placedField.path);
        return;
      }
      builder.dimensions.push({ path: placedField.path, field: placedField.field.name });
      return;
    }
    case 'things': {
      const entity = resolveEntity(s, groupTerm.things);
      if (entity.by) {
        const placedField = s.field(home, [entity.by], groupTerm.things.text);
        s.addOtherPathDoubt(home, placedField.path);
        builder.dimensions.push({ path: placedField.path, field: placedField.field.name });
        return;
      }
      if (entity.dataset === home && !entity.role) {
        addGroupForEachRow(s, builder, groupTerm);
        return;
      }
      if (builder.through?.dataset === entity.dataset) {
        addBridgedEntityGroup(s, builder, builder.through);
        return;
      }
      const path = s.path(home, entity.dataset, entity.role, groupTerm.things.text);
      s.addOtherPathDoubt(home, path);
      addEntityGroup(s, builder, entity.dataset, path);
      return;
    }
    case 'period': {
      if (groupTerm.grain === 'hour' || groupTerm.date) {
        const dateField = groupTerm.date
          ? s.field(home, groupTerm.date.options, groupTerm.date.text)
          : resolveDate(s, home, groupTerm.grain, groupTerm.verb ?? verb);
        if (groupTerm.grain === 'hour' && dateField.field.datatype === 'date')
          rejectInterpretation('the field is a date without a time');
        builder.dimensions.push({ path: dateField.path, field: dateField.field.name, grain: groupTerm.grain });
        return;
      }
      const dateField = resolveDate(s, home, groupTerm.grain, groupTerm.verb ?? verb);
      if (dateField.year && groupTerm.grain !== 'year') rejectInterpretation('the field contains only years');
      builder.dimensions.push({
        path: dateField.path,
        field: dateField.field.name,
        ...(dateField.year ? {} : { grain: groupTerm.grain }),
      });
    }
  }
}

/**
 * Adds a doubt if a field with the same name belongs to another joined dataset. For example, in "visits by city", the
 * visitor and the visitor's club can both have a city.
 */
function addNearerFieldDoubt(
  s: NameResolution,
  home: string,
  { text, options }: FieldTerm,
  chosenField: PlacedField,
): void {
  const { path } = chosenField;
  const steps = s.vocabulary.graph.pathsFrom(home).get(path)?.via.slice(0, -1) ?? [];
  const nearerPaths = path === home ? [] : [home, ...steps.map(({ role }) => role)];
  const nearer = s.listDirectCandidates(home, options).find(({ of }) => nearerPaths.includes(of.path))?.of;
  if (nearer) s.addOtherFieldDoubt(text, chosenField, nearer);
}

/**
 * Returns true if the numbers identify kinds of rows. Such fields have listed values, contain years or keys, or contain
 * integers that no metric aggregates.
 */
const isClassifyingNumber = (
  { path, field, dataset }: PlacedField,
  { vocabulary: { lens } }: NameResolution,
): boolean =>
  field.dictionary !== null ||
  (field.datatype === 'integer' &&
    field.unit === null &&
    splitWords(field.name).some((word) => IDENTIFYING_NOUNS.has(word))) ||
  splitWords(field.name).some((word) => /^(?:year|id|code|number)$/.test(word)) ||
  (field.datatype === 'integer' && field.unit === null && isNeverAggregated(lens, path, field.name)) ||
  dataset.primaryKey.includes(field.name);

const isNeverAggregated = ({ metrics }: Lens, path: string, name: string): boolean => {
  const homeMetrics = metrics.filter(
    ({ home, references }) => home === path && references.aggregates.some((fn) => fn === 'sum' || fn === 'avg'),
  );
  return (
    homeMetrics.length > 0 &&
    !homeMetrics.some(({ references }) =>
      references.fields.some(({ dataset, field }) => dataset === path && field === name),
    )
  );
};

const listDatasetsOfGroup = (groupTerm: GroupTerm): string[] =>
  (groupTerm.is === 'field' ? groupTerm.field.options : groupTerm.is === 'things' ? groupTerm.things.options : []).map(
    ({ dataset }) => dataset,
  );
const createBridgedGrouping = ({ link }: BridgedGrouping, path: string, field: string): Grouping => ({
  path,
  field,
  through: link,
});
/**
 * Groups by the entity's name and key, and shows both as columns. Without the key, entities with the same name would
 * merge across a many-to-many join.
 */
export function addBridgedEntityGroup(s: NameResolution, builder: GroupBuilder, through: BridgedGrouping): void {
  const display = s.vocabulary.displayFieldsOf(through.dataset).filter(({ masked }) => !masked);
  const path = s.path(through.link, through.dataset, undefined, through.dataset);
  const { primaryKey } = s.vocabulary.dataset(through.dataset);
  for (const field of new Set([...display.map(({ name }) => name), ...primaryKey]))
    builder.dimensions.push(createBridgedGrouping(through, path, field));
}

/**
 * Adds one group for each row of the measured dataset, but only for "by". For example, if the rows are parks, "area by
 * park" has one row for each park, but "average area per park" is the average over all parks.
 */
function addGroupForEachRow(s: NameResolution, builder: GroupBuilder, groupTerm: GroupTerm): void {
  if (!groupTerm.features.includes('by word')) rejectInterpretation('each row would form its own group');
  addEntityGroup(s, builder, builder.home, builder.home);
}

export function addEntityGroup(s: NameResolution, builder: GroupBuilder, dataset: string, path: string): void {
  const display = s.vocabulary.displayFieldsOf(dataset).filter(({ masked }) => !masked);
  const { primaryKey } = s.vocabulary.dataset(dataset);
  const fieldNames = display.length > 0 ? display.map(({ name }) => name) : primaryKey;
  if (fieldNames.length === 0) rejectInterpretation(`${dataset} has no field that names its rows`);
  for (const field of fieldNames) builder.dimensions.push({ path, field });
  if (primaryKey.length > 0 && primaryKey.some((key) => !fieldNames.includes(key))) builder.keys.push(path);
}

/** Groups by the name of each row, or by all its fields if the dataset has no name field. */
export function addRowGroup(s: NameResolution, builder: GroupBuilder, dataset: string): void {
  if (s.vocabulary.displayFieldsOf(dataset).some(({ masked }) => !masked)) {
    addEntityGroup(s, builder, dataset, dataset);
    return;
  }
  const { fields } = s.vocabulary.dataset(dataset);
  for (const { name, masked } of fields) if (!masked) builder.dimensions.push({ path: dataset, field: name });
}
