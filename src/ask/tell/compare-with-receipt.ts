// Compares a saved answer with its receipt: the fields of the receipt, and the hashes of SQL, parameters, rows and
// sentences. The server verifies the receipt itself.

import type { PresentedReceipt, ReceiptVerification } from '../../contract/receipt.ts';
import type { SavedAnswer, Verdict } from '../../contract/verify.ts';
import { fillQuestion } from '../../domain/certified/filled-question.ts';
import { canonicalJson, sha256 } from '../../domain/receipts/canonical-json.ts';
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
): Pick<Verdict, 'rows' | 'mismatches' | 'not_proven'> {
  const rows = compareRows(answer, hash, receipt, verification);
  const parametersHold = hashOf(answer.parameters && canonicalJson(answer.parameters)) === receipt.parameters_sha256;
  const differences = RECEIPT_MEMBERS.filter((name) => answer[name] !== receipt[name]).map(
    (name) => `${name}: the answer has ${shortJson(answer[name])}, and the receipt has ${shortJson(receipt[name])}`,
  );
  return {
    rows: rows.mismatch ? 'differ' : rows.unknown ? 'unknown' : 'match',
    mismatches: [
      ...differences,
      ...(hashOf(answer.sql) === receipt.sql_sha256 ? [] : ['sql: differs from the SQL that ran']),
      ...(parametersHold ? [] : ['parameters: differ from those that ran']),
      ...(rows.mismatch ? [`data: ${rows.mismatch}`] : []),
      ...questionMismatches(answer.question, parametersHold ? (answer.parameters ?? {}) : {}, verification),
      ...servedPartMismatches(answer, verification),
    ],
    not_proven: rows.unknown ? [`data not compared: ${rows.unknown}`] : [],
  };
}

/**
 * Compares names, units, the sentence and the interpretation with their hashes in the log. A part that the format of
 * the answer omits isn't an error.
 */
function servedPartMismatches(answer: SavedAnswer, { served_sha256 }: ReceiptVerification): string[] {
  const hashes = hashServedParts(answer);
  return SERVED_PARTS.filter((name) => answer[name] !== undefined && answer[name] !== null)
    .filter((name) => served_sha256 && hashes[name] !== served_sha256[name])
    .map((name) => `${name}: differs from the served answer`);
}

const hashOf = (text: string | null): string | null => (text === null ? null : sha256(text));
const MAX_SHOWN_LENGTH = 100;
const shortJson = (value: unknown): string =>
  typeof value === 'object' && value !== null ? 'an object' : String(JSON.stringify(value)).slice(0, MAX_SHOWN_LENGTH);

interface RowsComparison {
  mismatch: string | null;
  unknown: string | null;
}
/** The hash covers every fetched row, so a truncated answer has too few rows to compare. */
function compareRows(
  { data }: SavedAnswer,
  hash: string | null,
  receipt: PresentedReceipt,
  { rows_returned }: ReceiptVerification,
): RowsComparison {
  if (!data) return { mismatch: null, unknown: 'the answer has no rows' };
  const detail = `the answer has ${data.length} of ${receipt.row_count} rows`;
  const returnedCount = rows_returned ?? receipt.row_count;
  if (data.length !== returnedCount) return { mismatch: `${detail}; ${returnedCount} were served`, unknown: null };
  if (data.length < Number(receipt.row_count)) return { mismatch: null, unknown: detail };
  const isSame = hash === receipt.result_sha256;
  return { mismatch: isSame ? null : 'the rows differ from the served rows', unknown: null };
}

function questionMismatches(
  question: string | null,
  parameters: Parameters<typeof fillQuestion>[1],
  { question: askedQuestion, context }: ReceiptVerification,
): string[] {
  if (question === null || askedQuestion === null) return [];
  const fullQuestion = [...context, fillQuestion(question, parameters)].join(' → ');
  return fullQuestion === askedQuestion ? [] : ['question: differs from the asked question'];
}
