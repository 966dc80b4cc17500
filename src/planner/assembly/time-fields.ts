// Which date, or year, a time expression is about.
import type { Condition, FieldRef, Filter } from '../../lens/model/intent.ts';
import type { LensField } from '../../lens/model/lens.ts';
import { spelledOut } from '../../lens/model/name-words.ts';
import type { Cursor } from '../grammar/cursor.ts';
import { type FieldSlot, isSlot, type TimeDraft } from '../grammar/draft.ts';
import { datesOf, undated, verbsFor, yearsOf } from '../grammar/event-dates.ts';
import { askWhich, pathsFrom, refuse } from '../grammar/resolve.ts';
import { isNumeric, isTemporal } from '../words/datatypes.ts';
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
  if (events.length > 1)
    refuse(
      text,
      `"${text}" could be about ${events.map(({ name }) => name.replaceAll('_', ' ')).join(' or ')}; say which.`,
    );
  const missing = events.length === 0 ? undated(c, time, [path]) : null;
  if (missing)
    refuse(missing, `There is no date of what was ${missing}. Leave the period out, or name a date of these rows.`);
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

/** The date that a question means when it names none: of the rows themselves, or of what they are part of. The usual date of
 *  the nearest event is taken and told; one of several, or of what is no event, is asked back. Null: there is none. */
export const timeFieldFrom = (c: Cursor, home: string, text: string): DateRef | null => {
  const { graph, dataset } = c.vocabulary;
  const rows = graph.datasetOf(home) ?? home;
  for (let name: string | null = rows; name !== null; name = wholeOf(c, name)) {
    const dates = openDates(c, name);
    if (dates.length === 0) continue;
    const usual = dates.filter((field) => field.name === dataset(name!).timeField);
    const paths = name === rows ? [home] : pathsFrom(c, rows, name);
    const options = paths.flatMap((path) => optionsOf(path, usual.length > 0 ? usual : dates));
    const [only, more] = options;
    if (only && !more && (usual.length > 0 || happens(c, name))) return { path: only.path, field: only.field.name };
    return refOf(askWhich(c, text, options));
  }
  const steps = [...graph.reach(rows).values()].filter(({ hops, ambiguous }) => hops > 0 && !ambiguous);
  const events = steps.filter((step) => dataset(step.dataset).timeField && happens(c, step.dataset));
  const nearest = events.filter(({ hops }) => events.every((other) => hops <= other.hops));
  const many = rows.replaceAll('_', ' ');
  if (nearest.length === 1) {
    const { path, dataset: event } = nearest[0]!;
    const found = { path: pathsFrom(c, rows, event)[0] ?? path, field: dataset(event).timeField! };
    c.doubt = `${many} have no date of their own: "${text}" was taken for the ${found.field.replaceAll('_', ' ')} of their ${event.replaceAll('_', ' ')}.`;
    return found;
  }
  const others = steps.flatMap((step) => optionsOf(step.path, openDates(c, step.dataset)));
  if (others.length === 0) return null;
  const list = others.map(({ key }) => key).join(' or ');
  const told = `The rows of ${many} have no date of their own. Say whether "${text}" is about ${list}`;
  const { path, field } = askWhich(c, text, others, told);
  return { path: pathsFrom(c, rows, graph.datasetOf(path) ?? path, path)[0] ?? path, field: field.name };
};

type DateRef = { path: string; field: string };
const optionsOf = (path: string, fields: LensField[]) =>
  fields.map((field) => ({ key: `${path}.${field.name}`, path, field }));
const refOf = ({ path, field }: { path: string; field: LensField }): DateRef => ({ path, field: field.name });

const BORN = /birth|born|(?:^|_)dob(?:$|_)/i;
const openDates = (c: Cursor, dataset: string): LensField[] =>
  c.vocabulary
    .dataset(dataset)
    .fields.filter((field) => isTemporal(field.datatype) && !field.masked && !BORN.test(field.name));
const EVENT =
  /order|invoice|sale|visit|booking|payment|transaction|shipment|event|flight|rental|trip|appointment|enrol|bill|receipt|ticket|incident|accident|crash|claim|complaint|request|call|message|session|purchase|donation|refund|delivery|transfer|inspection|treatment|reading|review|survey|response|post|comment|match/;

/** Something that happens, so that a bare period is about when it does: called so, dated by its own name ("exam date"), or
 *  referred to by nothing else. A customer or a product is there before and after. */
const happens = (c: Cursor, name: string): boolean => {
  const { lens, dataset } = c.vocabulary;
  const roots = words(name).map(rootOf);
  const dates = [dataset(name).timeField ?? openDates(c, name)[0]?.name ?? ''].map((date) =>
    words(date).filter((word) => !/^(?:date|day|time|datetime|timestamp|at|on)$/.test(word)),
  );
  return (
    EVENT.test(name) ||
    dates.some((left) => left.length === 1 && left[0]!.length > 3 && roots.includes(rootOf(left[0]!))) ||
    !lens.relationships.some(({ from, to }) => to.dataset === name && from.dataset !== name)
  );
};
const rootOf = (word: string): string => word.slice(0, 4);

const BEGUN =
  /^(?:hired?|hiring|join(?:ed|ing)?|enrol\w*|regist\w*|sign\w*|install\w*|opened|opening|founded|founding|creat\w*|insert\w*|added|entered|entry|intro\w*|launch\w*|start\w*|begin\w*|began|since|acqui\w*|admi(?:tted|ssion)|establish\w*|built|onboard\w*|commission(?:ed|ing))$/;
const ENDED =
  /^(?:end(?:s|ed|ing)?|cancel\w*|clos\w*|finish\w*|expir\w*|terminat\w*|resolv\w*|left|leav\w*|retir\w*|discharg\w*|churn\w*|complet\w*|until)$/;
const STATE = /(?:^|_)(?:status|state|stage|phase)$/;
/** `ofMetric`: the metric says itself by which date it goes. Whoever was hired before 2023 was there in 2023 too, and a price of 2021 is not one of what was launched then: the date on
 *  which something begins that lasts is taken, and told. */
export const tellBegun = (c: Cursor, ref: DateRef, text: string, ofMetric: boolean): void => {
  const name = c.vocabulary.graph.datasetOf(ref.path) ?? ref.path;
  const begun = spelledOut(ref.field)
    .split(' ')
    .some((word) => BEGUN.test(word));
  if (!begun || ref.field !== c.vocabulary.dataset(name).timeField) return;
  const called = spelledOut(ref.field);
  const ends = openDates(c, name).some((field) =>
    spelledOut(field.name)
      .split(' ')
      .some((word) => ENDED.test(word)),
  );
  const state = c.draft.conditions.find(({ options }) =>
    options.every(({ dataset, field }) => dataset === name && STATE.test(field.name)),
  );
  if (ends && state) {
    c.doubt = `"${text}" was taken for the ${called} of ${name.replaceAll('_', ' ')}; "${state.text}" is as it is now, not as it was then.`;
    return;
  }
  if (EVENT.test(name) || ((!ends || ofMetric) && happens(c, name))) return;
  c.doubt = `"${text}" was taken for the ${called} of ${name.replaceAll('_', ' ')}: what began before and still lasted is not among them.`;
};

const PART = /^(?:line|item|lineitem|detail|position|entry|row|leg|product)$/;
/** What rows called order items or order lines are part of, or what their key is made of: its date is theirs. */
const wholeOf = (c: Cursor, name: string): string | null => {
  const { lens, dataset } = c.vocabulary;
  const { primaryKey, synonyms } = dataset(name);
  const wholes = lens.relationships.filter(({ from, to }) => {
    if (from.dataset !== name || to.dataset === name) return false;
    if (!happens(c, to.dataset) || (!dataset(to.dataset).timeField && !EVENT.test(to.dataset))) return false;
    const whole = phraseKey(to.dataset).split(' ');
    const named = [name, ...synonyms].some((title) => {
      const rest = phraseKey(title)
        .split(' ')
        .filter((word) => !whole.includes(word));
      return rest.length > 0 && rest.every((word) => PART.test(word));
    });
    return named || (primaryKey.length > 1 && from.columns.every((column) => primaryKey.includes(column)));
  });
  return wholes.length === 1 ? wholes[0]!.to.dataset : null;
};
