// Orders the options of a clarification by a model's interpretation. The option that leads to the model's statement
// comes first. The caller still makes the choice.
import type { Clarification } from '../../../contract/ask.ts';
import { isEarlyEnd } from '../../outcome.ts';
import { planQuestion } from '../plan-question.ts';
import { compileDecision, type ModelRequest, requestDecision } from './decide.ts';

const MAX_TRIED_OPTIONS = 12;

export async function choosePreferredOption(
  modelRequest: ModelRequest,
  clarification: Clarification,
): Promise<Clarification> {
  const { grantedLens, asked, limits } = modelRequest;
  const { term, options } = clarification;
  if (options.length < 2) return clarification;
  const decision = await requestDecision(modelRequest);
  const proposedPlan = decision && (await compileDecision(modelRequest, decision));
  if (!proposedPlan || typeof proposedPlan === 'string' || isEarlyEnd(proposedPlan)) return clarification;
  for (const option of options.slice(0, MAX_TRIED_OPTIONS)) {
    const key = typeof option === 'string' ? option : option.key;
    const chosenPlan = await planQuestion(
      grantedLens,
      { ...asked, choices: { ...asked.choices, [term]: key } },
      limits,
    );
    if (isEarlyEnd(chosenPlan) || chosenPlan.compiledQuery.sql !== proposedPlan.compiledQuery.sql) continue;
    return {
      ...clarification,
      message: `${clarification.message} A language model would choose ${key}.`,
      options: [option, ...options.filter((item) => item !== option)],
    };
  }
  return clarification;
}
