// Lists each restricting word of a question with the part of the plan that expresses the word, regardless of who made
// the plan.

import type { Lens } from '../../lens/model/lens.ts';
import type { LensPlan } from '../../plan/lens-plan.ts';
import { planContextOf } from './plan-context.ts';
import { conjunctionsIn, EXPRESS_BY_SENSE, type ExpressedText, expressAnd } from './senses.ts';
import { type Sentence, sentenceOf } from './sentence.ts';

export interface ExpressedWord {
  word: string;
  says: ExpressedText;
}

export function expressWords(sentence: Sentence, plan: LensPlan, lens: Lens): ExpressedWord[] {
  const planContext = planContextOf(lens, plan, sentence);
  return [
    ...sentence.restrictionWords.map((word) => ({
      word: word.text,
      says: EXPRESS_BY_SENSE[word.sense](planContext, word),
    })),
    ...conjunctionsIn(sentence).map((pair) => ({ word: 'and', says: expressAnd(planContext, pair) })),
  ];
}

/** `texts`: the question, and the earlier questions that it continues. */
export const expressedWordsOf = (texts: readonly string[], plan: LensPlan, lens: Lens, now: Date): ExpressedWord[] =>
  texts.flatMap((text) => expressWords(sentenceOf(text, lens, now), plan, lens));
