// Schemas of the review queue, and of drafted changes to project files.
import { z } from 'zod';
import { evalExpectation, parameters } from '../files/corpus-files.ts';
import { fieldPath, fillerWord } from '../files/lens-file.ts';
import { pageQuery } from '../lens.ts';
import { REVIEW_STATUSES, reviewTicket } from '../review.ts';
import { answerChange, projectProblem } from './project.ts';
import { lensParams, listSchemaOf, slug, time } from './shared.ts';

const name = z.string().trim().min(1).max(200);
const text = z.string().trim().min(1).max(10_000);
const definitionTarget = { metric: name.optional(), filter: text.optional() };
export const patchChange = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('synonym'),
    of: z.enum(['metric', 'field', 'dataset', 'definition']),
    name,
    synonym: name,
  }),
  z.strictObject({
    kind: z.literal('filler_word'),
    word: fillerWord.describe('A word that svc may ignore in questions to this lens'),
  }),
  z.strictObject({ kind: z.literal('value_synonym'), field: fieldPath, value: name, synonym: name }),
  z.strictObject({
    kind: z.literal('definition'),
    term: name,
    meaning: text,
    synonyms: z.array(name).max(50).optional(),
    ...definitionTarget,
  }),
  z.strictObject({
    kind: z.literal('definition_sense'),
    term: name,
    sense: z.strictObject({ key: z.string().regex(/^[A-Za-z_]\w*$/), label: text, meaning: text, ...definitionTarget }),
  }),
  z.strictObject({
    kind: z.literal('metric'),
    name: z.string().regex(/^[A-Za-z_]\w*$/),
    expression: text,
    description: text,
    synonyms: z.array(name).max(50).optional(),
    unit: name.optional(),
    filter: text.optional(),
  }),
  z.strictObject({
    kind: z.literal('metric_filter'),
    metric: name,
    filter: text.nullable().describe('Null removes the filter'),
  }),
  z.strictObject({
    kind: z.literal('certified'),
    cert_id: slug.optional(),
    question: text,
    also_asked: z.array(text).max(100).optional(),
    sql: z.string().trim().min(1).max(100_000),
    parameters: parameters.optional(),
  }),
  z.strictObject({ kind: z.literal('eval'), id: slug.optional(), question: text, expect: evalExpectation }),
]);
export type PatchChange = z.infer<typeof patchChange>;

export const newPatchBody = z.strictObject({
  change: patchChange,
  reason: z.string().max(2000).optional(),
  review_id: z.uuid().optional().describe('The ticket that this patch fixes'),
  eval_id: slug.optional().describe('The eval that fails without this patch'),
});
export const patchParams = lensParams.extend({ id: z.string().min(1).max(100) });
export const patchQuery = pageQuery.extend({ status: z.enum(['draft', 'approved', 'rejected']).optional() });
export const decidePatchBody = z.strictObject({
  note: z.string().max(2000).optional(),
  deploy: z
    .boolean()
    .optional()
    .describe(
      'For lenses from files. true (default): deploy the change and keep it as an edit until your files contain it. false: only return the diff',
    ),
});
export const rejectPatchBody = z.strictObject({ note: z.string().max(2000).optional() });

export const preview = z.object({
  problems: z.array(projectProblem.omit({ pointer: true })),
  warnings: z.array(z.string()),
  compared: z
    .int()
    .describe('Questions asked on both versions: from the ticket, evals, certified entries and recent requests'),
  answer_changes: z.array(
    answerChange.extend({ kind: z.enum(['review', 'eval', 'certified', 'request']), question: z.string() }),
  ),
  previewed_at: time,
});
export const patch = z.object({
  id: z.string(),
  lens: z.string(),
  kind: z.string(),
  change: z.record(z.string(), z.unknown()),
  reason: z.string().nullable(),
  review_id: z.string().nullable(),
  eval_id: z.string().nullable(),
  gap_id: z.string().nullable(),
  status: z.enum(['draft', 'approved', 'rejected']),
  preview: preview.nullable(),
  outcome: z
    .object({
      applied: z.boolean(),
      how: z.string().describe('The result, or the next step'),
      diff: z.string().nullable().describe('Unified diff to commit to your project files'),
      files: z.record(z.string(), z.string()).nullable().describe('The changed files, in full'),
      eval_id: z.string().nullable().describe('The eval added with this patch'),
    })
    .nullable(),
  created_by: z.string(),
  decided_by: z.string().nullable(),
  decided_note: z.string().nullable(),
  decided_at: time.nullable(),
  created_at: time,
  updated_at: time,
});
export const patchDetail = patch.extend({
  diff: z.string().nullable().describe('The diff against the current files of the lens'),
  files: z.record(z.string(), z.string()).nullable(),
});
export const patchList = listSchemaOf(patch);

const moment = z.iso.datetime({ offset: true }).or(z.iso.date());
export const reviewQuery = pageQuery.extend({
  status: z.enum(REVIEW_STATUSES).optional(),
  lens: z.string().min(1).max(100).optional(),
  raised_by: z.string().min(1).max(300).optional(),
  claimed_by: z.string().min(1).max(300).optional(),
  request_id: z.string().min(1).max(100).optional(),
  since: moment.optional(),
  until: moment.optional(),
});
export const ticketParams = z.object({ id: z.string().min(1).max(100).describe('Id of a ticket') });
export const ruleBody = z.strictObject({
  ruling: z.enum(['accepted', 'rejected', 'duplicate']),
  note: z
    .string()
    .max(10_000)
    .optional()
    .describe('Shown to the reporter, and to those who verify the receipt and may use the lens'),
});
export const commentBody = z.strictObject({ body: z.string().trim().min(1).max(10_000) });

export const queuedReview = reviewTicket.extend({
  question: z.string().nullable(),
  raised_by: z.string(),
  claimed_by: z.string().nullable(),
  subject: z
    .object({ kind: z.literal('certified'), lens: z.string(), cert_id: z.string() })
    .nullable()
    .describe('The suspended certified entry. A ticket with this member has no request'),
});
export const queuedReviewList = listSchemaOf(queuedReview);
export const queuedReviewDetail = queuedReview.extend({
  answer: z.string().nullable(),
  sql: z.string().nullable(),
  confidence: z.string().nullable(),
  certification: z.string().nullable(),
  patch: patch.nullable().describe('The fix drafted for the ticket'),
});
