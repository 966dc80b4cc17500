// Creates the receipt of an answer: question, caller, SQL and the hash of the rows.
import type { Receipt } from '../../contract/receipt.ts';
import { computeSha256, hashRowsInSteps, toCanonicalJson } from '../../domain/receipts/canonical-json.ts';
import { type ReceiptKey, signReceipt } from '../../domain/receipts/receipt.ts';
import { runInTurns } from '../../platform/schedule/in-turns.ts';
import type { FetchedRows, Grading } from '../outcome.ts';
import { listParameters } from './envelopes.ts';

export async function createReceipt(
  fetchedRows: FetchedRows,
  grading: Grading,
  answerDetails: { requestId: string; lens: string | null; version: number | null; at: Date },
  keys: readonly ReceiptKey[],
): Promise<Receipt> {
  const { statement, plan, rows } = fetchedRows;
  const parameters = listParameters(plan);
  return signReceipt(
    {
      v: 1,
      request_id: answerDetails.requestId,
      lens: answerDetails.lens,
      lens_version: answerDetails.version,
      served_at: answerDetails.at.toISOString(),
      confidence: grading.confidence,
      certification: grading.certification,
      sql_sha256: computeSha256(statement.sql),
      parameters_sha256: parameters ? computeSha256(toCanonicalJson(parameters)) : null,
      result_sha256: await runInTurns(hashRowsInSteps(rows)),
      row_count: rows.length,
      data_as_of: fetchedRows.dataAsOf,
    },
    keys,
  );
}
