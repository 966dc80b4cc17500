// Judges one answer: right, or wrong with a machine-readable reason.
import type { Envelope, JsonValue } from '../../contract/ask.ts';
import type { EvalExpectation } from '../../contract/files/corpus-files.ts';
import { compareResults, type Difference, type Row } from './compare-results.ts';

export type Reason =
  | Difference
  | 'not_answered'
  | 'asked_back'
  | 'failed'
  | 'should_not_answer'
  | 'wrong_clarification'
  | 'wrong_status'
  | 'expectation_failed';
export interface Verdict {
  passed: boolean;
  reason: Reason | null;
  detail: string | null;
}
export type Expected = 'answer' | 'clarification' | 'refusal';

export function expectsOf(expect: EvalExpectation): Expected {
  if ('clarification' in expect) return 'clarification';
  if (!('status' in expect) || expect.status === 'answered') return 'answer';
  return expect.status === 'clarification' ? 'clarification' : 'refusal';
}

export const share = (part: number, total: number): number | null =>
  total === 0 ? null : Math.round((part / total) * 10_000) / 10_000;

/** Expected rows. Null for clarifications and refusals. */
export interface ExpectedRows {
  rows: readonly Row[];
  ordered: boolean;
}
const PASSED: Verdict = { passed: true, reason: null, detail: null };
const failed = (reason: Reason, detail: string): Verdict => ({ passed: false, reason, detail });
const DECLINED_STATUSES = new Set(['refused', 'uncovered']);

export function judgeCase(expect: EvalExpectation, rows: ExpectedRows | null, envelope: Envelope): Verdict {
  const { status, clarification } = envelope;
  const response = envelope.answer ?? envelope.error?.message ?? '';
  if ('clarification' in expect) {
    if (status !== 'clarification')
      return failed(
        status === 'answered' ? 'should_not_answer' : 'wrong_status',
        `Expected a clarification, got ${status}. ${response}`,
      );
    return clarification?.kind === expect.clarification
      ? PASSED
      : failed('wrong_clarification', `Expected ${expect.clarification}, but svc asked about ${clarification?.kind}.`);
  }
  if ('status' in expect) {
    // If no lens covers a question, a single lens refuses it.
    if (status === expect.status || (expect.status === 'uncovered' && status === 'refused')) return PASSED;
    return failed(
      status === 'answered' ? 'should_not_answer' : 'wrong_status',
      `Expected ${expect.status}, got ${status}. ${response}`,
    );
  }
  if (status === 'failed') return failed('failed', response);
  if (status === 'clarification') return failed('asked_back', response);
  if (DECLINED_STATUSES.has(status)) return failed('not_answered', response);
  const found = compareResults(rows!, { rows: rowsOf(envelope) }, expect.tolerance);
  if (found.equal) return PASSED;
  const other = found.reason === 'wrong_value' && 'sql' in expect ? otherFilter(expect.sql, envelope.sql ?? '') : null;
  return other === null ? failed(found.reason, found.detail) : failed('wrong_filter', other);
}

/** The two statements compare with different values, so they count different rows. */
function otherFilter(expected: string, actual: string): string | null {
  const literals = (sql: string) => new Set([...sql.matchAll(/'((?:[^']|'')*)'/g)].map(([, text]) => text!));
  const [expectedLiterals, had] = [literals(expected), literals(actual)];
  const list = (texts: string[]) => texts.map((text) => `'${text}'`).join(', ');
  const missing = [...expectedLiterals].filter((text) => !had.has(text));
  const more = [...had].filter((text) => !expectedLiterals.has(text));
  if (missing.length === 0 || more.length === 0) return null;
  return `The expected SQL compares with ${list(missing)}, the answer with ${list(more)}.`;
}

export const rowsOf = ({ columns, data }: Pick<Envelope, 'columns' | 'data'>): Row[] =>
  (data ?? []).map((row) => (columns ?? []).map(({ name }) => row[name] as JsonValue));

/** Paraphrases have the same outcome if they have the same status and, for answers, the same rows. */
export function sameOutcome(one: Envelope, other: Envelope): boolean {
  if (one.status !== other.status) return DECLINED_STATUSES.has(one.status) && DECLINED_STATUSES.has(other.status);
  if (one.status === 'clarification')
    return (
      one.clarification?.kind === other.clarification?.kind && one.clarification?.term === other.clarification?.term
    );
  return (
    one.status !== 'answered' || compareResults({ rows: rowsOf(one), ordered: false }, { rows: rowsOf(other) }).equal
  );
}
