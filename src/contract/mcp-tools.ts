// Describes the MCP tools. Their inputs reuse the bodies of /v1. tools/list omits output schemas, because they would
// use space in a client's context without any benefit.
import { z } from 'zod';
import { certifiedRunBodySchema, metricsBodySchema, queryBodySchema, receiptFormSchema, sqlBodySchema } from './ask.ts';
import { factCountsSchema, lensSummarySchema } from './lens.ts';
import { PLAN_EXAMPLES } from './plan.ts';
import { problemDetailSchema } from './problem.ts';
import { PROBLEM_CODES, PROBLEMS } from './problem-codes.ts';
import { receiptIdSchema, receiptOrIdSchema } from './receipt.ts';
import { reviewBodySchema } from './review.ts';

export const toolFailureSchema = z.object({
  ok: z.literal(false),
  code: z.enum(PROBLEM_CODES.map((code) => PROBLEMS[code].mcp)),
  error: z.string().describe('The problem and the next step'),
  reason: z.enum(PROBLEM_CODES),
  request_id: z.string(),
  details: z.array(problemDetailSchema),
});
export type ToolFailure = z.infer<typeof toolFailureSchema>;

const lensSchema = z.string().min(1).max(200);
/** The answer text shows 20 rows by default, and up to 500 on request. */
const rowsSchema = z.int().min(1).max(500).default(20).describe('Rows in the text, at most 500');
const replyOptionMembers = { rows: rowsSchema, receipt: z.enum(receiptFormSchema.options).default('id') };
const askToolSchema = queryBodySchema
  .pick({ q: true, format: true, choices: true, chart: true, plan: true })
  .extend(replyOptionMembers);

export interface ToolDescription {
  title: string;
  description: string;
  input: z.ZodType;
  readOnly: boolean;
  /** True if the tool reads only svc's own data and no warehouse. */
  readsNoWarehouse?: true;
}

/** The level of detail that describe_lens returns for each dataset. */
export const DETAIL_LEVELS = ['names', 'summary', 'full'] as const;

const nameSchema = z.string();
const textsSchema = z.array(z.string());
const vocabularyMembers = {
  name: nameSchema,
  description: nameSchema.optional(),
  synonyms: textsSchema.optional(),
  unit: nameSchema.optional(),
};
const describedMetricSchema = z.object({ ...vocabularyMembers, time_field: nameSchema.optional() });
const describedDatasetSchema = z.object({
  name: nameSchema,
  description: nameSchema.optional(),
  synonyms: textsSchema.optional(),
  key: textsSchema.optional().describe('The fields that identify a row'),
  time_field: nameSchema.optional(),
  joins: textsSchema
    .optional()
    .describe(
      '`columns -> dataset`, with the target columns if they are not its key. With a role: `role: columns -> dataset`',
    ),
  joined_by: textsSchema
    .optional()
    .describe('If only some datasets are listed: the joins of other datasets to this dataset'),
  field_names: textsSchema.optional().describe('In a summary: fields other than key, date and joins'),
  values: z
    .record(nameSchema, textsSchema)
    .optional()
    .describe('In a small summary: the stored values of fields with few values'),
  masked: textsSchema.optional().describe('In a summary: masked fields'),
  metric_names: textsSchema.optional().describe('In a summary: the metrics, except those that only aggregate a field'),
  more_fields: z.int().optional().describe('Number of fields left out of the summary'),
  fields: z
    .array(
      z.object({
        ...vocabularyMembers,
        datatype: nameSchema,
        masked: z.boolean().optional(),
        nullable: z.boolean().optional().describe('False: the field is never null. Absent: it can be null'),
        values: textsSchema
          .optional()
          .describe('All stored values, if there are at most 8, or at most 20 if you describe one dataset'),
        has_values: z.boolean().optional(),
        matching_values: textsSchema.optional().describe('Stored values that contain the searched words'),
      }),
    )
    .optional()
    .describe('In full'),
  metrics: z.array(describedMetricSchema).optional().describe('In full'),
});
/** describe_lens omits empty members. */
export const describedLensSchema = z.object({
  ...lensSummarySchema.pick({ name: true, title: true, version: true, certified_count: true }).shape,
  ...lensSummarySchema.pick({ description: true, sample_questions: true }).partial().shape,
  facts: factCountsSchema.optional(),
  detail: z.enum(DETAIL_LEVELS),
  dataset_count: z.int(),
  today: z.string().describe('The current day in the time zone of the lens'),
  timezone: z.string(),
  data_as_of: z.string().nullable(),
  schema: z.object({
    datasets: z.array(describedDatasetSchema),
    metrics: z.array(describedMetricSchema).optional().describe('Combines metrics of several datasets'),
  }),
  definitions: z
    .array(
      z.object({
        term: nameSchema,
        meaning: nameSchema.optional(),
        synonyms: textsSchema.optional(),
        metric: nameSchema.optional(),
        senses: z
          .array(z.object({ key: nameSchema, label: nameSchema, meaning: nameSchema, metric: nameSchema.optional() }))
          .optional(),
      }),
    )
    .optional(),
  unmatched_words: textsSchema.optional().describe('The words of the search that nothing in the lens contains'),
  next_cursor: z.string().nullable(),
});
export type DescribedLens = z.infer<typeof describedLensSchema>;

const certifiedRunSchema = z
  .strictObject({
    lens: lensSchema,
    cert_id: z.string().min(1).max(200).optional(),
    q: z.string().trim().min(1).max(10_000).optional(),
    ...certifiedRunBodySchema.shape,
    ...replyOptionMembers,
  })
  .refine((input) => (input.cert_id === undefined) !== (input.q === undefined), 'Give exactly one of cert_id and q.');

export const mcpTools = {
  list_lenses: {
    title: 'List lenses',
    description: 'The lenses (governed views of data) that this key can query, with sample questions.',
    input: z.strictObject({}),
    readOnly: true,
    readsNoWarehouse: true,
  },
  describe_lens: {
    title: 'Describe a lens',
    description:
      'Lists datasets, one line each: key, date, joins, fields, metrics. Use before query_metrics or sql. For types, values, synonyms and meanings, give dataset or search.',
    input: z.strictObject({
      lens: lensSchema,
      detail: z.enum(DETAIL_LEVELS).optional().describe('Default: all that fits'),
      dataset: z.string().min(1).max(200).optional().describe('Only this dataset, in full'),
      search: z.string().trim().min(1).max(200).optional().describe('Only parts that match these words'),
      cursor: z.string().min(1).max(2_000).optional(),
    }),
    readOnly: true,
    readsNoWarehouse: true,
  },
  lookup_definition: {
    title: 'Look up a definition',
    description: 'Returns the approved meaning of a governed term. Quote it verbatim.',
    input: z.strictObject({ term: z.string().trim().min(1).max(200), lens: lensSchema.optional() }),
    readOnly: true,
    readsNoWarehouse: true,
  },
  search_certified: {
    title: 'Search certified answers',
    description: 'Returns the five approved questions of a lens that best match yours, with SQL and score.',
    input: z.strictObject({ lens: lensSchema, q: z.string().trim().min(1).max(10_000) }),
    readOnly: true,
  },
  run_certified: {
    title: 'Run a certified answer',
    description:
      'Runs approved SQL unchanged. Give cert_id, or an approved question as q. For any other question, the error no_exact_match lists similar ones.',
    input: certifiedRunSchema,
    readOnly: true,
  },
  query: {
    title: 'Ask in words',
    description:
      'Ask in plain words. Best for certified questions and questions in the words of the lens. Returns an answer with grade, filters and SQL; a clarification, to answer with choices; or a refusal with the words that svc does not understand and a plan of the rest for query_metrics.',
    input: z.strictObject({ lens: lensSchema, ...askToolSchema.shape }),
    readOnly: true,
  },
  query_metrics: {
    title: 'Ask with a plan',
    description:
      'Ask with a plan that uses names from describe_lens. Try this tool first. No row is counted twice. A refusal names the nearest plan that works. Use sql only for what a plan can’t express.',
    input: z
      .strictObject({
        lens: lensSchema,
        ...metricsBodySchema.omit({ dry_run: true }).shape,
        rows: z
          .union([metricsBodySchema.shape.rows, rowsSchema.removeDefault()])
          .optional()
          .describe('For a listing: the dataset to list'),
        shown_rows: rowsSchema.removeDefault().optional(),
        receipt: replyOptionMembers.receipt,
      })
      .meta({ examples: PLAN_EXAMPLES.map((example) => ({ lens: 'superstore', ...example })) }),
    readOnly: true,
  },
  sql: {
    title: 'Run SQL in a lens',
    description:
      'Run your own read-only SELECT over one lens, for what no plan can express. SQL equivalent to a plan gets the plan’s grade. Other SQL is partial if joins, values and sums are proven; else unverified, with the reason and a statement that works.',
    input: z.strictObject({
      lens: lensSchema,
      ...sqlBodySchema.pick({ sql: true, limit: true, plan: true }).shape,
      receipt: replyOptionMembers.receipt,
    }),
    readOnly: true,
  },
  route_query: {
    title: 'Ask',
    description: 'Like query, but svc chooses the lens and says why, or declines.',
    input: askToolSchema,
    readOnly: true,
  },
  send_for_review: {
    title: 'Send for review',
    description: 'Asks reviewers to check an answer that looks wrong. Returns a ticket.',
    input: reviewBodySchema,
    readOnly: false,
  },
  review_status: {
    title: 'Review status',
    description: 'Returns the status of a ticket, with rulings and comments.',
    input: z.strictObject({ ticket_id: z.string().min(1).max(100) }),
    readOnly: true,
  },
  verify_receipt: {
    title: 'Verify a receipt',
    description:
      'Checks the signature and audit trail of a receipt. Do this before you repeat a number from someone else.',
    input: z
      .strictObject({
        receipt: receiptOrIdSchema
          .optional()
          .describe('The unchanged `receipt` of an answer: in full, or its request_id and digest'),
        request_id: receiptIdSchema.shape.request_id.optional(),
        digest: receiptIdSchema.shape.digest.optional(),
      })
      .refine(
        ({ receipt, request_id, digest }) =>
          (receipt === undefined) === (request_id !== undefined && digest !== undefined),
        'Give receipt, or request_id and digest.',
      ),
    readOnly: true,
    readsNoWarehouse: true,
  },
} satisfies Record<string, ToolDescription>;
export type McpToolName = keyof typeof mcpTools;
