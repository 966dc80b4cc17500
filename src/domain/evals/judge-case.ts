import type { Envelope, JsonScalar } from '../../contract/ask.ts';
import type { EvalExpectation } from '../../contract/files/corpus-files.ts';
import { compareResults, type ResultDifference, type ResultRow } from './compare-results.ts';

export type FailureReason =
  | ResultDifference
  | 'not_answered'
  | 'asked_back'
  | 'failed'
  | 'should_not_answer'
  | 'wrong_clarification'
  | 'wrong_status'
  | 'expectation_failed';
export interface CaseVerdict {
  passed: boolean;
  reason: FailureReason | null;
  detail: string | null;
}
export type ExpectedOutcome = 'answer' | 'clarification' | 'refusal';

export function findExpectedOutcome(expect: EvalExpectation): ExpectedOutcome {
  if ('clarification' in expect) return 'clarification';
  if (!('status' in expect) || expect.status === 'answered') return 'answer';
  return expect.status === 'clarification' ? 'clarification' : 'refusal';
}

export const computeRoundedShare = (part: number, total: number): number | null =>
  total === 0 ? null : Math.round((part / total) * 10_000) / 10_000;

/** An eval that expects a clarification or a refusal has no expected rows. */
export interface ExpectedRows {
  rows: readonly ResultRow[];
  ordered: boolean;
}
const PASSED_VERDICT: CaseVerdict = { passed: true, reason: null, detail: null };
const createFailedVerdict = (reason: FailureReason, detail: string): CaseVerdict => ({ passed: false, reason, detail });
const DECLINED_STATUSES = new Set(['refused', 'uncovered']);

export function judgeCase(expect: EvalExpectation, rows: ExpectedRows | null, envelope: Envelope): CaseVerdict {
  const { status, clarification } = envelope;
  const response = envelope.answer ?? envelope.error?.message ?? '';
  if ('clarification' in expect) {
    if (status !== 'clarification')
      return createFailedVerdict(
        status === 'answered' ? 'should_not_answer' : 'wrong_status',
        `The eval expects a clarification, but the status is ${status}. ${response}`,
      );
    return clarification?.kind === expect.clarification
      ? PASSED_VERDICT
      : createFailedVerdict(
          'wrong_clarification',
          `The eval expects a clarification of the kind ${expect.clarification}, but the kind is ${clarification?.kind}.`,
        );
  }
  if ('status' in expect) {
    // Only a question to all lenses can be `uncovered`. A single lens refuses such a question instead.
    if (status === expect.status || (expect.status === 'uncovered' && status === 'refused')) return PASSED_VERDICT;
    return createFailedVerdict(
      status === 'answered' ? 'should_not_answer' : 'wrong_status',
      `The eval expects the status ${expect.status}, but the status is ${status}. ${response}`,
    );
  }
  if (status === 'failed') return createFailedVerdict('failed', response);
  if (status === 'clarification') return createFailedVerdict('asked_back', response);
  if (DECLINED_STATUSES.has(status)) return createFailedVerdict('not_answered', response);
  const comparison = compareResults(rows!, { rows: toResultRows(envelope) }, expect.tolerance);
  if (comparison.equal) return PASSED_VERDICT;
  const filterDetail =
    comparison.reason === 'wrong_value' && 'sql' in expect
      ? describeFilterDifference(expect.sql, envelope.sql ?? '')
      : null;
  return filterDetail === null
    ? createFailedVerdict(comparison.reason, comparison.detail)
    : createFailedVerdict('wrong_filter', filterDetail);
}

/** Describes the values that only one of the two statements filters by. */
function describeFilterDifference(expectedSql: string, actualSql: string): string | null {
  const literalsIn = (sql: string) => new Set([...sql.matchAll(/'((?:[^']|'')*)'/g)].map(([, text]) => text!));
  const [expectedLiterals, actualLiterals] = [literalsIn(expectedSql), literalsIn(actualSql)];
  const quoteList = (texts: string[]) => texts.map((text) => `'${text}'`).join(', ');
  const missingLiterals = [...expectedLiterals].filter((text) => !actualLiterals.has(text));
  const extraLiterals = [...actualLiterals].filter((text) => !expectedLiterals.has(text));
  if (missingLiterals.length === 0 || extraLiterals.length === 0) return null;
  return `Only the expected SQL contains ${quoteList(missingLiterals)}. Only the SQL of the answer contains ${quoteList(extraLiterals)}.`;
}

export const toResultRows = ({ columns, data }: Pick<Envelope, 'columns' | 'data'>): ResultRow[] =>
  (data ?? []).map((row) => (columns ?? []).map(({ name }) => row[name] as JsonScalar));

/** Paraphrases have the same outcome if they have the same status and, for answers, the same rows. */
export function isSameOutcome(first: Envelope, second: Envelope): boolean {
  if (first.status !== second.status)
    return DECLINED_STATUSES.has(first.status) && DECLINED_STATUSES.has(second.status);
  if (first.status === 'clarification')
    return (
      first.clarification?.kind === second.clarification?.kind &&
      first.clarification?.term === second.clarification?.term
    );
  return (
    first.status !== 'answered' ||
    compareResults({ rows: toResultRows(first), ordered: false }, { rows: toResultRows(second) }).equal
  );
}
