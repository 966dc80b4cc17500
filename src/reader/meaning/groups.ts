// How rows are grouped.

import type { Lens } from '../../lens/model/lens.ts';
import type { Grouping } from '../../plan/lens-plan.ts';
import { ENGLISH } from '../english/english.ts';
import { isNumeric } from '../words/datatypes.ts';
import { words } from '../words/phrase-key.ts';
import { dateOf } from './dates.ts';
import { type Bridge, thingOf } from './homes.ts';
import { type NameResolution, type PlacedField, reject } from './name-resolution.ts';
import type { Group } from './terms.ts';
import { requireLink } from './verbs.ts';

/** Names of numbers that identify things. */
const TELLING: ReadonlySet<string> = new Set(ENGLISH.telling.split(' '));
export interface GroupBuilder {
  home: string;
  dimensions: Grouping[];
  keys: string[];
  through?: Bridge;
}

export function addGroup(s: NameResolution, builder: GroupBuilder, of: Group, verb: string | null): void {
  const { home } = builder;
  if (of.verb && of.is !== 'period') requireLink(s, of.verb, home, ownersOf(of));
  switch (of.is) {
    case 'several':
      for (const one of of.of) addGroup(s, builder, { ...one, features: [...one.features, ...of.features] }, verb);
      return;
    case 'field': {
      if (builder.through && s.direct(home, of.field.options).length === 0) {
        const at = s.field(builder.through.link, of.field.options, of.field.text, builder.through.dataset);
        if (!s.vocabulary.display(builder.through.dataset).includes(at.field)) reject('the field identifies no groups');
        addBridgedEntity(s, builder, builder.through);
        return;
      }
      const at = s.field(home, of.field.options, of.field.text);
      if (at.field.masked) reject('masked');
      if (at.path === home && s.vocabulary.display(home).includes(at.field)) {
        addEachRow(s, builder, of);
        return;
      }
      if (isNumeric(at.field.datatype) && !isKind(at, s)) reject('an amount identifies no groups');
      if (at.path === home && at.dataset.primaryKey.join() === at.field.name && !of.features.includes('by word'))
        reject('each row would be its own group');
      // A name stands for the thing with that name, so two things with the same name stay separate.
      if (
        at.path !== home &&
        s.vocabulary
          .display(at.dataset.name)
          .map(({ name }) => name)
          .join() === at.field.name
      ) {
        addEntity(s, builder, at.dataset.name, at.path);
        return;
      }
      builder.dimensions.push({ path: at.path, field: at.field.name });
      return;
    }
    case 'things': {
      const thing = thingOf(s, of.things);
      if (thing.by) {
        const at = s.field(home, [thing.by], of.things.text);
        builder.dimensions.push({ path: at.path, field: at.field.name });
        return;
      }
      if (thing.dataset === home && !thing.role) {
        addEachRow(s, builder, of);
        return;
      }
      if (builder.through?.dataset === thing.dataset) {
        addBridgedEntity(s, builder, builder.through);
        return;
      }
      addEntity(s, builder, thing.dataset, s.path(home, thing.dataset, thing.role, of.things.text));
      return;
    }
    case 'period': {
      if (of.grain === 'hour' || of.date) {
        const at = of.date ? s.field(home, of.date.options, of.date.text) : dateOf(s, home, of.grain, of.verb ?? verb);
        if (of.grain === 'hour' && at.field.datatype === 'date') reject('a day has no hours');
        builder.dimensions.push({ path: at.path, field: at.field.name, grain: of.grain });
        return;
      }
      const at = dateOf(s, home, of.grain, of.verb ?? verb);
      if (at.year && of.grain !== 'year') reject('a year has no parts');
      builder.dimensions.push({ path: at.path, field: at.field.name, ...(at.year ? {} : { grain: of.grain }) });
    }
  }
}

/**
 * A number that identifies kinds: one of a few values, a year, a key, or an integer that no metric of these
 * rows sums or averages.
 */
const isKind = ({ path, field, dataset }: PlacedField, { vocabulary: { lens } }: NameResolution): boolean =>
  field.dictionary !== null ||
  (field.datatype === 'integer' && field.unit === null && words(field.name).some((word) => TELLING.has(word))) ||
  words(field.name).some((word) => /^(?:year|id|code|number)$/.test(word)) ||
  (field.datatype === 'integer' && field.unit === null && isLeftOut(lens, path, field.name)) ||
  dataset.primaryKey.includes(field.name);

const isLeftOut = ({ metrics }: Lens, path: string, name: string): boolean => {
  const own = metrics.filter(
    ({ home, references }) => home === path && references.aggregates.some((fn) => fn === 'sum' || fn === 'avg'),
  );
  return (
    own.length > 0 &&
    !own.some(({ references }) => references.fields.some(({ dataset, field }) => dataset === path && field === name))
  );
};

const ownersOf = (of: Group): string[] =>
  (of.is === 'field' ? of.field.options : of.is === 'things' ? of.things.options : []).map(({ dataset }) => dataset);
const bridgedGrouping = ({ link }: Bridge, path: string, field: string): Grouping => ({
  path,
  field,
  through: link,
});
/** Shown by name and key. A thing reached through several rows is only distinguished by visible columns. */
export function addBridgedEntity(s: NameResolution, builder: GroupBuilder, through: Bridge): void {
  const display = s.vocabulary.display(through.dataset).filter(({ masked }) => !masked);
  const path = s.path(through.link, through.dataset, undefined, through.dataset);
  const { primaryKey } = s.vocabulary.dataset(through.dataset);
  for (const field of new Set([...display.map(({ name }) => name), ...primaryKey]))
    builder.dimensions.push(bridgedGrouping(through, path, field));
}

/** "Area by park" of a table of parks. "Average area per park" is one number, the mean of its rows. */
function addEachRow(s: NameResolution, builder: GroupBuilder, of: Group): void {
  if (!of.features.includes('by word')) reject('each row would be its own group');
  addEntity(s, builder, builder.home, builder.home);
}

/** Shown by name and distinguished by its key. */
export function addEntity(s: NameResolution, builder: GroupBuilder, dataset: string, path: string): void {
  const display = s.vocabulary.display(dataset).filter(({ masked }) => !masked);
  const { primaryKey } = s.vocabulary.dataset(dataset);
  const shown = display.length > 0 ? display.map(({ name }) => name) : primaryKey;
  if (shown.length === 0) reject(`${dataset} has no name`);
  for (const field of shown) builder.dimensions.push({ path, field });
  if (primaryKey.length > 0 && primaryKey.some((key) => !shown.includes(key))) builder.keys.push(path);
}

/** A row is shown by its name; without a name, by all of its fields. */
export function addRow(s: NameResolution, builder: GroupBuilder, dataset: string): void {
  if (s.vocabulary.display(dataset).some(({ masked }) => !masked)) {
    addEntity(s, builder, dataset, dataset);
    return;
  }
  const { fields } = s.vocabulary.dataset(dataset);
  for (const { name, masked } of fields) if (!masked) builder.dimensions.push({ path: dataset, field: name });
}
