// What an answer, a receipt with rows, or a text proves, by its receipt and the log. No model and no warehouse is asked.
import type { JsonValue } from '../../contract/ask.ts';
import type { PresentedReceipt, ReceiptVerification } from '../../contract/receipt.ts';
import type { Verdict, VerifyBody } from '../../contract/verify.ts';
import type { Principal } from '../../domain/identity/principal.ts';
import { hashOfPresented } from '../../domain/receipts/canonical-json.ts';
import { ownTrace, verifyReceipt } from '../../domain/receipts/verify-receipt.ts';
import { inTurns } from '../../platform/in-turns.ts';
import { Problem } from '../../platform/problem.ts';
import { answerApart } from './answer-apart.ts';
import { numbersSaid } from './numbers-said.ts';

type Rows = readonly Record<string, JsonValue>[];
type Compared = Pick<Verdict, 'rows' | 'mismatches' | 'not_proven'>;

export async function verifyGiven(
  deps: Parameters<typeof verifyReceipt>[0],
  principal: Principal,
  { answer, receipt = answer?.receipt, rows, text }: VerifyBody,
): Promise<Verdict> {
  if (!receipt) return ofText(deps, principal, text!);
  const verified = await verifyReceipt(deps, principal, receipt);
  // Without its trace nothing is known of what was served around the rows.
  const held = answer?.data ?? rows ?? null;
  const hash = held && (await inTurns(hashOfPresented(held)));
  const compared = answer && verified.trace_found ? answerApart(answer, receipt, verified, hash) : null;
  const told = compared ?? rowsApart(held, hash, receipt, verified);
  const numbers = text === undefined || !held ? [] : await inTurns(numbersSaid(text, held));
  if (text !== undefined && !held) told.not_proven.push('the text: no rows were given that it could be held against');
  const found = numbers.every(({ row }) => row !== null);
  return {
    ok: verified.ok && told.mismatches.length === 0 && found,
    receipt: verified,
    ...told,
    numbers,
    logged: null,
  };
}

function rowsApart(
  rows: Rows | null,
  hash: string | null,
  { row_count, result_sha256 }: PresentedReceipt,
  { signature, served_sha256, mismatches }: ReceiptVerification,
): Compared {
  const unknown = (why: string): Compared => ({ rows: 'unknown', mismatches: [], not_proven: [why] });
  if (!rows) return unknown('data cannot be compared: no rows were given');
  const holds = signature === 'valid' || (served_sha256 !== null && mismatches.length === 0);
  if (!holds) return unknown('data cannot be compared: the receipt does not hold');
  if (typeof row_count === 'number' && rows.length < row_count)
    return unknown(`data cannot be compared: there are ${rows.length} of ${row_count} rows`);
  return hash === result_sha256
    ? { rows: 'match', mismatches: [], not_proven: [] }
    : { rows: 'differ', mismatches: ['data: the rows are not the ones that were served'], not_proven: [] };
}

const REQUEST = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;
const LOGGED = /(?<![\w.-])-?\d[\d,]*(?:\.\d+)?/g;

/** The log keeps no rows: the numbers of a text are held against those of the sentence that was served. */
async function ofText(deps: Parameters<typeof ownTrace>[0], principal: Principal, text: string): Promise<Verdict> {
  const id = REQUEST.exec(text)?.[0];
  if (!id)
    throw new Problem(
      'invalid',
      'The text names no request: give the id or the address of its request with it, or the answer.',
      {
        details: [{ path: 'text', code: 'no_request', message: 'There is no request id in it.' }],
      },
    );
  const trace = await ownTrace(deps, principal, id);
  if (!trace) throw new Problem('not_found', `There is no request ${id} that you asked.`);
  const { question, answer } = trace.envelope;
  const logged = (answer?.match(LOGGED) ?? []).map((number) => number.replaceAll(',', ''));
  const sentence = [Object.fromEntries(logged.map((number, at) => [String(at), number]))];
  const numbers = (await inTurns(numbersSaid(text, sentence))).map((said) => ({ ...said, row: null, column: null }));
  const found = numbers.length > 0 && numbers.every(({ value }) => value !== null);
  return {
    ok: found,
    receipt: null,
    rows: 'unknown',
    numbers,
    mismatches: [],
    not_proven: numbers.length > 0 ? [] : ['the text: it repeats no number'],
    logged: { request_id: trace.requestId, question, answer },
  };
}
