// How rows are grouped.

import type { Lens } from '../../lens/model/lens.ts';
import type { Grouping } from '../../plan/lens-plan.ts';
import { ENGLISH } from '../english/english.ts';
import { isNumeric } from '../words/datatypes.ts';
import { words } from '../words/vocabulary.ts';
import { dateOf } from './dates.ts';
import { type Through, thingOf } from './homes.ts';
import { type Placed, type Settling, unfit } from './settle.ts';
import type { Group } from './terms.ts';
import { linking } from './verbs.ts';

/** Names of numbers that identify things. */
const TELLING: ReadonlySet<string> = new Set(ENGLISH.telling.split(' '));
export interface GroupedBy {
  home: string;
  dimensions: Grouping[];
  keys: string[];
  through?: Through;
}

export function groupInto(s: Settling, told: GroupedBy, of: Group, verb: string | null): void {
  const { home } = told;
  if (of.verb && of.is !== 'period') linking(s, of.verb, home, ownersOf(of));
  switch (of.is) {
    case 'several':
      for (const one of of.of) groupInto(s, told, { ...one, features: [...one.features, ...of.features] }, verb);
      return;
    case 'field': {
      if (told.through && s.direct(home, of.field.options).length === 0) {
        const at = s.field(told.through.link, of.field.options, of.field.text, told.through.dataset);
        if (at.field.masked || (isNumeric(at.field.datatype) && !isKind(at, s)))
          unfit('the field identifies no groups');
        if (s.vocabulary.display(told.through.dataset).includes(at.field)) {
          showBehind(s, told, told.through);
          return;
        }
        told.dimensions.push(behind(told.through, at.path, at.field.name));
        return;
      }
      const at = s.field(home, of.field.options, of.field.text);
      if (at.field.masked) unfit('masked');
      if (at.path === home && s.vocabulary.display(home).includes(at.field)) {
        showEachRow(s, told, of);
        return;
      }
      if (isNumeric(at.field.datatype) && !isKind(at, s)) unfit('an amount identifies no groups');
      if (at.path === home && at.dataset.primaryKey.join() === at.field.name) unfit('each row would be its own group');
      // A name stands for the thing with that name, so two things with the same name stay separate.
      if (
        at.path !== home &&
        s.vocabulary
          .display(at.dataset.name)
          .map(({ name }) => name)
          .join() === at.field.name
      ) {
        showThing(s, told, at.dataset.name, at.path);
        return;
      }
      told.dimensions.push({ path: at.path, field: at.field.name });
      return;
    }
    case 'things': {
      const thing = thingOf(s, of.things);
      if (thing.by) {
        const at = s.field(home, [thing.by], of.things.text);
        told.dimensions.push({ path: at.path, field: at.field.name });
        return;
      }
      if (thing.dataset === home && !thing.role) {
        showEachRow(s, told, of);
        return;
      }
      if (told.through?.dataset === thing.dataset) {
        showBehind(s, told, told.through);
        return;
      }
      showThing(s, told, thing.dataset, s.path(home, thing.dataset, thing.role, of.things.text));
      return;
    }
    case 'period': {
      if (of.grain === 'hour' || of.date) {
        const at = of.date ? s.field(home, of.date.options, of.date.text) : dateOf(s, home, of.grain, of.verb ?? verb);
        if (of.grain === 'hour' && at.field.datatype === 'date') unfit('a day has no hours');
        told.dimensions.push({ path: at.path, field: at.field.name, grain: of.grain });
        return;
      }
      const at = dateOf(s, home, of.grain, of.verb ?? verb);
      if (at.year && of.grain !== 'year') unfit('a year has no parts');
      told.dimensions.push({ path: at.path, field: at.field.name, ...(at.year ? {} : { grain: of.grain }) });
    }
  }
}

/**
 * A number that identifies kinds: one of a few values, a year, a key, or an integer that no metric of these
 * rows sums or averages.
 */
const isKind = ({ path, field, dataset }: Placed, { vocabulary: { lens } }: Settling): boolean =>
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
const behind = ({ link }: Through, path: string, field: string): Grouping => ({
  path,
  field,
  through: link,
});
/** Shown by name and key. A thing reached through several rows is only distinguished by visible columns. */
export function showBehind(s: Settling, told: GroupedBy, through: Through): void {
  const display = s.vocabulary.display(through.dataset).filter(({ masked }) => !masked);
  const path = s.path(through.link, through.dataset, undefined, through.dataset);
  const { primaryKey } = s.vocabulary.dataset(through.dataset);
  for (const field of new Set([...display.map(({ name }) => name), ...primaryKey]))
    told.dimensions.push(behind(through, path, field));
}

/** "Area by park" of a table of parks. "Average area per park" is one number, the mean of its rows. */
function showEachRow(s: Settling, told: GroupedBy, of: Group): void {
  if (!of.features.includes('by word')) unfit('each row would be its own group');
  showThing(s, told, told.home, told.home);
}

/** Shown by name and distinguished by its key. */
export function showThing(s: Settling, told: GroupedBy, dataset: string, path: string): void {
  const display = s.vocabulary.display(dataset).filter(({ masked }) => !masked);
  const { primaryKey } = s.vocabulary.dataset(dataset);
  const shown = display.length > 0 ? display.map(({ name }) => name) : primaryKey;
  if (shown.length === 0) unfit(`${dataset} has no name`);
  for (const field of shown) told.dimensions.push({ path, field });
  if (primaryKey.length > 0 && primaryKey.some((key) => !shown.includes(key))) told.keys.push(path);
}

/** A row is shown by its name; without a name, by all of its fields. */
export function showRow(s: Settling, told: GroupedBy, dataset: string): void {
  if (s.vocabulary.display(dataset).some(({ masked }) => !masked)) {
    showThing(s, told, dataset, dataset);
    return;
  }
  const { fields } = s.vocabulary.dataset(dataset);
  for (const { name, masked } of fields) if (!masked) told.dimensions.push({ path: dataset, field: name });
}
