// Turns a measure of a question into a measure of a plan.

import { type Grouping, type Measure as Measured, metricAlone, ofRowsWhere } from '../../plan/lens-plan.ts';
import { addsUp } from '../words/adds-up.ts';
import { isNumeric, isTemporal } from '../words/datatypes.ts';
import { distinctCountMetric } from '../words/governed.ts';
import { dateOf } from './dates.ts';
import { filtersOf } from './filters.ts';
import { addGroup, type GroupBuilder } from './groups.ts';
import { approvedMetric, countedBy, fieldHome, homeOf, metricOf, thingOf, wholeThing } from './homes.ts';
import { type NameResolution, type PlacedField, reject } from './name-resolution.ts';
import type { AggregateFunction, Measure } from './terms.ts';

export const uniqueMeasures = (all: Measured[]): Measured[] =>
  all.filter((one, at) => all.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === at);

export function measureOf(s: NameResolution, of: Measure, home: string, distinctOf: string | null): Measured {
  const base = baseOf(s, of, home, distinctOf);
  if (of.predicates.length === 0) return base;
  const own = homeOf(s, of, []);
  return ofRowsWhere(
    base,
    filtersOf(s, of.predicates, { home: own, from: own, ...countedBy(s, [of], own, of.predicates) }),
  );
}

/** Groups by rows if names are ambiguous, otherwise by the dimensions. */
export const groupsOf = (keys: string[] = [], dimensions: Grouping[]): { per: string[] } | { by: Grouping[] } =>
  keys.length > 0 ? { per: keys } : { by: dimensions };

const aggregateOf = (
  s: NameResolution,
  fn: AggregateFunction | 'count_distinct',
  path: string,
  field: string,
): Measured =>
  approvedMetric(s, { fn, path, field }, [
    fn === 'count_distinct' ? `count(distinct ${path}.${field})` : `${fn}(${path}.${field})`,
  ]) ?? { fn, field: { path, field } };

function baseOf(s: NameResolution, of: Measure, home: string, distinctOf: string | null): Measured {
  const inner = (measure: Measure): Measured => measureOf(s, measure, home, distinctOf);
  switch (of.is) {
    case 'metric':
      return { fn: 'metric', metric: metricOf(s, of).name };
    case 'count':
      return countOf(s, of, home, distinctOf);
    case 'distinct': {
      const at = fieldHome(s, of.field, () => 0);
      return aggregateOf(s, 'count_distinct', at.dataset.name, at.field.name);
    }
    case 'aggregate': {
      const at = fieldHome(s, of.field, () => 0);
      const isExtreme = of.fn === 'max' || of.fn === 'min';
      if (!(isNumeric(at.field.datatype) || (isExtreme && isTemporal(at.field.datatype))) || isKey(s, at))
        return reject(`${at.field.name} is not an amount`);
      if (of.ofRows && at.dataset.name !== thingOf(s, of.field.of!).dataset)
        return reject('the field belongs to something else');
      if (of.unsaid && addsUp(s.vocabulary.lens, at.dataset.name, at.field) !== 'yes')
        return reject(`${at.field.name} may not add up`);
      return aggregateOf(s, of.fn, at.dataset.name, at.field.name);
    }
    case 'combined':
      return { fn: of.fn, of: [inner(of.left), inner(of.right)] };
    case 'part': {
      const own = homeOf(s, of.of, []);
      return {
        fn: 'share',
        of: inner(of.of),
        where: filtersOf(s, of.where, { home: own, from: own, ...countedBy(s, [of.of], own, of.where) }),
        ...(of.percent && { percent: true }),
      };
    }
    case 'averaged': {
      const own = homeOf(s, of.of, []);
      const builder: GroupBuilder = { home: own, dimensions: [], keys: [] };
      addGroup(s, builder, of.over, null);
      return { fn: 'over_groups', take: of.fn, of: inner(of.of), ...groupsOf(builder.keys, builder.dimensions) };
    }
    case 'share':
      return { fn: 'share_of_total', of: inner(of.of), ...(of.percent && { percent: true }) };
    case 'running':
      return { fn: 'running_total', of: inner(of.of) };
    case 'between': {
      const at = dateOf(s, homeOf(s, of.of, []), 'growth', null);
      if (at.year) return reject('a year has no days');
      s.doubt('Growth between two periods is their difference in percent here.');
      const during = (ends: typeof of.earlier) => ({ field: { path: at.path, field: at.field.name }, ...ends });
      return {
        fn: 'change',
        of: inner(of.of),
        percent: true,
        from: during(of.earlier),
        to: during(of.later),
      };
    }
    case 'change':
      return { fn: 'change', of: inner(of.of), percent: true };
  }
}

/** A count: of a thing by one of its fields, distinct if the rows in between are counted, or of its rows. */
function countOf(
  s: NameResolution,
  of: Extract<Measure, { is: 'count' }>,
  home: string,
  distinctOf: string | null,
): Measured {
  const { dataset, by } = wholeThing(s, of.things);
  if (!by && of.things.text === '') return ambiguousCount(s, dataset, 'how often');
  if (!by && distinctCountMetric(s.vocabulary, dataset, of.things.text))
    return reject('unclear if rows or things are meant');
  if (by) return aggregateOf(s, 'count_distinct', dataset, by.fields[0]!.name);
  const { primaryKey } = s.vocabulary.dataset(dataset);
  if (distinctOf === dataset) {
    if (primaryKey.length !== 1) return reject('no single key to count');
    const linked = s.vocabulary.lens.relationships.find(
      ({ from, to }) => from.dataset === home && to.dataset === dataset,
    );
    const column = linked?.from.columns[0];
    const listed = column !== undefined && s.vocabulary.dataset(home).fields.some(({ name }) => name === column);
    return listed
      ? { fn: 'count_distinct', field: { path: home, field: column } }
      : { fn: 'count_distinct', field: { path: dataset, field: primaryKey[0]! } };
  }
  return rowCount(s, dataset);
}
const rowCount = (s: NameResolution, dataset: string): Measured => {
  const key = s.vocabulary.dataset(dataset).primaryKey.map((one) => `${dataset}.${one}`);
  return (
    approvedMetric(s, { fn: 'count', path: dataset }, [
      'count(*)',
      ...(key.length === 1 ? [`count(${key[0]})`, `count(distinct ${key[0]})`] : []),
    ]) ?? { fn: 'count', rows: dataset }
  );
};
/** Without a word for it: its rows, or the things that have several rows each. */
export const ambiguousCount = (s: NameResolution, dataset: string, term: string): Measured => {
  const rows = rowCount(s, dataset);
  const once = distinctCountMetric(s.vocabulary, dataset);
  return s.pick<Measured>('row or total', term, [
    { of: rows, key: metricAlone(rows) ?? 'rows', cost: 0 },
    ...(once ? [{ of: { fn: 'metric' as const, metric: once.name }, key: once.name, cost: 0 }] : []),
  ]);
};

const isKey = (s: NameResolution, { dataset, field }: PlacedField): boolean =>
  dataset.primaryKey.includes(field.name) ||
  s.vocabulary.lens.relationships.some(
    ({ from }) => from.dataset === dataset.name && from.columns.includes(field.name),
  );
