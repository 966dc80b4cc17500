// Where a time expression applies: on the date named with it, the metric's or the dataset's time field, or the date of
// the related event that a clause is about.
import type { Aggregate, Condition, FieldRef, Filter, MetricUse, TimeWindow } from '../../lens/model/intent.ts';
import { isParticiple } from '../english/inflection.ts';
import type { Cursor } from '../grammar/cursor.ts';
import type { EntityMention, TimeDraft } from '../grammar/draft.ts';
import { datesOf, happensLater, undated, verbsFor } from '../grammar/event-dates.ts';
import { askWhich, pathsFrom, refuse } from '../grammar/resolve.ts';
import type { TimeMention } from '../words/time-expressions.ts';
import { opensBeforeEvents, tellsOfEvents } from './leading-times.ts';
import { anyOf, dateBefore, tellBegun, timeFieldFrom, yearField, yearsSaid } from './time-fields.ts';

export interface PlacedTimes {
  window: TimeWindow | null;
  filters: Filter[];
  related: TimeDraft[];
  grains: FieldRef[];
}

export const placeTimes = (
  c: Cursor,
  home: string,
  measures: (MetricUse | Aggregate)[],
  notes: string[],
): PlacedTimes => {
  const { draft } = c;
  const times = draft.times.filter((time) => !time.taken);
  const placed: PlacedTimes = { window: null, filters: [], related: [], grains: [] };
  const text = times.map((time) => time.text).join(' and ') || draft.groups.map((group) => group.text).join(' ');
  const metric = measures.flatMap((one) =>
    one.kind === 'metric' ? c.vocabulary.lens.metrics.filter((known) => known.name === one.name) : [],
  )[0];
  const fields = new Map<TimeDraft | undefined, FieldRef>();
  const field = (time?: TimeDraft): FieldRef => {
    const known = fields.get(time);
    if (known) return known;
    const said = time?.text ?? text;
    const found =
      eventField(c, home, time) ??
      dateBefore(c, home, time) ??
      (metric?.timeField ? metricField(c, home, metric.timeField) : null) ??
      timeFieldFrom(c, home, said) ??
      refuse(
        said,
        `There is no date that "${said}" could be about. Leave the period out, or name a date of these rows.`,
      );
    if (!eventField(c, home, time)) {
      otherEvents(c, home, time, found, said);
      if (!dateBefore(c, home, time)) tellBegun(c, found, said, Boolean(metric?.timeField));
    }
    fields.set(time, found);
    return found;
  };

  const direct: TimeDraft[] = [];
  const inYears: { time: TimeDraft; years: Condition[] }[] = [];
  const { graph } = c.vocabulary;
  for (const time of times) {
    if (time.negated) {
      placed.filters.push(outside(c, time, home, field));
      continue;
    }
    const relation = time.clause.relation;
    const beyond = relation && graph.paths(home, relation.dataset).length === 0 && !ownVerb(c, home, time, relation);
    const through = draft.conditions.some(
      (one) =>
        one.clause === time.clause && one.options.every((option) => graph.paths(home, option.dataset).length === 0),
    );
    const loose = ofLooseThing(c, home, time) !== undefined;
    if (!beyond && !through && !loose && opensBeforeEvents(c, time, home))
      refuse(time.text, `Say "${time.text}" right behind what it is about.`);
    const years = beyond || through || loose ? null : yearsSaid(c, time, home);
    if ((time.any ?? time.every) && !beyond && !through && !loose) {
      if (time.every) refuse(time.text, `One row is not of "${time.text}"; say of which things both should be true.`);
      if (draft.compared || draft.groups.some((group) => 'grain' in group)) refuse(time.text);
      placed.filters.push(
        anyOf(time.any!.map((mention) => yearsSaid(c, { ...time, mention }, home) ?? edges(mention, field(time)))),
      );
    } else if (years) inYears.push({ time, years });
    else if (loose || beyond || through) placed.related.push(time);
    else direct.push(time);
  }
  // "in 2014 and 2016" is no row of both.
  const together = inYears.length > 1 && inYears.every(({ years }) => years.length === 1 && years[0]!.op === '=');
  if (together) {
    if (
      draft.compared ||
      inYears.some(({ time }, index) => index > 0 && !sideBySide(c, inYears[index - 1]!.time, time))
    )
      refuse(inYears.map(({ time }) => time.text));
    placed.filters.push(anyOf(inYears.map(({ years }) => years)));
    notes.push(`The periods ${inYears.map(({ time }) => time.text).join(' and ')} are taken together.`);
  } else placed.filters.push(...inYears.flatMap(({ years }) => years));
  const byField = new Map<string, TimeDraft[]>();
  for (const time of direct) {
    // "in 2015 and 2016", "in 2015 before June 2015": the second is about the date of the first.
    const before = direct[direct.indexOf(time) - 1];
    if (before && adjacent(wordsBetween(c, before, time))) fields.set(time, field(before));
    const key = JSON.stringify(field(time));
    byField.set(key, [...(byField.get(key) ?? []), time]);
  }
  for (const times of byField.values()) placeOn(c, field(times[0]), times, placed, notes);
  for (const group of draft.groups) {
    if ('candidates' in group || 'dataset' in group || !('grain' in group) || !group.grain) continue;
    // "customers with orders per year": when they ordered, or when they came to be?
    if (!eventField(c, home) && tellsOfEvents(c, home)) refuse(group.text);
    const year = group.grain === 'year' ? yearField(c, home) : null;
    placed.grains.push(year ?? { ...field(), grain: group.grain });
  }
  return placed;
};

/** "customers without returns joined in 2021": the verb behind the clause is of the thing before it. */
const ownVerb = (c: Cursor, home: string, time: TimeDraft, thing: { at: number; dataset: string }): boolean =>
  c.draft.verbs.some(
    ({ at, text }) =>
      at < time.at &&
      datesOf(c, home, text).length > 0 &&
      (time.at < thing.at || (at > thing.at && datesOf(c, thing.dataset, text).length === 0)),
  );

/** "accounts that opened a ticket in 2024": of a thing on the many side that stands right before it. */
export const ofLooseThing = (c: Cursor, home: string, time: TimeDraft): EntityMention | undefined => {
  const { graph } = c.vocabulary;
  const before = c.draft.entities.filter((entity) => entity.at < time.at).at(-1);
  const loose = before && before.dataset !== home && graph.paths(home, before.dataset).length === 0;
  return loose && !ownVerb(c, home, time, before) ? before : undefined;
};

/** Windows on one date: one as it is, several side by side together, one within another as the narrower. */
const placeOn = (c: Cursor, field: FieldRef, times: TimeDraft[], placed: PlacedTimes, notes: string[]): void => {
  const windows = times.map((time) => time.mention);
  const between = (from: string | null, to: string | null): void => {
    if (from && to && !placed.window) placed.window = { field, from, to };
    else {
      if (from) placed.filters.push({ kind: 'condition', field, op: '>=', values: [from] });
      if (to) placed.filters.push({ kind: 'condition', field, op: '<', values: [to] });
    }
  };
  // "opened from March 2024": in it, or since?
  const from = times.find(
    (time) =>
      time.mention.unit &&
      (/^from\b/i.test(time.text) || c.tokens[time.at - 1]?.norm === 'from') &&
      c.draft.verbs.some(({ at }) => at === time.at - (c.tokens[time.at - 1]?.norm === 'from' ? 2 : 1)),
  );
  if (from) refuse(from.text, `Say "in" or "since".`);
  if (c.draft.compared && windows.length > 1 && !c.draft.shown.some((item) => item.measure))
    refuse(
      times.map((time) => time.text),
      'Say what to compare: a number, a total or an average.',
    );
  if (c.draft.compared && windows.length > 1) compareUnits(c.draft.times, placed, field);
  if (windows.length === 1) {
    between(windows[0]!.from, windows[0]!.to);
    return;
  }
  // Only what "and" or a comma joins is taken together; all else that is said of one date holds for it at once.
  const beside = (joined: (words: string[]) => boolean): boolean =>
    times.every((time, index) => index === 0 || joined(wordsBetween(c, times[index - 1]!, time)));
  const bounded = windows.every((one) => one.from && one.to);
  const both = overlap(windows);
  const narrower = windows.length === 2 && windows.some(({ from, to }) => from === both?.from && to === both?.to);
  if (narrower || !bounded || !beside(coordinated)) {
    const texts = times.map((time) => time.text);
    // "in the West in 2015 and in the East in 2016" are two questions.
    if (!narrower && !beside(adjacent)) refuse(texts);
    const { from, to } = both ?? refuse(texts, `No day lies in both "${texts.join('" and "')}". Name one period.`);
    between(from, to);
    return;
  }
  const sorted = [...windows].sort((one, other) => (one.from! < other.from! ? -1 : 1));
  const touching = sorted.every((one, index) => index === 0 || sorted[index - 1]!.to === one.from);
  if (touching) between(sorted[0]!.from, sorted.at(-1)!.to);
  else
    placed.filters.push({
      kind: 'any',
      of: sorted.map((one) => ({
        kind: 'all',
        of: [
          { kind: 'condition', field, op: '>=', values: [one.from!] },
          { kind: 'condition', field, op: '<', values: [one.to!] },
        ],
      })),
    });
  notes.push(`The periods ${times.map((time) => time.text).join(' and ')} are taken together.`);
};

const edges = ({ from, to }: TimeMention, field: FieldRef): Condition[] => [
  ...(from ? [{ kind: 'condition' as const, field, op: '>=' as const, values: [from] }] : []),
  ...(to ? [{ kind: 'condition' as const, field, op: '<' as const, values: [to] }] : []),
];

const EXCEPT = /^(?:except|excluding|not|other than|apart from|not including|outside|outside of)$/;
/** "revenue except in 2016": rows of other times, and those without one. "who did not order in 2016" is no such thing. */
const outside = (c: Cursor, time: TimeDraft, home: string, field: (time?: TimeDraft) => FieldRef): Filter => {
  const { from, to, unit } = time.mention;
  const before = c.tokens.slice(0, time.at).filter(({ norm }) => !/^(?:the|in|for|during|,|and|or|but)$/.test(norm));
  const words = before.map(({ norm }) => norm);
  const first = c.draft.times.find(({ clause }) => clause === time.clause)!;
  const led = [words.slice(-1), words.slice(-2)].some((last) => EXCEPT.test(last.join(' ')));
  const said = first === time ? led : sideBySide(c, first, time);
  const measured = c.draft.shown.length > 0 && c.draft.shown.every((item) => item.measure && !item.measure.growth);
  const alone = ![...c.draft.conditions, ...c.draft.verbs, ...c.draft.entities].some(
    (one) => one.clause === time.clause,
  );
  if (!from || !to || !unit || time.any || time.every || !said || !measured || !alone || c.draft.compared)
    return refuse(time.text, `Say which periods are meant instead of leaving out "${time.text}".`);
  // "in 2016 except in March 2016" leaves something; "in 2016 but not in 2016" does not.
  const kept = c.draft.times.filter((one) => !one.negated && !one.taken).map(({ mention }) => mention);
  const within = kept.every((one) => (one.from ?? '') <= from && to <= (one.to ?? '9999'));
  const whole = kept.some((one) => one.from === from && one.to === to);
  if (!within || whole || yearsSaid(c, time, home)) return refuse(time.text);
  const ref = field(time);
  const edge = (op: '<' | '>=', value: string): Condition => ({ kind: 'condition', field: ref, op, values: [value] });
  const empty: Condition = { kind: 'condition', field: ref, op: 'is_null', values: [] };
  return { kind: 'any', of: [edge('<', from), edge('>=', to), empty] };
};

const JOINERS = /^(?:and|or|,|in|of|for|during|on|to|vs|versus|with|against|than|compared|the|\.|-)$/;
const COORDINATES = /^(?:and|or|,|to|vs|versus|with|against|than|compared|\.|-)$/;
const wordsBetween = (c: Cursor, before: TimeDraft, time: TimeDraft): string[] =>
  c.tokens.slice(before.at + before.mention.length, time.at).map(({ norm }) => norm);
const adjacent = (words: string[]): boolean => words.every((word) => JOINERS.test(word));
const coordinated = (words: string[]): boolean => adjacent(words) && words.some((word) => COORDINATES.test(word));
/** Several periods in one breath: "in 2015 and in 2016", "2015, 2016"; but not "in 2015 in March 2015". */
const sideBySide = (c: Cursor, before: TimeDraft, time: TimeDraft): boolean =>
  coordinated(wordsBetween(c, before, time));

/** "cancelled subscriptions in 2023": cancelled in it, or begun in it? */
const otherEvents = (c: Cursor, home: string, time: TimeDraft | undefined, found: FieldRef, said: string): void => {
  const state = c.draft.conditions.find((one) => one.end === time?.at && happensLater(one.text));
  if (
    state &&
    !c.vocabulary
      .dataset(home)
      .fields.some(
        ({ name }) =>
          name === found.field && datesOf(c, home, state.text.toLowerCase()).some((one) => one.name === name),
      )
  )
    refuse(
      [state.text, said],
      `There is no date of what was ${state.text}. Leave the period out, or name a date of these rows.`,
    );
  const missing = time && undated(c, time, [home]);
  if (missing)
    refuse(missing, `There is no date of what was ${missing}. Leave the period out, or name a date of these rows.`);
  const events = c.draft.conditions.flatMap((one) =>
    one.options.every((option) => option.dataset === home) && isParticiple(one.text.toLowerCase())
      ? datesOf(c, home, one.text.toLowerCase())
      : [],
  );
  const other = events.find((one) => one.name !== found.field);
  if (!other || events.length !== 1 || found.path !== home) return;
  const options = [c.vocabulary.dataset(home).fields.find((one) => one.name === found.field)!, other];
  found.field = askWhich(
    c,
    said,
    options.map((field) => ({ key: `${home}.${field.name}`, field })),
  ).field.name;
};

/** The date that a bare period is about: of the event named, of the metric, of the rows. */
export const periodField = (c: Cursor, home: string, measures: (MetricUse | Aggregate)[], text: string): FieldRef => {
  const metric = measures.flatMap((one) =>
    one.kind === 'metric' ? c.vocabulary.lens.metrics.filter((known) => known.name === one.name) : [],
  )[0];
  const found =
    eventField(c, home) ??
    (metric?.timeField ? metricField(c, home, metric.timeField) : null) ??
    timeFieldFrom(c, home, text);
  return (
    found ??
    refuse(text, `There is no date that "${text}" could be about. Leave the period out, or name a date of these rows.`)
  );
};

/** "2015 versus 2016": one row for each of the periods. */
const compareUnits = (times: TimeDraft[], placed: PlacedTimes, field: FieldRef): void => {
  const units = [...new Set(times.map((time) => time.mention.unit))];
  if (units.length !== 1 || !units[0]) refuse(times.map((time) => time.text));
  else placed.grains.push({ ...field, grain: units[0] });
};

/** The days that lie in all of them; null when none does. */
const overlap = (windows: TimeMention[]): Pick<TimeMention, 'from' | 'to'> | null => {
  const edge = (side: 'from' | 'to'): string[] => windows.flatMap((one) => one[side] ?? []).sort();
  const [from, to] = [edge('from').at(-1) ?? null, edge('to')[0] ?? null];
  return from && to && from >= to ? null : { from, to };
};

/** "shipped in 2016": the date whose name begins with the verb. */
const eventField = (c: Cursor, home: string, time?: TimeDraft): FieldRef | null => {
  const steps = [...c.vocabulary.graph.reach(home).values()];
  const dated = (text: string) =>
    steps.flatMap((step) => datesOf(c, step.dataset, text).map((field) => ({ step, field, text })));
  const found = verbsFor(c, time, (text) => dated(text).length).flatMap(dated);
  if (found.length === 0) return null;
  // "revenue of customers who signed up in 2025": of the thing right before the verb; else of the rows, or of what is nearest.
  const { at } = c.draft.verbs.findLast((one) => one.text === found[0]!.text && (!time || one.at < time.at)) ?? {
    at: 0,
  };
  const subject = c.draft.entities.filter((entity) => entity.at < at).at(-1);
  const further = found.filter(({ step }) => step.hops > 0 && step.dataset === subject?.dataset);
  const theirs = further.filter(({ step }) => further.every((other) => step.hops <= other.step.hops));
  const near = found.filter(({ step }) => step.hops === 0);
  const pool = [near, theirs, found.filter(({ step }) => step.hops <= 1)].find((list) => list.length > 0);
  if (!pool) return refuse(found[0]!.text, `Say whose "${found[0]!.text}" is meant.`);
  const { step, field } =
    pool.length > 1
      ? askWhich(
          c,
          pool[0]!.text,
          pool.map((one) => ({ ...one, key: `${one.step.path}.${one.field.name}` })),
        )
      : pool[0]!;
  return { path: pathsFrom(c, home, step.dataset)[0] ?? step.path, field: field.name };
};

const metricField = (
  c: Cursor,
  home: string,
  { dataset, field }: { dataset: string; field: string },
): FieldRef | null => {
  const target = c.vocabulary.graph.datasetOf(dataset) ?? dataset;
  const paths = pathsFrom(c, home, target, target === dataset ? undefined : dataset);
  return paths.length === 1 ? { path: paths[0]!, field } : null;
};
