// Schemas of column profiles, of changes between two profiles, and of joins that the data suggests.
import { z } from 'zod';
import { nextCursor } from '../lens.ts';
import { columnProfile } from './connections.ts';
import { time } from './shared.ts';

export const profileBody = z.strictObject({
  sample_rows: z
    .int()
    .min(100)
    .max(10_000_000)
    .default(100_000)
    .describe('Maximum rows read from a table; larger tables are sampled'),
});
const fieldProfile = z.object({
  dataset: z.string(),
  field: z.string(),
  datatype: z.string(),
  masked: z.boolean().describe('True: only counts, no values'),
  ...columnProfile.pick({ rows: true, nulls: true, min: true, max: true, values: true, sampled: true }).shape,
  distinct: z.number().nullable().describe('Null if the table was sampled'),
});
export const profile = z.object({
  lens: z.string(),
  lens_version: z.int().nullable(),
  taken_at: time.nullable().describe('Null before the first profile; POST creates one'),
  items: z.array(fieldProfile),
  next_cursor: nextCursor,
  faults: z.array(z.object({ dataset: z.string(), message: z.string() })),
});
export const profileDrift = z.object({
  lens: z.string(),
  from: time.nullable(),
  to: time.nullable(),
  next_cursor: nextCursor,
  items: z.array(
    z.object({
      dataset: z.string(),
      field: z.string().nullable(),
      code: z.string(),
      severity: z.enum(['info', 'warning']),
      message: z.string(),
      before: z.unknown(),
      after: z.unknown(),
    }),
  ),
});
export const joinCandidates = z.object({
  lens: z.string(),
  taken_at: time.nullable(),
  next_cursor: nextCursor,
  items: z.array(
    z.object({
      from: z.string(),
      to: z.string(),
      declared: z.boolean(),
      values_checked: z.number(),
      inclusion: z.number().nullable().describe('Share of the checked values of `from` that exist in `to`'),
      unique: z.boolean().nullable().describe('True if the values of `to` are unique'),
      confidence: z.enum(['high', 'medium', 'low']),
      relationship: z
        .object({
          name: z.string(),
          from: z.union([z.string(), z.array(z.string())]),
          to: z.union([z.string(), z.array(z.string())]),
        })
        .describe('Ready for lens.yaml. If the key has several columns, from and to are lists'),
    }),
  ),
});
