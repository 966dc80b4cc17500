// Writes a plan as a question that the reader converts to this plan and no other.

import type { Lens } from '../../lens/model/lens.ts';
import type { LensPlan } from '../../plan/lens-plan.ts';
import { createPlainNames, NoUnambiguousSentenceError } from '../../plan/sentence/names.ts';
import { writePlanSentence } from '../../plan/sentence/plan-sentence.ts';
import { writeQuestion } from '../../plan/sentence/write-question.ts';
import { getVocabulary } from '../words/vocabulary.ts';
import { createRoundTripNames } from './round-trip-names.ts';

/** Returns null if every sentence for this plan can also mean another plan. */
export const writeCanonicalSentence = (lens: Lens, plan: LensPlan): string | null => {
  try {
    return writeQuestion(createRoundTripNames(getVocabulary(lens)), plan);
  } catch (fault) {
    if (fault instanceof NoUnambiguousSentenceError) return null;
    throw fault;
  }
};

export const writeSentence = (lens: Lens, plan: LensPlan): string => {
  const question = writeCanonicalSentence(lens, plan);
  return question === null ? writePlanSentence(createPlainNames(lens), plan) : `${question}.`;
};
