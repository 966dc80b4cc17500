import { z } from 'zod';
import { jsonScalarSchema } from '../ask.ts';
import { FACT_KINDS, FACT_ORIGINS } from '../files/lens-file.ts';
import { newLensNameSchema } from '../files/shared-schemas.ts';
import { pageQuerySchema } from '../lens.ts';
import { projectProblemSchema } from './project.ts';
import { lensParamsSchema, timeSchema } from './shared.ts';

export const lensFilesSchema = z
  .strictObject({ 'lens.yaml': z.string().min(1).max(2_000_000) })
  .describe('Files as in lenses/<name>/. Certified entries and evals have their own routes');
export const newLensBodySchema = z.strictObject({
  name: newLensNameSchema,
  files: lensFilesSchema,
  message: z.string().max(2000).optional(),
});
export const lensRowSchema = z.object({
  name: z.string(),
  title: z.string().nullable(),
  origin: z.enum(['file', 'api']),
  version: z.int().nullable().describe('The published version. Null if no version is published'),
  last_version: z.int(),
  connection: z.string().nullable(),
  certified_count: z.int(),
  created_at: timeSchema,
  updated_at: timeSchema,
});
export const lensDetailSchema = lensRowSchema.extend({
  files: z.record(z.string(), z.string()).describe('The files of the published version'),
});

export const draftParamsSchema = lensParamsSchema.extend({ id: z.string().min(1).max(100).describe('ID of a draft') });
export const newDraftBodySchema = z.strictObject({
  files: lensFilesSchema.optional().describe('Default: the published version'),
  message: z.string().max(2000).optional(),
});
export const changeDraftBodySchema = z.strictObject({
  files: lensFilesSchema,
  message: z.string().max(2000).optional(),
});
export const draftSchema = z.object({
  id: z.string(),
  lens: z.string(),
  base_version: z.int().nullable(),
  status: z.enum(['open', 'published']),
  published_version: z.int().nullable(),
  message: z.string().nullable(),
  files: z.record(z.string(), z.string()),
  revision: z.int(),
  created_by: z.string(),
  created_at: timeSchema,
  updated_at: timeSchema,
});
export const lensChangeSchema = z.object({
  kind: z.enum(['lens', 'dataset', 'field', 'relationship', 'metric', 'definition', 'row_policy', 'fact']),
  name: z.string(),
  action: z.enum(['added', 'removed', 'changed']),
  changes: z.array(z.object({ member: z.string(), before: z.unknown(), after: z.unknown() })),
});
export const validationSchema = z.object({
  valid: z.boolean(),
  problems: z.array(projectProblemSchema),
  warnings: z.array(z.string()),
  changes: z.array(lensChangeSchema).describe('Changes in meaning, compared with the published version'),
});
export const publishedLensSchema = z.object({ lens: z.string(), version: z.int(), warnings: z.array(z.string()) });
export const versionParamsSchema = lensParamsSchema.extend({ version: z.coerce.number().int().min(1).max(1_000_000) });
export const versionRowSchema = z.object({
  version: z.int(),
  active: z.boolean(),
  created_by: z.string(),
  created_at: timeSchema,
  deployment_id: z.string().nullable(),
});
export const versionDetailSchema = versionRowSchema.extend({
  files: z.record(z.string(), z.string()),
  lens: z.record(z.string(), z.unknown()).describe('The compiled lens'),
});

export const lensTreeQuerySchema = pageQuerySchema.extend({ version: z.coerce.number().int().min(1).optional() });
export const lensTreeSchema = z.object({
  lens: z.string(),
  version: z.int(),
  items: z.array(z.object({ path: z.string(), bytes: z.int(), sha256: z.string() })),
  next_cursor: z.string().nullable(),
});
export const lensTreeFileSchema = z.object({ lens: z.string(), version: z.int(), path: z.string(), text: z.string() });
export const versionDiffQuerySchema = z.strictObject({
  from: z.coerce.number().int().min(1).describe('Older version'),
  to: z.coerce.number().int().min(1).optional().describe('Newer version. Default: the published version'),
});
export const versionDiffSchema = z.object({
  lens: z.string(),
  from: z.int(),
  to: z.int(),
  summary: z.array(z.string()).describe('One line for each change in meaning'),
  changes: z.array(lensChangeSchema),
  files: z.array(
    z.object({
      path: z.string(),
      action: z.enum(['added', 'removed', 'changed']),
      diff: z.string().describe('Unified diff'),
    }),
  ),
});
export const modelContextSchema = z.object({
  lens: z.string(),
  version: z.int(),
  context: z.string(),
  characters: z.int(),
});
export const sampleQuestionSchema = z.object({
  id: z.string(),
  question: z.string(),
  note: z.string().nullable(),
  origin: z.enum(['file', 'api']),
  created_by: z.string().nullable(),
  created_at: timeSchema.nullable(),
  tried_at: timeSchema
    .nullable()
    .describe(
      'When svc tested the question. Null for a question of lens.yaml, and for a question that svc has not tested. Callers do not see an untested question. To test it, add it again',
    ),
});
export const newSampleQuestionBodySchema = z.strictObject({
  question: z.string().trim().min(1).max(4000),
  note: z.string().max(4000).optional(),
});

export const factSchema = z.object({
  id: z
    .string()
    .describe(
      'The ID of the fact, such as join:orders.customer_no. The ID does not change while the lens is unchanged',
    ),
  kind: z.enum(FACT_KINDS),
  of: z.string().describe('The dataset of a key or time_field, the columns of a join, or otherwise dataset.field'),
  says: z.string(),
  origin: z.enum(FACT_ORIGINS),
  evidence: z.string(),
  withdrawn: z.string().optional().describe('The day on which the data contradicted the fact'),
  depends: z.int().describe('Number of answers of the last four weeks and of sample questions that depend on the fact'),
  sample_rows: z
    .array(z.record(z.string(), jsonScalarSchema))
    .optional()
    .describe(
      'Two example rows, for admins and curators. Masked fields are null. Absent if svc could not read the rows',
    ),
});
export type Fact = z.infer<typeof factSchema>;

const factIdsSchema = z.array(z.string().min(1).max(2_600)).max(5_000);
export const confirmFactsBodySchema = z
  .strictObject({
    confirm: z
      .union([factIdsSchema, z.literal('proven_joins')])
      .optional()
      .describe(
        'A list of ids, or `proven_joins` to read the data again and confirm each inferred join whose values all match a unique key',
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
export type ConfirmFactsBody = z.infer<typeof confirmFactsBodySchema>;

export const confirmationResultSchema = z.object({
  lens: z.string(),
  version: z.int(),
  confirmed: z.array(z.string()),
  corrected: z.array(z.string()),
  left: z.array(z.object({ id: z.string(), why: z.string() })).describe('Joins that proven_joins could not confirm'),
  warnings: z.array(z.string()),
});
