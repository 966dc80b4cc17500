// Lists each restricting word of a question with the part of the plan that expresses the word. The plan can come from
// svc or from the caller.

import type { Lens } from '../../lens/model/lens.ts';
import type { LensPlan } from '../../plan/lens-plan.ts';
import { createPlanContext } from './plan-context.ts';
import { EXPRESSION_FINDERS, findConjunctions, findExpressionOfAnd, type RestrictionExpression } from './senses.ts';
import { type ParsedSentence, parseSentence } from './sentence.ts';

export interface ExpressedWord {
  word: string;
  says: RestrictionExpression;
}

export function matchWordsToPlan(sentence: ParsedSentence, plan: LensPlan, lens: Lens): ExpressedWord[] {
  const planContext = createPlanContext(lens, plan, sentence);
  return [
    ...sentence.restrictionWords.map((word) => ({
      word: word.text,
      says: EXPRESSION_FINDERS[word.sense](planContext, word),
    })),
    ...findConjunctions(sentence).map((pair) => ({ word: 'and', says: findExpressionOfAnd(planContext, pair) })),
  ];
}

/** `texts` contains the question and the earlier questions that it continues. */
export const findExpressedWords = (texts: readonly string[], plan: LensPlan, lens: Lens, now: Date): ExpressedWord[] =>
  texts.flatMap((text) => matchWordsToPlan(parseSentence(text, lens, now), plan, lens));
