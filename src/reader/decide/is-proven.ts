// Checks whether a round trip proves an interpretation. The round trip converts the plan to its sentence, and this
// sentence to a plan again.
import type { Lens } from '../../lens/model/lens.ts';
import { parsePlainFilter, readStoredValue } from '../../lens/model/plain-filter.ts';
import { withFilters } from '../../plan/filters.ts';
import {
  type Condition,
  type Filter,
  findPlainMetricName,
  type LensPlan,
  type Operator,
} from '../../plan/lens-plan.ts';
import { writeCanonicalSentence } from '../canonical/sentence.ts';
import type { ChartEdge } from '../chart/chart.ts';
import { PROVEN_PATTERNS } from '../english/proven-patterns.ts';
import type { QuestionHypotheses } from '../hypotheses/find-hypotheses.ts';
import type { FieldCandidate, FieldTerm, QueryTerm, Term } from '../meaning/terms.ts';
import type { ReaderInput } from '../reader-result.ts';
import { findCountSubject } from '../restrictions/plan-parts.ts';
import { getVocabulary } from '../words/vocabulary.ts';
import { findPreferredInterpretations } from './interpret.ts';
import { createPlanKey, type Interpretation } from './interpretations.ts';
import { hasDistinctEntity, listLeafEdges } from './preferences.ts';

/**
 * Returns true if two conditions are met. First, the interpretation uses only proven constructions, and the question
 * contains no word such as "only" or "all". Second, svc converts the sentence of the plan to the same plan and no other
 * plan in this lens.
 */
export const isInterpretationProven = (interpretations: readonly Interpretation[], input: ReaderInput): boolean => {
  const [first] = interpretations;
  if (input.restricted || !first || !interpretations.some(isBuiltFromProvenPatterns)) return false;
  if (
    input.negated &&
    (hasDistinctEntity(first.hypotheses.leaves) || findCountSubject(input.lens, first.plan).are !== 'rows')
  )
    return false;
  const plan = replaceOperatorsOfDefinitions(input.lens, first);
  const sentence = writeCanonicalSentence(input.lens, plan);
  if (sentence === null) return false;
  const rereadings = findPreferredInterpretations({ ...input, question: sentence, context: [], choices: {} });
  const planKey = createPlanKey(plan);
  return rereadings.length > 0 && rereadings.every(({ planText }) => planText === planKey);
};

/** Operators that no sentence can express, and the operators that replace them in the round trip. */
const REPLACED_OPERATORS: Partial<Record<Operator, Operator>> = { is_not_null: 'is_null', '!=': '=' };

/**
 * Replaces the operators in the conditions of defined terms. The authors of the lens approved these conditions, so the
 * round trip only has to prove which rows each condition restricts.
 */
function replaceOperatorsOfDefinitions(lens: Lens, { plan, edge }: Interpretation): LensPlan {
  const approvedConditions = listLeafEdges(edge)
    .flatMap(({ term }) => (term.t === 'value' ? term.any : []))
    .flatMap(({ defined }) => (defined ? [defined, ...defined.senses] : []))
    .flatMap(({ filter }) => (filter && parsePlainFilter(filter)) || []);
  const { datasetOf } = getVocabulary(lens).graph;
  const isApproved = ({ field, op, values, or_null }: Condition): boolean =>
    !or_null &&
    approvedConditions.some(
      (approved) =>
        datasetOf(approved.path) === datasetOf(field.path) &&
        approved.field === field.field &&
        approved.op === op &&
        approved.values.every((text, index) => readStoredValue(text) === values[index]),
    );
  const replaceOperator = (filter: Filter): Filter =>
    'field' in filter && isApproved(filter) ? { ...filter, op: REPLACED_OPERATORS[filter.op] ?? filter.op } : filter;
  return withFilters(plan, (filters) => filters.map(replaceOperator));
}

const isBuiltFromProvenPatterns = ({ edge, before, plan, query, hypotheses }: Interpretation): boolean =>
  isDerivationProven(edge) &&
  ranksByExactName(query) &&
  listLeafEdges(edge).every(
    (leaf) => (hasExactName(leaf, plan) || isCountedByMetric(leaf, plan, hypotheses)) && !isGroupedBy(plan, leaf),
  ) &&
  (before === null || isBuiltFromProvenPatterns(before.interpretation));

/**
 * Returns true if the plan groups by the entities. If rows are order lines, "units per order" can mean one row for each
 * order, or the average over all orders.
 */
const isGroupedBy = ({ dimensions }: LensPlan, { term }: ChartEdge<Term>): boolean =>
  term.t === 'things' &&
  term.features.includes('once') &&
  term.options.some(({ by }) =>
    dimensions.some(({ path, field }) => path === by?.dataset && field === by.fields[0]!.name),
  );

/**
 * Returns true if the plan uses a metric with the name of the counted rows. An example is "customers by region" if a
 * metric is called customers.
 */
const isCountedByMetric = (
  { cat, from, to }: ChartEdge<Term>,
  { measures }: LensPlan,
  { leaves }: QuestionHypotheses,
): boolean =>
  cat === 'things' &&
  leaves.some(
    ({ term, ...leaf }) =>
      leaf.from === from &&
      leaf.to === to &&
      term.t === 'measure' &&
      term.is === 'metric' &&
      term.metrics.some(({ name }) => measures.some((measure) => findPlainMetricName(measure) === name)),
  );

/**
 * Returns false if the name matches only loosely and may mean something else, such as "meals" for the field meal_code.
 */
const hasExactName = ({ term }: ChartEdge<Term>, plan: LensPlan): boolean =>
  term.t === 'field'
    ? listUsedOptions(term, plan).some(({ loose }) => loose < 2)
    : term.t !== 'things' ||
      term.features.includes('once') ||
      term.options.some(({ by }) => !by || (by.loose === 0 && by.identity === undefined));

/** Returns the meanings of a name that the plan uses. Returns all meanings if the plan uses a metric instead. */
function listUsedOptions({ options }: FieldTerm, plan: LensPlan): readonly FieldCandidate[] {
  const planJson = JSON.stringify(plan);
  const used = options.filter(({ fields }) => fields.some(({ name }) => planJson.includes(`"field":"${name}"`)));
  return used.length > 0 ? used : options;
}

/**
 * Returns false if a ranking matches its field only loosely. For example, "most expensive permit" isn't exact if the
 * only cost of a permit is its estimated cost.
 */
const ranksByExactName = ({ order, things }: QueryTerm): boolean =>
  order.every(
    ({ by }) =>
      by?.t !== 'field' ||
      !by.features.includes('own') ||
      by.options.some(
        ({ dataset, loose }) => loose < 2 && things?.options.some((option) => option.dataset === dataset),
      ),
  );

const isDerivationProven = ({ derivations }: ChartEdge<Term>): boolean =>
  derivations.length === 0 ||
  derivations.some(
    ({ rule, parts }) =>
      // Skips the construction of a follow-up, which has no plan of its own. svc proves the complete plan that results
      // from the follow-up.
      (rule.out === 'change' || PROVEN_PATTERNS.get(rule.entry)?.includes(rule.pattern) === true) &&
      parts.every(isDerivationProven),
  );
