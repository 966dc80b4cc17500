// Which date, or year, a time expression is about.
import type { Condition, FieldRef, Filter } from '../../lens/intent.ts';
import type { LensField } from '../../lens/lens.ts';
import type { Cursor } from '../grammar/cursor.ts';
import { type FieldSlot, isSlot, type TimeDraft } from '../grammar/draft.ts';
import { datesOf, undated, verbsFor, yearsOf } from '../grammar/event-dates.ts';
import { isNumeric, isTemporal } from '../grammar/read-things.ts';
import { askWhich, pathsFrom, refuse } from '../grammar/resolve.ts';
import { phraseKey, words } from '../words/vocabulary.ts';

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

/** The date that a question means when it names none: of the rows themselves, or of the event that they are part of. A date
 *  of anything else that they lead to is asked back, and so is one of several. Null: there is none anywhere. */
export const timeFieldFrom = (c: Cursor, home: string, text: string): { path: string; field: string } | null => {
  const { graph } = c.vocabulary;
  const rows = graph.datasetOf(home) ?? home;
  for (let name: string | null = rows; name !== null; name = wholeOf(c, name)) {
    const dates = openDates(c, name);
    const usual = c.vocabulary.dataset(name).timeField;
    if (!usual && dates.length === 0) continue;
    const paths = name === rows ? [home] : pathsFrom(c, rows, name);
    const named = dates.filter((field) => field.name === usual);
    // The only date of a person may be a birthday: a bare period is about events.
    const fields = named.length > 0 ? named : dates.length === 1 && BORN.test(dates[0]!.name) ? [] : dates;
    const options = paths.flatMap((path) => fields.map((field) => ({ key: `${path}.${field.name}`, path, field })));
    if (options.length === 0) return null;
    const { path, field } = options.length === 1 ? options[0]! : askWhich(c, text, options);
    return { path, field: field.name };
  }
  const others = [...graph.reach(rows).values()].flatMap((step) =>
    step.hops === 0 || step.ambiguous
      ? []
      : openDates(c, step.dataset).map((field) => ({ key: `${step.path}.${field.name}`, path: step.path, field })),
  );
  if (others.length === 0) return null;
  const list = others.map(({ key }) => key).join(' or ');
  const { path, field } = askWhich(
    c,
    text,
    others,
    `The rows of ${rows.replaceAll('_', ' ')} have no date of their own. Say whether "${text}" is about ${list}`,
  );
  return { path: pathsFrom(c, rows, graph.datasetOf(path) ?? path, path)[0] ?? path, field: field.name };
};

const openDates = (c: Cursor, dataset: string): LensField[] =>
  c.vocabulary.dataset(dataset).fields.filter((field) => isTemporal(field.datatype) && !field.masked);
const BORN = /birth|born|(?:^|_)dob(?:$|_)/i;
const PART = /^(?:line|item|lineitem|detail|position|entry|row|leg|product)$/;
const EVENT =
  /order|invoice|sale|visit|booking|payment|transaction|shipment|event|flight|rental|trip|appointment|enrol|bill|receipt/;

/** What rows called order items or order lines are part of: its date is theirs. A product or a customer has them, and yet
 *  their own dates are not those of what is sold to them. */
const wholeOf = (c: Cursor, name: string): string | null => {
  const { lens, dataset } = c.vocabulary;
  const wholes = lens.relationships.filter(({ from, to }) => {
    if (from.dataset !== name || to.dataset === name) return false;
    if (!dataset(to.dataset).timeField && !EVENT.test(to.dataset)) return false;
    const whole = phraseKey(to.dataset).split(' ');
    return [name, ...dataset(name).synonyms].some((title) => {
      const own = phraseKey(title).split(' ');
      const rest = own.filter((word) => !whole.includes(word));
      return rest.length > 0 && rest.every((word) => PART.test(word));
    });
  });
  const parents = [...new Set(wholes.map(({ to }) => to.dataset))];
  return parents.length === 1 && wholes.length === 1 ? parents[0]! : null;
};
