// What is shown and by what it is grouped, bound to paths, and which keys join the grouping unseen.
import type { FieldRef, Intent } from '../../lens/model/intent.ts';
import type { LensField } from '../../lens/model/lens.ts';
import type { Cursor } from '../grammar/cursor.ts';
import { type EntityMention, type FieldSlot, isSlot, type Shown } from '../grammar/draft.ts';
import { personOf } from '../grammar/person-of.ts';
import { isKey } from '../grammar/read-things.ts';
import { choose, pathsFrom, refTo, refuse, refuseUnsaidRole } from '../grammar/resolve.ts';
import { isNumeric } from '../words/datatypes.ts';
import { keyByThing } from './keyed-by-thing.ts';
import { shownBeside } from './shown-beside.ts';

export const pushUnique = <T>(list: T[], item: T): void => {
  if (!list.some((known) => JSON.stringify(known) === JSON.stringify(item))) list.push(item);
};

/** Fields of a mention, bound to paths from a home. */
export const refsOf = (c: Cursor, slot: FieldSlot, home: string): FieldRef[] => {
  const candidates = slot.candidates.map((one) => ({ ...one, field: one.fields[0]! }));
  const chosen = choose(c, slot, candidates, home, true);
  return chosen.fields.map((field) => {
    const ref = refTo(c, slot, home, { ...chosen, field });
    return slot.grain ? { ...ref, grain: slot.grain } : ref;
  });
};

/** Keys are numbers that measure nothing: they say which one. */
const isAmountSlot = (c: Cursor, { candidates }: FieldSlot): boolean =>
  candidates.every(
    ({ dataset, fields }) => fields.length === 1 && isNumeric(fields[0]!.datatype) && !isKey(c, dataset, fields[0]!),
  );
const isAmount = (c: Cursor, { path, field }: FieldRef): boolean => {
  const dataset = c.vocabulary.dataset(c.vocabulary.graph.datasetOf(path) ?? path);
  return dataset.fields.some((one) => one.name === field && isNumeric(one.datatype) && !isKey(c, dataset.name, one));
};
const showsOf = ({ slot, entity }: Shown, { dataset }: EntityMention): boolean =>
  slot ? slot.candidates.some((one) => one.dataset === dataset) : entity?.dataset === dataset;

/** "sum of salary and bonus by department": an amount beside a measure is a column only of the very thing grouped by, and
 *  only where its rows are those measured: "budget and payroll by department" would lose the departments without staff. */
const amountsOfGroups = (c: Cursor, shown: Shown[], home: string, aggregated: boolean): void => {
  if (!aggregated || !shown.some((item) => item.measure)) return;
  const grouped = [...c.draft.groups, ...shown.flatMap(({ entity }) => (entity ? [entity] : []))].flatMap((group) =>
    'dataset' in group ? [group] : [],
  );
  for (const item of shown) {
    const { slot } = item;
    if (!slot || !isAmountSlot(c, slot) || correspondsTo(c, shown)) continue;
    if (!grouped.some((group) => group.dataset === home && showsOf(item, group)))
      refuse(slot.text, `Say whether the total or the average of ${slot.text} is meant.`);
  }
};

/** "all ages and the corresponding number of students": how many there are of each. */
const correspondsTo = (c: Cursor, shown: Shown[]): boolean =>
  shown.length === 2 &&
  shown.some(
    ({ measure }) =>
      (measure?.kind === 'count' || measure?.kind === 'metric') &&
      [measure.at - 1, measure.at].some((at) => /^(?:corresponding|respective)$/.test(c.tokens[at]?.norm ?? '')),
  );

const keyOf = (c: Cursor, name: string): LensField[] => {
  const { primaryKey, fields } = c.vocabulary.dataset(name);
  return primaryKey.length === 1 ? fields.filter((field) => field.name === primaryKey[0] && !field.masked) : [];
};

/** "the type with the most rooms, and its number of beds": a type has many, so that they would split it. */
const amountsOfRows = (c: Cursor, { dimensions }: Intent, groupKeys: string[]): void => {
  const names = ({ path, field }: FieldRef): boolean => {
    const { name, primaryKey } = c.vocabulary.dataset(c.vocabulary.graph.datasetOf(path) ?? path);
    return primaryKey.includes(field) || c.vocabulary.display(name).some((one) => one.name === field);
  };
  const [split] = dimensions.filter(
    (ref) =>
      isAmount(c, ref) &&
      dimensions.length > 1 &&
      !groupKeys.includes(ref.path) &&
      !dimensions.some((one) => one.path === ref.path && names(one)),
  );
  const said = split?.field.replaceAll('_', ' ') ?? '';
  if (split) refuse(said, `Say whether the total or the average of ${said} is meant.`);
};

/** "List each employee and their manager's name": both are asked for. */
const listedFirst = (c: Cursor, { at, text }: EntityMention, shown: Shown[]): boolean =>
  /^(?:and|with|,)$/.test(c.tokens[at + text.split(' ').length]?.norm ?? '') &&
  !/^(?:for|of|in|per|by)$/.test(c.tokens[at - 2]?.norm ?? '') &&
  shown.every(({ slot, entity }) => (slot?.at ?? entity?.at ?? 0) > at);

/** Fills the dimensions; returns the fields by which a listing is to be ordered ("…, by name"). */
export const buildDimensions = (
  c: Cursor,
  intent: Intent,
  shown: Shown[],
  home: string,
  aggregated: boolean,
): FieldRef[] => {
  const { draft } = c;
  const { graph } = c.vocabulary;
  const groupKeys: string[] = [];
  const orderings: FieldRef[] = [];
  const isKeyed = (dataset: string): boolean => c.vocabulary.dataset(dataset).primaryKey.length > 0;
  const addEntity = (entity: { dataset: string; role?: string; text: string }, covered: boolean): void => {
    const paths = pathsFrom(c, home, entity.dataset, entity.role);
    if (paths.length !== 1) refuse(entity.text);
    if (!entity.role) refuseUnsaidRole(c, home, paths[0]!, entity.text);
    if (!covered) {
      const person = personOf(c, entity.dataset);
      const theirs = person ? pathsFrom(c, home, person) : [];
      const path = theirs.length === 1 ? theirs[0]! : paths[0]!;
      const shownAs = theirs.length === 1 ? person! : entity.dataset;
      const named = c.vocabulary.display(shownAs);
      // What has no name is told apart by its key.
      const display = named.length > 0 || shownAs === home ? named : keyOf(c, shownAs);
      if (display.length === 0) refuse(entity.text, `Say by which field of ${entity.text}.`);
      for (const field of display) pushUnique(intent.dimensions, { path, field: field.name });
    }
    if (isKeyed(entity.dataset)) pushUnique(groupKeys, paths[0]!);
  };

  const measured =
    aggregated && intent.grouped !== true && shown.some((item) => item.measure) && draft.groups.length === 0;
  for (const { slot } of shown)
    if (measured && slot && isAmountSlot(c, slot) && !correspondsTo(c, shown))
      refuse(slot.text, `Say whether the total or the average of ${slot.text} is meant.`);
  amountsOfGroups(c, shown, home, aggregated && intent.grouped !== true);
  shown.forEach(({ slot }, index) => {
    if (!slot) return;
    const refs = refsOf(c, slot, home);
    // "the name of each maker and the name of its product" are two names, of which one has not been understood.
    const said = shown.slice(0, index).find((item) => item.slot?.text.toLowerCase() === slot.text.toLowerCase())?.slot;
    if (said && said.at !== slot.at && JSON.stringify(refsOf(c, said, home)) === JSON.stringify(refs))
      refuse(slot.text);
    for (const ref of refs) pushUnique(intent.dimensions, ref);
  });
  const named = intent.dimensions.filter((ref) => !isAmount(c, ref));
  // "the names of the loser and the winner": of two parts of one dataset, one is not shown with the other.
  const covered = ({ dataset, role }: { dataset: string; role?: string }): boolean => {
    const paths = role || dataset === home ? pathsFrom(c, home, dataset, role) : [];
    // A customer_id of orders says which customer.
    const key = c.vocabulary.lens.relationships.find(
      ({ from, to, role: part }) =>
        to.dataset === dataset &&
        from.columns.length === 1 &&
        (!role || part === role) &&
        named.some(({ path, field }) => from.dataset === (graph.datasetOf(path) ?? path) && field === from.columns[0]),
    );
    if (key) return true;
    // "the professors' last names", which they have as employees.
    const person = role ? null : personOf(c, dataset);
    if (person && named.some(({ path }) => (graph.datasetOf(path) ?? path) === person)) return true;
    return named.some(({ path }) =>
      paths.length === 1 ? path === paths[0] : (graph.datasetOf(path) ?? path) === dataset,
    );
  };
  if (!aggregated && shown.length === 0)
    for (const group of draft.groups) if ('dataset' in group) shown.push({ entity: group });
  for (const { entity, all } of shown) {
    if (!entity) continue;
    const has = covered(entity);
    if (aggregated) {
      if (!(draft.groups.length > 0 && has)) addEntity(entity, has);
    } else if (!has || all || shownBeside(c, entity, shown)) {
      const paths = pathsFrom(c, home, entity.dataset, entity.role);
      if (paths.length !== 1) refuse(entity.text);
      // Rows that show nothing but a mask tell nobody which they are.
      const display = all ? [] : c.vocabulary.display(entity.dataset).filter((field) => !field.masked);
      const fields =
        display.length > 0 ? display : c.vocabulary.dataset(entity.dataset).fields.filter((field) => !field.masked);
      const first = has && shown.every(({ slot }) => !slot || slot.at > entity.at);
      const said = first ? intent.dimensions.splice(0) : [];
      for (const ref of [...fields.map(({ name }) => ({ path: paths[0]!, field: name })), ...said])
        pushUnique(intent.dimensions, ref);
    }
  }
  for (const group of draft.groups) {
    if (isSlot(group as FieldSlot)) {
      const slot = group as FieldSlot;
      const refs = refsOf(c, slot, home);
      if (aggregated || slot.quantified) for (const ref of refs) pushUnique(intent.dimensions, ref);
      else if (
        intent.dimensions.length <= 2 &&
        refs.every((ref) => intent.dimensions.some((one) => one.path === ref.path && one.field === ref.field))
      )
        orderings.push(...refs);
      else if (shown.some(({ slot }) => slot && !isAmountSlot(c, slot))) orderings.push(...refs);
      else refuse(slot.text, `Say what to count or add up by ${slot.text}.`);
    } else if ('dataset' in group) {
      const entity = group as EntityMention;
      if (aggregated) addEntity(entity, covered(entity));
      else if (
        entity.ordering ||
        (shown.some((item) => item.slot) &&
          // A row for each of them is what is listed, or theirs is shown beside what each of them has.
          !(entity.dataset === home && !entity.per) &&
          !shown.some(({ slot }) => slot?.bound === entity.dataset && !entity.per) &&
          !shown.every((item) => showsOf(item, entity)))
      )
        refuse(entity.text, `Say what to count or add up by ${entity.text}.`);
      else if (listedFirst(c, entity, shown) && !intent.dimensions.some(({ path }) => path === home)) {
        const named = c.vocabulary.display(home).filter((field) => !field.masked);
        if (named.length === 0) refuse(entity.text, `Say by which field of ${entity.text}.`);
        intent.dimensions.unshift(...named.map(({ name }) => ({ path: home, field: name })));
      }
    } else if (!aggregated) refuse(group.text);
  }
  if (aggregated) {
    for (const ref of intent.dimensions) {
      const dataset = graph.datasetOf(ref.path) ?? ref.path;
      const display = c.vocabulary.display(dataset);
      const names = display.some((field) => field.name === ref.field);
      // "by last name": namesakes are one group, unlike customers, who are told apart.
      const alone =
        display.some(({ name }) => !intent.dimensions.some((one) => one.path === ref.path && one.field === name)) &&
        c.draft.groups.some(
          (group) =>
            'candidates' in group &&
            group.candidates.some((one) => one.fields.length === 1 && one.fields[0]!.name === ref.field),
        );
      if (ref.path !== home && !ref.grain && names && !alone && isKeyed(dataset)) pushUnique(groupKeys, ref.path);
    }
    for (const { path, field } of intent.dimensions)
      if (path !== home && keyOf(c, graph.datasetOf(path) ?? path).some(({ name }) => name === field))
        pushUnique(groupKeys, path);
    keyByThing(c, intent, shown, home, groupKeys);
    if (groupKeys.length > 0) intent.groupKeys = groupKeys;
    if (!shown.some((item) => item.measure)) amountsOfRows(c, intent, groupKeys);
  }
  return orderings;
};
