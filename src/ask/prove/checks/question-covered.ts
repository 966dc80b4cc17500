import type { WordUse } from '../../../reader/reading.ts';
import type { ReadingProof, Verdict } from '../../outcome.ts';
import { type AnswerCheck, notApplicable, passed, undetermined } from '../check.ts';
import { bareAmounts } from './bare-amounts.ts';
import { repeatedRows } from './repeated-rows.ts';

const COVERED_DETAIL = 'Every word that could measure, restrict, order or group is accounted for.';
export const UNPROVEN_MODEL_DETAIL =
  'A language model interpreted the question. That it understood every word is not proven.';
const UNPROVEN_PLAN_DETAIL = 'The plan came with its question. That it covers every word is not proven.';

export const questionCovered: AnswerCheck = {
  name: 'question_covered',
  critical: true,
  ofPlan({ plan, read }) {
    switch (read.by) {
      case 'approval':
        return passed(read.said);
      case 'reader':
        return coverageVerdict(read);
      case 'model':
        return 'proof' in read && plan === 'compiled'
          ? proofVerdict(read.proof, UNPROVEN_MODEL_DETAIL)
          : undetermined(UNPROVEN_MODEL_DETAIL);
      case 'caller':
        if (read.proof) return proofVerdict(read.proof, UNPROVEN_PLAN_DETAIL);
        return plan === 'compiled' ? passed(COVERED_DETAIL) : notApplicable('There was no question in words.');
    }
  },
  /** Every word is explained, but the rows show that one word has two possible meanings. */
  ofRows(fetched, verdict) {
    const doubt = repeatedRows(fetched) ?? bareAmounts(fetched);
    if (doubt !== null) return { ...undetermined(doubt), warning: doubt };
    return verdict;
  },
};

const coverageVerdict = ({ words, doubt }: { words: readonly WordUse[]; doubt: string | null }): Verdict =>
  doubt === null ? passed(wordsOf(words)) : { ...undetermined(doubt), warning: doubt };

const proofVerdict = (proof: ReadingProof, otherwise: string): Verdict =>
  proof.same ? coverageVerdict(proof) : undetermined(`${otherwise} ${proof.why}`);

const wordsOf = (words: readonly WordUse[]): string => words.map(({ text, as }) => `${text}: ${as}`).join('; ');
