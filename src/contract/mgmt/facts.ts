// Facts of a lens as the control plane shows and takes them: where each comes from, on what evidence, what depends on it.
import { z } from 'zod';
import { jsonValue } from '../ask.ts';
import { FACT_KINDS, FACT_ORIGINS } from '../lens-file.ts';

export const fact = z.object({
  id: z.string().describe('Stable while the lens says the same, as join:orders.customer_no'),
  kind: z.enum(FACT_KINDS),
  of: z.string().describe('The dataset of a key or time_field; the columns of a join; else dataset.field'),
  says: z.string(),
  origin: z.enum(FACT_ORIGINS),
  evidence: z.string(),
  withdrawn: z.string().optional().describe('The day on which the data contradicted it'),
  depends: z.int().describe('Answers of the last four weeks and sample questions that depend on it'),
  sample_rows: z
    .array(z.record(z.string(), jsonValue))
    .optional()
    .describe('Two rows, for admins; masked fields are null. Absent where they could not be read'),
});
export type Fact = z.infer<typeof fact>;

const factIds = z.array(z.string().min(1).max(2_600)).max(5_000);
export const confirmFactsBody = z.strictObject({
  confirm: z
    .union([factIds, z.literal('proven_joins')])
    .optional()
    .describe(
      'Ids, or proven_joins: every inferred join of which all values are found, each once, when they are read again now',
    ),
  correct: z
    .record(z.string().min(1).max(2_600), z.string().min(1).max(10_000).nullable())
    .refine((all) => Object.keys(all).length <= 1_000, 'must have at most 1000 facts')
    .optional()
    .describe(
      'By id, what is right instead: columns of a key or join separated by ", ", a field, an aggregation, a unit, codes as "1=open, 2=closed|done", an expression. Null: there is no such key, join, date, unit or meaning. A correction is confirmed with it. What the author of the lens wrote, which is not listed, is corrected by the same kind of id',
    ),
});
export type ConfirmFactsBody = z.infer<typeof confirmFactsBody>;

export const factsConfirmed = z.object({
  lens: z.string(),
  version: z.int(),
  confirmed: z.array(z.string()),
  corrected: z.array(z.string()),
  left: z.array(z.object({ id: z.string(), why: z.string() })).describe('Joins that proven_joins did not confirm'),
  warnings: z.array(z.string()),
});
