// The rows that a measure aggregates, and how things are reached from there.

import type { LensDefinition, LensMetric } from '../../lens/model/lens.ts';
import type { Measure as Measured } from '../../plan/lens-plan.ts';
import { isNumeric } from '../words/datatypes.ts';
import { countsDistinct } from '../words/distinct-count.ts';
import { metricComputing, metricsSpelling } from '../words/governed.ts';
import type { FilterContext } from './filters.ts';
import { type NameResolution, type PlacedField, reject } from './name-resolution.ts';
import type { Entities, EntityCandidate, Field, Group, Measure, Predicate } from './terms.ts';

export const metricOf = (
  s: NameResolution,
  { metrics, said, defined }: { metrics: readonly LensMetric[]; said?: string; defined?: LensDefinition },
): LensMetric => {
  if (defined) {
    const { metric } = s.sense(defined);
    return metrics.find(({ name }) => name === metric) ?? reject(`${defined.term} is not a measure in this sense`);
  }
  return s.pick(
    'which name',
    said ?? metrics[0]!.name,
    metrics.map((one) => ({ of: one, key: one.name, cost: 0 })),
  );
};

export const thingOf = (
  s: NameResolution,
  named: Entities,
  far: (dataset: string) => number = () => 0,
): EntityCandidate => {
  const found = s.pick(
    'which name',
    named.text,
    named.options.map((option) => ({
      of: option,
      key: option.by ? `${option.dataset}.${option.by.fields[0]!.name}` : option.dataset,
      cost:
        far(option.dataset) +
        (option.by && s.vocabulary.dataset(option.dataset).primaryKey.join() === option.by.fields[0]!.name
          ? -0.25
          : 0) +
        (option.by ? 1 + option.by.loose + (option.by.identity === 'key' ? 0 : 0.5) : 0) +
        (option.role ? 1 : 0),
    })),
  );
  if (found.by && found.by.loose > 0 && named.options.some(({ dataset }) => dataset !== found.dataset))
    s.doubt(`"${named.text}" was read as ${found.dataset}.${found.by.fields[0]!.name}.`);
  return found;
};

/** A role is only a part of its dataset: supervisors aren't all employees, and no plan measures only those. */
export const isWhole = (s: NameResolution, { dataset, role }: Pick<EntityCandidate, 'dataset' | 'role'>): boolean => {
  if (role === undefined) return true;
  const { name, synonyms } = s.vocabulary.dataset(dataset);
  const called = [name, ...synonyms].map((one) => s.vocabulary.key(one).split(' '));
  return called.some((title) =>
    s.vocabulary
      .key(role)
      .split(' ')
      .every((word) => title.includes(word)),
  );
};
/** Things that are rows of a dataset, all of them. */
export const wholeThing = (s: NameResolution, named: Entities, far?: (dataset: string) => number): EntityCandidate => {
  const thing = thingOf(s, named, far);
  return isWhole(s, thing) ? thing : reject(`${named.text} are only a part of ${thing.dataset}`);
};

/** The dataset with the field; if things are named, the nearest one to them. */
export function fieldHome(
  s: NameResolution,
  { options: named, text, of }: Field,
  far: (dataset: string) => number,
): PlacedField {
  const options = named.filter((one) => isWhole(s, one));
  if (options.length === 0) return reject(`${text} are only a part of the rows`);
  if (of) {
    const owner = wholeThing(s, of);
    const own = s.direct(owner.dataset, options);
    if (own.length > 0) return { ...s.pick('which name', text, own) };
  }
  const all = options.map(({ dataset, fields, loose }) => ({
    of: { path: dataset, field: fields[0]!, dataset: s.vocabulary.dataset(dataset) },
    key: `${dataset}.${fields[0]!.name}`,
    cost: far(dataset) + loose,
  }));
  const at = s.pick('which name', text, all);
  if (of && s.vocabulary.graph.distance(thingOf(s, of).dataset, at.dataset.name) > 2)
    return reject('not a condition on these rows');
  return at;
}

export function homeOf(s: NameResolution, of: Measure, wanted: readonly string[]): string {
  const far = (dataset: string): number =>
    wanted.length === 0 || wanted.some((name) => name === dataset || s.leads(dataset, name)) ? 0 : 1;
  switch (of.is) {
    case 'metric':
      return metricOf(s, of).home ?? reject('the metric has several homes');
    case 'count':
      return wholeThing(s, of.things, far).dataset;
    case 'distinct':
    case 'aggregate':
      return fieldHome(s, of.field, far).dataset.name;
    case 'combined':
      return homeOf(s, of.left, wanted);
    default:
      return homeOf(s, of.of, wanted);
  }
}

/** The datasets that rows are grouped by. A field of rows that nothing leads to adds its own dataset. */
export function groupingDatasets(s: NameResolution, of: Measure, by: Group): string[] {
  if (by.is === 'things')
    return by.things.options
      .filter((one) => !one.by)
      .map(({ dataset }) => dataset)
      .slice(0, 1);
  if (by.is !== 'field') return [];
  const own = homeOf(s, of, []);
  return s.direct(own, by.field.options).length > 0
    ? []
    : nearestTo(
        s,
        own,
        by.field.options.map(({ dataset }) => dataset),
      );
}

export const nearestTo = (s: NameResolution, home: string, datasets: readonly string[]): string[] =>
  [...new Set(datasets)]
    .sort((a, b) => s.vocabulary.graph.distance(home, a) - s.vocabulary.graph.distance(home, b))
    .slice(0, 1);

/** A many-to-many grouping: each row counts once under each value. */
export interface Bridge {
  dataset: string;
  link: string;
}
/** The measured rows. For a one-to-many grouping, the rows in between. */
export function homeFor(
  s: NameResolution,
  of: Measure,
  wanted: readonly string[],
): { home: string; distinctOf: string | null; through?: Bridge } {
  const own = homeOf(s, of, wanted);
  const far = wanted.filter((name) => name !== own && !s.leads(own, name));
  if (far.length === 0) return { home: own, distinctOf: null };
  if (far.length > 1) return reject('no relationship leads there');
  const links = s.vocabulary.graph.links(own, far[0]!);
  if (links.length === 0) return reject('no dataset links the two');
  const link = s.pick(
    'which way',
    of.is === 'count' ? of.things.text : far[0]!,
    links.map((one) => ({ of: one, key: one, cost: 0 })),
  );
  // A count is distinct over the rows in between.
  if (of.is === 'metric' && metricOf(s, of).filter === null && /^count\s*\(/i.test(metricOf(s, of).expression))
    return reject('the rows in between are counted');
  if (of.is !== 'count' && !(s.linksOnly(link, own, far[0]!) && isRepeatSafe(s, of)))
    return reject('a row would be summed in several groups');
  if (of.is !== 'count') return { home: own, distinctOf: null, through: { dataset: far[0]!, link } };
  return { home: link, distinctOf: own };
}

/** The approved metric that the words spell, else the one that computes exactly this. */
export const approvedMetric = (
  s: NameResolution,
  plain: { fn: string; path: string; field?: string },
  expressions: readonly string[],
): Measured | null => {
  const spelled = metricsSpelling(s.vocabulary, plain);
  const found =
    spelled.length > 0
      ? metricOf(s, { metrics: spelled, said: spelled[0]!.name })
      : metricComputing(s.vocabulary, plain.path, expressions);
  return found ? { fn: 'metric', metric: found.name } : null;
};

export const negates = (predicate: Predicate): boolean =>
  predicate.is === 'not' || ((predicate.is === 'all' || predicate.is === 'any') && predicate.of.some(negates));

/** For things with several rows each, "no row matches" differs from "a row doesn't match". */
export function countedBy(
  s: NameResolution,
  measures: readonly Measure[],
  home: string,
  predicates: readonly Predicate[],
): Pick<FilterContext, 'by' | 'thing'> {
  for (const measure of measures) {
    const thing = measure.is === 'count' ? thingOf(s, measure.things) : null;
    if (thing?.by && measures.length === 1)
      return { by: s.field(home, [thing.by], measure.key), thing: thing.by.identity !== undefined };
    const once =
      thing?.by || measure.is === 'distinct' || (measure.is === 'metric' && countsDistinct(metricOf(s, measure)));
    if (once && predicates.some(negates)) reject('the condition may be false for some rows or for all');
    if (once && measure.is === 'metric' && predicates.some((cond) => isOfRows(cond, home)))
      reject('the condition may be on one row or on all of them');
  }
  return {};
}

/** "Orders with a quantity over 10" if rows are order lines. */
const isOfRows = (predicate: Predicate, home: string): boolean =>
  predicate.is === 'amount' ||
  (predicate.is === 'compare' &&
    predicate.field.options.some(({ dataset, fields }) => dataset === home && isNumeric(fields[0]!.datatype))) ||
  ((predicate.is === 'all' || predicate.is === 'any') && predicate.of.some((part) => isOfRows(part, home)));

/** Averages and extremes don't change if a row counts several times; sums do. */
const isRepeatSafe = (s: NameResolution, of: Measure): boolean =>
  of.is === 'aggregate'
    ? of.fn !== 'sum'
    : of.is === 'metric' && metricOf(s, of).references.aggregates.every((one) => /^(?:avg|min|max)$/i.test(one));
