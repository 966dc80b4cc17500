// Drops readings if there are preferred ones.
import type { Lens } from '../../lens/model/lens.ts';
import { homeOf } from '../../plan/bind/bind-measures.ts';
import { basesOf, type LensPlan } from '../../plan/lens-plan.ts';
import type { Edge } from '../chart/chart.ts';
import { byKey } from '../lattice/by-key.ts';
import type { WordData } from '../lattice/word-data.ts';
import type { Predicate, Term } from '../meaning/terms.ts';
import { type Interpretation, planKey } from './interpretations.ts';
import { NAMED } from './parse-question.ts';

export const leavesOf = (edge: Edge<Term>): Edge<Term>[] =>
  edge.derivations[0] ? edge.derivations[0].parts.flatMap(leavesOf) : [edge];
/** "Orders" can mean the rows, or things that have several of these rows. */
export const hasDistinctEntity = (leaves: readonly { term: Term }[]): boolean =>
  leaves.some(({ term }) => term.features.includes('once'));

/** Rows and things: a name of the rows means the rows, unless the condition can't apply to rows. */
export const preferRows = (all: readonly Interpretation[]): readonly Interpretation[] => {
  const rows = all.filter(({ edge }) => !hasDistinctEntity(leavesOf(edge)));
  const meant = new Set(rows.map((row) => row.meant));
  return rows.length > 0 ? all.filter((item) => meant.has(item.meant)) : all;
};

/** Approved names: the name of a metric isn't part of a field's name. */
export const withoutMetricNamesInFields = (all: readonly Interpretation[]): readonly Interpretation[] => {
  const metrics = all.flatMap(({ edge }) =>
    leavesOf(edge).filter(({ term }) => term.t === 'measure' && term.is === 'metric'),
  );
  const isPart = ({ term, from, to }: Edge<Term>): boolean =>
    term.t === 'field' &&
    term.options.every(({ loose }) => loose > 0) &&
    metrics.some((metric) => metric.from === from && metric.to === to);
  return all.filter(({ edge }) => !leavesOf(edge).some(isPart));
};

/**
 * Keys: a column that refers to a key has the same values as the key, so the plan uses it without the join. "Fare by park"
 * groups by the park column of the visit.
 */
export const unjoined = (all: readonly Interpretation[], lens: Lens): readonly Interpretation[] =>
  all.length < 2
    ? all
    : [...byKey(all, ({ plan }) => planKey(withOwnColumns(plan, lens)))].flatMap(([key, samePlans]) => {
        const ownPlans = samePlans.filter(({ meant }) => meant === key);
        return ownPlans.length > 0 ? ownPlans : samePlans;
      });

/** Replaces each joined key with the column that refers to it, if all measures are of the rows with that column. */
function withOwnColumns(plan: LensPlan, lens: Lens): LensPlan {
  const [homeDataset, ...others] = new Set(plan.measures.flatMap(basesOf).map((base) => homeOf(lens, base)));
  if (!homeDataset || others.length > 0) return plan;
  const ownColumns = new Map(
    lens.relationships.flatMap(({ role, from, to }) =>
      from.dataset === homeDataset && from.columns.length === 1 ? [[`${role}.${to.columns[0]}`, from.columns[0]]] : [],
    ),
  );
  return JSON.parse(JSON.stringify(plan), (_, one) => {
    const column = one?.path && ownColumns.get(`${one.path}.${one.field}`);
    return column ? { ...one, path: homeDataset, field: column } : one;
  });
}

/**
 * Names of things: a word that names things and is also a stored value means the things. "Amount of invoices" doesn't
 * mean the amount of rows of the kind "invoice".
 */
export const preferThings = (all: readonly Interpretation[]): readonly Interpretation[] => {
  const leaves = all.map(({ edge }) => leavesOf(edge));
  const names = leaves.flatMap((edgeLeaves) => edgeLeaves.filter(({ cat }) => cat === 'things' || cat === 'measure'));
  const isName = (one: Edge<Term>): boolean =>
    one.term.features.includes('state') && names.some(({ from, to }) => from === one.from && to === one.to);
  const left = all.filter((_, index) => !leaves[index]!.some((item) => item.cat === 'value' && isName(item)));
  return left.length > 0 ? left : all;
};

/**
 * Whole names: words that form one name or one period aren't two parts of the question. "May 2024" isn't 2024 of
 * someone called May. "Size of all scans" always has parts, even if something has this name.
 */
export const withoutSplitNames = (
  all: readonly Interpretation[],
  { isFunction }: WordData,
): readonly Interpretation[] => {
  const leaves = all.map(({ edge }) => leavesOf(edge));
  const names = all.flatMap(({ lattice: { tokens } }, index) =>
    leaves[index]!.filter(
      ({ cat, from, to }) =>
        to - from > 1 &&
        (cat === 'period' || (NAMED.has(cat) && !tokens.slice(from, to).some(({ norm }) => isFunction(norm)))),
    ),
  );
  const splits = (edgeLeaves: readonly Edge<Term>[]): boolean =>
    names.some(
      (name) =>
        edgeLeaves.filter(({ from, to }) => name.from <= from && to <= name.to && to - from < name.to - name.from)
          .length > 1,
    );
  return all.filter((_, index) => !splits(leaves[index]!));
};

/**
 * Own fields: "words of assignments" sums the field of the assignments, not the words of jobs that have assignments.
 */
export const preferOwnFields = (all: readonly Interpretation[], lens: Lens): readonly Interpretation[] => {
  const owners = new Set(
    all.flatMap(({ query: { shown }, plan }) => {
      const homes = plan.measures.flatMap(basesOf).map((base) => homeOf(lens, base));
      return shown.flatMap((item) =>
        item.t === 'measure' && item.is === 'aggregate' && item.field.of
          ? item.field.of.options.flatMap(({ dataset, by }) => (!by && homes.includes(dataset) ? [dataset] : []))
          : [],
      );
    }),
  );
  const restricts = (predicate: Predicate): boolean =>
    predicate.is === 'has' &&
    predicate.verb === null &&
    predicate.things.options.some(({ dataset }) => owners.has(dataset));
  const left = all.filter(({ query: { predicates } }) => !predicates.some(restricts));
  return left.length > 0 ? left : all;
};

/** Attachment: a condition applies to the closest thing, provided that the readings measure the same. */
export const nearestAttachment = (all: readonly Interpretation[]): Interpretation[] =>
  [...byKey(all, measuredAs).values()].flatMap((sameMeasure) => {
    const deepest = Math.max(...sameMeasure.map(depth));
    return sameMeasure.filter((item) => depth(item) === deepest);
  });

const measuredAs = ({ query: { shown, groups } }: Interpretation): string =>
  [groups.length, ...shown.map((item) => (item.t === 'field' ? '' : item.is))].join();
const depth = ({ query }: Interpretation): number =>
  depthOf(query.predicates, 1) + depthOf(query.things?.predicates ?? [], 1);
const depthOf = (predicates: readonly Predicate[], depth: number): number =>
  predicates.reduce(
    (sum, one) =>
      sum +
      depth +
      (one.is === 'has'
        ? depthOf(one.things.predicates, depth + 1)
        : one.is === 'not'
          ? depthOf([one.of], depth) - depth
          : one.is === 'all' || one.is === 'any'
            ? depthOf(one.of, depth) - depth
            : 0),
    0,
  );
