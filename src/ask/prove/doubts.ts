// What lowers the grade of an intent that compiles: measures that say nothing as they are taken together, names that
// several things bear, and rows or things that another reading would count otherwise.
import { doubtfulMeasures } from '../../lens/doubtful-measures.ts';
import { type Condition, emptyIntent, type Intent, type Measure } from '../../lens/intent.ts';
import { datasetOfPath } from '../../lens/join-paths.ts';
import type { LensDataset } from '../../lens/lens.ts';
import { vocabularyOf } from '../../planner/words/vocabulary.ts';
import type { GrantedLens } from '../outcome.ts';
import type { ProbeLimits } from '../read/probe-values.ts';
import { readGoverned } from '../run/governed-read.ts';

export async function doubtsOf(granted: GrantedLens, intent: Intent, limits: ProbeLimits): Promise<string[]> {
  return [
    ...doubtfulMeasures(granted.lens, intent),
    ...(await namesakes(granted, intent, limits)),
    ...(await unvalued(granted, intent, limits)),
    ...(await uncounted(granted, intent, limits)),
    ...(await onBothSides(granted, intent, limits)),
  ];
}

/** "orders of John Smith", where two customers are called so: both are counted, and the answer says it. */
async function namesakes(granted: GrantedLens, intent: Intent, limits: ProbeLimits): Promise<string[]> {
  const { lens } = granted;
  if (intent.measures.length === 0) return [];
  const named = intent.filters.filter(
    (filter): filter is Condition =>
      filter.kind === 'condition' && filter.op === '=' && filter.values.length === 1 && !filter.than,
  );
  const said: string[] = [];
  for (const path of new Set(named.map(({ field }) => field.path))) {
    const dataset = datasetOfPath(lens, path);
    if (!dataset || countsOnly(intent, dataset.name) || !isThing(granted, dataset)) continue;
    const names = vocabularyOf(lens)
      .display(dataset.name)
      .map(({ name }) => name);
    const own = named.filter(({ field }) => field.path === path);
    if (names.length === 0 || !names.every((name) => own.some(({ field }) => field.field === name))) continue;
    const filters = own.map((one) => ({ ...one, field: { ...one.field, path: dataset.name } }));
    const dimensions = names.map((field) => ({ path: dataset.name, field }));
    const { rows } = await readGoverned(
      granted.warehouse,
      lens,
      granted.asker,
      { ...emptyIntent(), home: dataset.name, dimensions, filters, limit: 2 },
      { ...limits, maxRows: 2 },
    );
    const name = names.map((one) => own.find(({ field }) => field.field === one)!.values[0]).join(' ');
    if (rows.length > 1)
      said.push(`Several of ${dataset.name.replaceAll('_', ' ')} are called ${name}; they are taken together.`);
  }
  return said;
}

/** "not approved", where some are neither: they are taken along, and the answer says it. */
async function unvalued(granted: GrantedLens, intent: Intent, limits: ProbeLimits): Promise<string[]> {
  const said: string[] = [];
  const home = intent.home ?? homeOfMeasure(granted, intent.measures[0]);
  for (const filter of intent.filters) {
    const open = openToNone(filter);
    if (!open || !home) continue;
    const others = intent.filters.filter((one) => one !== filter);
    const missing: Condition = { kind: 'condition', field: open.field, op: 'is_null', values: [] };
    const { rows } = await readGoverned(
      granted.warehouse,
      granted.lens,
      granted.asker,
      {
        ...emptyIntent(),
        measures: [{ kind: 'aggregate', fn: 'count', path: home }],
        filters: [...others, missing],
        time: intent.time,
      },
      { ...limits, maxRows: 1 },
    );
    const name = `${open.field.path}.${open.field.field}`;
    const values = open.values.length > 0 ? open.values.join(' or ') : 'in the period that is left out';
    if (Number(rows[0]?.[0] ?? 0) > 0)
      said.push(`${rows[0]![0]} rows have no ${name}; they are taken for not ${values}.`);
  }
  return said;
}

/** A condition that rows without a value fulfil beside others: "not approved", "except in 2016". */
const openToNone = (filter: Intent['filters'][number]): Condition | null => {
  if (filter.kind === 'condition') return filter.orNull ? filter : null;
  const sides = filter.kind === 'any' ? filter.of.filter((one): one is Condition => one.kind === 'condition') : [];
  return sides.map(({ op }) => op).join(' ') === '< >= is_null' ? sides[2]! : null;
};

/** "average tickets per account", where accounts have none: with these as zeros the mean would be another number. */
async function uncounted(granted: GrantedLens, intent: Intent, limits: ProbeLimits): Promise<string[]> {
  const [mean] = intent.measures;
  if (mean?.kind !== 'averaged' || mean.over.field) return [];
  const things = mean.over.path;
  const home = homeOfMeasure(granted, mean.of);
  // A role of a dataset has no such opposite: what it is not for one row it may be for another.
  if (!home || home === things || datasetOfPath(granted.lens, things)?.name !== things) return [];
  const own = intent.filters.filter((filter) => filter.kind === 'condition' && filter.field.path === things);
  const where = [...intent.filters.filter((filter) => !own.includes(filter)), ...conditionsOf(intent.time)];
  const { rows } = await readGoverned(
    granted.warehouse,
    granted.lens,
    granted.asker,
    {
      ...emptyIntent(),
      measures: [{ kind: 'aggregate', fn: 'count', path: things }],
      filters: [...own, { kind: 'exists', path: home, negated: true, where }],
    },
    { ...limits, maxRows: 1 },
  );
  const count = Number(rows[0]?.[0] ?? 0);
  const name = things.replaceAll('_', ' ');
  return count > 0 ? [`${count} of ${name} have none of what is averaged; the mean is over the others only.`] : [];
}

const REVERSED = { '!=': '=', not_in: 'in' } as const;
/** "orders without Furniture", where an order has lines of it and others: different things are counted over rows, and some
 *  have rows on both sides. */
async function onBothSides(granted: GrantedLens, intent: Intent, limits: ProbeLimits): Promise<string[]> {
  const [measure, more] = intent.measures;
  if (!measure || more || !countsDifferent(granted, measure)) return [];
  const home = homeOfMeasure(granted, measure);
  const negated = intent.filters.filter(
    (filter): filter is Condition & { op: keyof typeof REVERSED } =>
      filter.kind === 'condition' && filter.field.path === home && filter.op in REVERSED && !filter.than,
  );
  const [only, other] = negated;
  if (!only || other) return [];
  const others = intent.filters.filter((filter) => filter !== only);
  const counts = await Promise.all(
    [[only], [{ ...only, op: REVERSED[only.op], orNull: undefined }], []].map(async (own) => {
      const asked: Intent = { ...emptyIntent(), measures: [measure], filters: [...others, ...own], time: intent.time };
      const { rows } = await readGoverned(granted.warehouse, granted.lens, granted.asker, asked, {
        ...limits,
        maxRows: 1,
      });
      return Number(rows[0]?.[0] ?? 0);
    }),
  );
  const both = counts[0]! + counts[1]! - counts[2]!;
  return both > 0
    ? [
        `${both} of those counted also have rows with ${only.values.join(' or ')}; they are counted for their other rows.`,
      ]
    : [];
}

/** A number of different things over rows that are not those things themselves. */
const countsDifferent = ({ lens }: GrantedLens, measure: Measure): boolean =>
  measure.kind === 'aggregate'
    ? measure.fn === 'count_distinct'
    : measure.kind === 'metric' &&
      lens.metrics.some(
        ({ name, expression }) => name === measure.name && /^\s*count\s*\(\s*distinct\b/i.test(expression),
      );

const conditionsOf = (time: Intent['time']): Condition[] =>
  time
    ? [
        { kind: 'condition', field: time.field, op: '>=', values: [time.from] },
        { kind: 'condition', field: time.field, op: '<', values: [time.to] },
      ]
    : [];

const homeOfMeasure = ({ lens }: GrantedLens, measure: Measure | undefined): string | null =>
  measure?.kind === 'aggregate'
    ? measure.path
    : measure?.kind === 'metric'
      ? (lens.metrics.find(({ name }) => name === measure.name)?.home ?? null)
      : null;

/** Rows of it are told apart by a key that other datasets refer to, and not by their name. */
const isThing = ({ lens }: GrantedLens, { name, primaryKey }: LensDataset): boolean =>
  primaryKey.length > 0 &&
  lens.relationships.some(({ to }) => to.dataset === name) &&
  !vocabularyOf(lens)
    .display(name)
    .some((field) => primaryKey.includes(field.name));

const countsOnly = ({ measures }: Intent, dataset: string): boolean =>
  measures.every((one) => one.kind === 'aggregate' && one.fn === 'count' && one.path === dataset);
