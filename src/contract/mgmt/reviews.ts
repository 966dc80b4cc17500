import { z } from 'zod';
import { evalExpectationSchema, parametersSchema } from '../files/corpus-files.ts';
import { fieldPathSchema, fillerWordSchema } from '../files/lens-file.ts';
import { pageQuerySchema } from '../lens.ts';
import { REVIEW_STATUSES, reviewTicketSchema } from '../review.ts';
import { answerChangeSchema, projectProblemSchema } from './project.ts';
import { createListSchema, lensParamsSchema, slugSchema, timeSchema } from './shared.ts';

const nameSchema = z.string().trim().min(1).max(200);
const textSchema = z.string().trim().min(1).max(10_000);
const definitionTargetMembers = { metric: nameSchema.optional(), filter: textSchema.optional() };
export const patchChangeSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('synonym'),
    of: z.enum(['metric', 'field', 'dataset', 'definition']),
    name: nameSchema,
    synonym: nameSchema,
  }),
  z.strictObject({
    kind: z.literal('filler_word'),
    word: fillerWordSchema.describe('A word that svc may ignore in questions to this lens'),
  }),
  z.strictObject({ kind: z.literal('value_synonym'), field: fieldPathSchema, value: nameSchema, synonym: nameSchema }),
  z.strictObject({
    kind: z.literal('definition'),
    term: nameSchema,
    meaning: textSchema,
    synonyms: z.array(nameSchema).max(50).optional(),
    ...definitionTargetMembers,
  }),
  z.strictObject({
    kind: z.literal('definition_sense'),
    term: nameSchema,
    sense: z.strictObject({
      key: z.string().regex(/^[A-Za-z_]\w*$/),
      label: textSchema,
      meaning: textSchema,
      ...definitionTargetMembers,
    }),
  }),
  z.strictObject({
    kind: z.literal('metric'),
    name: z.string().regex(/^[A-Za-z_]\w*$/),
    expression: textSchema,
    description: textSchema,
    synonyms: z.array(nameSchema).max(50).optional(),
    unit: nameSchema.optional(),
    filter: textSchema.optional(),
  }),
  z.strictObject({
    kind: z.literal('metric_filter'),
    metric: nameSchema,
    filter: textSchema.nullable().describe('Null removes the filter'),
  }),
  z.strictObject({
    kind: z.literal('certified'),
    cert_id: slugSchema.optional(),
    question: textSchema,
    also_asked: z.array(textSchema).max(100).optional(),
    sql: z.string().trim().min(1).max(100_000),
    parameters: parametersSchema.optional(),
  }),
  z.strictObject({
    kind: z.literal('eval'),
    id: slugSchema.optional(),
    question: textSchema,
    expect: evalExpectationSchema,
  }),
]);
export type PatchChange = z.infer<typeof patchChangeSchema>;

export const newPatchBodySchema = z.strictObject({
  change: patchChangeSchema,
  reason: z.string().max(2000).optional(),
  review_id: z.uuid().optional().describe('The ticket that this patch fixes'),
  eval_id: slugSchema.optional().describe('The eval that fails without this patch'),
});
export const patchParamsSchema = lensParamsSchema.extend({ id: z.string().min(1).max(100) });
export const patchQuerySchema = pageQuerySchema.extend({
  status: z.enum(['draft', 'approved', 'rejected']).optional(),
});
export const decidePatchBodySchema = z.strictObject({
  note: z.string().max(2000).optional(),
  deploy: z
    .boolean()
    .optional()
    .describe(
      'For lenses from files. true (default): deploy the change and keep it as an edit until your files contain it. false: only return the diff',
    ),
});
export const rejectPatchBodySchema = z.strictObject({ note: z.string().max(2000).optional() });

export const patchPreviewSchema = z.object({
  problems: z.array(projectProblemSchema.omit({ pointer: true })),
  warnings: z.array(z.string()),
  compared: z
    .int()
    .describe(
      'Number of questions asked on both versions, from the ticket, evals, certified entries and recent requests',
    ),
  answer_changes: z.array(
    answerChangeSchema.extend({ kind: z.enum(['review', 'eval', 'certified', 'request']), question: z.string() }),
  ),
  previewed_at: timeSchema,
});
export const patchSchema = z.object({
  id: z.string(),
  lens: z.string(),
  kind: z.string(),
  change: z.record(z.string(), z.unknown()),
  reason: z.string().nullable(),
  review_id: z.string().nullable(),
  eval_id: z.string().nullable(),
  gap_id: z.string().nullable(),
  status: z.enum(['draft', 'approved', 'rejected']),
  preview: patchPreviewSchema.nullable(),
  outcome: z
    .object({
      applied: z.boolean(),
      how: z.string().describe('The result of the approval, or the next step'),
      diff: z.string().nullable().describe('Unified diff to commit to your project files'),
      files: z.record(z.string(), z.string()).nullable().describe('The changed files, in full'),
      eval_id: z.string().nullable().describe('The eval added with this patch'),
    })
    .nullable(),
  created_by: z.string(),
  decided_by: z.string().nullable(),
  decided_note: z.string().nullable(),
  decided_at: timeSchema.nullable(),
  created_at: timeSchema,
  updated_at: timeSchema,
});
export const patchDetailSchema = patchSchema.extend({
  diff: z.string().nullable().describe('The diff against the current files of the lens'),
  files: z.record(z.string(), z.string()).nullable(),
});
export const patchListSchema = createListSchema(patchSchema);

const momentSchema = z.iso.datetime({ offset: true }).or(z.iso.date());
export const reviewQuerySchema = pageQuerySchema.extend({
  status: z.enum(REVIEW_STATUSES).optional(),
  lens: z.string().min(1).max(100).optional(),
  raised_by: z.string().min(1).max(300).optional(),
  claimed_by: z.string().min(1).max(300).optional(),
  request_id: z.string().min(1).max(100).optional(),
  since: momentSchema.optional(),
  until: momentSchema.optional(),
});
export const ticketParamsSchema = z.object({ id: z.string().min(1).max(100).describe('ID of a ticket') });
export const rulingBodySchema = z.strictObject({
  ruling: z.enum(['accepted', 'rejected', 'duplicate']),
  note: z
    .string()
    .max(10_000)
    .optional()
    .describe('Shown to the reporter, and to those who verify the receipt and may use the lens'),
});
export const commentBodySchema = z.strictObject({ body: z.string().trim().min(1).max(10_000) });

export const queuedReviewSchema = reviewTicketSchema.extend({
  question: z.string().nullable(),
  raised_by: z.string(),
  claimed_by: z.string().nullable(),
  subject: z
    .object({ kind: z.literal('certified'), lens: z.string(), cert_id: z.string() })
    .nullable()
    .describe('The suspended certified entry. A ticket with this member has no request'),
});
export const queuedReviewListSchema = createListSchema(queuedReviewSchema);
export const queuedReviewDetailSchema = queuedReviewSchema.extend({
  answer: z.string().nullable(),
  sql: z.string().nullable(),
  confidence: z.string().nullable(),
  certification: z.string().nullable(),
  patch: patchSchema.nullable().describe('The fix drafted for the ticket'),
});
