// Schemas for maintaining the certified corpus, and of candidates for it, which svc finds in past asks.
import { z } from 'zod';
import { parameters } from '../files/corpus-files.ts';
import { certifiedItem, nextCursor, pageQuery } from '../lens.ts';
import { lensParams, listSchemaOf, slug, time } from './shared.ts';

const question = z.string().trim().min(1).max(10_000);
const invariants = z
  .strictObject({
    min_rows: z.int().min(0).optional(),
    max_rows: z.int().min(0).optional(),
    min_value: z.number().optional().describe('For results with one number'),
    max_value: z.number().optional(),
    max_change: z
      .number()
      .min(0)
      .optional()
      .describe('Maximum relative change of the number between two checks: 0.2 is 20%'),
  })
  .describe('Conditions that each check tests');
export const entryParams = lensParams.extend({ id: z.string().min(1).max(200).describe('cert_id of an entry') });
export const newEntryBody = z.strictObject({
  cert_id: slug.optional().describe('Default: derived from the question'),
  question: question.describe('`{name}` marks a parameter'),
  also_asked: z.array(question).max(100).default([]),
  sql: z.string().trim().min(1).max(100_000).describe('`:name` marks a parameter'),
  parameters: parameters.default({}),
  notes: z.string().max(10_000).optional(),
  invariants: invariants.optional(),
});
export const changeEntryBody = z.strictObject({
  question: question.optional(),
  also_asked: z.array(question).max(100).optional(),
  sql: z.string().trim().min(1).max(100_000).optional(),
  parameters: parameters.optional(),
  notes: z.string().max(10_000).nullable().optional(),
  invariants: invariants.nullable().optional(),
});
export const approveEntryBody = z.strictObject({
  approved_by: z.string().trim().min(1).max(300).optional().describe('Who vouches for the entry. Default: you'),
});
export const retireEntryBody = z.strictObject({ reason: z.string().max(2000).optional() });
export const entryQuery = pageQuery.extend({
  status: z.enum(['draft', 'approved', 'suspended', 'retired']).optional(),
});
export const entrySearchQuery = pageQuery.extend({ q: question, status: entryQuery.shape.status });

export const entryCheck = z.object({
  ok: z.boolean(),
  fault: z
    .string()
    .nullable()
    .describe('The reason why the SQL does not run, or the data that it reads outside the lens'),
  row_count: z.int().nullable(),
  value: z.string().nullable().describe('If the result is one number'),
  result_sha256: z.string().nullable(),
  changed: z
    .boolean()
    .nullable()
    .describe('True if the result differs from that of the previous check; null on the first check'),
  broken: z.array(z.string()).describe('Invariants that the result breaks'),
  checked_at: time,
});
export const entry = certifiedItem.omit({ similarity: true }).extend({
  lens: z.string(),
  origin: z.enum(['file', 'api']),
  path: z.string().nullable().describe('The file of the entry'),
  status_reason: z.string().nullable(),
  invariants: invariants.nullable(),
  dependencies: z
    .object({ tables: z.array(z.string()), columns: z.array(z.string()), meanings: z.array(z.string()) })
    .nullable(),
  last_check: entryCheck.nullable(),
  created_at: time,
  updated_at: time,
});
export const entryList = listSchemaOf(entry);
export const entrySearch = z.object({
  items: z.array(
    entry.extend({
      similarity: z.number(),
      differs: z
        .array(z.string())
        .describe(
          'How the entry differs from the question. If the list is empty, the question runs this entry automatically, provided that the entry is approved and similar enough',
        ),
    }),
  ),
  next_cursor: nextCursor,
  exact_band: z.number(),
  embedder: z.string(),
});
export const checkResult = entryCheck.extend({
  cert_id: z.string(),
  status: z.string(),
  suspended: z.boolean().describe('Suspended by this check'),
  restored: z
    .boolean()
    .describe('True if this check restored the entry: it was suspended because its SQL did not run, and now it runs'),
});

export const distillBody = z.strictObject({
  min_asks: z.int().min(1).max(1000).default(2).describe('Minimum number of asks for a recurring question'),
});
export const candidateQuery = pageQuery.extend({ status: z.enum(['open', 'accepted', 'dismissed']).optional() });
export const candidateParams = lensParams.extend({ id: z.string().min(1).max(100) });
export const acceptBody = z.strictObject({
  cert_id: slug.optional(),
  approve: z.boolean().default(true).describe('False: accept it as a draft'),
});
export const dismissBody = z.strictObject({ note: z.string().max(2000).optional() });
export const candidate = z.object({
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
  created_at: time,
  updated_at: time,
});
export const candidateList = listSchemaOf(candidate);
export const acceptedCandidate = candidate.extend({ entry });
