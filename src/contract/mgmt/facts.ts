// Schemas of a lens's facts, with their origin, their evidence and the number of answers that depend on them.
import { z } from 'zod';
import { jsonValue } from '../ask.ts';
import { FACT_KINDS, FACT_ORIGINS } from '../files/lens-file.ts';

export const fact = z.object({
  id: z.string().describe('Stable until the lens changes, for example join:orders.customer_no'),
  kind: z.enum(FACT_KINDS),
  of: z.string().describe('The dataset of a key or time_field; the columns of a join; otherwise dataset.field'),
  says: z.string(),
  origin: z.enum(FACT_ORIGINS),
  evidence: z.string(),
  withdrawn: z.string().optional().describe('The day on which the data contradicted the fact'),
  depends: z.int().describe('Number of answers of the last four weeks and of sample questions that depend on the fact'),
  sample_rows: z
    .array(z.record(z.string(), jsonValue))
    .optional()
    .describe(
      'Two example rows, for admins and curators. Masked fields are null. Absent if svc could not read the rows',
    ),
});
export type Fact = z.infer<typeof fact>;

const factIds = z.array(z.string().min(1).max(2_600)).max(5_000);
export const confirmFactsBody = z
  .strictObject({
    confirm: z
      .union([factIds, z.literal('proven_joins')])
      .optional()
      .describe(
        'Ids; or proven_joins: read the data again and confirm each inferred join whose values all match a unique key',
      ),
    correct: z
      .record(z.string().min(1).max(2_600), z.string().min(1).max(10_000).nullable())
      .refine((all) => Object.keys(all).length <= 1_000, 'must have at most 1000 facts')
      .optional()
      .describe(
        'Corrections by id: columns of a key or join separated by ", ", a field, an aggregation, a unit, codes like "1=open, 2=closed|done", or an expression. Null removes the key, join, date, unit or meaning. A corrected fact is also confirmed. Facts that an author wrote are not listed, but you can correct them with an id of the same form',
      ),
  })
  .refine(({ confirm, correct }) => confirm !== undefined || correct !== undefined, 'Give confirm, correct or both.');
export type ConfirmFactsBody = z.infer<typeof confirmFactsBody>;

export const confirmationResult = z.object({
  lens: z.string(),
  version: z.int(),
  confirmed: z.array(z.string()),
  corrected: z.array(z.string()),
  left: z.array(z.object({ id: z.string(), why: z.string() })).describe('Joins that proven_joins could not confirm'),
  warnings: z.array(z.string()),
});
