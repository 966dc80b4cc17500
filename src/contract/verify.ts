import { z } from 'zod';
import { jsonScalarSchema, scopeSchema } from './ask.ts';
import { createMaxEntriesRule } from './files/shared-schemas.ts';
import { receiptOrIdSchema, receiptVerificationSchema } from './receipt.ts';

const rowSchema = z.record(z.string(), jsonScalarSchema);
const MAX_NAMES = 1_000;
const daySchema = z
  .string()
  .max(100)
  .refine((text) => !Number.isNaN(Date.parse(text)), 'must be a date');
const claimedScopeSchema = z.looseObject({
  ...scopeSchema.shape,
  filters: z
    .array(
      z.object({
        field: z.string().max(1_000),
        op: z.string().max(100),
        values: z.array(jsonScalarSchema).max(MAX_NAMES),
      }),
    )
    .max(200),
  time: z
    .object({ field: z.string().max(1_000), from: daySchema, to: daySchema, timezone: z.string().max(100) })
    .nullable(),
  row_policies: z.array(z.string()).max(MAX_NAMES),
  masks: z.array(z.string()).max(MAX_NAMES).optional(),
  joins: z.array(z.string()).max(MAX_NAMES),
});

/** svc ignores the other members of a saved answer. */
export const savedAnswerSchema = z.looseObject({
  receipt: receiptOrIdSchema,
  answer: z.string().max(100_000).nullable(),
  question: z.string().max(100_000).nullable(),
  sql: z.string().max(1_000_000).nullable(),
  parameters: z
    .record(z.string(), jsonScalarSchema)
    .refine(...createMaxEntriesRule(200, 'members'))
    .nullable(),
  columns: z
    .array(z.looseObject({ name: z.string() }))
    .max(2_000)
    .nullable(),
  data: z.array(rowSchema).nullable(),
  row_count: z.int().nullable(),
  scope: claimedScopeSchema.nullable(),
  citations: z.array(z.looseObject({ kind: z.string() })).max(1_000),
  truncated: z.object({ returned: z.int(), total: z.int().nullable() }).optional(),
  data_as_of: z.string().nullable(),
});
export type SavedAnswer = z.infer<typeof savedAnswerSchema>;

export const verifyBodySchema = z
  .strictObject({
    answer: savedAnswerSchema.optional(),
    receipt: receiptOrIdSchema.optional(),
    rows: z.array(rowSchema).optional().describe('The rows of the receipt'),
    text: z
      .string()
      .min(1)
      .max(20_000)
      .optional()
      .describe(
        'A text with at most 200 numbers. svc compares them with the given rows, or, if the text has a request ID, with the sentence of the logged answer',
      ),
  })
  .superRefine(({ answer, receipt, rows, text }, context) => {
    const addIssue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (!answer && !receipt && text === undefined)
      addIssue('answer', 'Give an answer, a receipt with its rows, or text that contains the request ID of an answer.');
    if (answer && receipt)
      addIssue('receipt', 'An answer already contains its receipt. Give either the answer or the receipt.');
    if (rows && !receipt) addIssue('rows', 'svc compares rows with their receipt. Give both.');
  });
export type VerifyBody = z.infer<typeof verifyBodySchema>;

export const verificationVerdictSchema = z.object({
  ok: z
    .boolean()
    .describe(
      'True if the receipt is valid, the rows match it, no other part differs, and svc found every number of the text in the rows or the logged answer',
    ),
  receipt: receiptVerificationSchema
    .nullable()
    .describe('The result of POST /v1/verify-receipt. Null if you sent only text'),
  rows: z
    .enum(['match', 'differ', 'unknown'])
    .describe(
      'unknown: you gave no rows, a limit left out rows, the receipt is not valid, or svc withholds the answer from you',
    ),
  numbers: z
    .array(
      z.object({
        text: z.string().describe('The number as written in the text'),
        value: jsonScalarSchema.describe(
          'The matching cell, or the matching number in the sentence of the logged answer. Null if svc found no match or could not read the number',
        ),
        row: z.int().nullable().describe('Row number, starting at 1. Null if there is no cell'),
        column: z.string().nullable(),
        rounds: z.boolean().describe('True if the text rounds the value'),
      }),
    )
    .describe('The numbers in the text, in order, except numbers in names, days and years that occur in the answer'),
  mismatches: z.array(z.string()).describe('Each part that differs from the served answer'),
  not_proven: z
    .array(z.string())
    .describe('Parts of the answer or the text that svc could not check, each with the reason'),
  logged: z
    .object({ request_id: z.string(), question: z.string().nullable(), answer: z.string().nullable() })
    .nullable()
    .describe(
      'The request that the text names. Returned only to the caller that made the request, and to admins and curators. `answer` is null if you may now see less data than when svc served it',
    ),
});
export type VerificationVerdict = z.infer<typeof verificationVerdictSchema>;
export type StatedNumber = VerificationVerdict['numbers'][number];
