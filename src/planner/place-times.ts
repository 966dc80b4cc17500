// Where a time expression applies: on the date named with it, the metric's or the dataset's time field, or the date of
// the related event that a clause is about.
import type { Aggregate, FieldRef, Filter, MetricUse, TimeWindow } from '../lens/intent.ts';
import type { Cursor } from './cursor.ts';
import type { TimeDraft } from './draft.ts';
import { verbRoot } from './inflection.ts';
import { isTemporal } from './read-things.ts';
import { pathsFrom, refuse } from './resolve.ts';
import { timeFieldFrom, yearConditions, yearField } from './time-fields.ts';
import { words } from './vocabulary.ts';

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
  const placed: PlacedTimes = { window: null, filters: [], related: [], grains: [] };
  const text = draft.times.map((time) => time.text).join(' and ') || draft.groups.map((group) => group.text).join(' ');
  const metric = measures.flatMap((one) =>
    one.kind === 'metric' ? c.vocabulary.lens.metrics.filter((known) => known.name === one.name) : [],
  )[0];
  let named: FieldRef | null | undefined;
  const field = (): FieldRef => {
    if (named === undefined)
      named =
        eventField(c, home) ??
        (metric?.timeField ? metricField(c, home, metric.timeField) : null) ??
        timeFieldFrom(c, home, text);
    return named ?? refuse(text, `There is no date that "${text}" could be about.`);
  };

  const direct: TimeDraft[] = [];
  const { graph } = c.vocabulary;
  for (const time of draft.times) {
    if (time.negated) refuse(time.text);
    const relation = time.clause.relation;
    const beyond = relation && graph.paths(home, relation.dataset).length === 0;
    const through = draft.conditions.some(
      (one) =>
        one.clause === time.clause && one.options.every((option) => graph.paths(home, option.dataset).length === 0),
    );
    const years = beyond || through ? null : yearConditions(c, home, time);
    if (years) placed.filters.push(...years);
    else if (beyond || through) placed.related.push(time);
    else direct.push(time);
  }
  if (direct.length > 0) {
    const windows = direct.map((time) => time.mention);
    if (draft.compared && windows.length > 1) compareUnits(draft.times, placed, field());
    if (windows.length === 1) {
      const { from, to } = windows[0]!;
      if (from && to) placed.window = { field: field(), from, to };
      else placed.filters.push({ kind: 'condition', field: field(), op: from ? '>=' : '<', values: [(from ?? to)!] });
    } else if (windows.every((one) => one.from && one.to)) {
      const sorted = [...windows].sort((one, other) => (one.from! < other.from! ? -1 : 1));
      const touching = sorted.every((one, index) => index === 0 || sorted[index - 1]!.to === one.from);
      const nested = sorted.length === 2 && (inside(sorted[0]!, sorted[1]!) ?? inside(sorted[1]!, sorted[0]!));
      if (nested) placed.window = { field: field(), from: nested.from!, to: nested.to! };
      else if (touching) placed.window = { field: field(), from: sorted[0]!.from!, to: sorted.at(-1)!.to! };
      else
        placed.filters.push({
          kind: 'any',
          of: sorted.map((one) => ({
            kind: 'all',
            of: [
              { kind: 'condition', field: field(), op: '>=', values: [one.from!] },
              { kind: 'condition', field: field(), op: '<', values: [one.to!] },
            ],
          })),
        });
      notes.push(`The periods ${direct.map((time) => time.text).join(' and ')} are taken together.`);
    } else refuse(direct.map((time) => time.text));
  }
  for (const group of draft.groups) {
    if ('candidates' in group || 'dataset' in group || !('grain' in group) || !group.grain) continue;
    const year = group.grain === 'year' ? yearField(c, home) : null;
    placed.grains.push(year ?? { ...field(), grain: group.grain });
  }
  return placed;
};

/** "2015 versus 2016": one row for each of the periods. */
const compareUnits = (times: TimeDraft[], placed: PlacedTimes, field: FieldRef): void => {
  const units = [...new Set(times.map((time) => time.mention.unit))];
  if (units.length !== 1 || !units[0]) refuse(times.map((time) => time.text));
  else placed.grains.push({ ...field, grain: units[0] });
};

const inside = (one: { from: string | null; to: string | null }, other: { from: string | null; to: string | null }) =>
  one.from! >= other.from! && one.to! <= other.to! ? one : null;

/** "shipped in 2016": the date whose name begins with the verb. */
const eventField = (c: Cursor, home: string): FieldRef | null => {
  const dates = [...c.vocabulary.graph.reach(home).values()]
    .filter((step) => step.hops <= 1)
    .flatMap((step) =>
      c.vocabulary
        .dataset(step.dataset)
        .fields.filter((field) => isTemporal(field.datatype))
        .map((field) => ({ step, field })),
    );
  const found = dates.filter(({ field }) => {
    const first = words(field.name)[0] ?? '';
    return c.draft.verbs.some(({ text }) => {
      const root = text === 'born' ? 'birth' : verbRoot(text);
      return (
        root.length >= 3 && (first === text || first.startsWith(root) || (first.length >= 4 && root.startsWith(first)))
      );
    });
  });
  const near = found.filter(({ step }) => step.hops === 0);
  const pool = near.length > 0 ? near : found;
  if (pool.length !== 1) return null;
  const { step, field } = pool[0]!;
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
