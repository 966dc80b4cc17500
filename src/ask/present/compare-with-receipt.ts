// Compares a saved answer with its receipt: the fields of the receipt, and the hashes of SQL, parameters, rows and
// sentences. The server verifies the receipt itself.

import type { PresentedReceipt, ReceiptVerification } from '../../contract/receipt.ts';

import type { SavedAnswer, VerificationVerdict, VerifyBody } from '../../contract/verify.ts';
import { fillQuestion } from '../../domain/certified/parameters.ts';

import { computeSha256, toCanonicalJson } from '../../domain/receipts/canonical-json.ts';
import { hashServedParts, SERVED_PARTS } from '../../domain/receipts/verify-receipt.ts';

const RECEIPT_MEMBERS = [
  'request_id',
  'lens',
  'lens_version',
  'confidence',
  'certification',
  'row_count',
  'data_as_of',
] as const;

export function compareWithReceipt(
  answer: SavedAnswer,
  receipt: PresentedReceipt,
  verification: ReceiptVerification,
  hash: string | null,
): RowComparison {
  const rows = compareRows(answer.data, hash, receipt, verification.rows_returned ?? receipt.row_count);
  const parametersHold =
    hashTextOrNull(answer.parameters && toCanonicalJson(answer.parameters)) === receipt.parameters_sha256;
  const differences = RECEIPT_MEMBERS.filter((name) => answer[name] !== receipt[name]).map(
    (name) =>
      `${name}: the answer has ${describeValueBriefly(answer[name])}, and the receipt has ${describeValueBriefly(receipt[name])}`,
  );
  return {
    ...rows,
    mismatches: [
      ...differences,
      ...(hashTextOrNull(answer.sql) === receipt.sql_sha256 ? [] : ['sql: differs from the SQL that ran']),
      ...(parametersHold ? [] : ['parameters: differ from the parameters that ran']),
      ...rows.mismatches,
      ...findQuestionMismatches(answer.question, parametersHold ? (answer.parameters ?? {}) : {}, verification),
      ...findServedPartMismatches(answer, verification),
    ],
  };
}

/**
 * Compares names, units, the sentence and the interpretation with their hashes in the log. If the answer's format omits
 * one of these parts, that isn't a mismatch.
 */
function findServedPartMismatches(answer: SavedAnswer, { served_sha256 }: ReceiptVerification): string[] {
  const hashes = hashServedParts(answer);
  return SERVED_PARTS.filter((name) => answer[name] !== undefined && answer[name] !== null)
    .filter((name) => served_sha256 && hashes[name] !== served_sha256[name])
    .map((name) => `${name}: differs from the served answer`);
}

const hashTextOrNull = (text: string | null): string | null => (text === null ? null : computeSha256(text));
const MAX_SHOWN_LENGTH = 100;
const describeValueBriefly = (value: unknown): string =>
  typeof value === 'object' && value !== null ? 'an object' : String(JSON.stringify(value)).slice(0, MAX_SHOWN_LENGTH);

export type RowComparison = Pick<VerificationVerdict, 'rows' | 'mismatches' | 'not_proven'>;

export const createSkippedComparison = (reason: string): RowComparison => ({
  ...{ rows: 'unknown', mismatches: [], not_proven: [`data not compared: ${reason}`] },
});

const createMismatchResult = (reason: string): RowComparison => ({
  ...{ rows: 'differ', mismatches: [`data: ${reason}`], not_proven: [] },
});

/** The hash covers every fetched row, so a truncated answer has too few rows to compare. */
export function compareRows(
  rows: VerifyBody['rows'] | null,
  hash: string | null,
  { row_count, result_sha256 }: PresentedReceipt,
  servedCount: unknown = null,
): RowComparison {
  if (!rows) return createSkippedComparison('the answer has no rows');
  const detail = `the answer has ${rows.length} of ${row_count} rows`;
  if (servedCount !== null && rows.length !== servedCount)
    return createMismatchResult(`${detail}; ${servedCount} were served`);
  if (rows.length < Number(row_count)) return createSkippedComparison(detail);
  return hash === result_sha256
    ? { rows: 'match', mismatches: [], not_proven: [] }
    : createMismatchResult('the rows differ from the served rows');
}

function findQuestionMismatches(
  question: string | null,
  parameters: Parameters<typeof fillQuestion>[1],
  { question: askedQuestion, context }: ReceiptVerification,
): string[] {
  if (question === null || askedQuestion === null) return [];
  const fullQuestion = [...context, fillQuestion(question, parameters)].join(' → ');
  return fullQuestion === askedQuestion ? [] : ['question: differs from the asked question'];
}
