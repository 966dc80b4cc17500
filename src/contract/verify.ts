// What is held against the log before it is repeated: an answer, a receipt with its rows, or a text that names its request.
import { z } from 'zod';
import { jsonValue, scope } from './ask.ts';
import { atMost } from './file-words.ts';
import { presentedReceipt, receiptVerification } from './receipt.ts';

const row = z.record(z.string(), jsonValue);
const MOST_NAMES = 1_000;
const day = z
  .string()
  .max(100)
  .refine((text) => !Number.isNaN(Date.parse(text)), 'must be a date');
const claimedScope = z.looseObject({
  ...scope.shape,
  filters: z
    .array(
      z.object({ field: z.string().max(1_000), op: z.string().max(100), values: z.array(jsonValue).max(MOST_NAMES) }),
    )
    .max(200),
  time: z.object({ field: z.string().max(1_000), from: day, to: day, timezone: z.string().max(100) }).nullable(),
  row_policies: z.array(z.string()).max(MOST_NAMES),
  masks: z.array(z.string()).max(MOST_NAMES).optional(),
  joins: z.array(z.string()).max(MOST_NAMES),
});

/** An answer as it was saved. What stands beside these members is left alone. */
export const savedAnswer = z.looseObject({
  receipt: presentedReceipt.describe('The whole one: ask with `receipt: full` for it'),
  answer: z.string().max(100_000).nullable(),
  question: z.string().max(100_000).nullable(),
  sql: z.string().max(1_000_000).nullable(),
  parameters: z
    .record(z.string(), jsonValue)
    .refine(...atMost(200, 'members'))
    .nullable(),
  columns: z
    .array(z.looseObject({ name: z.string() }))
    .max(2_000)
    .nullable(),
  data: z.array(row).nullable(),
  row_count: z.int().nullable(),
  scope: claimedScope.nullable(),
  citations: z.array(z.looseObject({ kind: z.string() })).max(1_000),
  truncated: z.object({ returned: z.int(), total: z.int().nullable() }).optional(),
  data_as_of: z.string().nullable(),
});
export type SavedAnswer = z.infer<typeof savedAnswer>;

export const verifyBody = z
  .strictObject({
    answer: savedAnswer.optional(),
    receipt: presentedReceipt.optional(),
    rows: z.array(row).optional().describe('The rows that the receipt was issued for'),
    text: z
      .string()
      .min(1)
      .max(20_000)
      .optional()
      .describe(
        'A text that repeats numbers, at most 200: held against the rows beside it, or, where it holds the id of its request, against the sentence that the log has',
      ),
  })
  .superRefine(({ answer, receipt, rows, text }, context) => {
    const fault = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (!answer && !receipt && text === undefined)
      fault('answer', 'Give an answer, a receipt (with its rows), or a text that names its request.');
    if (answer && receipt) fault('receipt', 'The answer holds its receipt; give one of the two.');
    if (rows && !receipt) fault('rows', 'Rows are held against their receipt; give both.');
  });
export type VerifyBody = z.infer<typeof verifyBody>;

export const verdict = z.object({
  ok: z
    .boolean()
    .describe(
      'The receipt holds, the rows match it, nothing that was given differs, and each number of the text was found',
    ),
  receipt: receiptVerification
    .nullable()
    .describe('As POST /v1/verify-receipt says it; null where only a text was given'),
  rows: z
    .enum(['match', 'differ', 'unknown'])
    .describe('unknown: no rows were given, a cap left some of them out, or the receipt does not hold'),
  numbers: z
    .array(
      z.object({
        text: z.string().describe('As the text has it'),
        value: jsonValue.describe(
          'The cell, or the number of the reading or logged sentence; null: not found, or it can’t be read',
        ),
        row: z.int().nullable().describe('From 1 on; null where no cell is'),
        column: z.string().nullable(),
        rounds: z.boolean().describe('The text has it rounded'),
      }),
    )
    .describe('Of the text, in its order, without names, days and years of the answer'),
  mismatches: z.array(z.string()).describe('Each thing that is not as it was served'),
  not_proven: z.array(z.string()).describe('What could not be compared, and why'),
  logged: z
    .object({ request_id: z.string(), question: z.string().nullable(), answer: z.string().nullable() })
    .nullable()
    .describe('The request that a text names, for whoever asked and for admins'),
});
export type Verdict = z.infer<typeof verdict>;
export type SaidNumber = Verdict['numbers'][number];
