// Whose rows a reading is about: those a measure aggregates, or those a listing lists.
import type { Aggregate, MetricUse } from '../../lens/model/intent.ts';
import type { Cursor } from '../grammar/cursor.ts';
import { type FieldSlot, isMeasure, isSlot, type MeasureDraft, type RankDraft, type Shown } from '../grammar/draft.ts';
import { measureHome, measureOf } from '../grammar/measures.ts';
import { personOf } from '../grammar/person-of.ts';
import { linksSaid } from '../grammar/place-conditions.ts';
import { choose, refuse } from '../grammar/resolve.ts';
import { phraseKey } from '../words/vocabulary.ts';
import { isGroupOf } from './groups-with-count.ts';

export interface Home {
  home: string;
  measures: (MetricUse | Aggregate)[];
  /** Grouped by what is shown, with a measure that only orders or filters. */
  grouped: boolean;
}

export const homeOf = (c: Cursor, shown: Shown[], measureDrafts: MeasureDraft[], rank: RankDraft | undefined): Home => {
  const { draft } = c;
  const { graph } = c.vocabulary;
  // Of "all emails", which two things have, the first is as good as the second: only what one thing has says whose.
  const told = shown.flatMap(({ slot }) => {
    const owners = [...new Set(slot?.candidates.map(({ dataset }) => dataset))];
    return owners.length === 1 ? owners : [];
  });
  const hint = draft.entities[0]?.dataset ?? told[0] ?? null;
  const slots = shown.flatMap((item) => (item.slot ? [item.slot] : []));

  if (draft.extremes && slots.length > 0) {
    const slot = slots[0]!;
    const chosen = choose(
      c,
      slot,
      slot.candidates.filter((one) => one.fields.length === 1).map((one) => ({ ...one, field: one.fields[0]! })),
      hint,
    );
    shown.splice(
      shown.findIndex((item) => item.slot === slot),
      1,
    );
    const of = { kind: 'aggregate', path: chosen.dataset, field: chosen.field.name } as const;
    return {
      home: chosen.dataset,
      measures: [
        { ...of, fn: 'max' },
        { ...of, fn: 'min' },
      ],
      grouped: false,
    };
  }
  if (draft.extremes) refuse('longest and shortest');

  const measures = measureDrafts.map((one) => measureOf(c, one, hint));
  for (const one of measureDrafts) {
    if (!one.combined) continue;
    const [left, right] = [measureOf(c, one, hint), measureOf(c, one.combined.with, hint)].map((part) =>
      measureHome(c, part),
    );
    if (!left || left !== right)
      refuse(
        one.text,
        `"${one.text}" and "${one.combined.with.text}" are measured over different rows. Ask for each by itself.`,
      );
  }
  if (rank?.by && isMeasure(rank.by)) {
    const measure = measureOf(c, rank.by, hint);
    const known = measures.some((one) => JSON.stringify(one) === JSON.stringify(measure));
    // "top 5 states by profit": the ranking measure is shown beside what it ranks. "the state with the highest profit and
    // its number of orders" asks for that number alone.
    const beside = measures.length > 0 && !(rank.limit === 1 && SUPERLATIVE.test(rank.text));
    if (!known && (shownByRank(rank, shown) || beside)) measures.push(measure);
    else if (!known && measures.length > 0 && !sameHome(c, [...measures, measure])) measures.push(measure);
    else if (!known && measures.length === 0)
      return groupedBy(c, measure, shown, rank.direction === 'asc' ? rank.text : null);
  }
  const [having] = draft.havings;
  if (measures.length === 0 && having) {
    const low = having.op === '<' || having.op === '<=' || having.op === '=';
    return groupedBy(c, measureOf(c, having.measure, hint), shown, low ? having.measure.text : null);
  }
  const sorted = measures.length === 0 && !rank ? countedFor(c, shown) : null;
  if (sorted) return groupedBy(c, measureOf(c, sorted, hint), shown, null);
  if (measures.length > 0) {
    const homes = [...new Set(measures.map((measure) => measureHome(c, measure)))];
    const known = homes.filter((home) => home !== null);
    if (homes.length === 1 && known.length === 1) {
      return { home: linkedHome(c, measures, known[0]!, askedDatasets(c, shown)), measures, grouped: false };
    }
    if (known.length === 0) return { home: baseHome(c, measures, measureDrafts), measures, grouped: false };
    const home =
      known.find((one) => known.every((other) => graph.paths(one, other).length > 0 || one === other)) ?? known[0]!;
    if (
      draft.conditions.length > 0 ||
      draft.times.length > 0 ||
      draft.definitions.length > 0 ||
      homes.length > known.length
    )
      refuse(
        measureDrafts.map((one) => one.text),
        'These are measured over different things; ask for them one by one.',
      );
    return { home, measures, grouped: false };
  }

  if (shown.length === 0)
    for (const group of draft.groups) if ('dataset' in group && group.each) shown.push({ entity: group });
  const ranked = rank?.of && !isSlot(rank.of) ? rank.of.dataset : null;
  const asked: string[] = [];
  for (const item of shown) {
    if (item.entity) asked.push(item.entity.dataset);
    if (item.slot) {
      const slot = item.slot;
      if (slot.bound && slot.candidates.some((one) => one.dataset === slot.bound)) asked.push(slot.bound);
      else
        asked.push(
          nearestDataset(
            c,
            slot.candidates.map((one) => one.dataset),
            slot.at,
            slots.flatMap((other) => (other === slot ? [] : [other.candidates.map((one) => one.dataset)])),
          ) ??
            choose(
              c,
              slot,
              slot.candidates.map((one) => ({ ...one, field: one.fields[0]! })),
              hint,
            ).dataset,
        );
    }
  }
  for (const slot of slots) {
    if (!slot.bound)
      slot.bound = asked.find((dataset) => slot.candidates.some((one) => one.dataset === dataset)) ?? undefined;
  }
  const unique = [...new Set(asked)];
  if (unique.length === 0) {
    const only = [...new Set(draft.entities.map((entity) => entity.dataset))];
    if (only.length !== 1)
      return refuse(
        c.tokens.map((token) => token.text),
        'The question does not say what to show.',
      );
    return { home: only[0]!, measures: [], grouped: false };
  }
  const most = unique.find((one) => unique.every((other) => one === other || graph.paths(one, other).length > 0));
  if (!most) {
    // "each owner's name and the size of their dog": both are of the dogs.
    const meeting = [...new Set(draft.entities.map((entity) => entity.dataset))].filter((one) =>
      unique.every((other) => graph.paths(one, other).length > 0),
    );
    if (meeting.length === 1) return { home: meeting[0]!, measures: [], grouped: false };
    return refuse(
      slots.map((slot) => slot.text),
      'No row has all of these. Ask for each by itself.',
    );
  }
  // "the names of the players" lists players, who are persons.
  const playing = draft.entities.find(
    ({ dataset, clause }) => clause.id === 0 && dataset !== most && personOf(c, dataset) === most,
  );
  if (playing && !draft.entities.some(({ dataset }) => dataset === most))
    return { home: playing.dataset, measures: [], grouped: false };
  // "for the cars with 4 cylinders, which model …": the highest of those cars.
  const { scope } = draft;
  if (scope && rank && scope !== most && graph.paths(scope, most).length > 0)
    return { home: scope, measures: [], grouped: false };
  if (ranked && ranked !== most && graph.paths(ranked, most).length > 0)
    return { home: ranked, measures: [], grouped: false };
  return { home: most, measures: [], grouped: false };
};

/** "industries in descending order of the number of companies": each industry, by how many companies are in it. */
const countedFor = (c: Cursor, shown: Shown[]): MeasureDraft | null => {
  const [order, more] = c.draft.orders;
  const by = order?.by && !more && isMeasure(order.by) && order.by.kind === 'count' ? order.by : null;
  const slots = shown.flatMap(({ slot }) => (slot ? [slot] : []));
  if (!by?.dataset || slots.length === 0 || slots.length !== shown.length) return null;
  return slots.every((slot) => isGroupOf(c, slot, by.dataset!)) ? by : null;
};

/** A metric made of metrics is measured where its parts are. */
const baseHome = (c: Cursor, measures: (MetricUse | Aggregate)[], drafts: MeasureDraft[]): string => {
  const { metrics } = c.vocabulary.lens;
  const find = (name: string): string[] => {
    const metric = metrics.find((one) => one.name === name);
    return metric ? (metric.home ? [metric.home] : metric.references.metrics.flatMap(find)) : [];
  };
  const homes = [...new Set(measures.flatMap((one) => (one.kind === 'metric' ? find(one.name) : [one.path])))];
  if (homes.length > 1 && c.draft.conditions.length + c.draft.times.length + c.draft.definitions.length > 0)
    refuse(
      drafts.map((one) => one.text),
      'This is measured over several things; ask for its parts one by one.',
    );
  return homes[0] ?? refuse(drafts.map((one) => one.text));
};

/** Datasets that the answer is about, besides what is measured. */
const askedDatasets = (c: Cursor, shown: Shown[]): string[] => {
  const slotted = (slot: FieldSlot): string[] => {
    if (slot.bound && slot.candidates.some((one) => one.dataset === slot.bound)) return [slot.bound];
    const all = [...new Set(slot.candidates.map((one) => one.dataset))];
    return all.length === 1 ? all : [];
  };
  return [
    ...shown.flatMap((item) => (item.entity ? [item.entity.dataset] : item.slot ? slotted(item.slot) : [])),
    ...c.draft.groups.flatMap((group) =>
      'candidates' in group ? slotted(group) : 'dataset' in group ? [group.dataset] : [],
    ),
  ];
};

/** A dataset that the question names: itself, or by what its rows are called by. */
const namesThing = (c: Cursor, dataset: string): boolean => {
  const { primaryKey, name, synonyms } = c.vocabulary.dataset(dataset);
  const naming = [...primaryKey, ...c.vocabulary.display(dataset).map((field) => field.name)];
  const titles = [name, ...synonyms].map(phraseKey);
  const slots = [...c.draft.groups, ...c.draft.shown.flatMap(({ slot }) => slot ?? [])].filter(isSlot);
  return (
    c.draft.entities.some((entity) => entity.dataset === dataset) ||
    slots.some(
      ({ text, candidates }) =>
        titles.some((title) => ` ${phraseKey(text)} `.includes(` ${title} `)) ||
        candidates.some((one) => one.dataset === dataset && one.fields.some((field) => naming.includes(field.name))),
    )
  );
};

/** Where the rows of a count do not lead to what it is grouped by, the dataset in which both meet. */
const linkedHome = (c: Cursor, measures: (MetricUse | Aggregate)[], home: string, asked: string[]): string => {
  const { graph } = c.vocabulary;
  const far = [...new Set(asked)].filter((dataset) => graph.paths(home, dataset).length === 0);
  const [measure] = measures;
  if (far.length !== 1 || measures.length !== 1 || measure?.kind !== 'aggregate' || measure.fn !== 'count') return home;
  // "shops in each city", where only employees have a city: not where the shops are.
  if (!namesThing(c, far[0]!)) return home;
  const links = linksSaid(c, home, far[0]!);
  return links.length === 1 && graph.paths(links[0]!, home)[0]?.hops === 1 ? links[0]! : home;
};

const groupedBy = (c: Cursor, measure: MetricUse | Aggregate, shown: Shown[], low: string | null): Home => {
  // Things without any related row are missing from the groups: with "fewest" they would be the answer.
  const home = measureHome(c, measure) ?? baseHome(c, [measure], []);
  const asked = askedDatasets(c, shown);
  const counts =
    measure.kind === 'aggregate'
      ? measure.fn === 'count'
      : c.vocabulary.lens.metrics
          .find(({ name }) => name === measure.name)
          ?.references.aggregates.every((fn) => /count/i.test(fn));
  // "the country with the fewest accounts" is a country of accounts; a carrier may have no shipment at all.
  if (low && counts && !(asked.length > 0 && asked.every((dataset) => dataset === home)))
    refuse(low, `Say whether those without any ${home.replaceAll('_', ' ')} count too.`);
  if (shown.length === 0 && c.draft.groups.length === 0) {
    const entity = c.draft.entities.find((one) => one.dataset !== home);
    if (!entity)
      return refuse(
        c.tokens.map((token) => token.text),
        'The question does not say what to show.',
      );
    shown.push({ entity });
    asked.push(entity.dataset);
  }
  return { home: linkedHome(c, [measure], home, asked), measures: [], grouped: true };
};

const SUPERLATIVE = /\b(?:most|fewest|least|highest|lowest|largest|smallest|greatest|biggest)\b/i;
const sameHome = (c: Cursor, measures: (MetricUse | Aggregate)[]): boolean =>
  new Set(measures.map((measure) => measureHome(c, measure))).size === 1;
const shownByRank = (rank: RankDraft, shown: Shown[]): boolean => {
  if (!rank.of || !rank.by || rank.limit === null) return false;
  const same = shown.length === 1 && (shown[0]!.slot === rank.of || shown[0]!.entity === rank.of);
  return same && !/\bmost\b|\bfewest\b|\bhighest\b|\blargest\b/.test(rank.text.toLowerCase());
};

/** The dataset that a field asked for without one belongs to: one named in the question, one whose values are, one that
 *  holds all fields asked for. */
const nearestDataset = (c: Cursor, datasets: string[], at: number, others: string[][]): string | null => {
  if (new Set(datasets).size === 1) return datasets[0]!;
  const held = datasets.filter((dataset) => others.every((list) => list.includes(dataset)));
  const pool = held.length > 0 ? held : datasets;
  const valued = [
    ...new Set(
      c.draft.conditions.flatMap((one) =>
        one.options.some((option) => option.known) || one.named ? one.options.map((option) => option.dataset) : [],
      ),
    ),
  ].filter((dataset) => pool.includes(dataset));
  const named = c.draft.entities
    .filter((entity) => pool.includes(entity.dataset))
    .sort((one, other) => Math.abs(one.at - at) - Math.abs(other.at - at));
  if (named.length > 0) return named[0]!.dataset;
  if (valued.length === 1) return valued[0]!;
  return new Set(pool).size === 1 ? pool[0]! : null;
};
