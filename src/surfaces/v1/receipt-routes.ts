// Checking before a number is repeated: the receipt object itself, not wrapped in anything; or what was made of it.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { verifyGiven } from '../../ask/tell/verify-given.ts';
import { presentedReceipt, receiptVerification } from '../../contract/receipt.ts';
import { verdict, verifyBody } from '../../contract/verify.ts';
import type { Deps } from '../../deps.ts';
import { verifyReceipt } from '../../domain/receipts/verify-receipt.ts';
import { Problem } from '../../platform/problem.ts';
import { bearer, callerProblems } from '../http/route-schema.ts';

const MOST_COLUMNS = 2_000;

/** The first row that is none, before many of them make as many faults. */
function refuseOddRows(body: unknown): void {
  const { rows, answer } = (body ?? {}) as { rows?: unknown; answer?: { data?: unknown } | null };
  for (const [path, held] of [
    ['rows', rows],
    ['answer.data', answer?.data],
  ] as const) {
    if (!Array.isArray(held)) continue;
    const odd = held.findIndex((row: unknown) => !isRow(row));
    if (odd < 0) continue;
    const message = `${path}[${odd}] is no row: an object of at most ${MOST_COLUMNS} texts, numbers, truth values and nulls.`;
    throw new Problem('invalid', message, {
      param: path,
      details: [{ path: `${path}[${odd}]`, code: 'row', message }],
    });
  }
}

const MOST_LISTED = 2_000;

/** What is claimed around the rows has no list longer than any that is served, before its entries make as many faults. */
function refuseLongLists(body: unknown): void {
  const { data: _rows, ...claims } = (body as { answer?: Record<string, unknown> } | null)?.answer ?? {};
  const open: [unknown, string][] = [[claims, 'answer']];
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, path] = next;
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value) && value.length > MOST_LISTED) {
      const message = `${path} has ${value.length} entries; ${MOST_LISTED} are allowed.`;
      throw new Problem('invalid', message, { param: path, details: [{ path, code: 'too_big', message }] });
    }
    for (const [name, part] of Object.entries(value)) open.push([part, `${path}.${name}`.slice(0, 200)]);
  }
}

function isRow(row: unknown): boolean {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return false;
  const cells: unknown[] = Object.values(row);
  return cells.length <= MOST_COLUMNS && cells.every((cell) => typeof cell !== 'object' || cell === null);
}

export function receiptRoutes(scope: FastifyInstance, deps: Deps): void {
  const routes = scope.withTypeProvider<ZodTypeProvider>();
  routes.post(
    '/verify-receipt',
    {
      schema: {
        tags: ['evidence'],
        security: bearer,
        operationId: 'verifyReceipt',
        summary: 'Verify a receipt: signature, then the logged trace',
        description:
          'Deterministic and stateless. Signature outcomes are results, not errors; `mismatches` names every member that is not as the trace has it. Question, caller and ruling are told to keys that may use the lens when the signature is valid, and otherwise only to whoever asked. The rows stay with whoever asked: hash the canonical JSON of `data` and compare it with `result_sha256`.',
        body: presentedReceipt,
        response: { 200: receiptVerification, ...callerProblems('too_large', 'unsupported_media_type', 'invalid') },
      },
    },
    (request) => verifyReceipt(deps, request.principal, request.body),
  );
  routes.post(
    '/verify',
    {
      preValidation: async ({ body }) => {
        refuseLongLists(body);
        refuseOddRows(body);
      },
      schema: {
        tags: ['evidence'],
        security: bearer,
        operationId: 'verify',
        summary: 'Verify an answer, a receipt with its rows, or a text that repeats numbers',
        description:
          'What each proves, and no more: an answer is held against its receipt and the log part by part, rows against the hash that was signed, the numbers of a text against rows that match. `ok` needs all of it: a receipt without its rows, rows that a cap cut, and a text alone are never `ok`; neither is a text with a number that was not found or can’t be read. Deterministic; asks no model and no warehouse.',
        body: verifyBody,
        response: {
          200: verdict,
          ...callerProblems('not_found', 'too_large', 'unsupported_media_type', 'invalid'),
        },
      },
    },
    (request) => verifyGiven(deps, request.principal, request.body),
  );
}
