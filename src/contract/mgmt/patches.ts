// Drafted fixes: what may be changed by one, and what one says about itself (CONTRACT 8, "patches").
import { z } from 'zod';
import { evalExpectation } from '../corpus-files.ts';
import { datatype } from '../file-words.ts';
import { pageQuery } from '../lens.ts';
import { fillerWord } from '../lens-file.ts';
import { listOf, time } from './shared.ts';

const name = z.string().trim().min(1).max(200);
const text = z.string().trim().min(1).max(10_000);
const fieldPath = z.string().regex(/^[A-Za-z_]\w*\.[A-Za-z_]\w*$/, 'must be dataset.field');
const slug = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,100}$/);
const about = { metric: name.optional(), filter: text.optional() };
export const patchChange = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('synonym'),
    of: z.enum(['metric', 'field', 'dataset', 'definition']),
    name,
    synonym: name,
  }),
  z.strictObject({
    kind: z.literal('filler_word'),
    word: fillerWord.describe('A word of questions that carries nothing in this lens'),
  }),
  z.strictObject({ kind: z.literal('value_synonym'), field: fieldPath, value: name, synonym: name }),
  z.strictObject({
    kind: z.literal('definition'),
    term: name,
    meaning: text,
    synonyms: z.array(name).max(50).optional(),
    ...about,
  }),
  z.strictObject({
    kind: z.literal('definition_sense'),
    term: name,
    sense: z.strictObject({ key: z.string().regex(/^[A-Za-z_]\w*$/), label: text, meaning: text, ...about }),
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
    filter: text.nullable().describe('Null takes the filter away'),
  }),
  z.strictObject({
    kind: z.literal('certified'),
    cert_id: slug.optional(),
    question: text,
    also_asked: z.array(text).max(100).optional(),
    sql: z.string().trim().min(1).max(100_000),
    parameters: z.record(z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/), z.strictObject({ datatype })).optional(),
  }),
  z.strictObject({ kind: z.literal('eval'), id: slug.optional(), question: text, expect: evalExpectation }),
]);
export type PatchChange = z.infer<typeof patchChange>;

export const createPatch = z.strictObject({
  change: patchChange,
  reason: z.string().max(2000).optional(),
  review_id: z.uuid().optional().describe('The ticket that it answers'),
  eval_id: slug.optional().describe('The eval that fails without it'),
});
export const patchParams = z.object({
  name: z.string().min(1).max(100).describe('Name of a lens'),
  id: z.string().min(1).max(100),
});
export const patchQuery = pageQuery.extend({ status: z.enum(['draft', 'approved', 'rejected']).optional() });
export const decidePatch = z.strictObject({
  note: z.string().max(2000).optional(),
  deploy: z
    .boolean()
    .optional()
    .describe(
      'For lenses of files. True, the default: the change is deployed, and kept as an edit until your files hold it. False: only hand out the diff',
    ),
});
export const rejectPatch = z.strictObject({ note: z.string().max(2000).optional() });

export const answerChange = z.object({
  lens: z.string(),
  kind: z.enum(['review', 'eval', 'certified', 'request']),
  id: z.string(),
  question: z.string(),
  before: z.unknown(),
  after: z.unknown(),
});
export const preview = z.object({
  problems: z.array(
    z.object({ path: z.string(), line: z.int(), column: z.int(), code: z.string(), message: z.string() }),
  ),
  warnings: z.array(z.string()),
  compared: z
    .int()
    .describe('Questions that were asked on both: the ticket’s, evals, certified ones and recent requests'),
  answer_changes: z.array(answerChange),
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
      how: z.string().describe('What took effect, or what is left to do'),
      diff: z.string().nullable().describe('Unified, for a project of files: commit it'),
      files: z.record(z.string(), z.string()).nullable().describe('The changed files, whole'),
      eval_id: z.string().nullable().describe('The eval that was added with it'),
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
  diff: z.string().nullable().describe('What it changes in the lens’s files as they are now'),
  files: z.record(z.string(), z.string()).nullable(),
});
export const patchList = listOf(patch);
