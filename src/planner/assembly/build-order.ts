// In which order, and how many: ranks, top N within groups, and sorting.
import type { Aggregate, FieldRef, Intent, Order } from '../../lens/model/intent.ts';
import type { LensField } from '../../lens/model/lens.ts';
import type { Cursor } from '../grammar/cursor.ts';
import {
  type Draft,
  type FieldCandidate,
  type FieldSlot,
  isMeasure,
  isSlot,
  type RankDraft,
} from '../grammar/draft.ts';
import { fieldAbout, fieldsAbout, measureOf, overLink } from '../grammar/measures.ts';
import { namesRow } from '../grammar/names-row.ts';
import { personOf } from '../grammar/person-of.ts';
import { pathsFrom, refuse } from '../grammar/resolve.ts';
import { isNumeric, isTemporal } from '../words/datatypes.ts';
import { verbSenses } from '../words/lexicon.ts';
import { words } from '../words/vocabulary.ts';
import { refsOf } from './build-dimensions.ts';
import { highestOfTheirs } from './row-ranked.ts';

const key = (value: unknown): string => JSON.stringify(value);

export const applyRank = (
  c: Cursor,
  intent: Intent,
  rank: RankDraft,
  home: string,
  aggregated: boolean,
  notes: string[],
): void => {
  if (rank.unnumbered) refuse(rank.text, `Say how many, as in "${rank.text.replace(/\b(top|bottom)\b/i, '$1 10')}".`);
  if (intent.dimensions.length === 0) refuse(rank.text, 'Say what is ranked, and by what.');
  const period = c.draft.groups.find((group) => 'ranked' in group && group.ranked);
  // The busiest November of all, or November of every year?
  if (period && 'grain' in period && /^(?:month|quarter|week)$/.test(period.grain ?? '') && c.draft.times.length === 0)
    refuse(period.text, `Say of which year, as in "which ${period.grain} of 2016".`);
  intent.limit = rank.limit;
  if (rank.offset) intent.offset = rank.offset;
  const within = c.draft.groups.filter((group) => group !== rank.of && !('ranked' in group && group.ranked));
  if (within.length > 0 && rank.offset) refuse(rank.text);
  if (within.length > 0 && rank.limit !== null) withinGroups(c, intent, rank, home, within);
  const { by, direction } = rank;
  if (rank.of && !ranked(c, intent, rank.of, home))
    refuse(rank.text, `"${rank.text}" would have to be summed up or listed; say which.`);
  let order: Order;
  if (by && 'about' in by) {
    {
      const dataset = rank.of && !isSlot(rank.of) ? rank.of.dataset : home;
      const own = dataset !== home && c.vocabulary.graph.paths(home, dataset).length === 0 ? home : dataset;
      const target = fieldsAbout(c, own, by.about).length === 0 ? (personOf(c, own) ?? own) : own;
      const event = by.about === 'date' && direction === 'desc' ? latestEvent(c, target) : null;
      if (event) order = { by: { kind: 'expression', measure: event }, direction };
      else {
        const lasting = by.about === 'duration' ? lengthOf(c, target) : null;
        const field = lasting?.field ?? fieldAbout(c, target, by.about, rank.text);
        const flip = by.about === 'birth' && isNumeric(field.datatype);
        order = {
          by: {
            kind: 'field',
            field: { path: pathsFrom(c, home, lasting?.dataset ?? target)[0] ?? target, field: field.name },
          },
          direction: flip ? (direction === 'asc' ? 'desc' : 'asc') : direction,
        };
      }
      if (aggregated) refuse(rank.text);
    }
  } else if (by && isMeasure(by)) {
    const measure = overLink(c, measureOf(c, by, home), home);
    const index = intent.measures.findIndex((one) => key(one) === key(measure));
    order =
      index >= 0 ? { by: { kind: 'measure', index }, direction } : { by: { kind: 'expression', measure }, direction };
    if (index < 0 && aggregated && !intent.grouped && intent.dimensions.length === 0) refuse(rank.text);
  } else {
    const slot = by as FieldSlot;
    if (aggregated) refuse(rank.text);
    const theirs = highestOfTheirs(c, intent, rank, slot, home);
    if (!theirs) manyRows(c, rank, slot, home);
    if (theirs) order = { by: { kind: 'expression', measure: theirs }, direction };
    else order = { by: { kind: 'field', field: refsOf(c, slot, home)[0]! }, direction };
  }
  intent.order.push(order);
  showRanked(c, intent, rank, order, home);
  if (rank.limit === 1 && !rank.offset) notes.push('Only the first is shown; others may tie with it.');
};

/** "top 10 films by gross" tells the gross beside each film; where fields are asked for, these and no other. */
const showRanked = (c: Cursor, intent: Intent, { of, by, text }: RankDraft, order: Order, home: string): void => {
  if (order.by.kind !== 'field' || !by || !isSlot(by) || !/\b(?:top|bottom|best|worst)\b/i.test(text)) return;
  if (intent.measures.length > 0 || intent.distinct || intent.grouped) return;
  const naming = c.vocabulary.display(home).map(({ name }) => name);
  const names = ({ dataset, fields }: FieldCandidate): boolean =>
    dataset === home && fields.every(({ name }) => naming.includes(name));
  if (of && isSlot(of) && !of.candidates.some(names)) return;
  if (c.draft.shown.some(({ slot }) => slot && slot.at !== of?.at)) return;
  const { field } = order.by;
  if (!intent.dimensions.some((shown) => key(shown) === key(field))) intent.dimensions.push(field);
};

/** "the longest song", where the length is kept with its file, and the song itself begins and ends nowhere. */
const lengthOf = (c: Cursor, dataset: string): { dataset: string; field: LensField } | null => {
  const { graph } = c.vocabulary;
  const dates = c.vocabulary.dataset(dataset).fields.filter(({ datatype }) => isTemporal(datatype));
  if (dates.length > 1 || fieldsAbout(c, dataset, 'duration').length > 0) return null;
  const near = [...graph.reach(dataset).values()].filter(
    (step) => step.hops === 1 && !step.ambiguous && graph.paths(dataset, step.dataset).length === 1,
  );
  const found = near.flatMap((step) =>
    fieldsAbout(c, step.dataset, 'duration').map((field) => ({ dataset: step.dataset, field })),
  );
  return found.length === 1 ? found[0]! : null;
};

/** "customers who most recently purchased something": by the last of what their verb names. */
const latestEvent = (c: Cursor, dataset: string): Aggregate | null => {
  const { lens, graph } = c.vocabulary;
  const needs = c.draft.verbs.flatMap(({ text }) => (verbSenses(text) ?? []).flatMap((one) => [...(one.needs ?? [])]));
  const events = lens.datasets.filter(
    ({ name, timeField }) =>
      timeField !== null &&
      name !== dataset &&
      graph.paths(name, dataset).length === 1 &&
      words(name).some((word) => needs.includes(word.replace(/s$/, ''))),
  );
  const [only] = events;
  if (!only || events.length !== 1) return null;
  // "something" is what the event was about.
  c.draft.verbs = c.draft.verbs.filter(({ text }) => text !== 'something');
  return { kind: 'aggregate', fn: 'max', path: only.name, field: only.timeField! };
};

/** "top 5 states by quantity": of many rows of each state, by their sum or by the highest of them? */
const manyRows = (c: Cursor, { of, text }: RankDraft, by: FieldSlot, home: string): void => {
  if ((of && !isSlot(of)) || c.draft.entities.some((entity) => entity.dataset === home)) return;
  const { primaryKey } = c.vocabulary.dataset(home);
  const naming = [...primaryKey, ...c.vocabulary.display(home).map(({ name }) => name)];
  const subjects = of ? [of] : c.draft.shown.flatMap(({ slot }) => (slot ? [slot] : []));
  if (subjects.length === 0 || subjects.includes(by) || subjects.some((slot) => namesRow(c, slot, home))) return;
  if (
    subjects.some(({ candidates }) =>
      candidates.some((one) => one.dataset === home && one.fields.some(({ name }) => naming.includes(name))),
    )
  )
    return;
  refuse(text, `Say whether the total or the average of ${by.text} is meant, or the highest single one.`);
};

/** What is ranked is what each row of the answer is about. */
const ranked = (c: Cursor, intent: Intent, of: NonNullable<RankDraft['of']>, home: string): boolean => {
  const shown = intent.dimensions.map((ref) => `${c.vocabulary.graph.datasetOf(ref.path) ?? ref.path}.${ref.field}`);
  if (isSlot(of))
    return of.candidates.some((one) => one.fields.every((field) => shown.includes(`${one.dataset}.${field.name}`)));
  const keyed = intent.groupKeys?.some((path) => (c.vocabulary.graph.datasetOf(path) ?? path) === of.dataset);
  return Boolean(keyed) || (intent.measures.length === 0 && of.dataset === home);
};

/** "top 3 products in each category": the rank starts anew in each group. "by category" could also mean a second key. */
const withinGroups = (c: Cursor, intent: Intent, rank: RankDraft, home: string, within: Draft['groups']): void => {
  const dimensions: FieldRef[] = [];
  for (const group of within) {
    if ('candidates' in group) {
      if (!group.quantified) refuse(rank.text, `Say whether the ${rank.limit} are meant in each ${group.text}.`);
      dimensions.push(...refsOf(c, group, home));
    } else if ('dataset' in group) {
      if (group.ordering) refuse(rank.text, `Say whether the ${rank.limit} are meant in each ${group.text}.`);
      dimensions.push(...intent.dimensions.filter((ref) => c.vocabulary.graph.datasetOf(ref.path) === group.dataset));
    } else dimensions.push(...intent.dimensions.filter((ref) => ref.grain === group.grain));
  }
  const others = intent.dimensions.filter((ref) => !dimensions.some((one) => key(one) === key(ref)));
  if (dimensions.length === 0 || others.length === 0) refuse(rank.text);
  intent.perGroup = { dimensions, limit: rank.limit! };
  intent.limit = null;
};

const isText = (c: Cursor, { path, field }: FieldRef): boolean =>
  c.vocabulary
    .dataset(c.vocabulary.graph.datasetOf(path) ?? path)
    .fields.some(({ name, datatype }) => name === field && datatype === 'string');

export const buildOrder = (c: Cursor, intent: Intent, home: string, aggregated: boolean): void => {
  for (const order of c.draft.orders) {
    if (order.by && isMeasure(order.by)) {
      const measure = overLink(c, measureOf(c, order.by, home), home);
      const index = intent.measures.findIndex((one) => key(one) === key(measure));
      if (index >= 0) intent.order.push({ by: { kind: 'measure', index }, direction: order.direction });
      else if (!aggregated || intent.grouped)
        intent.order.push({ by: { kind: 'expression', measure }, direction: order.direction });
      else refuse(order.by.text);
    } else if (order.by) {
      const slot = order.by as FieldSlot;
      for (const field of refsOf(c, slot, home))
        intent.order.push({ by: { kind: 'field', field }, direction: order.direction });
    } else if (order.alphabetical) {
      // By the one text that is shown, or the first of what is named: a number has no place in the alphabet.
      const texts = intent.dimensions.filter((ref) => isText(c, ref));
      const [first] = intent.dimensions;
      const field = texts.length === 1 || !first || !isText(c, first) ? texts[0] : first;
      if (!field || (texts.length !== 1 && field !== first)) refuse('alphabetical', 'Say by what it is ordered.');
      else intent.order.push({ by: { kind: 'field', field }, direction: order.direction });
    } else if (aggregated && intent.measures.length > 0 && order.direction === 'desc') {
      intent.order.push({ by: { kind: 'measure', index: 0 }, direction: order.direction });
    } else {
      for (const field of intent.dimensions.slice(0, 1))
        intent.order.push({ by: { kind: 'field', field }, direction: order.direction });
    }
  }
};
