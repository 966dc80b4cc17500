import {
  createEntities,
  createGroup,
  createQuery,
  createSortOrder,
  type EntitiesTerm,
  type FieldTerm,
  type GroupTerm,
  type MeasureTerm,
  type NumberTerm,
  type QueryTerm,
  type SortOrderTerm,
  type WordTerm,
} from '../terms.ts';

import {
  createCountMeasure,
  getDirection,
  hasFeature,
  isComputedOverGroups,
  replaceEntityPredicates,
  replacePredicates,
  type TermOperator,
} from './building.ts';
import { createPeriodGroup } from './groups.ts';

/**
 * The maximum number of rows in a ranking. A larger number after "the first" could be a year, as in "the first 2016
 * orders".
 */
const MAX_ROWS = 1000;

const getLimit = (n: NumberTerm | undefined, entityTerm: EntitiesTerm): number | null => {
  if (!n) return hasFeature(entityTerm, 'one') ? 1 : null;
  return Number.isInteger(n.value) && n.value > 0 && n.value <= MAX_ROWS ? n.value : null;
};

const createOrderedQuery = (
  things: EntitiesTerm,
  by: MeasureTerm | FieldTerm,
  direction: 'asc' | 'desc',
  limit: number | null,
): QueryTerm => {
  const unrestrictedTerm = by.t === 'measure' ? replacePredicates(by, []) : by;
  const predicates = by.t === 'measure' ? by.predicates : [];
  const order = [createSortOrder(unrestrictedTerm, direction)];
  return createQuery({ things, shown: [unrestrictedTerm], predicates, order, limit }, ['ranked']);
};
/** Creates a query for the entities, without the values that rank them. */
const createRankedQuery = (
  things: EntitiesTerm,
  by: MeasureTerm | FieldTerm,
  direction: 'asc' | 'desc',
  limit: number | null,
): QueryTerm | null =>
  limit === null ? null : createQuery({ ...createOrderedQuery(things, by, direction, limit), shown: [] }, ['ranked']);

interface RankSlots {
  s: WordTerm;
  n?: NumberTerm;
  t: EntitiesTerm;
  /** The measure or field to rank by. If absent, the ranking counts rows of `u`. */
  x?: MeasureTerm | FieldTerm;
  u: EntitiesTerm;
}
const rankByMeasure = ({ s, z, n, t, x, u }: RankSlots & { z?: WordTerm }): QueryTerm | null => {
  const limit = getLimit(n, t);
  return limit === null || (z && getDirection(z) !== getDirection(s))
    ? null
    : createOrderedQuery(t, x ?? createCountMeasure(u), getDirection(s), limit);
};
const limitPerGroup = (of: QueryTerm | null, perGroup: GroupTerm): QueryTerm | null => {
  if (!of || of.limit === null || of.perGroup) return null;
  const by = of.order[0]?.by;
  return createQuery({ ...of, shown: of.shown.length === 0 && by ? [by] : of.shown, perGroup }, of.features);
};

export const RANK_OPERATORS = {
  topBy: rankByMeasure,
  withMost: ({ s, n, t, x, u }: RankSlots) =>
    createRankedQuery(t, x ?? createCountMeasure(u), getDirection(s), getLimit(n, t)),
  ranked: ({ k, n, t }: { k: WordTerm; n?: NumberTerm; t: EntitiesTerm }, _, nameLookup) => {
    const by = nameLookup.rankingAt(Number(k.value));
    return by && createRankedQuery(t, by.by, by.direction, getLimit(n, t));
  },
  mostCommon: ({ k, s, n, f, t }: { k?: WordTerm; s?: WordTerm; n?: NumberTerm; f: FieldTerm; t?: EntitiesTerm }) => {
    const limit = n?.value ?? (hasFeature(f, 'one') ? 1 : null);
    const owners = [...new Set(f.options.map(({ dataset }) => dataset))].map((dataset) => ({ dataset }));
    const rowCount = createCountMeasure(t ? replaceEntityPredicates(t, []) : createEntities('', owners));
    return limit === null
      ? null
      : createQuery(
          {
            shown: [rowCount],
            groups: [createGroup({ is: 'field', field: f })],
            predicates: t?.predicates ?? [],
            order: [createSortOrder(rowCount, getDirection(k ?? s))],
            limit,
          },
          ['ranked'],
        );
  },
  grainMost: ({ g, s, t, m, f }: { g: WordTerm; s: WordTerm; t: EntitiesTerm; m?: MeasureTerm; f?: FieldTerm }) => {
    const measureTerm = m ?? createCountMeasure(t);
    if (hasFeature(measureTerm, 'thing') || isComputedOverGroups(measureTerm)) return null;
    const unrestrictedTerm = replacePredicates(measureTerm, []);
    return createQuery(
      {
        shown: [unrestrictedTerm],
        groups: [createPeriodGroup(g, f)],
        predicates: measureTerm.predicates,
        order: [createSortOrder(unrestrictedTerm, getDirection(s))],
        limit: 1,
      },
      ['ranked'],
    );
  },
  ofEach: ({ q, g }: { q: QueryTerm; g: GroupTerm }) => limitPerGroup(q, g),
  topOfEach: ({ g, ...slots }: RankSlots & { g: GroupTerm }) => limitPerGroup(rankByMeasure(slots), g),
  openRank: ({ s, t, x, u }: RankSlots) => createOrderedQuery(t, x ?? createCountMeasure(u), getDirection(s), null),
  /** An explicit order shows that the question asks for all entities, not only for the first one. */
  openRankOrdered: ({ q, o: { by, direction } }: { q: QueryTerm; o: SortOrderTerm }) => {
    const [first] = q.order;
    return first?.by && first.direction === direction && (by === null || by.key === first.by.key) ? q : null;
  },
  latest: ({ r, n, t }: { r: WordTerm; n?: NumberTerm; t: EntitiesTerm }) => {
    const limit = getLimit(n, t);
    return limit === null
      ? null
      : createQuery({ things: t, order: [createSortOrder(null, getDirection(r))], limit }, ['ranked', 'dated']);
  },
  best: ({ s, n, t }: { s?: WordTerm; n?: NumberTerm; t: EntitiesTerm }, _, nameLookup) => {
    const by = nameLookup.gainMeasureOf(t.text);
    return by && createOrderedQuery(t, by, getDirection(s), getLimit(n, t));
  },
} satisfies Record<string, TermOperator>;
