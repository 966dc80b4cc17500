// Turns a measure of a question into a measure of a plan.

import { type Grouping, type Measure as Measured, metricAlone, ofRowsWhere } from '../../plan/lens-plan.ts';
import { addsUp } from '../words/adds-up.ts';
import { isNumeric, isTemporal } from '../words/datatypes.ts';
import { distinctCountMetric } from '../words/governed.ts';
import { words } from '../words/vocabulary.ts';
import { dateOf } from './dates.ts';
import { filtersOf } from './filters.ts';
import { type GroupedBy, groupInto } from './groups.ts';
import { approved, countedBy, fieldHome, metricOf, ownHome, thingOf, wholeThing } from './homes.ts';
import { type Placed, type Settling, unfit } from './settle.ts';
import type { Measure } from './terms.ts';

export const once = (all: Measured[]): Measured[] =>
  all.filter((one, at) => all.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === at);

export function measureOf(s: Settling, of: Measure, home: string, distinctOf: string | null): Measured {
  const base = baseOf(s, of, home, distinctOf);
  if (of.conds.length === 0) return base;
  const own = ownHome(s, of, []);
  return ofRowsWhere(base, filtersOf(s, of.conds, { home: own, from: own, ...countedBy(s, [of], own, of.conds) }));
}

/** Groups by rows if names are ambiguous, otherwise by the dimensions. */
export const groupsOf = (keys: string[] = [], dimensions: Grouping[]): { per: string[] } | { by: Grouping[] } =>
  keys.length > 0 ? { per: keys } : { by: dimensions };

function baseOf(s: Settling, of: Measure, home: string, distinctOf: string | null): Measured {
  const inner = (one: Measure): Measured => measureOf(s, one, home, distinctOf);
  switch (of.is) {
    case 'metric':
      return { fn: 'metric', metric: metricOf(s, of).name };
    case 'count':
      return countOf(s, of, home, distinctOf);
    case 'distinct': {
      const at = fieldHome(s, of.field, () => 0);
      return (
        approved(s, { fn: 'count_distinct', path: at.dataset.name, field: at.field.name }, [
          `count(distinct ${at.dataset.name}.${at.field.name})`,
        ]) ?? {
          fn: 'count_distinct',
          field: { path: at.dataset.name, field: at.field.name },
        }
      );
    }
    case 'aggregate': {
      const at = fieldHome(s, of.field, () => 0);
      const isExtreme = of.fn === 'max' || of.fn === 'min';
      if (!(isNumeric(at.field.datatype) || (isExtreme && isTemporal(at.field.datatype))) || isKey(s, at))
        return unfit(`${at.field.name} is not an amount`);
      if (of.ofRows && at.dataset.name !== thingOf(s, of.field.of!).dataset)
        return unfit('the field belongs to something else');
      if (of.unsaid && addsUp(s.vocabulary.lens, at.dataset.name, at.field) !== 'yes')
        return unfit(`${at.field.name} may not add up`);
      return (
        approved(s, { fn: of.fn, path: at.dataset.name, field: at.field.name }, [
          `${of.fn}(${at.dataset.name}.${at.field.name})`,
        ]) ?? {
          fn: of.fn,
          field: { path: at.dataset.name, field: at.field.name },
        }
      );
    }
    case 'combined':
      return { fn: of.fn, of: [inner(of.left), inner(of.right)], ...(of.percent && { percent: true }) };
    case 'part': {
      const own = ownHome(s, of.of, []);
      return {
        fn: 'share',
        of: inner(of.of),
        where: filtersOf(s, of.where, { home: own, from: own, ...countedBy(s, [of.of], own, of.where) }),
        ...(of.percent && { percent: true }),
      };
    }
    case 'averaged': {
      const own = ownHome(s, of.of, []);
      const told: GroupedBy = { home: own, dimensions: [], keys: [] };
      groupInto(s, told, of.over, null);
      return { fn: 'over_groups', take: of.fn, of: inner(of.of), ...groupsOf(told.keys, told.dimensions) };
    }
    case 'share':
      return { fn: 'share_of_total', of: inner(of.of), ...(of.percent && { percent: true }) };
    case 'running':
      return { fn: 'running_total', of: inner(of.of) };
    case 'between': {
      const at = dateOf(s, ownHome(s, of.of, []), 'growth', null);
      if (at.year) return unfit('a year has no days');
      s.doubt('Growth between two periods is their difference in percent here.');
      const during = (ends: typeof of.earlier) => ({ field: { path: at.path, field: at.field.name }, ...ends });
      return {
        fn: 'change',
        of: inner(of.of),
        ...(of.percent && { percent: true }),
        from: during(of.earlier),
        to: during(of.later),
      };
    }
    case 'change':
      return { fn: 'change', of: inner(of.of), ...(of.percent && { percent: true }) };
  }
}

/** A count: of a thing by one of its fields, distinct if the rows in between are counted, or of its rows. */
function countOf(
  s: Settling,
  of: Extract<Measure, { is: 'count' }>,
  home: string,
  distinctOf: string | null,
): Measured {
  const { dataset, by } = wholeThing(s, of.things);
  if (of.unlessAmount && hasAmount(s, dataset)) return unfit('either a count or a total is meant');
  if (!by && of.things.text === '') return rowsOrThings(s, dataset, 'how often');
  if (!by && distinctCountMetric(s.vocabulary, dataset, of.things.text))
    return unfit('unclear if rows or things are meant');
  if (by)
    return (
      approved(s, { fn: 'count_distinct', path: dataset, field: by.fields[0]!.name }, [
        `count(distinct ${dataset}.${by.fields[0]!.name})`,
      ]) ?? {
        fn: 'count_distinct',
        field: { path: dataset, field: by.fields[0]!.name },
      }
    );
  const { primaryKey } = s.vocabulary.dataset(dataset);
  if (distinctOf === dataset) {
    if (primaryKey.length !== 1) return unfit('no single key to count');
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
const rowCount = (s: Settling, dataset: string): Measured => {
  const key = s.vocabulary.dataset(dataset).primaryKey.map((one) => `${dataset}.${one}`);
  return (
    approved(s, { fn: 'count', path: dataset }, [
      'count(*)',
      ...(key.length === 1 ? [`count(${key[0]})`, `count(distinct ${key[0]})`] : []),
    ]) ?? { fn: 'count', rows: dataset }
  );
};
/** Without a word for it: its rows, or the things that have several rows each. */
export const rowsOrThings = (s: Settling, dataset: string, term: string): Measured => {
  const rows = rowCount(s, dataset);
  const once = distinctCountMetric(s.vocabulary, dataset);
  return s.pick<Measured>('row or total', term, [
    { of: rows, key: metricAlone(rows) ?? 'rows', cost: 0 },
    ...(once ? [{ of: { fn: 'metric' as const, metric: once.name }, key: once.name, cost: 0 }] : []),
  ]);
};

const hasAmount = (s: Settling, dataset: string): boolean =>
  s.vocabulary
    .dataset(dataset)
    .fields.some(
      ({ name, synonyms, datatype }) =>
        isNumeric(datatype) && [name, ...synonyms].some((one) => words(one).includes('amount')),
    );

const isKey = (s: Settling, { dataset, field }: Placed): boolean =>
  dataset.primaryKey.includes(field.name) ||
  s.vocabulary.lens.relationships.some(
    ({ from }) => from.dataset === dataset.name && from.columns.includes(field.name),
  );
