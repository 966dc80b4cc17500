import type { z } from 'zod';
import type { Envelope } from '../../contract/ask.ts';
import type { EvalExpectation } from '../../contract/files/corpus-files.ts';
import type * as wire from '../../contract/mgmt/evals.ts';
import { Problem } from '../../platform/problem.ts';
import {
  type CaseVerdict,
  computeRoundedShare,
  type ExpectedOutcome,
  type ExpectedRows,
  findExpectedOutcome,
  isSameOutcome,
  judgeCase,
  toResultRows,
} from './judge-case.ts';
import { computeAccuracyByReader, findReader, removeRepeatedQuestions } from './readers.ts';

export interface EvalCase {
  id: string;
  question: string;
  paraphrases: string[];
  choices: Record<string, string> | null;
  expect: EvalExpectation;
}
type StoredCase = z.infer<typeof wire.evalRunDetailSchema>['cases'][number];
export interface CaseResult
  extends CaseVerdict,
    Omit<StoredCase, keyof CaseVerdict | 'expects' | 'status' | 'confidence'> {
  expects: ExpectedOutcome;
  status: Envelope['status'] | 'failed';
  confidence: Envelope['confidence'];
}
export type EvalSummary = Omit<z.infer<typeof wire.evalSummarySchema>, keyof EvalRunComparison>;
export type EvalRunComparison = Pick<z.infer<typeof wire.evalSummarySchema>, 'regressed' | 'fixed' | 'compared_with'>;
export interface EvalPorts {
  ask: (question: string, choices: Record<string, string> | null) => Promise<Envelope>;
  fetchRows: (sql: string) => Promise<ExpectedRows>;
}
const MAX_SHOWN_ROWS = 20;

export async function runEvals(
  ports: EvalPorts,
  cases: readonly EvalCase[],
  report: (done: number) => void,
  signal?: AbortSignal,
): Promise<{ summary: EvalSummary; cases: CaseResult[] }> {
  const results: CaseResult[] = [];
  for (const item of cases) {
    results.push(await runEvalCase(ports, item));
    signal?.throwIfAborted();
    report(results.length);
  }
  return { summary: summarizeResults(results), cases: results };
}

async function runEvalCase(
  { ask, fetchRows: rowsOfSql }: EvalPorts,
  { id, question, paraphrases, choices, expect }: EvalCase,
): Promise<CaseResult> {
  const startedAt = performance.now();
  const toCaseResult = (verdict: CaseVerdict, envelope: Envelope | null, rows: ExpectedRows | null): CaseResult => ({
    ...{ id, question, expects: findExpectedOutcome(expect), ...verdict, paraphrases: [] },
    ...{
      status: envelope?.status ?? 'failed',
      confidence: envelope?.confidence ?? 'unverified',
      sql: envelope?.sql ?? null,
      answer: envelope?.answer ?? null,
      reader: envelope && findReader(envelope),
    },
    expected_rows: rows === null ? null : rows.rows.slice(0, MAX_SHOWN_ROWS).map((row) => [...row]),
    actual_rows: envelope?.data
      ? toResultRows(envelope)
          .slice(0, MAX_SHOWN_ROWS)
          .map((row) => [...row])
      : null,
    ms: Math.round(performance.now() - startedAt),
  });
  let rows: ExpectedRows | null = null;
  try {
    rows = await readExpectedRows(expect, rowsOfSql);
  } catch (fault) {
    return toCaseResult(
      { passed: false, reason: 'expectation_failed', detail: `The expected SQL does not run: ${describeFault(fault)}` },
      null,
      null,
    );
  }
  try {
    const envelope = await ask(question, choices);
    const caseResult = toCaseResult(judgeCase(expect, rows, envelope), envelope, rows);
    for (const paraphrase of paraphrases) {
      const paraphraseEnvelope = await ask(paraphrase, choices);
      caseResult.paraphrases.push({
        question: paraphrase,
        ...judgeCase(expect, rows, paraphraseEnvelope),
        stable: isSameOutcome(envelope, paraphraseEnvelope),
      });
    }
    return { ...caseResult, ms: Math.round(performance.now() - startedAt) };
  } catch (fault) {
    return toCaseResult({ passed: false, reason: 'failed', detail: describeFault(fault) }, null, rows);
  }
}

async function readExpectedRows(
  expect: EvalExpectation,
  rowsOfSql: EvalPorts['fetchRows'],
): Promise<ExpectedRows | null> {
  if ('sql' in expect) return rowsOfSql(expect.sql);
  if ('rows' in expect) return { rows: expect.rows, ordered: false };
  return 'value' in expect ? { rows: [[expect.value]], ordered: false } : null;
}

const describeFault = (fault: unknown): string =>
  fault instanceof Problem
    ? [fault.message, fault.code === 'upstream' ? fault.detail : ''].filter(Boolean).join(' ')
    : 'an internal error in svc';
export function summarizeResults(results: readonly CaseResult[]): EvalSummary {
  const countPassed = (list: readonly CaseVerdict[]) => list.filter((item) => item.passed).length;
  const resultsExpecting = (expectation: CaseResult['expects']) =>
    results.filter(({ expects }) => expects === expectation);
  const [answers, clarifications, refusals] = [
    resultsExpecting('answer'),
    resultsExpecting('clarification'),
    resultsExpecting('refusal'),
  ];
  const declinedResults = results.filter(({ status }) => status === 'refused' || status === 'uncovered');
  const paraphraseResults = results.flatMap(({ paraphrases }) => paraphrases);
  const judgedResults = results.filter(({ reason }) => reason !== 'expectation_failed');
  const countGraded = (confidence: Envelope['confidence']) => {
    const distinctResults = removeRepeatedQuestions(
      judgedResults.filter((item) => item.status === 'answered' && item.confidence === confidence),
    );
    return {
      answers: distinctResults.length,
      right: countPassed(distinctResults),
      share: computeRoundedShare(countPassed(distinctResults), distinctResults.length),
    };
  };
  const reasons: Record<string, number> = {};
  for (const { reason } of results) if (reason) reasons[reason] = (reasons[reason] ?? 0) + 1;
  return {
    cases: results.length,
    passed: countPassed(results),
    failed: results.length - countPassed(results),
    accuracy: computeRoundedShare(countPassed(answers), answers.length),
    clarification_accuracy: computeRoundedShare(countPassed(clarifications), clarifications.length),
    refusal: {
      precision: computeRoundedShare(
        declinedResults.filter(({ expects }) => expects === 'refusal').length,
        declinedResults.length,
      ),
      recall: computeRoundedShare(countPassed(refusals), refusals.length),
    },
    paraphrase_stability: computeRoundedShare(
      paraphraseResults.filter(({ stable }) => stable).length,
      paraphraseResults.length,
    ),
    by_grade: {
      verified: countGraded('verified'),
      partial: countGraded('partial'),
      unverified: countGraded('unverified'),
    },
    by_reader: computeAccuracyByReader(judgedResults),
    wrong_answers: results.filter((result) => !result.passed && result.status === 'answered').length,
    reasons,
  };
}

/** The lists contain only cases that are in both runs. */
export function compareRuns(
  previousRun: { runId: string; lensVersion: number; cases: readonly Pick<CaseResult, 'id' | 'passed'>[] } | null,
  currentResults: readonly CaseResult[],
): EvalRunComparison {
  const passedBefore = new Map(previousRun?.cases.map(({ id, passed }) => [id, passed]));
  return {
    regressed: currentResults.filter(({ id, passed }) => !passed && passedBefore.get(id) === true).map(({ id }) => id),
    fixed: currentResults.filter(({ id, passed }) => passed && passedBefore.get(id) === false).map(({ id }) => id),
    compared_with: previousRun && { run_id: previousRun.runId, lens_version: previousRun.lensVersion },
  };
}
