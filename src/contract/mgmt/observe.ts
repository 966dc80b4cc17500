import { z } from 'zod';
import { checkSchema, envelopeSchema } from '../ask.ts';
import { nextCursorSchema, pageQuerySchema } from '../lens.ts';
import { receiptSchema } from '../receipt.ts';
import { createListSchema, timeSchema } from './shared.ts';

const momentSchema = z.iso.datetime({ offset: true }).or(z.iso.date());
const STATUSES = ['answered', 'clarification', 'refused', 'uncovered', 'failed'] as const;
const SURFACES = ['v1', 'mcp', 'chat', 'cli', 'view', 'mgmt'] as const;
const periodMembers = {
  since: momentSchema.optional().describe('Start of the period (RFC 3339, or a date in UTC)'),
  until: momentSchema.optional().describe('Exclusive end of the period'),
};
const requestFilterMembers = {
  caller: z.string().min(1).max(300).optional().describe('Name of the caller'),
  lens: z.string().min(1).max(100).optional(),
  surface: z
    .enum(SURFACES)
    .optional()
    .describe(
      '`view`: reopened answers and board tiles. `mgmt`: eval runs, checks and previews. Without a filter, figures leave out both',
    ),
  status: z.enum(STATUSES).optional(),
  confidence: z.enum(['verified', 'partial', 'unverified']).optional(),
  certification: z.enum(['certified', 'assisted', 'none', 'certified_failed']).optional(),
  ...periodMembers,
  q: z.string().trim().min(1).max(500).optional().describe('Text to find in the questions'),
};
export const requestsQuerySchema = pageQuerySchema.extend(requestFilterMembers);
export const exportQuerySchema = z.strictObject({
  ...requestFilterMembers,
  format: z.enum(['csv', 'ndjson']).default('csv'),
});
export const periodQuerySchema = z.strictObject({
  ...periodMembers,
  lens: requestFilterMembers.lens,
  caller: requestFilterMembers.caller,
  surface: requestFilterMembers.surface,
});
export const seriesQuerySchema = periodQuerySchema.extend({
  ...pageQuerySchema.shape,
  bucket: z.enum(['hour', 'day']).optional().describe('Default: depends on the period'),
});
export const requestParamsSchema = z.object({ request_id: z.string().min(1).max(100).describe('ID of a request') });

const requestMembers = {
  request_id: z.string(),
  at: timeSchema,
  caller: z.string(),
  surface: z.string(),
  client: z.string().nullable(),
  route: z.string(),
  lens: z.string().nullable(),
  lens_version: z.int().nullable(),
  question: z.string().nullable(),
  status: z.string(),
  outcome: z.string(),
  cost: z.number().describe('USD'),
};
export const requestSummarySchema = z.object({
  ...requestMembers,
  sentence: z.string().nullable().describe('The plan of an ask without a question, as a sentence. Otherwise null'),
  confidence: z.string(),
  certification: z.string(),
  certified_id: z.string().nullable(),
  plan: z.string().nullable(),
  row_count: z.int().nullable(),
  total_ms: z.number(),
});
export const requestListSchema = createListSchema(requestSummarySchema);

const rulingSchema = z.object({
  ruling: z.string(),
  note: z.string().nullable(),
  ruled_by: z.string().nullable(),
  ruled_at: z.string(),
});
export const requestDetailSchema = z.object({
  ...requestMembers,
  sql: z.string().nullable(),
  envelope: envelopeSchema.omit({ data: true }).describe('The served envelope, without rows'),
  steps: z.array(z.object({ name: z.string(), started_at: z.string(), ms: z.number(), detail: z.string().nullable() })),
  checks: z.array(checkSchema),
  model_calls: z.array(
    z.object({
      entry: z.string(),
      model: z.string(),
      tokens_in: z.int(),
      tokens_out: z.int(),
      cost: z.number().nullable(),
      ms: z.number(),
      outcome: z.string(),
    }),
  ),
  guard: z.record(z.string(), z.unknown()).nullable(),
  receipt: receiptSchema.nullable(),
  reviews: z.array(
    z.object({
      ticket_id: z.string(),
      status: z.string(),
      note: z.string().nullable(),
      ruling: rulingSchema.nullable(),
      created_at: timeSchema,
    }),
  ),
});

const askCountsSchema = z.object({
  asks: z.int(),
  status: z.object({
    answered: z.int(),
    clarification: z.int(),
    refused: z.int(),
    uncovered: z.int(),
    failed: z.int(),
  }),
  confidence: z.object({ verified: z.int(), partial: z.int(), unverified: z.int() }).describe('Of answered asks'),
  certification: z.object({ certified: z.int(), assisted: z.int(), none: z.int(), certified_failed: z.int() }),
  coverage: z.number().nullable().describe('Share of asks with an answer or a clarification'),
  cost: z.number().describe('USD'),
  mean_ms: z.number().nullable(),
});
const rankedQuestionSchema = z.object({ question: z.string(), lens: z.string().nullable(), asks: z.int() });
export const kpisSchema = z.object({
  since: timeSchema,
  until: timeSchema,
  ...askCountsSchema.shape,
  callers: z.int().describe('Number of callers in the period'),
  latency_ms: z
    .object({ p50: z.number().nullable(), p95: z.number().nullable(), p99: z.number().nullable(), of: z.int() })
    .describe('Computed from the newest requests of the period. `of` is the number of these requests'),
  cost_per_ask: z.number().nullable(),
  top_questions: z
    .array(rankedQuestionSchema)
    .describe('The most frequent questions among the newest requests of the period'),
  top_gaps: z
    .array(rankedQuestionSchema.extend({ status: z.string() }))
    .describe('The most frequent refused and uncovered questions among the newest requests of the period'),
  slowest: z
    .array(
      z.object({ request_id: z.string(), question: z.string(), lens: z.string().nullable(), total_ms: z.number() }),
    )
    .describe('The slowest asks among the newest requests of the period'),
});
export const seriesSchema = z.object({
  bucket: z.enum(['hour', 'day']),
  items: z.array(askCountsSchema.extend({ at: timeSchema })),
  next_cursor: nextCursorSchema,
});
export const observedCallerSchema = z.object({
  id: z.string().nullable(),
  name: z.string(),
  groups: z.array(z.string()),
  last_at: timeSchema.nullable(),
  ...askCountsSchema.shape,
});
export const observedCallerListSchema = createListSchema(observedCallerSchema);
export const observedCallerDetailSchema = observedCallerSchema.extend({
  since: timeSchema,
  until: timeSchema,
  top_questions: z.array(rankedQuestionSchema),
  recent: z.array(requestSummarySchema),
});
export const observedEvalsSchema = z.object({
  items: z.array(
    z.object({
      lens: z.string(),
      cases: z.int(),
      last_run: z
        .object({
          run_id: z.string(),
          at: timeSchema,
          lens_version: z.int(),
          passed: z.int(),
          failed: z.int(),
          accuracy: z.number().nullable(),
        })
        .nullable(),
    }),
  ),
  next_cursor: nextCursorSchema,
});
