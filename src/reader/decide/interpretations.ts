// Resolves the names in a term of the chart in every way that results in a plan.
import { DateTime } from 'luxon';
import { type Lens, SVC_CALLER } from '../../lens/model/lens.ts';
import type { LensPlan } from '../../plan/lens-plan.ts';
import { replacePeriodWithFilters } from '../../plan/sentence/plan-sentence.ts';
import { checkPlan } from '../../plan/sql/compile-plan.ts';
import { memoize } from '../../platform/memoize.ts';
import { Problem } from '../../platform/problem.ts';
import type { ChartEdge } from '../chart/chart.ts';
import type { QuestionHypotheses } from '../hypotheses/find-hypotheses.ts';
import { type Ambiguity, InterpretationRejection, NameResolution } from '../meaning/name-resolution.ts';
import { createPlan } from '../meaning/plan.ts';
import type { QueryTerm, Term } from '../meaning/terms.ts';
import type { ReaderInput } from '../reader-result.ts';
import { describeDisjointPeriods, hasContradiction } from './contradictions.ts';
import { describeLeftOutRows } from './left-out-rows.ts';
import type { ParsedQuestion } from './parse-question.ts';

const MAX_CHECKED_PLANS = 100; // for each lens
const MAX_RESOLUTIONS = 32; // for each term
export interface Interpretation {
  plan: LensPlan;
  /** The plan as a string. svc merges interpretations with the same string. */
  planText: string;
  query: QueryTerm;
  /** The reason why svc declines the question although it found this interpretation, or null. */
  declinedReason: string | null;
  ambiguities: readonly Ambiguity[];
  doubts: readonly string[];
  edge: ChartEdge<Term>;
  hypotheses: QuestionHypotheses;
  /** The earlier question that this question changes. */
  before: { question: string; interpretation: Interpretation } | null;
}

/** Writes a plan as a string that doesn't depend on the order of filters and dimensions. */
export const createPlanKey = (plan: LensPlan): string => {
  const { filters, dimensions, ...rest } = replacePeriodWithFilters(plan);
  const unordered = [filters, dimensions].map((items) => items.map((item) => JSON.stringify(item)).sort());
  return JSON.stringify({ ...rest, unordered });
};

/** Caches the plans that compile, because the round trip and each choice check the same plan again. */
const memoizeCompilable = memoize<Lens, { compiles: true }>(MAX_CHECKED_PLANS);
const requireCompilable = (lens: Lens, plan: LensPlan, planText: string): void => {
  memoizeCompilable(lens, planText, () => {
    checkPlan(lens, plan, SVC_CALLER);
    return { compiles: true };
  });
};

/** Explains an error in a plan to a person who asked a question and didn't write a plan. */
const explainProblem = ({ message, details }: Problem): string => {
  const [{ code, path } = { code: '', path: '' }] = details;
  const name = path.replaceAll('_', ' ');
  if (code === 'fan_out')
    return `A counted row can have more than one row of “${name}”, so svc would count it more than once. Ask for the number of rows of “${name}”, or leave it out.`;
  if (code === 'ambiguous') return message.replace('Choose one with via', 'Name the one that you mean');
  if (code === 'not_additive')
    return 'Averages, ratios and distinct counts are not additive, so they have no shares and no running totals. Ask for the values by group, or use a total or a row count.';
  return message;
};

/**
 * Resolves the names of a term in every way that results in a valid plan. Adds to `faults` the reasons why other ways
 * don't.
 */
export const resolveInterpretations = (
  { query, edge, before }: Pick<Interpretation, 'query' | 'edge' | 'before'>,
  input: ReaderInput,
  { vocabulary, hypotheses }: ParsedQuestion,
  faults: string[],
): Interpretation[] => {
  const interpretations: Interpretation[] = [];
  const stems = new Set(
    [...hypotheses.tokens, ...(before?.interpretation.hypotheses.tokens ?? [])].map(({ stem }) => stem),
  );
  const today = DateTime.fromJSDate(input.now, { zone: input.lens.timezone }).toISODate()!;
  const pendingChoices: number[][] = [[]];
  for (
    let choices = pendingChoices.pop(), tries = 0;
    choices && tries < MAX_RESOLUTIONS;
    choices = pendingChoices.pop(), tries++
  ) {
    const resolution = new NameResolution(vocabulary, stems, choices, today);
    try {
      const plan = createPlan(resolution, query);
      const { ambiguities, doubts, declinedReason } = resolution;
      const planKey = createPlanKey(plan);
      requireCompilable(input.lens, plan, planKey);
      const planText = declinedReason ?? planKey;
      const emptyResult = describeDisjointPeriods(plan) ?? describeLeftOutRows(input.lens, plan);
      if (emptyResult) faults.push(emptyResult);
      else if (!hasContradiction(plan, vocabulary))
        interpretations.push({ plan, planText, declinedReason, query, ambiguities, doubts, edge, hypotheses, before });
    } catch (fault) {
      if (fault instanceof Problem) faults.push(explainProblem(fault));
      else if (!(fault instanceof InterpretationRejection)) throw fault;
    }
    for (const [index, { options, takenIndex }] of resolution.ambiguities.entries())
      if (index >= choices.length && takenIndex === 0)
        for (let optionIndex = 1; optionIndex < options.length; optionIndex++)
          pendingChoices.push([
            ...resolution.ambiguities.slice(0, index).map((ambiguity) => ambiguity.takenIndex),
            optionIndex,
          ]);
  }
  return interpretations;
};
