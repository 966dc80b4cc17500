// From a draft to one intent: what is measured, for which rows, by what, in which order. Throws Unreadable when the words
// leave no reading, or more than one.

import type { FieldRef, Filter, Intent, Measure } from '../../lens/model/intent.ts';
import { emptyIntent } from '../../lens/model/intent.ts';
import type { LensField } from '../../lens/model/lens.ts';
import type { Cursor } from '../grammar/cursor.ts';
import { type Draft, isMeasure, isSlot, type MeasureDraft, type RankDraft, type Shown } from '../grammar/draft.ts';
import { datesOf } from '../grammar/event-dates.ts';
import { fieldAbout, measureOf, overLink } from '../grammar/measures.ts';
import { namesRow, ofThing } from '../grammar/names-row.ts';
import { throughTo } from '../grammar/place-conditions.ts';
import { isTitle } from '../grammar/read-count.ts';
import { isKey } from '../grammar/read-things.ts';
import { refuse } from '../grammar/resolve.ts';
import { takeMeanGroup } from '../grammar/rules-average.ts';
import { isNumeric } from '../words/datatypes.ts';
import { MONEY_VERBS, SELLING_VERBS, unitKey } from '../words/lexicon.ts';
import { amountByGroup } from './amount-by-group.ts';
import { buildDimensions, pushUnique } from './build-dimensions.ts';
import { buildFilters } from './build-filters.ts';
import { applyRank, buildOrder } from './build-order.ts';
import { changeMeasures } from './change-over-periods.ts';
import { countThings } from './count-things.ts';
import { countedOnce, settleWhoCounts } from './counted-once.ts';
import { definitionFilters } from './definition-filters.ts';
import { refuseEmptyRange } from './empty-range.ts';
import { homeOf } from './find-home.ts';
import { groupsWithCount, thingsWithCount } from './groups-with-count.ts';
import { meanUnit, perRow } from './per-unit.ts';
import { ofLooseThing, periodField, placeTimes } from './place-times.ts';
import { refuseComputedList } from './refuse-computed-list.ts';
import { refuseNoneOf } from './refuse-none-of.ts';
import { refuseTwoCounts } from './refuse-two-counts.ts';
import { refuseUnlikeRows } from './refuse-unlike-rows.ts';
import { rowOfExtreme } from './row-of-extreme.ts';
import { ofHighest } from './row-ranked.ts';
import { asksForValues } from './set-of-values.ts';
import {
  bothOrEither,
  checkMasks,
  checkWindows,
  comparedValues,
  eachOrAll,
  eachOrDivided,
  flatRefs,
  inBothPeriods,
  ofEveryRelated,
  ofOneRow,
  storedOrRelated,
  togetherOrEach,
  withinOrFrom,
} from './settle-reading.ts';
import { shareOf, takePart } from './share-of-part.ts';
import { timeConditions } from './time-fields.ts';
import { settleAverages, settleHavings, settleRank } from './total-or-single.ts';
import { unitsOrFields } from './units-or-fields.ts';

export interface Assembled {
  intent: Intent;
  notes: string[];
  unproven: { path: string; field: string; value: string }[];
  values: { name: string; text: string | null }[];
  /** Everything the reading touches, for verbs. */
  datasets: string[];
}

/** "how long is the track X": the one field of that kind of the thing named. */
const showAbout = (c: Cursor, shown: Shown[]): void => {
  const { kind, at, text, unit } = c.draft.about!;
  const named = [
    ...new Set([
      ...c.draft.entities.map((entity) => entity.dataset),
      ...c.draft.conditions.flatMap((one) => one.options.map((option) => option.dataset)),
    ]),
  ];
  const first = c.draft.entities[0]?.dataset ?? (named.length === 1 ? named[0] : undefined);
  if (!first) refuse(text);
  const told = kind === 'date' ? draftedDates(c, first!) : [];
  if (told.length > 1) refuse(text);
  const field = told[0] ?? fieldAbout(c, first!, kind, text);
  if (unit && (field.unit === null || unitKey(field.unit) !== unitKey(unit))) refuse(unit);
  shown.push({ slot: { at, text, candidates: [{ dataset: first!, fields: [field], loose: 0 }], bound: first } });
};

/** "when was it shipped": the date that the verb names; a verb that names none is not understood. */
const draftedDates = (c: Cursor, dataset: string): LensField[] => {
  const dates = c.draft.verbs.flatMap(({ text }) => datesOf(c, dataset, text));
  if (dates.length === 0) refuse(c.draft.about!.text);
  return [...new Set(dates)];
};

export const assemble = (c: Cursor): Assembled => {
  const { draft } = c;
  if (draft.faults.length > 0) refuse(draft.faults);
  const shown = lastSentence(c);
  const averaged = amountByGroup(c, shown);
  rowOfExtreme(c, shown);
  groupsWithCount(c, shown);
  thingsWithCount(c, shown);
  refuseTwoCounts(c, shown);
  const measureDrafts = shown.flatMap((item) => (item.measure ? [item.measure] : []));
  countThings(c, shown, measureDrafts);
  partsPlayed(c, shown);
  const rank = draft.ranks[0];
  if (draft.ranks.length > 1) refuse(draft.ranks[1]!.text);
  if (rank && rank.by === null) completeRank(rank, measureDrafts, draft.orders);
  if (draft.limit) {
    if (rank?.limit !== 1) refuse(String(draft.limit), 'Say by what the number is picked.');
    else rank.limit = draft.limit;
  }
  if (draft.about && shown.length === 0) showAbout(c, shown);
  else if (draft.about && !measureDrafts.length) refuse(draft.about.text);
  if (rank?.by && 'about' in rank.by && rank.by.about === 'count') refuse(rank.text);
  if (rank) settleRank(c, shown, rank);
  settleAverages(c, measureDrafts);
  settleHavings(c, shown);
  const counted = draft.distinct ? settleWhoCounts(c, shown, measureDrafts) : new Set<MeasureDraft>();
  const found = homeOf(c, shown, measureDrafts, rank);
  const { home, grouped } = found;
  unitsOrFields(c, home);
  refuseNoneOf(c, shown, home);
  if (measureDrafts.length > 0) refuseUnlikeRows(c, home);
  if (found.measures.length === 0 && !grouped) refuseComputedList(c, shown);
  const measures = found.measures.map((measure) => overLink(c, measure, home));
  // "how many pupils and how many results": pupils without results count as well.
  if (measures.length > 1 && draft.groups.length === 0 && measures.some((one, index) => one !== found.measures[index]))
    refuse(
      measureDrafts.map((one) => one.text),
      'These are counted over different things; ask for them one by one.',
    );
  const money = [...measureDrafts, ...(rank?.by && isMeasure(rank.by) ? [rank.by] : [])].find(
    (one) => one.kind === 'money',
  );
  if (
    money &&
    !/money/.test(money.text) &&
    !draft.verbs.some(({ text }) => MONEY_VERBS.has(text) || SELLING_VERBS.has(text))
  )
    refuse(money.text);
  const intent = emptyIntent();
  const notes: string[] = averaged ? [averaged] : [];
  const aggregated = measures.length > 0 || grouped;
  if (aggregated && draft.distinct && !shown.some((item) => item.slot)) countedOnce(c, measureDrafts, counted);
  const meanGroup = takeMeanGroup(c, measureDrafts);
  const twice = measureDrafts.find((one) => (one.window || one.growth) && one.combined);
  if (twice) refuse(twice.text);
  const changing = measureDrafts.find((one) => one.growth);
  if (changing && draft.times.some((time) => time.any ?? time.every)) refuse(changing.text);
  if (changing && (measures.length > 1 || rank || draft.havings.length > 0)) refuse(changing.text);
  const changes = changing && changeMeasures(c, changing, measures[0]!, (text) => periodField(c, home, measures, text));
  if (draft.plainCounts.length > 0 && (draft.groups.length === 0 || draft.clauses.length > 1))
    refuse(draft.plainCounts, `Say "how many ${draft.plainCounts[0]}" or name the fields to list.`);
  intent.distinct = draft.distinct && !aggregated;

  const sharing = measureDrafts.find((one) => one.window === 'share_of_total');
  const part = sharing && measureDrafts.length === 1 ? takePart(c, sharing) : null;
  perRow(c, measureDrafts, measures, home);
  if (aggregated && !meanGroup) eachOrDivided(c, measureDrafts);
  // "units per sale by category": a mean or a ratio, and no list of rows.
  const per = draft.groups.find((group) => 'dataset' in group && group.per);
  const amounts = shown.every(({ slot }) =>
    slot?.candidates.every(({ dataset, fields }) =>
      fields.every((field) => isNumeric(field.datatype) && !isKey(c, dataset, field)),
    ),
  );
  // "nights per booking": a mean to most.
  if (!aggregated && per && (draft.groups.length > 1 || amounts))
    refuse(per.text, `Say "average … per ${per.text}", or list them with what they belong to.`);
  // "average price change from 2022 to 2023": between the two, or what is stored in both?
  const stored = measureDrafts.find(
    ({ slot }) => slot && /(?:growth|change|increase|decrease|difference)$/i.test(slot.text),
  );
  if (stored && !changing && draft.times.some(({ text }) => /^(?:from|between)\b.*\b(?:to|and)\b/i.test(text)))
    refuse(stored.text);
  const orderings = buildDimensions(c, intent, shown, home, aggregated);
  if (changes) intent.measures = changes;
  else if (!part && !meanGroup)
    measures.forEach((measure, index) => {
      const made = measureDrafts[index];
      const shownAs: Measure = made?.combined
        ? { kind: 'combined', fn: made.combined.fn, left: measure, right: measureOf(c, made.combined.with, home) }
        : made?.window
          ? { kind: 'windowed', fn: made.window, of: measure, ...(made.percent ? { percent: true } : {}) }
          : measure;
      pushUnique(intent.measures, shownAs);
    });
  if (meanGroup)
    intent.measures = [{ kind: 'averaged', of: measures[0]!, over: [meanUnit(c, meanGroup, home, measures)] }];
  const timed = placeTimes(c, home, measures, notes);
  intent.time = timed.window;
  const built = buildFilters(c, home, timed.related);
  if (rank?.often && built.related.length > 0) refuse(rank.text);
  intent.filters = [...built.filters, ...timed.filters, ...definitionFilters(c, home)];
  if (part)
    intent.measures = [
      shareOf(c, sharing!, measures[0]!, part, () => {
        const inner = buildFilters(c, home, []);
        built.notes.push(...inner.notes);
        built.values.push(...inner.values);
        built.related.push(...inner.related);
        return { filters: [...inner.filters, ...definitionFilters(c, home)], unproven: inner.unproven };
      }),
    ];
  for (const grain of timed.grains) pushUnique(intent.dimensions, grain);
  if (draft.days) {
    const { days, text, clause } = draft.days;
    if (clause.relation || clause.negated) refuse(text);
    const field = periodField(c, home, measures, text);
    intent.filters.push({
      kind: 'condition',
      field: { ...field, grain: 'weekday' },
      op: days.length > 1 ? 'in' : '=',
      values: days,
    });
  }
  for (const filter of relatedThings(c, intent, built.related, home)) pushUnique(intent.filters, filter);
  const dropped = timed.related.filter(({ at }) => !draft.placedTimes.has(at));
  if (dropped.length > 0) refuse(dropped.map((time) => time.text));
  refuseEmptyRange(c, intent.filters);
  totalsOfShared(intent, shown, home);
  comparedValues(c, intent);
  togetherOrEach(c, intent);
  eachOrAll(c, measureDrafts);
  ofEveryRelated(c, intent, home);
  bothOrEither(c, intent);
  ofOneRow(c, intent, home);
  for (const having of draft.havings) {
    const measure = overLink(c, measureOf(c, having.measure, home), home);
    if (having.negated) refuse(having.measure.text);
    intent.having.push({ measure, op: having.op, values: having.values });
  }
  if (draft.havings.length > 0 && intent.dimensions.length === 0)
    refuse(
      draft.havings.map((one) => one.measure.text),
      'Say of each of what the total is compared, as in "regions with revenue above 100".',
    );
  if (grouped) intent.grouped = true;
  if (!aggregated) {
    intent.home = home;
    listedOnce(c, intent, shown, home);
  }
  inBothPeriods(c, intent);
  withinOrFrom(c, intent);
  storedOrRelated(c, home);
  if (intent.measures.some((measure) => measure.kind === 'windowed')) checkWindows(c, intent, measureDrafts);
  if (rank?.limit === 1 && grouped)
    for (const ref of intent.dimensions)
      if (!intent.groupKeys?.includes(ref.path))
        pushUnique(intent.filters, {
          kind: 'condition',
          field: { path: ref.path, field: ref.field },
          op: 'is_not_null',
          values: [],
        });
  // "customers with more than 5 orders and their number": what belongs to nobody is no customer.
  const held = draft.havings.length > 0 && (intent.groupKeys ?? []).length > 0;
  if ((rank && rank.limit !== null && aggregated) || held) withoutNobody(c, intent, home);
  const highest = rank && aggregated && !grouped ? ofHighest(c, intent, rank, home) : null;
  if (highest) {
    intent.filters.push(highest);
    notes.push('Where several share the first place, all of them are taken.');
  } else if (rank) applyRank(c, intent, rank, home, aggregated, notes);
  buildOrder(c, intent, home, aggregated);
  for (const field of orderings) intent.order.push({ by: { kind: 'field', field }, direction: 'asc' });

  checkMasks(c, intent, aggregated);
  const datasets = new Set([home, ...built.related, ...draft.entities.map((entity) => entity.dataset)]);
  for (const ref of [...intent.dimensions, ...flatRefs(intent.filters)])
    datasets.add(c.vocabulary.graph.datasetOf(ref.path) ?? ref.path);
  for (const { by } of intent.order)
    if (by.kind === 'expression' && by.measure.kind === 'aggregate') datasets.add(by.measure.path);
  for (const step of c.vocabulary.graph.reach(home).values()) {
    if (datasets.has(step.dataset)) for (const relation of step.via) datasets.add(relation.to.dataset);
  }
  return {
    intent,
    notes: [...notes, ...built.notes],
    unproven: built.unproven,
    values: built.values,
    datasets: [...datasets],
  };
};

/** "top 5 customers": rows that lead to no customer are none of them. */
const withoutNobody = (c: Cursor, intent: Intent, home: string): void => {
  for (const { path, field, grain } of intent.dimensions) {
    if (path === home || grain) continue;
    const { primaryKey, fields } = c.vocabulary.dataset(c.vocabulary.graph.datasetOf(path) ?? path);
    const key = fields.find(({ name, masked }) => name === primaryKey[0] && !masked);
    const ref = intent.groupKeys?.includes(path) ? { path, field: key?.name ?? field } : { path, field };
    pushUnique(intent.filters, { kind: 'condition', field: ref, op: 'is_not_null', values: [] });
  }
};

/** "payroll of managers": a part that only some of a dataset play, and that nothing else takes up, is not everybody. */
const partsPlayed = (c: Cursor, shown: Shown[]): void => {
  const { draft } = c;
  for (const entity of draft.entities) {
    const { role, dataset, text } = entity;
    if (!role || isTitle(c, dataset, role)) continue;
    const used =
      (draft.groups as object[]).includes(entity) ||
      shown.some(({ slot, entity: other }) => other === entity || slot?.boundRole === role) ||
      draft.ranks.some(({ of }) => of === entity) ||
      draft.conditions.some(
        ({ boundRole, options, at }) =>
          boundRole === role || options.some((option) => option.role === role) || Math.abs(at - entity.at) <= 2,
      ) ||
      draft.groups.some((group) => 'boundRole' in group && group.boundRole === role) ||
      draft.clauses.some((clause) => clause.relation?.role === role);
    if (!used && draft.verbs.length === 0) refuse(text);
  }
};

/** A thing on the many side that nothing else used: behind a verb it must exist ("dogs that went through treatments"),
 *  without one it is not understood. */
const relatedThings = (c: Cursor, intent: Intent, related: string[], home: string): Filter[] => {
  const { graph } = c.vocabulary;
  const measured = [...intent.measures, ...intent.having.map((one) => one.measure)].flatMap((one) =>
    one.kind === 'aggregate' ? [one.path] : [],
  );
  const used = (dataset: string): boolean =>
    [home, ...related, ...measured].some((one) => graph.paths(one, dataset).length > 0) ||
    c.draft.clauses.some((clause) => clause.relation?.dataset === dataset) ||
    c.draft.ranks.some(
      ({ by }) =>
        by &&
        (isMeasure(by)
          ? by.dataset === dataset
          : isSlot(by) && by.candidates.length === 1 && by.candidates[0]!.dataset === dataset),
    ) ||
    c.draft.havings.some((having) => having.measure.dataset === dataset);
  const loose = c.draft.entities.filter((entity) => !used(entity.dataset));
  const found = [...new Map(loose.map((entity) => [entity.dataset, entity])).values()];
  if (found.length > 0 && (intent.measures.length > 1 || c.draft.clauses.some((clause) => clause.negated)))
    refuse(found.map((entity) => entity.text));
  return found.flatMap((entity): Filter[] => {
    if (!c.draft.verbs.some((verb) => verb.at < entity.at)) refuse(entity.text);
    const path = throughTo(c, home, entity.dataset, entity.text);
    related.push(path);
    const times = c.draft.times.filter((time) => ofLooseThing(c, home, time) === entity);
    const every = times.find((time) => time.every);
    if (every && times.length > 1) refuse(every.text);
    const periods = every?.every?.map((mention) => [{ ...every, every: undefined, mention }]) ?? [times];
    return periods.map((list): Filter => {
      const where = list.flatMap((time) => timeConditions(c, time, path));
      return { kind: 'exists', path, negated: false, where };
    });
  });
};

/** A listing of plain fields without the thing they belong to lists each value once: "which regions are there". */
const listedOnce = (c: Cursor, intent: Intent, shown: Shown[], home: string): void => {
  if (intent.dimensions.length === 0) refuse(c.tokens.map((token) => token.text));
  const slots = shown.flatMap((item) => (item.slot ? [item.slot] : []));
  const names = (condition: Draft['conditions'][number]): boolean =>
    condition.options.some((option) => option.and || c.vocabulary.display(option.dataset).includes(option.field));
  const named =
    c.draft.entities.length > 0 ||
    slots.some((slot) => ofThing(c, slot) !== null) ||
    c.draft.conditions.some(names) ||
    c.draft.ranks.length > 0;
  const display = c.vocabulary.display(home).map((field) => field.name);
  const [asked] = slots;
  const once = (ref: FieldRef): boolean =>
    ref.path === home && !display.includes(ref.field) && !c.vocabulary.dataset(home).primaryKey.includes(ref.field);
  if (asked && shown.length === 1 && c.draft.ranks.length === 0 && asksForValues(c, asked))
    intent.distinct ||= intent.dimensions.every(once);
  if (named || slots.length !== shown.length) return;
  const { fields, primaryKey } = c.vocabulary.dataset(home);
  const own = intent.dimensions.filter((ref) => ref.path === home);
  if (own.some((ref) => display.includes(ref.field) || primaryKey.includes(ref.field))) return;
  const sorted = c.draft.orders.some(({ by }) => by && isSlot(by) && !slots.includes(by));
  if (sorted && slots.some((slot) => namesRow(c, slot, home))) return;
  const compared = c.draft.conditions.find(
    ({ op, options }) => /[<>]|between/.test(op) && options.some(({ field }) => isNumeric(field.datatype)),
  );
  if (compared)
    refuse(compared.text, `Say whether single rows of ${home.replaceAll('_', ' ')} or all rows together are meant.`);
  const numeric = own.some((ref) =>
    fields.some((field) => field.name === ref.field && isNumeric(field.datatype) && !isKey(c, home, field)),
  );
  if (numeric && !c.draft.distinct)
    refuse(
      slots.map((slot) => slot.text),
      `Say of what, or whether the total or the average of ${slots.map((slot) => slot.text).join(' and ')} is meant.`,
    );
  intent.distinct = true;
};

/** "orders over 5000 in 2016", of lines: what is left of each order is added up, and each is listed once by its number. */
const totalsOfShared = (intent: Intent, shown: Shown[], home: string): void => {
  const [shared, more] = intent.filters.filter((one) => one.kind === 'exists' && one.sharing !== undefined);
  if (shared?.kind !== 'exists') return;
  if (more) refuse(home.replaceAll('_', ' '));
  const { time } = intent;
  shared.where = intent.filters.filter((one) => one !== shared);
  if (time)
    for (const [op, value] of [
      ['>=', time.from],
      ['<', time.to],
    ] as const)
      shared.where.push({ kind: 'condition', field: time.field, op, values: [value] });
  if (intent.measures.length > 0 || intent.grouped) return;
  if (shown.every(({ slot }) => !slot)) intent.dimensions = [{ path: home, field: shared.sharing! }];
  intent.distinct = true;
};

/** A second sentence ("List the names and …") says what to show; the first then only says of what. "And what is its
 *  rate?" goes on: both are asked for. */
const lastSentence = (c: Cursor): Shown[] => {
  const { shown, sentences } = c.draft;
  const last = sentences.filter((at) => at > 0).at(-1);
  if (last === undefined || last >= shown.length) return shown;
  const ends = c.tokens.findLastIndex(({ norm }, at) => /^[.?!]$/.test(norm) && at < c.tokens.length - 1);
  if (/^(?:and|also)$/.test(c.tokens[ends + 1]?.norm ?? '')) return shown;
  const named = shown.slice(last);
  const measured = shown.slice(0, last).some((item) => item.measure);
  return measured && !named.some((item) => item.measure) ? shown : named;
};

/** "top 5 artists" beside "number of albums" ranks by what is measured. */
const completeRank = (rank: RankDraft, measures: MeasureDraft[], orders: Draft['orders']): void => {
  const [order, more] = orders;
  if (measures.length === 1) rank.by = measures[0]!;
  // "the top 3 types sorted by their average size, largest first"
  else if (rank.of && order?.by && !more && order.direction === rank.direction && rank.limit !== null) {
    rank.by = order.by;
    orders.pop();
  } else if (rank.of && !isSlot(rank.of) && rank.limit === 1) {
    // "who has the highest fees": one of them, or theirs together?
    const last = rank.of.text.toLowerCase().split(' ').at(-1)!;
    if (/(?<!s)s$/.test(last) && !/\btop\b/i.test(rank.text))
      refuse(rank.text, `Say whether one of the ${last} or their total is meant, or how many.`);
    rank.by = { about: 'size' };
  } else refuse(rank.text, `"${rank.text}" does not say by what.`);
};
