import type { WordUse } from '../../../reader/reader-result.ts';
import type { ReadingProof, Verdict } from '../../outcome.ts';
import { type AnswerCheck, createInapplicableVerdict, createPassVerdict, createUnknownVerdict } from '../check.ts';
import { findBareAmountsWarning } from './bare-amounts.ts';
import { findRepeatedRowsWarning } from './repeated-rows.ts';
import { findEmptyGroupWarning, findSharedNameWarning } from './unclear-groups.ts';

const COVERED_DETAIL = 'svc accounts for every word that could affect the measures, filters, groups or order.';
export const UNPROVEN_MODEL_DETAIL =
  'A language model interpreted the question, and svc has not proven that the model understood every word.';
const UNPROVEN_PLAN_DETAIL = 'The plan came with its question, and svc has not proven that the plan covers every word.';

export const questionCoveredCheck: AnswerCheck = {
  name: 'question_covered',
  critical: true,
  checkPlan({ plan, readingOrigin: readBy }) {
    switch (readBy.by) {
      case 'approval':
        return createPassVerdict(readBy.detail);
      case 'reader':
        return createCoverageVerdict(readBy);
      case 'model':
        return 'proof' in readBy && plan === 'compiled'
          ? createProofVerdict(readBy.proof, UNPROVEN_MODEL_DETAIL)
          : createUnknownVerdict(UNPROVEN_MODEL_DETAIL);
      case 'caller':
        if (readBy.proof) return createProofVerdict(readBy.proof, UNPROVEN_PLAN_DETAIL);
        return plan === 'compiled'
          ? createPassVerdict(COVERED_DETAIL)
          : createInapplicableVerdict('The request contains no question in plain words.');
    }
  },
  /** Warns if every word is explained, but the rows show that a word has two possible meanings. */
  checkRows(fetchedRows, verdict) {
    const doubt =
      findRepeatedRowsWarning(fetchedRows) ??
      findBareAmountsWarning(fetchedRows) ??
      findSharedNameWarning(fetchedRows) ??
      findEmptyGroupWarning(fetchedRows);
    if (doubt !== null) return { ...createUnknownVerdict(doubt), warning: doubt };
    return verdict;
  },
};

const createCoverageVerdict = ({ words, doubt }: { words: readonly WordUse[]; doubt: string | null }): Verdict =>
  doubt === null ? createPassVerdict(describeWords(words)) : { ...createUnknownVerdict(doubt), warning: doubt };

const createProofVerdict = (proof: ReadingProof, fallbackDetail: string): Verdict =>
  proof.same ? createCoverageVerdict(proof) : createUnknownVerdict(`${fallbackDetail} ${proof.reason}`);

const describeWords = (words: readonly WordUse[]): string => words.map(({ text, as }) => `${text}: ${as}`).join('; ');
