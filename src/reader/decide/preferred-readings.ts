// Readings that another kind of reading rules out: rows and things, approved names, whole names, the nearest thing.
import type { Lens } from '../../lens/model/lens.ts';
import { homeOf } from '../../plan/bind/bind-measures.ts';
import { basesOf, type LensPlan } from '../../plan/lens-plan.ts';
import type { Edge } from '../chart/chart.ts';
import { byKey } from '../lattice/by-key.ts';
import type { WordData } from '../lattice/word-data.ts';
import type { Cond, Term } from '../meaning/terms.ts';
import { type Complete, meantBy } from './complete-reading.ts';
import { NAMED } from './parse-question.ts';

export const leavesOf = (edge: Edge<Term>): Edge<Term>[] =>
  edge.derivations[0] ? edge.derivations[0].parts.flatMap(leavesOf) : [edge];
/** What is called orders may be the rows, or what has several of them. */
export const isOnce = (leaves: readonly { term: Term }[]): boolean =>
  leaves.some(({ term }) => term.features.includes('once'));

/** The class of rows and things: rows are meant by a name that is theirs, unless nothing of the kind can hold of them. */
export const ofRows = (all: readonly Complete[]): readonly Complete[] => {
  const rows = all.filter(({ edge }) => !isOnce(leavesOf(edge)));
  const meant = new Set(rows.map((one) => one.meant));
  return rows.length > 0 ? all.filter((one) => meant.has(one.meant)) : all;
};

/** The class of approved names: what a metric is called is no part of the name of a field. */
export const approved = (all: readonly Complete[]): readonly Complete[] => {
  const metrics = all.flatMap(({ edge }) =>
    leavesOf(edge).filter(({ term }) => term.t === 'measure' && term.is === 'metric'),
  );
  const isPart = ({ term, from, to }: Edge<Term>): boolean =>
    term.t === 'field' &&
    term.options.every(({ loose }) => loose > 0) &&
    metrics.some((one) => one.from === from && one.to === to);
  return all.filter(({ edge }) => !leavesOf(edge).some(isPart));
};

/**
 * The class of keys: a column that refers to a key has the values of the key, so it is used without the join. "Fare by
 * park" groups by the park of the visit, not by that of the park.
 */
export const unjoined = (all: readonly Complete[], lens: Lens): readonly Complete[] =>
  [...byKey(all, ({ plan }) => meantBy(withOwnColumns(plan, lens))).values()].flatMap((alike) => {
    const own = alike.filter(({ plan, meant }) => meantBy(withOwnColumns(plan, lens)) === meant);
    return own.length > 0 ? own : alike;
  });

/** The plan with each joined key replaced by the column that refers to it, if all measures are of the rows with that column. */
function withOwnColumns(plan: LensPlan, lens: Lens): LensPlan {
  const [home, ...others] = new Set(plan.measures.flatMap(basesOf).map((base) => homeOf(lens, base)));
  if (!home || others.length > 0) return plan;
  const own = new Map(
    lens.relationships.flatMap(({ role, from, to }) =>
      from.dataset === home && from.columns.length === 1 ? [[`${role}.${to.columns[0]}`, from.columns[0]]] : [],
    ),
  );
  return JSON.parse(JSON.stringify(plan), (_, one) => {
    const column = one?.path && own.get(`${one.path}.${one.field}`);
    return column ? { ...one, path: home, field: column } : one;
  });
}

/** The class of names: words that are one name or one period are no two parts of a question, where both would do: "May 2024"
 *  isn't 2024 of someone called May. "Size of all scans" is made of parts, whatever is called so. */
export const unsplit = (all: readonly Complete[], { isFunction }: WordData): readonly Complete[] => {
  const leaves = all.map(({ edge }) => leavesOf(edge));
  const names = all.flatMap(({ lattice: { tokens } }, at) =>
    leaves[at]!.filter(
      ({ cat, from, to }) =>
        to - from > 1 &&
        (cat === 'period' || (NAMED.has(cat) && !tokens.slice(from, to).some(({ norm }) => isFunction(norm)))),
    ),
  );
  const splits = (own: readonly Edge<Term>[]): boolean =>
    names.some(
      (name) =>
        own.filter(({ from, to }) => name.from <= from && to <= name.to && to - from < name.to - name.from).length > 1,
    );
  return all.filter((_, at) => !splits(leaves[at]!));
};

/** The class of attachment: what may be said of a thing or of what it is a part of is said of the nearest one, where the
 *  same is measured. */
export const lowest = (all: readonly Complete[]): Complete[] =>
  [...byKey(all, measuredAs).values()].flatMap((alike) => {
    const deepest = Math.max(...alike.map(depth));
    return alike.filter((one) => depth(one) === deepest);
  });

const measuredAs = ({ query: { shown, groups } }: Complete): string =>
  [groups.length, ...shown.map((one) => (one.t === 'field' ? '' : one.is))].join();
const depth = ({ query }: Complete): number => depthOf(query.conds, 1) + depthOf(query.things?.conds ?? [], 1);
const depthOf = (conds: readonly Cond[], depth: number): number =>
  conds.reduce(
    (sum, one) =>
      sum +
      depth +
      (one.is === 'has'
        ? depthOf(one.things.conds, depth + 1)
        : one.is === 'not'
          ? depthOf([one.of], depth) - depth
          : one.is === 'all' || one.is === 'any'
            ? depthOf(one.of, depth) - depth
            : 0),
    0,
  );
