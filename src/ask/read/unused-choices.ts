// Finds choices of a caller that have no effect, so that the answer can say so. A caller who expects a choice to filter
// the rows must learn that a choice only answers a clarification.
import { type EarlyEnd, isEarlyEnd, type Plan } from '../outcome.ts';

export type Choices = Record<string, string>;
type PlanWithChoices = (choices: Choices) => Promise<Plan | EarlyEnd>;

/** svc checks the choices one by one only if there are at most this many, because it plans again for each of them. */
const MAX_CHECKED_CHOICES = 10;

/** Returns the terms whose choices don't change the plan. */
export async function findUnusedChoices(plan: Plan, choices: Choices, planWith: PlanWithChoices): Promise<string[]> {
  const terms = Object.keys(choices);
  if (terms.length === 0) return [];
  const planKey = createPlanKey(plan);
  const isSamePlan = async (rest: Choices) => createPlanKey(await planWith(rest)) === planKey;
  if (await isSamePlan({})) return terms;
  if (terms.length === 1 || terms.length > MAX_CHECKED_CHOICES) return [];
  const unusedTerms: string[] = [];
  let usedChoices = choices;
  for (const term of terms) {
    const { [term]: _, ...rest } = usedChoices;
    if (!(await isSamePlan(rest))) continue;
    unusedTerms.push(term);
    usedChoices = rest;
  }
  return unusedTerms;
}

export function addUnusedChoicesNote<T extends Plan>(plan: T, choices: Choices, unusedTerms: readonly string[]): T {
  if (unusedTerms.length === 0) return plan;
  const names = unusedTerms.map((term) => `“${term}: ${choices[term]}”`).join(', ');
  const note = `svc did not use ${names} in choices, because svc asked for no such choice. To restrict the answer, write the value in the question or in a filter.`;
  return { ...plan, warnings: [...plan.warnings, note] };
}

export const withUnusedChoicesNote = async <T extends Plan>(
  plan: T,
  choices: Choices,
  planWith: PlanWithChoices,
): Promise<T> => addUnusedChoicesNote(plan, choices, await findUnusedChoices(plan, choices, planWith));

/** Returns a key that is equal for two plans with the same rows and the same doubts. */
function createPlanKey(plan: Plan | EarlyEnd): string | null {
  if (isEarlyEnd(plan)) return null;
  const { values, warnings } = plan;
  const statement =
    plan.plan === 'certified'
      ? [plan.entry.certId, plan.parameters]
      : plan.plan === 'compiled'
        ? [plan.compiledQuery.sql, plan.sumDoubts, 'meant' in plan.readingOrigin && plan.readingOrigin.meant]
        : [plan.sql];
  return JSON.stringify([plan.plan, statement, values.certainty, warnings]);
}
