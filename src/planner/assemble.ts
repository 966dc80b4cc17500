// From a draft to one intent: what is measured, for which rows, by what, in which order. Throws Unreadable when the words
// leave no reading, or more than one.
import type { Aggregate, FieldRef, Filter, Intent, Measure, MetricUse, Order } from '../lens/intent.ts';
import { emptyIntent } from '../lens/intent.ts';
import type { LensField, LensMetric } from '../lens/lens.ts';
import { buildFilters, throughTo } from './build-filters.ts';
import type { Cursor } from './cursor.ts';
import {
  type EntityMention,
  type FieldSlot,
  isMeasure,
  isSlot,
  type MeasureDraft,
  type RankDraft,
  type Shown,
} from './draft.ts';
import { homeOf } from './find-home.ts';
import { AMOUNT_WORDS, DURATION_UNITS, DURATION_WORDS, MONEY_WORDS } from './lexicon.ts';
import { placeTimes } from './place-times.ts';
import { isNumeric, isTemporal } from './read-things.ts';
import { ambiguous, choose, pathsFrom, refTo, refuse } from './resolve.ts';
import { words } from './vocabulary.ts';

export interface Assembled {
  intent: Intent;
  notes: string[];
  unproven: { path: string; field: string; value: string }[];
  values: { name: string; text: string | null }[];
  /** Everything the reading touches, for verbs. */
  datasets: string[];
}

/** Fields of a mention, bound to paths from a home. */
export const refsOf = (c: Cursor, slot: FieldSlot, home: string): FieldRef[] => {
  const candidates = slot.candidates.map((one) => ({ ...one, field: one.fields[0]! }));
  const chosen = choose(c, slot, candidates, home);
  return chosen.fields.map((field) => {
    const ref = refTo(c, slot, home, { ...chosen, field });
    return slot.grain ? { ...ref, grain: slot.grain } : ref;
  });
};

/** What a row of a dataset is called by; its key when it has no name. */
export const displayOf = (c: Cursor, dataset: string): LensField[] => {
  const display = c.vocabulary.display(dataset);
  if (display.length > 0) return display;
  const { primaryKey, fields } = c.vocabulary.dataset(dataset);
  return fields.filter((field) => primaryKey.includes(field.name));
};

export const metricOf = (c: Cursor, metrics: LensMetric[], text: string): LensMetric => {
  if (metrics.length === 1) return metrics[0]!;
  const said = c.choices[text];
  const picked = metrics.find((metric) => metric.name === said);
  if (picked) return picked;
  return ambiguous(
    c,
    text,
    metrics.map((metric) => ({ key: metric.name, field: { description: metric.description } as LensField })),
  );
};

/** "spent", "money": the one metric or field that is the money of the thing asked about. */
const moneyOf = (c: Cursor, home: string | null, text: string): MetricUse | Aggregate => {
  const isMoney = (name: string): boolean => words(name).some((word) => AMOUNT_WORDS.has(word.replace(/s$/, '')));
  const metrics = c.vocabulary.lens.metrics.filter(
    (metric) =>
      metric.references.aggregates.join() === 'sum' &&
      [metric.name, ...metric.synonyms].some((name) => isMoney(name) || /spen[dt]/.test(name)),
  );
  if (metrics.length === 1) return { kind: 'metric', name: metrics[0]!.name };
  if (metrics.length > 1)
    return ambiguous(
      c,
      text,
      metrics.map((metric) => ({ key: metric.name, field: { description: metric.description } as LensField })),
    );
  const totals = c.vocabulary.lens.datasets.flatMap((dataset) =>
    dataset.fields
      .filter(
        (field) =>
          isNumeric(field.datatype) &&
          !field.masked &&
          words(field.name).some((word) => ['total', 'amount'].includes(word)),
      )
      .filter(() => !home || c.vocabulary.graph.distance(dataset.name, home) < 9)
      .map((field) => ({ dataset: dataset.name, field })),
  );
  if (totals.length === 1)
    return { kind: 'aggregate', fn: 'sum', path: totals[0]!.dataset, field: totals[0]!.field.name };
  return refuse(text);
};

export const measureOf = (c: Cursor, draft: MeasureDraft, hint: string | null): MetricUse | Aggregate => {
  if (draft.kind === 'metric') return { kind: 'metric', name: metricOf(c, draft.metrics!, draft.text).name };
  if (draft.kind === 'count') return { kind: 'aggregate', fn: 'count', path: draft.dataset! };
  if (draft.kind === 'money') return moneyOf(c, hint, draft.text);
  const slot = draft.slot!;
  const chosen = choose(
    c,
    slot,
    slot.candidates.map((one) => ({ ...one, field: one.fields[0]! })),
    hint,
  );
  return { kind: 'aggregate', fn: draft.fn!, path: chosen.dataset, field: chosen.field.name };
};
export const measureHome = (c: Cursor, measure: MetricUse | Aggregate): string | null =>
  measure.kind === 'aggregate'
    ? measure.path
    : (c.vocabulary.lens.metrics.find((metric) => metric.name === measure.name)?.home ?? null);

/** "how long is the track X": the one field of that kind of the thing named. */
const showAbout = (c: Cursor, shown: Shown[]): void => {
  const { kind, at, text } = c.draft.about!;
  const named = [
    ...new Set([
      ...c.draft.entities.map((entity) => entity.dataset),
      ...c.draft.conditions.flatMap((one) => one.options.map((option) => option.dataset)),
    ]),
  ];
  const first = c.draft.entities[0]?.dataset ?? (named.length === 1 ? named[0] : undefined);
  if (!first) refuse(text);
  const field = fieldAbout(c, first!, kind, text);
  shown.push({ slot: { at, text, candidates: [{ dataset: first!, fields: [field], loose: 0 }], bound: first } });
};

/** The field that an adjective compares: duration, date of birth, price. */
const fieldAbout = (c: Cursor, dataset: string, about: string, text: string): LensField => {
  const fields = c.vocabulary.dataset(dataset).fields.filter((field) => !field.masked);
  const last = (field: LensField): string[] =>
    [field.name, ...field.synonyms].flatMap((name) => words(name).map((word) => word.replace(/s$/, '')));
  const numeric = fields.filter((field) => isNumeric(field.datatype));
  const dates = fields.filter((field) => isTemporal(field.datatype));
  const { timeField } = c.vocabulary.dataset(dataset);
  const found =
    about === 'duration'
      ? numeric.filter(
          (field) =>
            DURATION_UNITS.has(field.unit?.toLowerCase() ?? '') || last(field).some((word) => DURATION_WORDS.has(word)),
        )
      : about === 'money'
        ? numeric.filter((field) => last(field).some((word) => MONEY_WORDS.has(word)))
        : about === 'birth'
          ? [
              ...dates.filter((field) =>
                last(field).some((word) => /^(?:birth|birthday|birthdate|dob|born)/.test(word)),
              ),
              ...numeric.filter((field) => words(field.name).includes('age')),
            ]
          : about === 'tenure'
            ? dates.filter((field) =>
                last(field).some((word) => /^(?:hire|hired|start|join|joined|employment)/.test(word)),
              )
            : about === 'date'
              ? timeField
                ? dates.filter((field) => field.name === timeField)
                : dates
              : [];
  const tight =
    about === 'duration' && found.length > 1
      ? found.filter((field) => DURATION_UNITS.has(field.unit?.toLowerCase() ?? ''))
      : found;
  if (tight.length === 1) return tight[0]!;
  if (tight.length > 1)
    return ambiguous(
      c,
      text,
      tight.map((field) => ({ key: `${dataset}.${field.name}`, field })),
    );
  return refuse(text);
};

const key = (value: unknown): string => JSON.stringify(value);
const pushUnique = <T>(list: T[], item: T): void => {
  if (!list.some((known) => key(known) === key(item))) list.push(item);
};

export const assemble = (c: Cursor): Assembled => {
  const { draft } = c;
  if (draft.faults.length > 0) refuse(draft.faults);
  const shown = lastSentence(c);
  const measureDrafts = shown.flatMap((item) => (item.measure ? [item.measure] : []));
  const rank = draft.ranks[0];
  if (draft.ranks.length > 1) refuse(draft.ranks[1]!.text);
  if (rank && rank.by === null) completeRank(c, rank, measureDrafts);
  if (draft.about && shown.length === 0) showAbout(c, shown);
  const { home, measures } = homeOf(c, shown, measureDrafts, rank);
  const intent = emptyIntent();
  const notes: string[] = [];
  intent.distinct = draft.distinct;

  const aggregated = measures.length > 0;
  if (!aggregated && shown.length === 0) {
    for (const group of draft.groups) if ('dataset' in group) shown.push({ entity: group });
  }
  const groupKeys: string[] = [];
  const addEntityDimension = (
    entity: { dataset: string; role?: string; text: string; at: number },
    covered: boolean,
  ): void => {
    const paths = pathsFrom(c, home, entity.dataset, entity.role);
    if (paths.length !== 1) refuse(entity.text);
    if (!covered) {
      const display = displayOf(c, entity.dataset);
      if (display.length === 0) refuse(entity.text);
      for (const field of display) pushUnique(intent.dimensions, { path: paths[0]!, field: field.name });
    }
    if (c.vocabulary.dataset(entity.dataset).primaryKey.length > 0) pushUnique(groupKeys, paths[0]!);
  };

  // Dimensions, in the order of the question: what is shown, then what it is grouped by.
  const slots = shown.flatMap((item) => (item.slot ? [item.slot] : []));
  const groups = draft.groups.filter((group) => aggregated || 'grain' in group === false || isSlot(group as FieldSlot));
  if (!aggregated && draft.groups.some((group) => !isSlot(group as FieldSlot) && 'grain' in group))
    refuse(draft.groups.map((group) => group.text));
  const shownRefs = slots.map((slot) => ({ slot, refs: refsOf(c, slot, home) }));
  const orderings: FieldRef[] = [];
  for (const { refs } of shownRefs) for (const ref of refs) pushUnique(intent.dimensions, ref);
  const coveredDatasets = new Set(intent.dimensions.map((ref) => c.vocabulary.graph.datasetOf(ref.path) ?? ref.path));
  for (const item of shown) {
    if (!item.entity) continue;
    if (aggregated) {
      if (draft.groups.length > 0 && coveredDatasets.has(item.entity.dataset)) continue;
      addEntityDimension(item.entity, coveredDatasets.has(item.entity.dataset));
    } else if (!coveredDatasets.has(item.entity.dataset)) {
      const paths = pathsFrom(c, home, item.entity.dataset, item.entity.role);
      if (paths.length !== 1) refuse(item.entity.text);
      const display = item.all ? [] : c.vocabulary.display(item.entity.dataset);
      const fields =
        display.length > 0
          ? display
          : c.vocabulary.dataset(item.entity.dataset).fields.filter((field) => !field.masked);
      for (const field of fields) pushUnique(intent.dimensions, { path: paths[0]!, field: field.name });
    }
  }
  for (const group of groups) {
    if (isSlot(group as FieldSlot)) {
      const slot = group as FieldSlot;
      const refs = refsOf(c, slot, home);
      if (aggregated) for (const ref of refs) pushUnique(intent.dimensions, ref);
      else if (slot.quantified) for (const ref of refs) pushUnique(intent.dimensions, ref);
      else orderings.push(...refs);
    } else if (!('grain' in group)) {
      const entity = group as EntityMention;
      if (aggregated) addEntityDimension(entity, coveredDatasets.has(entity.dataset));
      else if (entity.ordering)
        for (const field of displayOf(c, entity.dataset))
          orderings.push({ path: pathsFrom(c, home, entity.dataset)[0]!, field: field.name });
    }
  }
  // Fields shown of an entity beside a measure: one row for each of the entity's rows.
  if (aggregated) {
    for (const ref of intent.dimensions) {
      const dataset = c.vocabulary.graph.datasetOf(ref.path) ?? ref.path;
      if (
        ref.path !== home &&
        !ref.grain &&
        c.vocabulary.display(dataset).some((field) => field.name === ref.field) &&
        c.vocabulary.dataset(dataset).primaryKey.length > 0
      )
        pushUnique(groupKeys, ref.path);
    }
  }

  measures.forEach((measure, index) => {
    const window = measureDrafts[index]?.window;
    pushUnique(intent.measures, (window ? { kind: 'windowed', fn: window, of: measure } : measure) as Measure);
  });
  const timed = placeTimes(c, home, measures, notes);
  intent.time = timed.window;
  const built = buildFilters(c, home, timed.related);
  intent.filters = [...built.filters, ...timed.filters, ...definitionFilters(c, home)];
  for (const grain of timed.grains) pushUnique(intent.dimensions, grain);
  if (aggregated && groupKeys.length > 0) intent.groupKeys = groupKeys;
  for (const having of draft.havings) {
    const measure = measureOf(c, having.measure, home);
    if (having.negated) refuse(having.measure.text);
    intent.having.push({ measure, op: having.op, values: having.values });
  }
  if (draft.havings.length > 0 && aggregated && intent.dimensions.length === 0)
    refuse(
      draft.havings.map((one) => one.measure.text),
      'A condition on a total needs groups to hold for.',
    );
  if (draft.havings.length > 0 && !aggregated) listingHaving(c, intent, home);

  if (!aggregated) {
    intent.home = home;
    if (intent.dimensions.length === 0) refuse(c.tokens.map((token) => token.text));
    if (intent.dimensions.every((ref) => isGroupField(c, ref, home)) && !rank)
      intent.distinct ||= slots.some((slot) => slot.quantified);
  }
  if (intent.measures.some((measure) => measure.kind === 'windowed') && intent.dimensions.length === 0)
    refuse(measureDrafts.map((one) => one.text));
  if (rank) applyRank(c, intent, rank, home, aggregated, notes);
  for (const order of draft.orders) {
    if (order.by && isMeasure(order.by)) {
      const measure = measureOf(c, order.by, home);
      const index = intent.measures.findIndex((one) => key(one) === key(measure));
      if (index < 0 && !aggregated)
        intent.order.push({ by: { kind: 'expression', measure }, direction: order.direction });
      else if (index < 0) refuse(order.by.text);
      else intent.order.push({ by: { kind: 'measure', index }, direction: order.direction });
    } else if (order.by) {
      const slot = order.by as FieldSlot;
      for (const field of refsOf(c, slot, home))
        intent.order.push({ by: { kind: 'field', field }, direction: order.direction });
    } else if (intent.dimensions.length > 0 && !(aggregated && order.direction === 'desc')) {
      for (const field of intent.dimensions.slice(0, 1))
        intent.order.push({ by: { kind: 'field', field }, direction: order.direction });
    } else if (aggregated) intent.order.push({ by: { kind: 'measure', index: 0 }, direction: order.direction });
  }
  for (const field of orderings) intent.order.push({ by: { kind: 'field', field }, direction: 'asc' });

  const datasets = new Set([home, ...built.related, ...draft.entities.map((entity) => entity.dataset)]);
  for (const ref of [...intent.dimensions, ...flatRefs(intent.filters)])
    datasets.add(c.vocabulary.graph.datasetOf(ref.path) ?? ref.path);
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

const isGroupField = (c: Cursor, ref: FieldRef, home: string): boolean =>
  ref.path === home && !c.vocabulary.dataset(home).primaryKey.includes(ref.field);
const flatRefs = (filters: Filter[]): FieldRef[] =>
  filters.flatMap((filter) =>
    filter.kind === 'condition'
      ? [filter.field]
      : filter.kind === 'exists'
        ? [{ path: filter.path, field: '' }, ...flatRefs(filter.where)]
        : flatRefs(filter.of),
  );

/** A second sentence ("List the names and …") says what to show; the first then only says of what. */
const lastSentence = (c: Cursor): Shown[] => {
  const { shown, sentences } = c.draft;
  const last = sentences.filter((at) => at > 0).at(-1);
  if (last === undefined || last >= shown.length) return shown;
  const named = shown.slice(last);
  const measured = shown.slice(0, last).some((item) => item.measure);
  return measured && !named.some((item) => item.measure) ? shown : named;
};

/** "top 5 artists" beside "number of albums" ranks by what is measured. */
const completeRank = (_c: Cursor, rank: RankDraft, measures: MeasureDraft[]): void => {
  if (measures.length === 1) rank.by = measures[0]!;
  else if (rank.of && !isSlot(rank.of) && rank.limit === 1) rank.by = { about: 'size' };
  else refuse(rank.text, `"${rank.text}" does not say by what.`);
};

const applyRank = (
  c: Cursor,
  intent: Intent,
  rank: RankDraft,
  home: string,
  aggregated: boolean,
  notes: string[],
): void => {
  intent.limit = rank.limit;
  const { by, direction } = rank;
  let order: Order;
  if (by && 'about' in by) {
    if (by.about === 'count') {
      const measure: Aggregate = { kind: 'aggregate', fn: 'count', path: home };
      order = { by: { kind: 'expression', measure }, direction };
      if (!aggregated) intent.distinct = true;
    } else {
      const dataset = rank.of && !isSlot(rank.of) ? rank.of.dataset : home;
      const target = dataset !== home && c.vocabulary.graph.paths(home, dataset).length === 0 ? home : dataset;
      const field = fieldAbout(c, target, by.about, rank.text);
      const flip = by.about === 'birth' && isNumeric(field.datatype);
      order = {
        by: { kind: 'field', field: { path: pathsFrom(c, home, target)[0] ?? target, field: field.name } },
        direction: flip ? (direction === 'asc' ? 'desc' : 'asc') : direction,
      };
      if (aggregated) refuse(rank.text);
    }
  } else if (by && isMeasure(by)) {
    const measure = measureOf(c, by, home);
    const index = intent.measures.findIndex((one) => key(one) === key(measure));
    order =
      index >= 0 ? { by: { kind: 'measure', index }, direction } : { by: { kind: 'expression', measure }, direction };
    if (index < 0 && aggregated) refuse(rank.text);
  } else {
    const slot = by as FieldSlot;
    if (aggregated) refuse(rank.text);
    order = { by: { kind: 'field', field: refsOf(c, slot, home)[0]! }, direction };
  }
  intent.order.push(order);
  if (rank.limit === 1) notes.push('Only the first is shown; others may tie with it.');
};

/** "artists with more than 3 albums by revenue": a condition on a measure of each listed row. */
const listingHaving = (c: Cursor, intent: Intent, home: string): void => {
  for (const having of intent.having) {
    const measure = having.measure;
    if (measure.kind !== 'aggregate' || measure.fn !== 'count' || having.op === 'between' || having.op === '!=')
      continue;
    const path = throughTo(c, home, measure.path, measure.path);
    intent.filters.push({
      kind: 'exists',
      path,
      negated: false,
      where: [],
      count: { op: having.op, value: having.values[0]! },
    });
  }
  const rest = intent.having.filter(
    (having) =>
      having.measure.kind !== 'aggregate' ||
      having.measure.fn !== 'count' ||
      having.op === 'between' ||
      having.op === '!=',
  );
  intent.having = rest;
  if (rest.length > 0) refuse(c.draft.havings.map((one) => one.measure.text));
};

const SIMPLE = /^\s*([a-z_]\w*)\.([a-z_]\w*)\s*(=|<>|!=|>=|<=|>|<)\s*('(?:[^']|'')*'|-?\d+(?:\.\d+)?|true|false)\s*$/i;
/** Definitions whose filter is a chain of plain comparisons become conditions. */
const definitionFilters = (c: Cursor, home: string): Filter[] =>
  c.draft.definitions.flatMap(({ definition, text, negated }) => {
    if (!definition.filter) return [];
    const parts = definition.filter.split(/\s+and\s+/i);
    if (negated && parts.length > 1) return refuse(text);
    return parts.map((part): Filter => {
      const match = SIMPLE.exec(part);
      if (!match) return refuse(text, `The filter of "${definition.term}" can only be used through metrics.`);
      const [, dataset, field, op, written] = match;
      const value = written!.startsWith("'")
        ? written!.slice(1, -1).replaceAll("''", "'")
        : /^(?:true|false)$/i.test(written!)
          ? written!.toLowerCase() === 'true'
          : Number(written);
      const paths = c.vocabulary.graph.datasetOf(dataset!)
        ? pathsFrom(
            c,
            home,
            c.vocabulary.graph.datasetOf(dataset!)!,
            dataset === c.vocabulary.graph.datasetOf(dataset!) ? undefined : dataset,
          )
        : [];
      if (paths.length !== 1) return refuse(text);
      return {
        kind: 'condition',
        field: { path: paths[0]!, field: field! },
        op: op === '<>' ? '!=' : (op as '='),
        values: [value],
      };
    });
  });
