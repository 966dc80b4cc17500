import {
  createEntities,
  createGroup,
  createMeasure,
  createQuery,
  createSortOrder,
  type Entities,
  type Field,
  type Group,
  type Measure,
  type NumberTerm,
  type Query,
  type SortOrder,
  type Term,
  type Word,
} from '../terms.ts';

import { cast, createCountMeasure, getDirection, hasFeature, type Operation, replacePredicates } from './building.ts';
import { createPeriodGroup } from './groups.ts';

/**
 * The maximum number of rows in a ranking. A larger number after "the first" could be a year, as in "the first 2016
 * orders".
 */
const MAX_ROWS = 1000;

const isSingular = (term: Entities): boolean => hasFeature(term, 'one');

const getLimit = (n: Term | undefined, entityTerm: Entities): number | null =>
  n
    ? Number.isInteger(cast<NumberTerm>(n).value) &&
      cast<NumberTerm>(n).value > 0 &&
      cast<NumberTerm>(n).value <= MAX_ROWS
      ? cast<NumberTerm>(n).value
      : null
    : isSingular(entityTerm)
      ? 1
      : null;

type Direction = 'asc' | 'desc';
/** Asks for the things, not for the values that rank them. */
const createRankedQuery = (
  entityTerm: Entities,
  by: Measure | Field,
  direction: Direction,
  limit: number | null,
): Query | null =>
  limit === null
    ? null
    : createQuery({ ...createOrderedQuery(entityTerm, by, direction, limit), shown: [] }, ['ranked']);

const createOrderedQuery = (
  entityTerm: Entities,
  by: Measure | Field,
  direction: Direction,
  limit: number | null,
): Query => {
  const unrestrictedTerm = by.t === 'measure' ? replacePredicates(by, []) : by;
  return createQuery(
    {
      things: entityTerm,
      shown: [unrestrictedTerm],
      predicates: by.t === 'measure' ? by.predicates : [],
      order: [createSortOrder(unrestrictedTerm, direction)],
      limit,
    },
    ['ranked'],
  );
};

const rankByMeasure: Operation = ({ s, z, n, t, x, u }) => {
  const limit = getLimit(n, cast(t));
  return limit === null || (z && getDirection(z) !== getDirection(s))
    ? null
    : createOrderedQuery(cast(t), u ? createCountMeasure(cast(u)) : cast(x), getDirection(s), limit);
};
const limitPerGroup = (of: Query, perGroup: Group): Query | null => {
  const by = of.order[0]?.by;
  return of.limit === null || of.perGroup
    ? null
    : createQuery({ ...of, shown: of.shown.length === 0 && by ? [by] : of.shown, perGroup }, of.features);
};

export const RANK_OPERATORS: Record<string, Operation> = {
  topBy: rankByMeasure,
  withMost: ({ s, n, t, x, u }) =>
    createRankedQuery(cast(t), u ? createCountMeasure(cast(u)) : cast(x), getDirection(s), getLimit(n, cast(t))),
  ranked: ({ k, n, t }, _, nameLookup) => {
    const by = nameLookup.rankingAt(Number(cast<Word>(k).value));
    return by && createRankedQuery(cast(t), by.by, by.direction, getLimit(n, cast(t)));
  },
  mostCommon: ({ k, s, n, f, t }) => {
    const [fieldTerm, rows] = [cast<Field>(f), t ? cast<Entities>(t) : null];
    const limit = n ? cast<NumberTerm>(n).value : hasFeature(fieldTerm, 'one') ? 1 : null;
    const rowCount = rows
      ? createCountMeasure({ ...rows, predicates: [] })
      : createMeasure(
          { is: 'count', things: createEntities('', listOwners(fieldTerm), [], []), predicates: [] },
          fieldTerm.key,
          ['count'],
        );
    return limit === null
      ? null
      : createQuery(
          {
            shown: [rowCount],
            groups: [createGroup({ is: 'field', field: fieldTerm }, fieldTerm.key)],
            predicates: rows?.predicates ?? [],
            order: [createSortOrder(rowCount, getDirection(k ?? s))],
            limit,
          },
          ['ranked'],
        );
  },
  grainMost: ({ g, s, t, m, f }) => {
    const measureTerm = m ? cast<Measure>(m) : createCountMeasure(cast(t));
    if (hasFeature(measureTerm, 'thing') || ['share', 'change', 'running', 'averaged'].includes(measureTerm.is))
      return null;
    const unrestrictedTerm = replacePredicates(measureTerm, []);
    return createQuery(
      {
        shown: [unrestrictedTerm],
        groups: [createPeriodGroup(cast(g), f && cast(f))],
        predicates: measureTerm.predicates,
        order: [createSortOrder(unrestrictedTerm, getDirection(s))],
        limit: 1,
      },
      ['ranked'],
    );
  },
  ofEach: ({ q, g }) => limitPerGroup(cast(q), cast(g)),
  topOfEach: (slots, takes, nameLookup) => {
    const topQuery = rankByMeasure(slots, takes, nameLookup);
    return topQuery && limitPerGroup(cast(topQuery), cast(slots['g']));
  },
  openRank: ({ s, t, x, u }) =>
    createOrderedQuery(cast(t), x ? cast(x) : createCountMeasure(cast(u)), getDirection(s), null),
  /** A requested order implies that the question means all things. */
  openRankOrdered: ({ q, o }) => {
    const [of, { by, direction }] = [cast<Query>(q), cast<SortOrder>(o)];
    const [firstOrder] = of.order;
    return firstOrder?.by && firstOrder.direction === direction && (by === null || by.key === firstOrder.by.key)
      ? of
      : null;
  },
  latest: ({ r, n, t }) => {
    const limit = getLimit(n, cast(t));
    return limit === null
      ? null
      : createQuery({ things: cast(t), order: [createSortOrder(null, getDirection(r))], limit }, ['ranked', 'dated']);
  },
  best: ({ s, n, t }, _, nameLookup) => {
    const by = nameLookup.gainMeasureOf(cast<Entities>(t).text);
    return (
      by &&
      createOrderedQuery(
        cast(t),
        by,
        s ? getDirection(s) : 'desc',
        n || isSingular(cast(t)) ? getLimit(n, cast(t)) : null,
      )
    );
  },
};

const listOwners = (fieldTerm: Field): Entities['options'] =>
  [...new Set(fieldTerm.options.map(({ dataset }) => dataset))].map((dataset) => ({ dataset }));
