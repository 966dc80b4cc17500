// The questions of a suite (CONTRACT 2) and their results: accuracy by grade, wrong answers graded verified, refusals,
// and stability of paraphrases.
import { z } from 'zod';
import type { Envelope } from '../../contract/ask.ts';
import { type EvalExpectation, evalExpectation } from '../../contract/files/corpus-files.ts';
import type { ModelUsage } from '../ports.ts';
import { type ExpectedOutcome, type ExpectedRows, judgeCase, shareOf, type Verdict } from './judge-case.ts';
import { figuresByReader, type Reader, type ReaderFigures } from './readers.ts';

export const suiteQuestion = z.looseObject({
  id: z.string().min(1),
  question: z.string().min(1),
  paraphrases: z.array(z.string().min(1)).default([]),
  gold: z.array(z.looseObject({ sql: z.string().min(1) })).default([]),
  expect: evalExpectation.optional(),
  choices: z.record(z.string(), z.string()).optional(),
  lens: z.string().optional(),
  disputed: z.union([z.boolean(), z.string()]).optional(),
});
export type SuiteQuestion = z.infer<typeof suiteQuestion>;

export interface QuestionResult extends Verdict {
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
interface Tally {
  asked: number;
  right: number;
  share: number | null;
}
export interface SuiteFigures {
  questions: number;
  /** The share of answerable questions that svc answered. */
  coverage: number | null;
  accuracy: Tally;
  by_grade: Record<Envelope['confidence'], Tally>;
  /** The share of right answers graded verified. */
  verified_of_right: number | null;
  verified_but_wrong: { id: string; question: string; reason: string; detail: string; sql: string | null }[];
  clarifications: Tally;
  refusal: { precision: number | null; recall: number | null };
}
export interface SuiteReport {
  figures: SuiteFigures;
  without_disputed: SuiteFigures;
  paraphrases: SuiteFigures;
  /**
   * The share of pairs of a question and a paraphrase with the same SQL, or with the same outcome if svc produced no
   * SQL.
   */
  paraphrase_stability: number | null;
  /** The answers, grouped by reader. A repeated question counts once. */
  by_reader: ReaderFigures[];
  /** The model calls of the whole run. `cost` is in USD, or null if a model has no price. */
  models: { calls: number; tokens_in: number; tokens_out: number; cost: number | null; asked: number };
  ms: { median: number; p95: number };
  gold_faults: { id: string; sql: string; message: string }[];
  results: QuestionResult[];
}

/** A question without gold SQL and without an expectation must not be answered. */
export const expectationOf = ({ expect, gold }: SuiteQuestion): EvalExpectation =>
  expect ?? (gold.length > 0 ? { sql: gold[0]!.sql } : { status: 'refused' });

export function judgeByAnyExpectedRows(
  expect: EvalExpectation,
  expectedRows: ExpectedRows[],
  envelope: Envelope,
): Verdict {
  if ('status' in expect || 'clarification' in expect) return judgeCase(expect, null, envelope);
  const verdicts = expectedRows.map((gold) => judgeCase(expect, gold, envelope));
  return verdicts.find(({ passed }) => passed) ?? verdicts[0]!;
}

export function createReport(
  results: QuestionResult[],
  goldFaults: SuiteReport['gold_faults'],
  calls: readonly ModelUsage[],
): SuiteReport {
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
    figures: figuresOf(originalResults),
    without_disputed: figuresOf(originalResults.filter(({ disputed }) => !disputed)),
    paraphrases: figuresOf(paraphraseResults),
    paraphrase_stability: shareOf(sameCount, pairs.length),
    by_reader: figuresByReader(originalResults),
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

function figuresOf(results: QuestionResult[]): SuiteFigures {
  const answeredResults = results.filter(({ status }) => status === 'answered');
  const answerableResults = results.filter(({ expects }) => expects === 'answer');
  const declinedResults = results.filter(({ status }) => status === 'refused' || status === 'uncovered');
  const refusals = results.filter(({ expects }) => expects === 'refusal');
  const rightResults = answeredResults.filter(({ passed }) => passed);
  const gradedTally = (grade: Envelope['confidence']) =>
    toTally(answeredResults.filter(({ confidence }) => confidence === grade));
  return {
    questions: results.length,
    coverage: shareOf(answerableResults.filter(({ status }) => status === 'answered').length, answerableResults.length),
    accuracy: toTally(answeredResults),
    by_grade: {
      verified: gradedTally('verified'),
      partial: gradedTally('partial'),
      unverified: gradedTally('unverified'),
    },
    verified_of_right: shareOf(
      rightResults.filter(({ confidence }) => confidence === 'verified').length,
      rightResults.length,
    ),
    verified_but_wrong: answeredResults
      .filter(({ passed, confidence }) => !passed && confidence === 'verified')
      .map(({ id, question, reason, detail, sql }) => ({ id, question, reason: reason!, detail: detail ?? '', sql })),
    clarifications: toTally(results.filter(({ expects }) => expects === 'clarification')),
    refusal: {
      precision: shareOf(declinedResults.filter(({ expects }) => expects === 'refusal').length, declinedResults.length),
      recall: shareOf(
        refusals.filter(({ status }) => status !== 'answered' && status !== 'failed').length,
        refusals.length,
      ),
    },
  };
}

function toTally(results: QuestionResult[]): Tally {
  const rightCount = results.filter(({ passed }) => passed).length;
  return { asked: results.length, right: rightCount, share: shareOf(rightCount, results.length) };
}
