// Verifies an answer, a receipt with rows, or prose, without a model or a warehouse. Compares numbers with the logged
// sentences, and with the rows if they match the receipt. Compares all other parts only with the receipt and with
// logged hashes.
import type { JsonScalar } from '../../contract/ask.ts';
import type { StatedNumber, VerificationVerdict, VerifyBody } from '../../contract/verify.ts';
import type { Principal } from '../../domain/identity/principal.ts';
import type { StoredTrace } from '../../domain/observe/trace-repository.ts';
import { hashRequestRowsInSteps } from '../../domain/receipts/canonical-json.ts';
import {
  canSeeContent,
  findReceipt,
  getAccessibleTrace,
  isFullReceipt,
  verifyReceiptWithTrace,
  WITHHELD_REASON,
} from '../../domain/receipts/verify-receipt.ts';
import { Problem } from '../../platform/problem.ts';
import { runInTurns } from '../../platform/schedule/in-turns.ts';
import {
  compareRows,
  compareWithReceipt,
  createSkippedComparison,
  type RowComparison,
} from './compare-with-receipt.ts';
import { KnownNames } from './known-names.ts';
import { toPlainNumber } from './number-format.ts';
import { type NumberToken, readNumbers } from './prose/read-numbers.ts';
import { NO_VERIFIED_CONTENT, type VerifiedContent, verifyNumbers } from './prose/verify-numbers.ts';

type PresentedRows = readonly Record<string, JsonScalar>[];

export async function verifyAnswer(
  deps: Parameters<typeof verifyReceiptWithTrace>[0],
  principal: Principal,
  { answer, receipt: givenReceipt = answer?.receipt, rows, text }: VerifyBody,
): Promise<VerificationVerdict> {
  if (!givenReceipt) return verifyStatedText(deps, principal, text!);
  const receipt = await findReceipt(deps, principal, givenReceipt);
  const { verification, servedTrace } = await verifyReceiptWithTrace(deps, principal, receipt);
  const presentedRows = answer?.data ?? rows ?? null;
  const hash = presentedRows && (await runInTurns(hashRequestRowsInSteps(presentedRows)));
  // Without the trace, svc doesn't know the rest of the served answer.
  const { signature, served_sha256, mismatches } = verification;
  const isReceiptValid = signature === 'valid' || (served_sha256 !== null && mismatches.length === 0);
  // If the ID is wrong, svc doesn't compare the answer with the receipt of that ID, because the result would reveal
  // another caller's answer.
  // If svc withholds the served answer, no comparison may confirm a guess.
  const comparison = verification.withheld
    ? createSkippedComparison(verification.withheld)
    : answer && verification.trace_found && (isFullReceipt(givenReceipt) || isReceiptValid)
      ? compareWithReceipt(answer, receipt, verification, hash)
      : isReceiptValid
        ? compareRows(presentedRows, hash, receipt)
        : createSkippedComparison('the receipt is not valid');
  const numbers =
    text === undefined
      ? []
      : await runInTurns(verifyNumbers(text, selectProvenParts(comparison, presentedRows, servedTrace)));
  const unprovenDetail = text === undefined ? null : explainUnproven(text, comparison, numbers, servedTrace);
  if (unprovenDetail) comparison.not_proven.push(`the text: ${unprovenDetail}`);
  return {
    ok: verification.ok && comparison.rows === 'match' && comparison.mismatches.length === 0 && !unprovenDetail,
    receipt: verification,
    ...comparison,
    numbers,
    logged: null,
  };
}

function selectProvenParts(
  { rows }: RowComparison,
  presentedRows: PresentedRows | null,
  trace: StoredTrace | null,
): VerifiedContent {
  if (rows !== 'match' || !presentedRows) return NO_VERIFIED_CONTENT;
  return trace
    ? { ...selectServedContent(trace), rows: presentedRows }
    : { ...NO_VERIFIED_CONTENT, rows: presentedRows };
}

const selectServedContent = ({
  envelope: { answer, scope, citations, data_as_of, receipt },
}: StoredTrace): Omit<VerifiedContent, 'rows'> => ({
  scope,
  sentences: [answer ?? '', scope?.sentence ?? ''],
  names: [
    ...citations.map(({ name }) => name),
    ...(scope?.row_policies ?? []),
    ...[data_as_of, receipt?.served_at].flatMap((day) => day?.slice(0, 10) ?? []),
  ],
});

function explainUnproven(
  text: string,
  { rows }: RowComparison,
  numbers: VerificationVerdict['numbers'],
  trace: StoredTrace | null,
): string | null {
  if (rows !== 'match') return 'no rows match the receipt, so svc did not compare the numbers in the text';
  const missingNumbers = numbers.filter(({ value }) => value === null).map((number) => `“${number.text}”`);
  if (missingNumbers.length > 0)
    return `${missingNumbers.slice(0, 10).join(', ')} ${missingNumbers.length > 1 ? 'were' : 'was'} not found in the answer`;
  const repeatsAnswer = trace?.envelope.answer && text.includes(trace.envelope.answer);
  return numbers.length > 0 || repeatsAnswer ? null : 'it contains no number from the answer';
}

const REQUEST_ID_PATTERN = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** The log has no rows, so svc compares the numbers of the text with the served sentence. */
async function verifyStatedText(
  deps: Parameters<typeof canSeeContent>[0] & Parameters<typeof getAccessibleTrace>[0],
  principal: Principal,
  text: string,
): Promise<VerificationVerdict> {
  const id = REQUEST_ID_PATTERN.exec(text)?.[0];
  if (!id)
    throw new Problem('invalid', 'The text has no request ID. Add the ID or URL of the request, or send the answer.', {
      details: [{ path: 'text', code: 'no_request', message: 'The text contains no request ID.' }],
    });
  const trace = await getAccessibleTrace(deps, principal, id, 'text');
  const canSeeAnswer = await canSeeContent(deps, principal, trace);
  const { question } = trace.envelope;
  const answer = canSeeAnswer ? trace.envelope.answer : null;
  const loggedNumbers = await runInTurns(readNumbers(answer ?? '', new KnownNames()));
  const numbersAsRow = Object.fromEntries(loggedNumbers.map(({ value }, index) => [String(index), value]));
  const provenText = canSeeAnswer ? { ...selectServedContent(trace), sentences: [] } : NO_VERIFIED_CONTENT;
  const numbers = await runInTurns(verifyNumbers(text, { ...provenText, rows: [numbersAsRow] }));
  const repeatsAnswer = answer !== null && text.includes(answer);
  return {
    ok: false,
    receipt: null,
    rows: 'unknown',
    numbers: numbers.map((number) => ({ ...toRoundedNumber(number, loggedNumbers), row: null, column: null })),
    mismatches: [],
    not_proven: [
      'data not compared: only text was given',
      ...(canSeeAnswer ? [] : [`the logged answer: ${WITHHELD_REASON}`]),
      ...(numbers.length > 0 || repeatsAnswer ? [] : ['the text: contains no number']),
    ],
    logged: { request_id: trace.requestId, question, answer },
  };
}

const TWO_DECIMALS_PATTERN = /\.\d\d$/;

/** A sentence shows money with two decimal places. The text to verify can have all digits of the row. */
function toRoundedNumber(number: StatedNumber, loggedNumbers: readonly NumberToken[]): StatedNumber {
  if (number.value !== null) return number;
  const roundedValue = Number(Number(toPlainNumber(number.text)).toFixed(2));
  const money = loggedNumbers.find(({ digits, value }) => TWO_DECIMALS_PATTERN.test(digits) && value === roundedValue);
  return money ? { ...number, value: money.value, rounds: true } : number;
}
