// The parts of a plan that select its rows, and what is counted or listed over them.
import { isDeepStrictEqual } from 'node:util';
import {
  basesOf,
  type Condition,
  type Exists,
  type Filter,
  type Intent,
  type Measure,
} from '../../lens/model/intent.ts';
import type { Lens } from '../../lens/model/lens.ts';
import type { Leaf } from '../lattice/leaf.ts';
import type { Period, Value } from '../meaning/terms.ts';
import { foldValue } from '../words/tokens.ts';

/** Filters of the same rows. */
export interface Rows {
  /** Their related rows. Null: the rows that are measured, counted or listed. */
  related: Exists | null;
  filters: readonly Filter[];
}

const timeFilters = ({ time }: Intent): Condition[] =>
  time
    ? [
        { kind: 'condition', field: time.field, op: '>=', values: [time.from] },
        { kind: 'condition', field: time.field, op: '<', values: [time.to] },
      ]
    : [];
const relatedIn = (filter: Filter): Exists[] =>
  filter.kind === 'exists'
    ? [filter, ...filter.where.flatMap(relatedIn)]
    : filter.kind === 'any' || filter.kind === 'all'
      ? filter.of.flatMap(relatedIn)
      : filter.kind === 'not'
        ? relatedIn(filter.of)
        : [];

export const rowsOf = (intent: Intent): Rows[] => [
  { related: null, filters: [...intent.filters, ...timeFilters(intent)] },
  ...intent.measures.flatMap(whereOf).map((filters): Rows => ({ related: null, filters })),
  ...intent.filters.flatMap(relatedIn).map((related) => ({ related, filters: related.where })),
];
const whereOf = (measure: Measure): Filter[][] =>
  measure.kind === 'restricted' || measure.kind === 'part' ? [measure.where] : [];

const textOf = (value: unknown): string => foldValue(String(value));
const names = ({ any, text }: Value, { field, values }: Condition): boolean =>
  any.some(({ options }) =>
    options.some(
      (one) => one.field.name === field.field && values.some((value) => textOf(value) === textOf(one.value)),
    ),
  ) || values.some((value) => textOf(value) === textOf(text));
const ends = ({ mention }: Period, { values }: Condition): boolean =>
  values.some((value) => value !== null && [mention.from, mention.to].includes(String(value).slice(0, 10)));

/** True if a filter came from the mention. */
const isOf = (filter: Filter, mention: Leaf): boolean => {
  switch (filter.kind) {
    case 'condition':
      return mention.term.t === 'value'
        ? names(mention.term, filter)
        : mention.term.t === 'period' && ends(mention.term, filter);
    case 'not':
      return isOf(filter.of, mention);
    case 'any':
    case 'all':
      return filter.of.some((one) => isOf(one, mention));
    case 'exists':
      return false;
  }
};
export const saidOf = ({ filters }: Rows, mentions: readonly Leaf[]): Filter[] =>
  filters.filter((filter) => mentions.some((one) => isOf(filter, one)));

const NEGATIVE = new Set(['!=', 'not_in', 'is_null']);
/** True if it excludes what it names. */
export const isNegative = (filter: Filter): boolean => {
  switch (filter.kind) {
    case 'condition':
      return NEGATIVE.has(filter.op) || (filter.op === '=' && (filter.values[0] === false || filter.values[0] === 0));
    case 'not':
      return true;
    case 'exists':
      return filter.negated || filter.count?.value === 0;
    case 'any':
      // An excluded period: before it, or from its end on.
      return (
        filter.of.some(isNegative) ||
        filter.of
          .map((one) => one.kind === 'condition' && one.op)
          .join()
          .startsWith('<,>=')
      );
    case 'all':
      return filter.of.some(isNegative);
  }
};

/** What is counted or listed: rows, or things with several rows each, identified by a field of these rows. */
export type Counted = { are: 'rows' } | { are: 'things'; home: string; key: string } | { are: 'unknown' };

const COUNTS = /^\s*count\s*\(\s*distinct\s+(\w+)\.(\w+)\s*\)\s*$/i;
const COUNTS_SOMEWHERE = /count\s*\(\s*distinct\b/i;

export function countedBy(lens: Lens, { measures, dimensions, distinct, home, grouped }: Intent): Counted {
  if (measures.length > 0) {
    const [only, more] = measures.map((one) => distinctCount(lens, one));
    if (measures.every((one) => distinctCount(lens, one) === null)) return { are: 'rows' };
    return only && !more && measures.length === 1 && dimensions.length === 0 ? only : { are: 'unknown' };
  }
  if (grouped || !distinct || dimensions.length === 0) return { are: 'rows' };
  const [first, another] = dimensions;
  if (another || !first || (home && home !== first.path)) return { are: 'unknown' };
  return thingsBy(lens, first.path, first.field);
}

const thingsBy = (lens: Lens, path: string, field: string): Counted => {
  const dataset = lens.datasets.find(({ name }) => name === path);
  if (!dataset) return { are: 'unknown' };
  return isDeepStrictEqual(dataset.primaryKey, [field]) ? { are: 'rows' } : { are: 'things', home: path, key: field };
};

/** Null if it isn't a distinct count. */
function distinctCount(lens: Lens, measure: Measure): Counted | null {
  if (measure.kind === 'aggregate')
    return measure.fn === 'count_distinct' ? thingsBy(lens, measure.path, measure.field!) : null;
  if (measure.kind === 'metric') {
    const metric = lens.metrics.find(({ name }) => name === measure.name);
    const [, path, field] = COUNTS.exec(metric?.expression ?? '') ?? [];
    if (metric && path && field && !metric.filter) return thingsBy(lens, path, field);
    return metric && countsSomewhere(lens, metric.name) ? { are: 'unknown' } : null;
  }
  return basesOf(measure).some((one) => distinctCount(lens, one) !== null) ? { are: 'unknown' } : null;
}
const countsSomewhere = (lens: Lens, name: string, seen = new Set<string>()): boolean => {
  const metric = lens.metrics.find((one) => one.name === name);
  if (!metric || seen.has(name)) return false;
  seen.add(name);
  return (
    COUNTS_SOMEWHERE.test(metric.expression) ||
    metric.references.metrics.some((one) => countsSomewhere(lens, one, seen))
  );
};

/** Whether the rows of a thing can differ in this. They can't in anything that its key determines. */
export const isOfEachRow = (lens: Lens, counted: Counted, filters: readonly Filter[]): boolean =>
  counted.are === 'things' &&
  filters.every(
    (one) =>
      one.kind === 'condition' &&
      lens.relationships.some(
        ({ role, from }) =>
          role === one.field.path && from.dataset === counted.home && isDeepStrictEqual(from.columns, [counted.key]),
      ),
  );
