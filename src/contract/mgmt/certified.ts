// Schemas of certified entries, and of candidates, which are past questions that svc proposes for certification.
import { z } from 'zod';
import { parametersSchema } from '../files/corpus-files.ts';
import { listedCertifiedEntrySchema, nextCursorSchema, pageQuerySchema } from '../lens.ts';
import { createListSchema, lensParamsSchema, slugSchema, timeSchema } from './shared.ts';

const questionSchema = z.string().trim().min(1).max(10_000);
const invariantsSchema = z
  .strictObject({
    min_rows: z.int().min(0).optional(),
    max_rows: z.int().min(0).optional(),
    min_value: z.number().optional().describe('For a result with a single number: its minimum'),
    max_value: z.number().optional(),
    max_change: z
      .number()
      .min(0)
      .optional()
      .describe('Maximum relative change of the number between two checks: 0.2 is 20%'),
  })
  .describe('Conditions that each check tests');
export const entryParamsSchema = lensParamsSchema.extend({
  id: z.string().min(1).max(200).describe('cert_id of an entry'),
});
export const newEntryBodySchema = z.strictObject({
  cert_id: slugSchema.optional().describe('Default: derived from the question'),
  question: questionSchema.describe('`{name}` marks a parameter'),
  also_asked: z.array(questionSchema).max(100).default([]),
  sql: z.string().trim().min(1).max(100_000).describe('`:name` marks a parameter'),
  parameters: parametersSchema.default({}),
  notes: z.string().max(10_000).optional(),
  invariants: invariantsSchema.optional(),
});
export const changeEntryBodySchema = z.strictObject({
  question: questionSchema.optional(),
  also_asked: z.array(questionSchema).max(100).optional(),
  sql: z.string().trim().min(1).max(100_000).optional(),
  parameters: parametersSchema.optional(),
  notes: z.string().max(10_000).nullable().optional(),
  invariants: invariantsSchema.nullable().optional(),
});
export const approveEntryBodySchema = z.strictObject({
  approved_by: z.string().trim().min(1).max(300).optional().describe('The person who approves the entry. Default: you'),
});
export const retireEntryBodySchema = z.strictObject({ reason: z.string().max(2000).optional() });
export const entryQuerySchema = pageQuerySchema.extend({
  status: z.enum(['draft', 'approved', 'suspended', 'retired']).optional(),
});
export const entrySearchQuerySchema = pageQuerySchema.extend({
  q: questionSchema,
  status: entryQuerySchema.shape.status,
});

export const entryCheckSchema = z.object({
  ok: z.boolean(),
  fault: z
    .string()
    .nullable()
    .describe('The reason why the SQL does not run, or the data that it reads outside the lens'),
  row_count: z.int().nullable(),
  value: z.string().nullable().describe('The number, if the result is a single number'),
  result_sha256: z.string().nullable(),
  changed: z
    .boolean()
    .nullable()
    .describe('True if the result differs from that of the previous check. Null on the first check'),
  broken: z.array(z.string()).describe('Invariants that the result breaks'),
  checked_at: timeSchema,
});
export const entrySchema = listedCertifiedEntrySchema.omit({ similarity: true }).extend({
  lens: z.string(),
  origin: z.enum(['file', 'api']),
  path: z.string().nullable().describe('The file of the entry'),
  status_reason: z.string().nullable(),
  invariants: invariantsSchema.nullable(),
  dependencies: z
    .object({ tables: z.array(z.string()), columns: z.array(z.string()), meanings: z.array(z.string()) })
    .nullable(),
  last_check: entryCheckSchema.nullable(),
  created_at: timeSchema,
  updated_at: timeSchema,
});
export const entryListSchema = createListSchema(entrySchema);
export const entrySearchSchema = z.object({
  items: z.array(
    entrySchema.extend({
      similarity: z.number(),
      differs: z
        .array(z.string())
        .describe(
          'How the entry differs from the question. If the list is empty, the question runs this entry automatically, provided that the entry is approved and similar enough',
        ),
    }),
  ),
  next_cursor: nextCursorSchema,
  exact_band: z.number(),
  embedder: z.string(),
});
export const checkResultSchema = entryCheckSchema.extend({
  cert_id: z.string(),
  status: z.string(),
  suspended: z.boolean().describe('True if this check suspended the entry'),
  restored: z
    .boolean()
    .describe('True if this check restored the entry: it was suspended because its SQL did not run, and now it runs'),
});

export const distillBodySchema = z.strictObject({
  min_asks: z.int().min(1).max(1000).default(2).describe('Minimum number of asks for a recurring question'),
});
export const candidateQuerySchema = pageQuerySchema.extend({
  status: z.enum(['open', 'accepted', 'dismissed']).optional(),
});
export const candidateParamsSchema = lensParamsSchema.extend({ id: z.string().min(1).max(100) });
export const acceptCandidateBodySchema = z.strictObject({
  cert_id: slugSchema.optional(),
  approve: z.boolean().default(true).describe('False: store the entry as a draft'),
});
export const dismissCandidateBodySchema = z.strictObject({ note: z.string().max(2000).optional() });
export const candidateSchema = z.object({
  id: z.string(),
  lens: z.string(),
  question: z.string(),
  variants: z.array(z.string()).describe('Other wordings of the same question'),
  sql: z.string(),
  evidence: z.object({
    asks: z.int(),
    callers: z.int(),
    confirmed: z.int(),
    corrected: z.boolean(),
    last_at: z.string().nullable(),
  }),
  status: z.enum(['open', 'accepted', 'dismissed']),
  cert_id: z.string().nullable(),
  decided_by: z.string().nullable(),
  created_at: timeSchema,
  updated_at: timeSchema,
});
export const candidateListSchema = createListSchema(candidateSchema);
export const acceptedCandidateSchema = candidateSchema.extend({ entry: entrySchema });
