// A reader is whatever interpreted the question: a certified entry, svc itself or a language model. A repeated question
// counts once.
import type { z } from 'zod';
import type { Envelope } from '../../contract/ask.ts';
import type { evalSummarySchema } from '../../contract/mgmt/evals.ts';

export type Reader = ReaderAccuracy['reader'];

/** Null if there is no answer, or no question in words. */
export function findReader({ status, plan, checks, question }: ReadEnvelope): Reader | null {
  if (status !== 'answered' || question === null) return null;
  if (plan === 'compiled') return checks.some(({ name }) => name === 'reading_proven') ? 'model' : 'reader';
  return plan === 'certified' || plan === 'model_sql' ? plan : null;
}
export type ReadEnvelope = Pick<Envelope, 'status' | 'plan' | 'checks' | 'question'>;

export interface JudgedAnswer {
  question: string;
  passed: boolean;
  confidence: Envelope['confidence'];
  reader: Reader | null;
}
type ReaderAccuracy = z.infer<typeof evalSummarySchema>['by_reader'][number];

export const toQuestionKey = (question: string): string => question.trim().toLowerCase().replaceAll(/\s+/g, ' ');

/** A repeated question passes only if svc answered every repetition correctly. */
export function removeRepeatedQuestions<R extends Pick<JudgedAnswer, 'question' | 'passed'>>(
  results: readonly R[],
): R[] {
  const resultsByQuestion = new Map<string, R>();
  for (const result of results) {
    const previousResult = resultsByQuestion.get(toQuestionKey(result.question));
    if (!previousResult || previousResult.passed) resultsByQuestion.set(toQuestionKey(result.question), result);
  }
  return [...resultsByQuestion.values()];
}

export function computeAccuracyByReader(results: readonly JudgedAnswer[]): ReaderAccuracy[] {
  return (Object.keys(READER_NAMES) as Reader[]).flatMap((reader) => {
    const readerResults = removeRepeatedQuestions(results.filter((result) => result.reader === reader));
    const verifiedResults = readerResults.filter(({ confidence }) => confidence === 'verified');
    return readerResults.length === 0
      ? []
      : [
          {
            reader,
            questions: readerResults.length,
            right: readerResults.filter(({ passed }) => passed).length,
            verified: verifiedResults.length,
            verified_but_wrong: verifiedResults.filter(({ passed }) => !passed).length,
          },
        ];
  });
}

export const describeReader = ({ reader, questions, right, verified, verified_but_wrong }: ReaderAccuracy): string =>
  `Interpreted by ${READER_NAMES[reader]}: ${right} of ${questions} distinct questions right, ${verified} verified, ${verified_but_wrong} verified but wrong.`;
const READER_NAMES: Readonly<Record<Reader, string>> = {
  certified: 'a certified entry',
  reader: 'svc itself',
  model: 'a language model, as a plan',
  model_sql: 'a language model, as SQL',
};
