import { verifyAnswer } from '../../ask/present/verify-answer.ts';
import { presentedReceiptSchema, receiptVerificationSchema } from '../../contract/receipt.ts';
import { verificationVerdictSchema, verifyBodySchema } from '../../contract/verify.ts';
import type { Deps } from '../../deps.ts';
import { verifyReceipt } from '../../domain/receipts/verify-receipt.ts';
import { Problem } from '../../platform/problem.ts';
import { createOperationFactory } from '../http/operation.ts';

const MAX_COLUMNS = 2_000;

/** Each malformed row would cause a separate error, so svc stops at the first one. */
function refuseMalformedRows(body: unknown): void {
  const { rows, answer } = (body ?? {}) as { rows?: unknown; answer?: { data?: unknown } | null };
  for (const [path, list] of [
    ['rows', rows],
    ['answer.data', answer?.data],
  ] as const) {
    if (!Array.isArray(list)) continue;
    const malformedIndex = list.findIndex((row: unknown) => !isWellFormedRow(row));
    if (malformedIndex < 0) continue;
    const message = `${path}[${malformedIndex}] is not a row. A row is an object with at most ${MAX_COLUMNS} strings, numbers, booleans and nulls.`;
    throw new Problem('invalid', message, {
      param: path,
      details: [{ path: `${path}[${malformedIndex}]`, code: 'row', message }],
    });
  }
}

const MAX_LIST_ENTRIES = 2_000;

/** Each entry of a list could cause its own error, so svc refuses a list with more entries than a list in an answer can have. */
function refuseLongLists(body: unknown): void {
  const { data: _rows, ...claims } = (body as { answer?: Record<string, unknown> } | null)?.answer ?? {};
  const openValues: [unknown, string][] = [[claims, 'answer']];
  for (let nextValue = openValues.pop(); nextValue; nextValue = openValues.pop()) {
    const [value, path] = nextValue;
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value) && value.length > MAX_LIST_ENTRIES) {
      const message = `${path} has ${value.length} entries; ${MAX_LIST_ENTRIES} are allowed.`;
      throw new Problem('invalid', message, { param: path, details: [{ path, code: 'too_big', message }] });
    }
    for (const [name, part] of Object.entries(value)) openValues.push([part, `${path}.${name}`.slice(0, 200)]);
  }
}

function isWellFormedRow(row: unknown): boolean {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return false;
  const cells: unknown[] = Object.values(row);
  return cells.length <= MAX_COLUMNS && cells.every((cell) => typeof cell !== 'object' || cell === null);
}

const defineOperation = createOperationFactory<Pick<Deps, 'signingKeys' | 'tenancy' | 'traces' | 'lenses'>>(
  'evidence',
  'data',
);

export const receiptRoutes = [
  defineOperation('POST', '/verify-receipt', {
    id: 'verifyReceipt',
    summary: 'Verify a receipt',
    description:
      'Checks the signature, then the logged trace. A bad signature is a result, not an error. `mismatches` lists members that differ from the trace. The original caller can see the question, caller and ruling. If the signature is valid, keys with access to the lens can also see these members, unless a row policy applies to the key or the lens masks other fields than before. `withheld` then states the reason, and svc shows neither the question nor the hashes of the served answer. svc does not store rows. To check the rows, hash the canonical JSON of `data` and compare the hash with `result_sha256`.',
    body: presentedReceiptSchema,
    result: receiptVerificationSchema,
    fails: ['too_large', 'unsupported_media_type', 'invalid'],
    run: ({ deps, principal, body }) => verifyReceipt(deps, principal, body),
  }),
  defineOperation('POST', '/verify', {
    id: 'verify',
    summary: 'Verify an answer, a receipt with its rows, or a text that repeats numbers',
    description:
      'Compares each part of an answer with its receipt and the log, rows with the signed hash, and the numbers of a text with matching rows. `ok` is true only if everything is proven. It is false for a receipt without rows, for rows cut by a limit, for a text alone, and for a text with a number that was not found or can’t be read. If `receipt.withheld` is not null, svc compares nothing with the answer. Uses no model and no warehouse.',
    body: verifyBodySchema,
    checkBody(body) {
      refuseLongLists(body);
      refuseMalformedRows(body);
    },
    result: verificationVerdictSchema,
    fails: ['forbidden', 'not_found', 'too_large', 'unsupported_media_type', 'invalid'],
    run: ({ deps, principal, body }) => verifyAnswer(deps, principal, body),
  }),
];
