// Checking a receipt before its number is repeated: the receipt object itself, not wrapped in anything.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { presentedReceipt, receiptVerification } from '../../contract/receipt.ts';
import type { Deps } from '../../deps.ts';
import { verifyReceipt } from '../../domain/receipts/verify-receipt.ts';
import { bearer, callerProblems } from '../route-schema.ts';

export function receiptRoutes(scope: FastifyInstance, deps: Deps): void {
  scope.withTypeProvider<ZodTypeProvider>().post(
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
}
