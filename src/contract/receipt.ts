import { z } from 'zod';
import { createMaxEntriesRule } from './files/shared-schemas.ts';

export const receiptSchema = z.object({
  v: z.literal(1),
  request_id: z.string(),
  lens: z.string().nullable(),
  lens_version: z.int().nullable(),
  served_at: z.string(),
  confidence: z.enum(['verified', 'partial', 'unverified']),
  certification: z.enum(['certified', 'assisted', 'none', 'certified_failed']),
  sql_sha256: z.string(),
  parameters_sha256: z.string().nullable(),
  result_sha256: z.string(),
  row_count: z.int(),
  data_as_of: z.string().nullable(),
  alg: z.literal('HMAC-SHA256').optional(),
  key_id: z.string().optional(),
  digest: z.string().optional(),
});
export type Receipt = z.infer<typeof receiptSchema>;

/** The members that identify a receipt. */
export const receiptIdSchema = z.object({ request_id: z.string(), digest: z.string().nullable() });

/** A receipt can have further members, which svc includes in the digest. */
export const presentedReceiptSchema = z
  .looseObject({
    request_id: z.string().max(200),
    lens: z.string().max(200).nullable(),
    served_at: z.string().max(100),
  })
  .refine(...createMaxEntriesRule(100, 'members'));
export type PresentedReceipt = z.infer<typeof presentedReceiptSchema>;

/**
 * An answer contains its full receipt. With `receipt: id` and over MCP, an answer contains only the members that
 * identify the receipt.
 */
export const receiptOrIdSchema = z.union([
  presentedReceiptSchema,
  // A strict object would make zod report the other members of an incomplete receipt as unknown.
  receiptIdSchema.loose().refine((id) => Object.keys(id).length === 2, { abort: true }),
]);
export type ReceiptOrId = z.infer<typeof receiptOrIdSchema>;

export const receiptVerificationSchema = z.object({
  ok: z.boolean(),
  signature: z
    .enum(['valid', 'invalid', 'unsigned', 'unkeyed'])
    .describe(
      'unkeyed: this server does not have the key `key_id`. invalid: the signature does not match, or its key is revoked',
    ),
  trace_found: z.boolean(),
  mismatches: z.array(z.string()).describe('Members of the receipt that differ from the trace'),
  question: z
    .string()
    .nullable()
    .describe('The question with its parameter values. For a follow-up, the earlier questions come first'),
  context: z.array(z.string()).describe('Earlier turns of the conversation, oldest first'),
  rows_returned: z
    .int()
    .nullable()
    .describe('Number of rows in the answer. Less than row_count if a limit shortened the answer'),
  served_sha256: z
    .record(z.string(), z.string())
    .nullable()
    .describe(
      'SHA-256 of the canonical JSON of each part of the answer that the receipt does not sign, such as answer, scope and warnings',
    ),
  lens: z.string().nullable(),
  caller: z.string().nullable(),
  ruling: z
    .object({ ruling: z.string(), note: z.string().nullable(), ruled_at: z.string() })
    .nullable()
    .optional()
    .describe('A ruling of a reviewer on this answer'),
  withheld: z
    .string()
    .nullable()
    .describe(
      'The reason why svc withholds the served answer from you, such as a row policy. If another caller asked, svc also withholds the question and the ruling. Null if svc withholds nothing',
    ),
});
export type ReceiptVerification = z.infer<typeof receiptVerificationSchema>;
