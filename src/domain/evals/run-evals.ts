// Runs the cases of a lens and summarizes the results: accuracy, refusals, stability of paraphrases, and results by
// grade and reader. The caller provides the functions that ask.

import type { z } from 'zod';
import type { Envelope } from '../../contract/ask.ts';
import type { EvalExpectation } from '../../contract/files/corpus-files.ts';
import type * as wire from '../../contract/mgmt/evals.ts';
import { Problem } from '../../platform/problem.ts';
import {
  type Expected,
  type ExpectedRows,
  expectsOf,
  judgeCase,
  rowsOf,
  sameOutcome,
  share,
  type Verdict,
} from './judge-case.ts';
import { byReader, distinctQuestions, readerOf } from './readers.ts';

export interface EvalCase {
  id: string;
  question: string;
  paraphrases: string[];
  choices: Record<string, string> | null;
  expect: EvalExpectation;
}
type StoredCase = z.infer<typeof wire.evalRunDetail>['cases'][number];
export interface CaseResult extends Verdict, Omit<StoredCase, keyof Verdict | 'expects' | 'status' | 'confidence'> {
  expects: Expected;
  status: Envelope['status'] | 'failed';
  confidence: Envelope['confidence'];
}
export type EvalSummary = Omit<z.infer<typeof wire.evalSummary>, keyof Regression>;
export type Regression = Pick<z.infer<typeof wire.evalSummary>, 'regressed' | 'fixed' | 'compared_with'>;
export interface EvalPorts {
  ask: (question: string, choices: Record<string, string> | null) => Promise<Envelope>;
  rowsOfSql: (sql: string) => Promise<ExpectedRows>;
}
const MAX_SHOWN_ROWS = 20;

export async function runEvals(
  ports: EvalPorts,
  cases: readonly EvalCase[],
  report: (done: number) => void,
  cancelled?: AbortSignal,
): Promise<{ summary: EvalSummary; cases: CaseResult[] }> {
  const results: CaseResult[] = [];
  for (const item of cases) {
    results.push(await runCase(ports, item));
    cancelled?.throwIfAborted();
    report(results.length);
  }
  return { summary: summarise(results), cases: results };
}

async function runCase(
  { ask, rowsOfSql }: EvalPorts,
  { id, question, paraphrases, choices, expect }: EvalCase,
): Promise<CaseResult> {
  const started = performance.now();
  const result = (verdict: Verdict, envelope: Envelope | null, rows: ExpectedRows | null): CaseResult => ({
    ...{ id, question, expects: expectsOf(expect), ...verdict, paraphrases: [] },
    ...{
      status: envelope?.status ?? 'failed',
      confidence: envelope?.confidence ?? 'unverified',
      sql: envelope?.sql ?? null,
      answer: envelope?.answer ?? null,
      reader: envelope && readerOf(envelope),
    },
    expected_rows: rows === null ? null : rows.rows.slice(0, MAX_SHOWN_ROWS).map((row) => [...row]),
    actual_rows: envelope?.data
      ? rowsOf(envelope)
          .slice(0, MAX_SHOWN_ROWS)
          .map((row) => [...row])
      : null,
    ms: Math.round(performance.now() - started),
  });
  let rows: ExpectedRows | null = null;
  try {
    rows = await expectedRows(expect, rowsOfSql);
  } catch (fault) {
    return result(
      { passed: false, reason: 'expectation_failed', detail: `The expected SQL does not run: ${messageOf(fault)}` },
      null,
      null,
    );
  }
  try {
    const envelope = await ask(question, choices);
    const judged = result(judgeCase(expect, rows, envelope), envelope, rows);
    for (const other of paraphrases) {
      const repeated = await ask(other, choices);
      judged.paraphrases.push({
        question: other,
        ...judgeCase(expect, rows, repeated),
        stable: sameOutcome(envelope, repeated),
      });
    }
    return { ...judged, ms: Math.round(performance.now() - started) };
  } catch (fault) {
    return result({ passed: false, reason: 'failed', detail: messageOf(fault) }, null, rows);
  }
}

async function expectedRows(expect: EvalExpectation, rowsOfSql: EvalPorts['rowsOfSql']): Promise<ExpectedRows | null> {
  if ('sql' in expect) return rowsOfSql(expect.sql);
  if ('rows' in expect) return { rows: expect.rows, ordered: false };
  return 'value' in expect ? { rows: [[expect.value]], ordered: false } : null;
}

const messageOf = (fault: unknown): string =>
  fault instanceof Problem
    ? [fault.message, fault.code === 'upstream' ? fault.detail : ''].filter(Boolean).join(' ')
    : 'an internal error in svc';
export function summarise(results: readonly CaseResult[]): EvalSummary {
  const passed = (list: readonly Verdict[]) => list.filter((item) => item.passed).length;
  const expecting = (expectation: CaseResult['expects']) => results.filter(({ expects }) => expects === expectation);
  const [answers, questions, refusals] = [expecting('answer'), expecting('clarification'), expecting('refusal')];
  const declined = results.filter(({ status }) => status === 'refused' || status === 'uncovered');
  const others = results.flatMap(({ paraphrases }) => paraphrases);
  const judged = results.filter(({ reason }) => reason !== 'expectation_failed');
  const graded = (confidence: Envelope['confidence']) => {
    const distinctResults = distinctQuestions(
      judged.filter((item) => item.status === 'answered' && item.confidence === confidence),
    );
    return {
      answers: distinctResults.length,
      right: passed(distinctResults),
      share: share(passed(distinctResults), distinctResults.length),
    };
  };
  const reasons: Record<string, number> = {};
  for (const { reason } of results) if (reason) reasons[reason] = (reasons[reason] ?? 0) + 1;
  return {
    cases: results.length,
    passed: passed(results),
    failed: results.length - passed(results),
    accuracy: share(passed(answers), answers.length),
    clarification_accuracy: share(passed(questions), questions.length),
    refusal: {
      precision: share(declined.filter(({ expects }) => expects === 'refusal').length, declined.length),
      recall: share(passed(refusals), refusals.length),
    },
    paraphrase_stability: share(others.filter(({ stable }) => stable).length, others.length),
    by_grade: { verified: graded('verified'), partial: graded('partial'), unverified: graded('unverified') },
    by_reader: byReader(judged),
    wrong_answers: results.filter((result) => !result.passed && result.status === 'answered').length,
    reasons,
  };
}

/** Cases that passed in the previous run and fail now, and the reverse. */
export function compareRuns(
  before: { runId: string; lensVersion: number; cases: readonly Pick<CaseResult, 'id' | 'passed'>[] } | null,
  now: readonly CaseResult[],
): Regression {
  const then = new Map(before?.cases.map(({ id, passed }) => [id, passed]));
  return {
    regressed: now.filter(({ id, passed }) => !passed && then.get(id) === true).map(({ id }) => id),
    fixed: now.filter(({ id, passed }) => passed && then.get(id) === false).map(({ id }) => id),
    compared_with: before && { run_id: before.runId, lens_version: before.lensVersion },
  };
}
