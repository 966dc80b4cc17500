import { z } from 'zod';
import { nextCursorSchema } from '../lens.ts';
import { columnProfileSchema } from './connections.ts';
import { timeSchema } from './shared.ts';

export const lensProfileBodySchema = z.strictObject({
  sample_rows: z
    .int()
    .min(100)
    .max(10_000_000)
    .default(100_000)
    .describe('Maximum number of rows that svc reads from a table. From larger tables, svc reads a sample'),
});
const fieldProfileSchema = z.object({
  dataset: z.string(),
  field: z.string(),
  datatype: z.string(),
  masked: z.boolean().describe('If true, the profile contains only counts and no values'),
  ...columnProfileSchema.pick({ rows: true, nulls: true, min: true, max: true, values: true, sampled: true }).shape,
  distinct: z.number().nullable().describe('Null if the table was sampled'),
});
export const lensProfileSchema = z.object({
  lens: z.string(),
  lens_version: z.int().nullable(),
  taken_at: timeSchema.nullable().describe('Null before the first profile. POST creates a profile'),
  items: z.array(fieldProfileSchema),
  next_cursor: nextCursorSchema,
  faults: z.array(z.object({ dataset: z.string(), message: z.string() })),
});
export const profileDriftSchema = z.object({
  lens: z.string(),
  from: timeSchema.nullable(),
  to: timeSchema.nullable(),
  next_cursor: nextCursorSchema,
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
export const joinCandidatesSchema = z.object({
  lens: z.string(),
  taken_at: timeSchema.nullable(),
  next_cursor: nextCursorSchema,
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
