// Which date, or year, a time expression is about.
import type { Condition, FieldRef, Filter } from '../../lens/intent.ts';
import type { Cursor } from '../grammar/cursor.ts';
import { type FieldSlot, isSlot, type TimeDraft } from '../grammar/draft.ts';
import { datesOf, undated, verbsFor, yearsOf } from '../grammar/event-dates.ts';
import { isNumeric, isTemporal } from '../grammar/read-things.ts';
import { ambiguous, pathsFrom, refuse } from '../grammar/resolve.ts';
import { words } from '../words/vocabulary.ts';

/** A time window as conditions on the date of a related dataset, or of the one it hangs on. */
export const timeConditions = (c: Cursor, time: TimeDraft, path: string): Filter[] => {
  const { mention, text } = time;
  c.draft.placedTimes.add(time.at);
  const parts = time.any?.map((one) => timeConditions(c, { ...time, any: undefined, mention: one }, path));
  if (parts) return [anyOf(parts as Condition[][])];
  const years = yearsOfParent(c, time, path, true) ?? yearConditions(c, path, time) ?? yearsOfParent(c, time, path);
  if (years) return years;
  const dated = (verb: string) => datesOf(c, path, verb);
  const events = [...new Set(verbsFor(c, time, (verb) => dated(verb).length).flatMap(dated))];
  if (events.length > 1) refuse(text, `"${text}" could be about ${events.map(({ name }) => name).join(' or ')}.`);
  const missing = events.length === 0 ? undated(c, time, [path]) : null;
  if (missing) refuse(missing, `There is no date of what was ${missing}.`);
  const ref = events[0] ? { path, field: events[0].name } : timeFieldFrom(c, path, text);
  if (!ref) return refuse(text);
  const conditions: Condition[] = [];
  if (mention.from) conditions.push({ kind: 'condition', field: ref, op: '>=', values: [mention.from] });
  if (mention.to) conditions.push({ kind: 'condition', field: ref, op: '<', values: [mention.to] });
  return conditions;
};

/** "visited a museum opened after 2010": the year is that of the thing that the verb or the words before say. */
export const yearsOfParent = (c: Cursor, time: TimeDraft, path: string, told = false): Condition[] | null => {
  const { graph, lens } = c.vocabulary;
  const own = graph.datasetOf(path) ?? path;
  const parents = lens.datasets
    .map(({ name }) => name)
    .filter((name) => name !== own && graph.paths(own, name).length > 0);
  const verbs = verbsFor(
    c,
    time,
    (verb) => [own, ...parents].flatMap((name) => [...yearsOf(c, name, verb), ...datesOf(c, name, verb)]).length,
  );
  const said = parents.filter((name) => verbs.some((verb) => yearsOf(c, name, verb).length > 0));
  if (verbs.some((verb) => [own, ...parents].some((name) => datesOf(c, name, verb).length > 0))) return null;
  const before = c.draft.entities.filter((entity) => entity.at < time.at).at(-1)?.dataset;
  const mine = verbs.some((verb) => yearsOf(c, own, verb).length > 0);
  if (mine) return said.length > 0 ? refuse(time.text) : null;
  const named =
    said.length > 0 ? said : !told && before && parents.includes(before) && !yearField(c, own, time) ? [before] : [];
  const [parent, other] = named;
  if (!parent) return null;
  const paths = pathsFrom(c, own, parent);
  if (other || paths.length !== 1) return refuse(time.text);
  const years = yearConditions(c, parent, time);
  return years?.map((one) => ({ ...one, field: { ...one.field, path: paths[0]! } })) ?? null;
};

/** A period that is years: of the thing whose verb stands before it, else of the row itself. */
export const yearsSaid = (c: Cursor, time: TimeDraft, home: string): Condition[] | null =>
  yearsOfParent(c, time, home, true) ?? yearConditions(c, home, time);

/** One of several periods; single years of one field are a list of values. */
export const anyOf = (parts: Condition[][]): Filter => {
  const [first] = parts[0]!;
  if (first && parts.every((part) => part.length === 1 && part[0]!.op === '=')) {
    return { ...first, op: 'in', values: parts.flatMap(([one]) => one!.values) };
  }
  return { kind: 'any', of: parts.map((of) => (of.length === 1 ? of[0]! : { kind: 'all', of })) };
};

/** "end dates in 2025", "by booking date in 2025": the date right before it. */
export const dateBefore = (c: Cursor, home: string, time?: TimeDraft): FieldRef | null => {
  const { shown, groups } = c.draft;
  const slots = [...shown.map(({ slot }) => slot), ...groups.map((group) => (isSlot(group) ? group : undefined))];
  const behind = (one: FieldSlot): number => (time?.at ?? -1) - one.at - one.text.split(' ').length;
  // "by booking date by month in 2025"
  const slot = slots.find((one) => one && behind(one) >= 0 && behind(one) <= (one.grain ? 2 : 0));
  const own = slot?.candidates.filter(({ dataset, role }) => dataset === home && !role) ?? [];
  const [only, more] = own;
  if (!only || more || only.fields.length !== 1 || !isTemporal(only.fields[0]!.datatype)) return null;
  return { path: home, field: only.fields[0]!.name };
};

/** A whole number called year, in a dataset without dates. */
export const yearField = (c: Cursor, home: string, time?: TimeDraft): FieldRef | null => {
  const { fields } = c.vocabulary.dataset(home);
  const told = [
    ...new Set(verbsFor(c, time, (verb) => yearsOf(c, home, verb).length).flatMap((verb) => yearsOf(c, home, verb))),
  ];
  if (told.length === 1) return { path: home, field: told[0]!.name };
  if (fields.some((field) => isTemporal(field.datatype))) return null;
  const years = fields.filter((field) => isNumeric(field.datatype) && words(field.name).includes('year'));
  return years.length === 1 ? { path: home, field: years[0]!.name } : null;
};
/** "in 2014", "after 1950" about a year that is a whole number; null where it is not, or where the period is no years. */
export const yearConditions = (c: Cursor, home: string, time: TimeDraft): Condition[] | null => {
  const { mention } = time;
  const field = yearField(c, home, time);
  const edges = [mention.from, mention.to].filter((edge) => edge !== null);
  if (!field || edges.some((edge) => !edge.endsWith('-01-01'))) return null;
  const year = (edge: string): number => Number(edge.slice(0, 4));
  if (mention.from && mention.to && year(mention.to) === year(mention.from) + 1)
    return [{ kind: 'condition', field, op: '=', values: [year(mention.from)] }];
  return [
    ...(mention.from ? [{ kind: 'condition', field, op: '>=', values: [year(mention.from)] } as Condition] : []),
    ...(mention.to ? [{ kind: 'condition', field, op: '<', values: [year(mention.to)] } as Condition] : []),
  ];
};

/** The date that a question means when it names none: the dataset's time field, its only date, or that of the nearest
 *  dataset its rows lead to. */
export const timeFieldFrom = (c: Cursor, home: string, text: string): { path: string; field: string } | null => {
  const { graph } = c.vocabulary;
  const steps = [...graph.reach(home).values()].sort((one, other) => one.hops - other.hops);
  let hops = -1;
  const found: { path: string; field: string; dataset: string }[] = [];
  for (const step of steps) {
    if (found.length > 0 && step.hops > hops) break;
    const dataset = c.vocabulary.dataset(step.dataset);
    const dates = dataset.fields.filter((field) => isTemporal(field.datatype) && !field.masked);
    // A person's only date may be a birthday: without a declared time field, a bare period is about events only.
    const own = dataset.timeField ?? (dates.length === 1 && isEvent(step.dataset) ? dates[0]!.name : null);
    if (dates.length > 1 && !dataset.timeField && step.hops === 0) {
      return ambiguous(
        c,
        text,
        dates.map((field) => ({ key: `${step.dataset}.${field.name}`, field })),
      );
    }
    if (!own) continue;
    // A parent's date is not the date of the row unless the parent is an event with a declared time field.
    if (step.hops > 0 && !dataset.timeField && !isEvent(step.dataset)) continue;
    hops = step.hops;
    found.push({ path: pathsFrom(c, home, step.dataset)[0] ?? step.path, field: own, dataset: step.dataset });
  }
  return found.length === 1 ? { path: found[0]!.path, field: found[0]!.field } : null;
};
const isEvent = (dataset: string): boolean =>
  /order|invoice|sale|visit|booking|payment|transaction|shipment|event|flight|rental|trip|appointment|enrol/.test(
    dataset,
  );
