import { z } from 'zod';
import { createMaxEntriesRule } from './files/shared-schemas.ts';
import { PLAN_EXAMPLES, planSchema } from './plan.ts';
import { problemBodySchema } from './problem.ts';
import { type Receipt, receiptIdSchema, receiptSchema } from './receipt.ts';

export const jsonScalarSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export type JsonScalar = z.infer<typeof jsonScalarSchema>;

export const formatSchema = z.enum(['both', 'structured', 'prose', 'data']);
export type Format = 'both' | 'structured' | 'prose';
export const choicesSchema = z
  .record(z.string().max(200), z.string().max(500))
  .refine(...createMaxEntriesRule(100, 'choices'))
  .describe('Replies to clarifications, such as {"margin": "ratio"}');

export const receiptFormSchema = z
  .enum(['full', 'id'])
  .describe('`full`: the signed receipt; `id`: only its request_id and digest');
export type ReceiptForm = z.infer<typeof receiptFormSchema>;
/** Members of an answer that svc returns only on request. */
const requestedMembers = {
  chart: z.boolean().optional().describe('Also return a chart'),
  plan: z.boolean().optional().describe('Include the compiled plan'),
};

const askOptionMembers = {
  format: formatSchema.optional(),
  choices: choicesSchema.optional(),
  receipt: receiptFormSchema.optional(),
  ...requestedMembers,
};
export const queryBodySchema = z.strictObject({
  q: z.string().trim().min(1).max(10_000).describe('The question in plain words'),
  ...askOptionMembers,
  dry_run: z
    .boolean()
    .optional()
    .describe(
      'Plan the ask, check its SQL and estimate its cost, without fetching rows. The answer has no receipt and is at most partial',
    ),
});
export type QueryBody = z.infer<typeof queryBodySchema>;

const nameSchema = z.string().min(1).max(200);
export const metricsBodySchema = planSchema.extend({ ...askOptionMembers, dry_run: z.boolean().optional() });
export type MetricsBody = z.infer<typeof metricsBodySchema>;

export const sqlBodySchema = z.strictObject({
  sql: z.string().min(1).max(100_000),
  lens: nameSchema.optional(),
  connection: nameSchema.optional().describe('Admins only'),
  limit: z.int().min(1).max(500).default(20),
  dry_run: z.boolean().optional(),
  receipt: receiptFormSchema.optional(),
  ...requestedMembers,
});
export type SqlBody = z.infer<typeof sqlBodySchema>;

/** `plan=true` in the query string corresponds to `plan: true` in the body. */
export const askQuerySchema = z.strictObject({
  plan: z.enum(['true', 'false']).optional().describe(requestedMembers.plan.description!),
});
export const readPlanOption = (query: z.infer<typeof askQuerySchema>): { plan?: boolean } =>
  query.plan === undefined ? {} : { plan: query.plan === 'true' };

export const certifiedRunBodySchema = z.strictObject({
  parameters: z
    .record(z.string().max(200), z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()]))
    .refine(...createMaxEntriesRule(100, 'parameters'))
    .optional()
    .describe('The values of the parameters in the approved SQL'),
  ...askOptionMembers,
});

export const CHECKS = [
  'lens_scope',
  'question_covered',
  'words_mean',
  'terms_resolved',
  'definitions_known',
  'values_known',
  'governed_metrics',
  'facts_confirmed',
  'measures_additive',
  'joins_declared',
  'no_fan_out',
  'names_distinct',
  'nulls_stated',
  'groups_complete',
  'counted_once',
  'whole_question',
  'reading_proven',
  'rows_complete',
  'data_fresh',
] as const;
export type CheckName = (typeof CHECKS)[number];
export const checkSchema = z.object({
  name: z.string(),
  outcome: z.enum(['pass', 'fail', 'not_applicable', 'unknown']),
  critical: z.boolean(),
  detail: z.string(),
  facts: z
    .array(z.string())
    .optional()
    .describe('In facts_confirmed: ids of the facts to confirm with POST /mgmt/lenses/{name}/facts'),
});
export type Check = z.infer<typeof checkSchema>;

export const citationSchema = z.object({
  kind: z.enum(['metric', 'definition', 'field', 'dataset', 'certified']),
  name: z.string(),
  lens: z.string(),
  text: z.string().nullable(),
});
export type Citation = z.infer<typeof citationSchema>;

export const columnSchema = z.object({
  name: z.string(),
  datatype: z.string(),
  unit: z.string().nullable(),
  encoding: z
    .enum(['json', 'string'])
    .describe('string: the numbers are strings, because a JSON number can’t hold all their digits'),
  cut_cells: z
    .int()
    .optional()
    .describe('Number of cells that svc cut to their first 64 KB. Absent if svc cut no cells'),
});
export type Column = z.infer<typeof columnSchema>;

export const scopeSchema = z.object({
  filters: z.array(z.object({ field: z.string(), op: z.string(), values: z.array(jsonScalarSchema) })),
  time: z.object({ field: z.string(), from: z.string(), to: z.string(), timezone: z.string() }).nullable(),
  row_policies: z.array(z.string()),
  masks: z.array(z.string()).optional().describe('Masked fields of the result. Their values are null'),
  joins: z.array(z.string()),
  may_restrict_more: z
    .boolean()
    .optional()
    .describe('For certified answers: the approved SQL may have more conditions than these'),
  sentence: z.string().describe('The interpretation of the question, in one sentence'),
});
export type Scope = z.infer<typeof scopeSchema>;

export const clarificationSchema = z.object({
  kind: z.enum(['ambiguous_term', 'unknown_value']),
  term: z.string().describe('The ambiguous term, or the dataset.field that does not have the value'),
  value: z.string().optional(),
  message: z.string(),
  options: z
    .array(z.union([z.string(), z.object({ key: z.string(), label: z.string(), meaning: z.string().nullable() })]))
    .max(50),
});
export type Clarification = z.infer<typeof clarificationSchema>;

export const unplacedTextSchema = z.object({
  text: z.string().describe('The text in the question'),
  nearest: z
    .array(
      z.object({
        kind: z
          .enum(['metric', 'field', 'dataset', 'definition', 'value', 'spelling'])
          .describe('`spelling`: a word for questions, such as quarter, with a similar spelling'),
        name: z.string().describe('The name in a plan: the metric, dataset.field, or the stored value'),
        field: z.string().optional().describe('For a value: the field of the value'),
      }),
    )
    .describe('Possible meanings, most similar first. svc does not choose one by itself'),
});
export type UnplacedText = z.infer<typeof unplacedTextSchema>;
export const proposalSchema = z.object({
  plan: planSchema.meta({
    description: 'A plan to send to /v1/lenses/{name}/metrics or the tool query_metrics',
    examples: PLAN_EXAMPLES.slice(0, 1),
  }),
  sentence: z.string().describe('The plan as a sentence, and the words of the question that the plan ignores'),
});

export const lensSuggestionSchema = z.object({
  lens: z.string(),
  why: z.string(),
  sample_questions: z.array(z.string()),
});
export const suggestionSchema = z.union([z.string(), lensSuggestionSchema]);

export const chartSchema = z.object({
  kind: z.enum(['number', 'line', 'bar', 'grouped', 'stacked', 'heat', 'points']),
  title: z.string().describe('The title of the chart'),
  note: z.string().nullable().describe('Rows that the chart does not show'),
  vega_lite: z
    .record(z.string(), z.unknown())
    .describe(
      'A Vega-Lite 6 specification. Pass `data` of the envelope to the specification as the dataset named `rows`',
    ),
});
export type Chart = z.infer<typeof chartSchema>;

const planKindSchema = z.enum(['certified', 'compiled', 'model_sql', 'caller_sql']);

export const envelopeSchema = z.object({
  status: z.enum(['answered', 'clarification', 'refused', 'uncovered', 'failed']),
  lens: z.string().nullable(),
  lens_version: z.int().nullable(),
  question: z.string().nullable(),
  answer: z.string().nullable().describe('The answer as text, or the message of a clarification or refusal'),
  sql: z.string().nullable(),
  parameters: z.record(z.string(), jsonScalarSchema).nullable(),
  columns: z.array(columnSchema).nullable(),
  data: z.array(z.record(z.string(), jsonScalarSchema)).nullable(),
  row_count: z.int().nullable(),
  citations: z.array(citationSchema),
  confidence: z.enum(['verified', 'partial', 'unverified']),
  checks: z.array(checkSchema),
  certification: z.enum(['certified', 'assisted', 'none', 'certified_failed']),
  certified_id: z.string().nullable(),
  plan: z
    .union([planKindSchema, planSchema])
    .nullable()
    .describe(
      'How svc made the statement. With `plan: true`, the compiled plan, or the plan that is equivalent to the SQL. To get the same answer, send this plan to /v1/lenses/{name}/metrics',
    )
    .meta({ examples: ['compiled', ...PLAN_EXAMPLES.slice(0, 1)] }),
  equals: z
    .object({ plan: planSchema, sentence: z.string() })
    .nullable()
    .optional()
    .describe('For SQL: the equivalent plan. To get the same rows, send this plan to /v1/lenses/{name}/metrics')
    .meta({ examples: [{ plan: PLAN_EXAMPLES[0], sentence: 'Revenue by region.' }] }),
  nearest: z
    .object({ plan: planSchema, differs: z.string() })
    .nullable()
    .optional()
    .describe('For SQL that is not equivalent to a plan: the nearest plan, and how this plan differs')
    .meta({ examples: [{ plan: PLAN_EXAMPLES[0], differs: 'The nearest plan has another meaning.' }] }),
  scope: scopeSchema.nullable(),
  empty: z
    .object({ reason: z.enum(['value_absent', 'filtered_by_policy', 'no_matching_rows', 'source_stale']) })
    .nullable(),
  data_as_of: z.string().nullable(),
  request_id: z.string(),
  receipt: z
    .union([receiptSchema, receiptIdSchema])
    .nullable()
    .describe('The full receipt or only its ids, as `receipt` in the body requests'),
  clarification: clarificationSchema.nullable(),
  suggestions: z
    .array(suggestionSchema)
    .nullable()
    .describe(
      'Questions that svc can answer, made from the words that svc understands and from similar names. If there are none, similar sample questions or other lenses',
    ),
  unplaced: z.array(unplacedTextSchema).optional().describe('If refused: the words that svc does not understand'),
  proposal: proposalSchema
    .nullable()
    .optional()
    .describe(
      'If refused: a plan for the words that svc understands. You can send this plan unchanged. Null if the plan would leave out some of these words',
    ),
  answers: planSchema.shape.answers.describe(
    'The question that this plan was proposed for, and the words that the plan ignores',
  ),
  truncated: z
    .object({ returned: z.int(), total: z.int().nullable() })
    .optional()
    .describe(
      'Present only if a limit left out rows. If `total` is null, the number of rows is unknown. `columns[].cut_cells` counts cut cells',
    ),
  warnings: z.array(z.string()),
  guard: z
    .object({ runs: z.string().describe('The SQL that the warehouse ran instead of the approved SQL') })
    .optional()
    .describe('Only if svc changed the tables of the approved SQL because of row policies, masks or unlisted columns'),
  routing: z
    .object({ lens: z.string(), why: z.string() })
    .optional()
    .describe('If the ask named no lens: the lens that svc chose, and the reason'),
  estimate: z.object({ rows: z.number().nullable(), cost: z.number().nullable() }).optional().describe('dry_run only'),
  error: problemBodySchema.shape.error.nullable().describe('The reason why the ask failed'),
  chart: chartSchema
    .nullable()
    .optional()
    .describe(
      'With `chart: true`, the chart that svc chose, based on the plan and the rows. Null if a table is more useful than a chart',
    ),
  timings_ms: z.object({ plan: z.number(), warehouse: z.number(), compose: z.number(), total: z.number() }),
});
type WireEnvelope = z.infer<typeof envelopeSchema>;
/** The envelope inside svc, which always contains the whole receipt. */
export type Envelope = Omit<WireEnvelope, 'receipt'> & { receipt: Receipt | null };
export type SentEnvelope = WireEnvelope;
export type CertifiedRunBody = z.infer<typeof certifiedRunBodySchema>;
