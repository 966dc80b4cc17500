// Drops interpretations if svc prefers other interpretations.
import type { Lens } from '../../lens/model/lens.ts';
import { findMainDataset } from '../../plan/bind/bind-measures.ts';
import { type LensPlan, listBaseMeasures } from '../../plan/lens-plan.ts';
import type { ChartEdge } from '../chart/chart.ts';
import { isFunctionWord } from '../hypotheses/phrase-meanings.ts';
import type { PredicateTerm, Term } from '../meaning/terms.ts';
import { groupByKey } from '../words/group-by-key.ts';
import { createPlanKey, type Interpretation } from './interpretations.ts';
import { NAME_CATEGORIES } from './parse-question.ts';

export const listLeafEdges = (edge: ChartEdge<Term>): ChartEdge<Term>[] =>
  edge.derivations[0] ? edge.derivations[0].parts.flatMap(listLeafEdges) : [edge];
/**
 * Returns true if a name means entities that have several rows each. For example, each order has several order lines.
 */
export const hasDistinctEntity = (leaves: readonly { term: Term }[]): boolean =>
  leaves.some(({ term }) => term.features.includes('once'));

/**
 * Keeps interpretations in which names mean rows, not entities with several rows each. If there is no such
 * interpretation, keeps all.
 */
export const preferRows = (interpretations: readonly Interpretation[]): readonly Interpretation[] => {
  const rows = interpretations.filter(({ edge }) => !hasDistinctEntity(listLeafEdges(edge)));
  const planTexts = new Set(rows.map((row) => row.planText));
  return rows.length > 0 ? interpretations.filter((item) => planTexts.has(item.planText)) : interpretations;
};

/** Drops interpretations that use a metric whose name is only a part of a field's name. */
export const dropMetricNamesInFields = (interpretations: readonly Interpretation[]): readonly Interpretation[] => {
  const metrics = interpretations.flatMap(({ edge }) =>
    listLeafEdges(edge).filter(({ term }) => term.t === 'measure' && term.is === 'metric'),
  );
  const isPart = ({ term, from, to }: ChartEdge<Term>): boolean =>
    term.t === 'field' &&
    term.options.every(({ loose }) => loose > 0) &&
    metrics.some((metric) => metric.from === from && metric.to === to);
  return interpretations.filter(({ edge }) => !listLeafEdges(edge).some(isPart));
};

/**
 * Prefers plans that use a foreign key column instead of joining the dataset that the column refers to. For example,
 * "fare by park" groups by the park column of the visits.
 */
export const preferUnjoinedColumns = (
  interpretations: readonly Interpretation[],
  lens: Lens,
): readonly Interpretation[] =>
  interpretations.length < 2
    ? interpretations
    : [...groupByKey(interpretations, ({ plan }) => createPlanKey(replaceJoinedKeys(plan, lens)))].flatMap(
        ([key, samePlans]) => {
          const ownPlans = samePlans.filter(({ planText }) => planText === key);
          return ownPlans.length > 0 ? ownPlans : samePlans;
        },
      );

/**
 * Replaces each key of a joined dataset with the foreign key column, if all measures aggregate the dataset that
 * contains this column.
 */
function replaceJoinedKeys(plan: LensPlan, lens: Lens): LensPlan {
  const [homeDataset, ...others] = new Set(
    plan.measures.flatMap(listBaseMeasures).map((base) => findMainDataset(lens, base)),
  );
  if (!homeDataset || others.length > 0) return plan;
  const ownColumns = new Map(
    lens.relationships.flatMap(({ role, from, to }) =>
      from.dataset === homeDataset && from.columns.length === 1 ? [[`${role}.${to.columns[0]}`, from.columns[0]]] : [],
    ),
  );
  return JSON.parse(JSON.stringify(plan), (_, value) => {
    const column = value?.path && ownColumns.get(`${value.path}.${value.field}`);
    return column ? { ...value, path: homeDataset, field: column } : value;
  });
}

/**
 * Prefers entities to stored values with the same name. For example, "amount of invoices" doesn't mean the amount of
 * rows whose kind is "invoice".
 */
export const preferEntitiesToValues = (interpretations: readonly Interpretation[]): readonly Interpretation[] => {
  const leaves = interpretations.map(({ edge }) => listLeafEdges(edge));
  const names = leaves.flatMap((edgeLeaves) => edgeLeaves.filter(({ cat }) => cat === 'things' || cat === 'measure'));
  const isName = (edge: ChartEdge<Term>): boolean =>
    edge.term.features.includes('state') && names.some(({ from, to }) => from === edge.from && to === edge.to);
  const remaining = interpretations.filter(
    (_, index) => !leaves[index]!.some((item) => item.cat === 'value' && isName(item)),
  );
  return remaining.length > 0 ? remaining : interpretations;
};

/**
 * Drops interpretations that split a name or a period into separate parts. For example, "May 2024" doesn't mean the
 * year 2024 of someone called May. A phrase with function words, such as "size of all scans", can always be split, even
 * if it is a name.
 */
export const dropInterpretationsThatSplitNames = (
  interpretations: readonly Interpretation[],
): readonly Interpretation[] => {
  const leaves = interpretations.map(({ edge }) => listLeafEdges(edge));
  const names = interpretations.flatMap(({ hypotheses: { tokens } }, index) =>
    leaves[index]!.filter(
      ({ cat, from, to }) =>
        to - from > 1 &&
        (cat === 'period' ||
          (NAME_CATEGORIES.has(cat) && !tokens.slice(from, to).some(({ norm }) => isFunctionWord(norm)))),
    ),
  );
  const isSplit = (edgeLeaves: readonly ChartEdge<Term>[]): boolean =>
    names.some(
      (name) =>
        edgeLeaves.filter(({ from, to }) => name.from <= from && to <= name.to && to - from < name.to - name.from)
          .length > 1,
    );
  return interpretations.filter((_, index) => !isSplit(leaves[index]!));
};

/**
 * Prefers fields of the named entities to fields of joined datasets. For example, "words of assignments" sums the field
 * words of the assignments, not the field words of the jobs that have assignments.
 */
export const preferOwnFields = (interpretations: readonly Interpretation[], lens: Lens): readonly Interpretation[] => {
  const owners = new Set(
    interpretations.flatMap(({ query: { shown }, plan }) => {
      const homes = plan.measures.flatMap(listBaseMeasures).map((base) => findMainDataset(lens, base));
      return shown.flatMap((item) =>
        item.t === 'measure' && item.is === 'aggregate' && item.field.of
          ? item.field.of.options.flatMap(({ dataset, by }) => (!by && homes.includes(dataset) ? [dataset] : []))
          : [],
      );
    }),
  );
  const requiresOwner = (predicate: PredicateTerm): boolean =>
    predicate.is === 'has' &&
    predicate.verb === null &&
    predicate.things.options.some(({ dataset }) => owners.has(dataset));
  const remaining = interpretations.filter(({ query: { predicates } }) => !predicates.some(requiresOwner));
  return remaining.length > 0 ? remaining : interpretations;
};

/**
 * Among interpretations with the same measures and stored values, keeps those in which conditions apply to the closest
 * entities. If "Only one" is a stored value, a question with this value isn't a question about "only one item".
 */
export const preferNearestAttachment = (interpretations: readonly Interpretation[]): Interpretation[] =>
  [...groupByKey(interpretations, createMeasureKey).values()].flatMap((sameMeasure) => {
    const maxDepth = Math.max(...sameMeasure.map(computeQueryDepth));
    return sameMeasure.filter((item) => computeQueryDepth(item) === maxDepth);
  });

const createMeasureKey = ({ query: { shown, groups }, edge }: Interpretation): string =>
  [
    groups.length,
    ...shown.map((item) => (item.t === 'field' ? '' : item.is)),
    ...listLeafEdges(edge).flatMap(({ cat, from, to }) => (cat === 'value' ? `${from}-${to}` : [])),
  ].join();
const computeQueryDepth = ({ query }: Interpretation): number =>
  computePredicateDepth(query.predicates, 1) + computePredicateDepth(query.things?.predicates ?? [], 1);
const computePredicateDepth = (predicates: readonly PredicateTerm[], attachmentDepth: number): number =>
  predicates.reduce(
    (sum, query) =>
      sum +
      attachmentDepth +
      (query.is === 'has'
        ? computePredicateDepth(query.things.predicates, attachmentDepth + 1)
        : query.is === 'not'
          ? computePredicateDepth([query.of], attachmentDepth) - attachmentDepth
          : query.is === 'all' || query.is === 'any'
            ? computePredicateDepth(query.of, attachmentDepth) - attachmentDepth
            : 0),
    0,
  );
