// Whose rows a reading is about: those a measure aggregates, or those a listing lists.
import type { Aggregate, MetricUse } from '../lens/intent.ts';
import { measureHome, measureOf } from './assemble.ts';
import type { Cursor } from './cursor.ts';
import { isMeasure, isSlot, type MeasureDraft, type RankDraft, type Shown } from './draft.ts';
import { choose, refuse } from './resolve.ts';

export const homeOf = (
  c: Cursor,
  shown: Shown[],
  measureDrafts: MeasureDraft[],
  rank: RankDraft | undefined,
): { home: string; measures: (MetricUse | Aggregate)[] } => {
  const { draft } = c;
  const { graph } = c.vocabulary;
  const hint = draft.entities[0]?.dataset ?? shown.find((item) => item.slot)?.slot?.candidates[0]?.dataset ?? null;
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
    };
  }
  if (draft.extremes) refuse('longest and shortest');

  const measures = measureDrafts.map((one) => measureOf(c, one, hint));
  // "top 5 states by profit": the ranking measure is shown beside what it ranks.
  if (rank?.by && isMeasure(rank.by) && shownByRank(rank, shown)) {
    const measure = measureOf(c, rank.by, hint);
    if (!measures.some((one) => JSON.stringify(one) === JSON.stringify(measure))) measures.push(measure);
  } else if (rank?.by && isMeasure(rank.by) && measures.length === 0) {
    // "which region has the highest revenue": only a field to group by, no rows of their own to list.
    const entity =
      shown.find((item) => item.entity)?.entity?.dataset ??
      slots.find((slot) => slot.bound)?.bound ??
      draft.entities[0]?.dataset;
    const measure = measureOf(c, rank.by, hint);
    const home = measureHome(c, measure);
    if (!entity || entity === home) {
      if (!home) return refuse(rank.text);
      return { home, measures: [measure] };
    }
  }
  if (measures.length > 0) {
    const homes = [...new Set(measures.map((measure) => measureHome(c, measure)))];
    const known = homes.filter((home) => home !== null);
    if (homes.length === 1 && known.length === 1) return { home: known[0]!, measures };
    const home =
      known.find((one) => known.every((other) => graph.paths(one, other).length > 0 || one === other)) ?? known[0];
    if (!home) {
      const derived = c.vocabulary.lens.metrics.find((metric) =>
        measures.some((one) => one.kind === 'metric' && one.name === metric.name),
      );
      const base = derived?.references.metrics
        .map((name) => c.vocabulary.lens.metrics.find((metric) => metric.name === name)?.home)
        .find((one) => one);
      return base ? { home: base, measures } : refuse(measureDrafts.map((one) => one.text));
    }
    if (draft.conditions.length > 0 && known.length > 1)
      refuse(
        measureDrafts.map((one) => one.text),
        'These are measured over different things; ask for them one by one.',
      );
    return { home, measures };
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
    return { home: only[0]!, measures: [] };
  }
  const most = unique.find((one) => unique.every((other) => one === other || graph.paths(one, other).length > 0));
  if (!most)
    return refuse(
      slots.map((slot) => slot.text),
      'These do not belong to the same rows.',
    );
  if (ranked && ranked !== most && graph.paths(ranked, most).length > 0) return { home: ranked, measures: [] };
  return { home: most, measures: [] };
};

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
