import {
  type Field,
  type Group,
  group,
  type Measure,
  measure,
  type Num,
  type Query,
  query,
  type Sorted,
  sorted,
  type Term,
  type Things,
  things,
  type Word,
} from '../terms.ts';

import { as, count, directionOf, has, NOTHING, type Operate, restrictedTo } from './building.ts';
import { GROUPS } from './groups.ts';

/** A longer list isn't "the first"; a year isn't a number of things. */
const MOST = 1000;

const one = (term: Things): boolean => has(term, 'one');

const limitOf = (n: Term | undefined, of: Things): number | null =>
  n
    ? Number.isInteger(as<Num>(n).value) && as<Num>(n).value > 0 && as<Num>(n).value <= MOST
      ? as<Num>(n).value
      : null
    : one(of)
      ? 1
      : null;

type Direction = 'asc' | 'desc';
/** Asks for the things, not for the values that rank them. */
const ranked = (of: Things, by: Measure | Field, direction: Direction, limit: number | null): Query | null =>
  limit === null ? null : query({ ...inOrder(of, by, direction, limit), shown: [] }, ['ranked']);

const inOrder = (of: Things, by: Measure | Field, direction: Direction, limit: number | null): Query => {
  const bare = by.t === 'measure' ? restrictedTo(by, []) : by;
  return query(
    { things: of, shown: [bare], conds: by.t === 'measure' ? by.conds : [], order: [sorted(bare, direction)], limit },
    ['ranked'],
  );
};

export const RANKS: Record<string, Operate> = {
  topBy: ({ s, z, n, t, x, u }) => {
    const limit = limitOf(n, as(t));
    return limit === null || (z && directionOf(z) !== directionOf(s))
      ? null
      : inOrder(
          as(t),
          u ? count(as(u)) : z && x?.t === 'field' ? { ...as<Field>(x), features: [...x.features, 'extreme'] } : as(x),
          directionOf(s),
          limit,
        );
  },
  withMost: ({ s, n, t, x, u }) => ranked(as(t), u ? count(as(u)) : as(x), directionOf(s), limitOf(n, as(t))),
  ranked: ({ k, n, t }, _, named) => {
    const by = named.ranking(Number(as<Word>(k).value));
    return by && ranked(as(t), by.by, by.direction, limitOf(n, as(t)));
  },
  mostCommon: ({ k, s, n, f, t }) => {
    const [of, rows] = [as<Field>(f), t ? as<Things>(t) : null];
    const limit = n ? as<Num>(n).value : has(of, 'one') ? 1 : null;
    const counted = rows
      ? count({ ...rows, conds: [] })
      : measure({ is: 'count', things: things('', ownersOf(of), [], []), conds: [] }, of.key, ['count']);
    return limit === null
      ? null
      : query(
          {
            shown: [counted],
            groups: [group({ is: 'field', field: of }, of.key)],
            conds: rows?.conds ?? [],
            order: [sorted(counted, directionOf(k ?? s))],
            limit,
          },
          ['ranked'],
        );
  },
  grainMost: ({ g, s, t, m, f }) => {
    const of = m ? as<Measure>(m) : count(as(t));
    if (has(of, 'thing') || ['share', 'change', 'running', 'averaged'].includes(of.is)) return null;
    const bare = restrictedTo(of, []);
    return query(
      {
        shown: [bare],
        groups: [GROUPS['groupGrain']!({ g: g!, ...(f && { f }) }, {}, NOTHING) as Group],
        conds: of.conds,
        order: [sorted(bare, directionOf(s))],
        limit: 1,
      },
      ['ranked'],
    );
  },
  ofEach: ({ q, g }) => {
    const of = as<Query>(q);
    const by = of.order[0]?.by;
    return of.limit === null || of.perGroup
      ? null
      : query({ ...of, shown: of.shown.length === 0 && by ? [by] : of.shown, perGroup: as(g) }, of.features);
  },
  topOfEach: ({ s, n, t, g, x }, takes, named) => {
    const q = RANKS['topBy']!({ s: s!, n: n!, t: t!, x: x! }, takes, named);
    return q && RANKS['ofEach']!({ q, g: g! }, takes, named);
  },
  openRank: ({ s, t, x, u }) => inOrder(as(t), x ? as(x) : count(as(u)), directionOf(s), null),
  /** A requested order implies that all are meant. */
  openRankOrdered: ({ q, o }) => {
    const [of, { by, direction }] = [as<Query>(q), as<Sorted>(o)];
    const [own] = of.order;
    return own?.by && own.direction === direction && (by === null || by.key === own.by.key) ? of : null;
  },
  latest: ({ r, n, t }) => {
    const limit = limitOf(n, as(t));
    return limit === null
      ? null
      : query({ things: as(t), order: [sorted(null, directionOf(r))], limit }, ['ranked', 'dated']);
  },
  best: ({ s, n, t }, _, named) => {
    const by = named.gain(as<Things>(t).text);
    return by && inOrder(as(t), by, s ? directionOf(s) : 'desc', n || one(as(t)) ? limitOf(n, as(t)) : null);
  },
};

const ownersOf = (of: Field): Things['options'] =>
  [...new Set(of.options.map(({ dataset }) => dataset))].map((dataset) => ({ dataset }));
