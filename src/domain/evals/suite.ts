import { z } from 'zod';
import type { Envelope } from '../../contract/ask.ts';
import { type EvalExpectation, evalExpectationSchema } from '../../contract/files/corpus-files.ts';
import type { ModelUsage } from '../ports.ts';
import {
  type CaseVerdict,
  computeRoundedShare,
  type ExpectedOutcome,
  type ExpectedRows,
  judgeCase,
} from './judge-case.ts';
import { computeAccuracyByReader, type Reader } from './readers.ts';

export const suiteQuestionSchema = z.looseObject({
  id: z.string().min(1),
  question: z.string().min(1),
  paraphrases: z.array(z.string().min(1)).default([]),
  gold: z.array(z.looseObject({ sql: z.string().min(1) })).default([]),
  expect: evalExpectationSchema.optional(),
  choices: z.record(z.string(), z.string()).optional(),
  lens: z.string().optional(),
  disputed: z.union([z.boolean(), z.string()]).optional(),
});
export type SuiteQuestion = z.infer<typeof suiteQuestionSchema>;

export interface QuestionResult extends CaseVerdict {
  id: string;
  question: string;
  paraphrase: boolean;
  disputed: boolean;
  expects: ExpectedOutcome;
  status: Envelope['status'];
  confidence: Envelope['confidence'];
  reader: Reader | null;
  sql: string | null;
  answer: string | null;
  scope: string | null;
  ms: number;
}
export interface ExpectedSqlFault {
  id: string;
  sql: string;
  message: string;
}
export type SuiteReport = ReturnType<typeof createReport>;
export type SuiteFigures = ReturnType<typeof computeFigures>;

/** A question without gold SQL and without an expectation must not be answered. */
export const getExpectation = ({ expect, gold }: SuiteQuestion): EvalExpectation =>
  expect ?? (gold.length > 0 ? { sql: gold[0]!.sql } : { status: 'refused' });

export function judgeByAnyExpectedRows(
  expect: EvalExpectation,
  expectedRows: ExpectedRows[],
  envelope: Envelope,
): CaseVerdict {
  if ('status' in expect || 'clarification' in expect) return judgeCase(expect, null, envelope);
  const verdicts = expectedRows.map((expected) => judgeCase(expect, expected, envelope));
  return verdicts.find(({ passed }) => passed) ?? verdicts[0]!;
}

export function createReport(results: QuestionResult[], goldFaults: ExpectedSqlFault[], calls: readonly ModelUsage[]) {
  const originalResults = results.filter(({ paraphrase }) => !paraphrase);
  const paraphraseResults = results.filter(({ paraphrase }) => paraphrase);
  const originalById = new Map(originalResults.map((result) => [result.id, result]));
  const pairs = paraphraseResults.flatMap((paraphraseResult) =>
    originalById.has(paraphraseResult.id) ? [[originalById.get(paraphraseResult.id)!, paraphraseResult] as const] : [],
  );
  const sameCount = pairs.filter(
    ([original, other]) => (original.sql ?? original.status) === (other.sql ?? other.status),
  ).length;
  const times = results.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    figures: computeFigures(originalResults),
    without_disputed: computeFigures(originalResults.filter(({ disputed }) => !disputed)),
    paraphrases: computeFigures(paraphraseResults),
    /**
     * The share of paraphrases that result in the same SQL as the question. Without SQL, the outcome must be the same.
     */
    paraphrase_stability: computeRoundedShare(sameCount, pairs.length),
    by_reader: computeAccuracyByReader(originalResults),
    /** `cost` is in USD, or null if a model has no price. */
    models: {
      calls: calls.length,
      tokens_in: calls.reduce((sum, { tokensIn }) => sum + tokensIn, 0),
      tokens_out: calls.reduce((sum, { tokensOut }) => sum + tokensOut, 0),
      cost: calls.some(({ cost }) => cost === null) ? null : calls.reduce((sum, { cost }) => sum + cost!, 0),
      asked: results.length,
    },
    ms: { median: times[Math.floor(times.length / 2)] ?? 0, p95: times[Math.floor(times.length * 0.95)] ?? 0 },
    gold_faults: goldFaults,
    results,
  };
}

function computeFigures(results: QuestionResult[]) {
  const answeredResults = results.filter(({ status }) => status === 'answered');
  const answerableResults = results.filter(({ expects }) => expects === 'answer');
  const declinedResults = results.filter(({ status }) => status === 'refused' || status === 'uncovered');
  const refusals = results.filter(({ expects }) => expects === 'refusal');
  const rightResults = answeredResults.filter(({ passed }) => passed);
  const countGraded = (grade: Envelope['confidence']) =>
    summarizeResults(answeredResults.filter(({ confidence }) => confidence === grade));
  return {
    questions: results.length,
    coverage: computeRoundedShare(
      answerableResults.filter(({ status }) => status === 'answered').length,
      answerableResults.length,
    ),
    accuracy: summarizeResults(answeredResults),
    by_grade: {
      verified: countGraded('verified'),
      partial: countGraded('partial'),
      unverified: countGraded('unverified'),
    },
    /** The share of right answers that are graded verified. */
    verified_of_right: computeRoundedShare(
      rightResults.filter(({ confidence }) => confidence === 'verified').length,
      rightResults.length,
    ),
    verified_but_wrong: answeredResults
      .filter(({ passed, confidence }) => !passed && confidence === 'verified')
      .map(({ id, question, reason, detail, sql }) => ({ id, question, reason: reason!, detail: detail ?? '', sql })),
    clarifications: summarizeResults(results.filter(({ expects }) => expects === 'clarification')),
    refusal: {
      precision: computeRoundedShare(
        declinedResults.filter(({ expects }) => expects === 'refusal').length,
        declinedResults.length,
      ),
      recall: computeRoundedShare(
        refusals.filter(({ status }) => status !== 'answered' && status !== 'failed').length,
        refusals.length,
      ),
    },
  };
}

function summarizeResults(results: QuestionResult[]) {
  const rightCount = results.filter(({ passed }) => passed).length;
  return { asked: results.length, right: rightCount, share: computeRoundedShare(rightCount, results.length) };
}
