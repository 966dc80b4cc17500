// The twelve tools (SPEC "MCP", CONTRACT 6): one table, read by tools/list and by the calls. Inputs and results are made
// of the shapes of /v1, so that both doors say the same.
import { z } from 'zod';
import { certifiedRunBody, envelope, metricsBody, queryBody, receiptWanted, sqlBody } from './ask.ts';
import { certifiedList } from './certified.ts';
import { definitionList } from './definition.ts';
import { factCounts, lensList, lensSummary } from './lens.ts';
import { PROBLEM_CODES, problemDetail } from './problem.ts';
import { presentedReceipt, receiptId, receiptVerification } from './receipt.ts';
import { reviewBody, reviewTicket } from './review.ts';

export const MCP_CODES = [
  'auth',
  'forbidden',
  'not_found',
  'rate_limited',
  'no_exact_match',
  'upstream',
  'unreachable',
] as const;
export type McpCode = (typeof MCP_CODES)[number];

export const toolFailure = z.object({
  ok: z.literal(false),
  code: z.enum(MCP_CODES),
  error: z.string().describe('What went wrong and what to do next'),
  reason: z.enum(PROBLEM_CODES),
  request_id: z.string(),
  details: z.array(problemDetail),
});
export type ToolFailure = z.infer<typeof toolFailure>;

const lens = z.string().min(1).max(200);
const ok = { ok: z.literal(true) };
/** One rule of rows for every tool: 20 are written out, up to 500 on request. */
const rows = z.int().min(1).max(500).default(20).describe('How many rows are written out; the total is always said');
const told = { rows, receipt: receiptWanted.default('id') };
const ask = queryBody.pick({ q: true, format: true, choices: true, chart: true, plan: true }).extend(told);
const answered = z.object({ ...ok, ...envelope.shape });

interface Tool {
  title: string;
  description: string;
  input: z.ZodType;
  output: z.ZodObject;
  readOnly: boolean;
}

const name = z.string();
const texts = z.array(z.string());
/** What describe_lens tells: keys that say nothing are left out. */
const end = z.object({ dataset: name, columns: texts });
export const describedLens = z.object({
  ...lensSummary.pick({ name: true, title: true, version: true }).shape,
  ...lensSummary.pick({ description: true, certified_count: true, sample_questions: true }).partial().shape,
  facts: factCounts.optional(),
  dataset_names: texts.optional().describe('Where one page does not hold them all; the first 200'),
  dataset_count: z.int().optional(),
  today: z.string().describe('The day in the timezone of the lens'),
  timezone: z.string(),
  relative_times: texts.optional().describe('Periods that a question may name; so do 2016, Q3 2016 or March 2016'),
  schema: z.object({
    metrics: z.array(
      z.object({
        name,
        description: name.optional(),
        synonyms: texts.optional(),
        unit: name.optional(),
        dataset: name.optional().describe('Whose rows it aggregates'),
        time_field: name.optional(),
      }),
    ),
    datasets: z.array(
      z.object({
        name,
        description: name.optional(),
        synonyms: texts.optional(),
        key: texts.optional().describe('The fields by which a row is known'),
        time_field: name.optional(),
        fields: z.array(
          z.object({
            name,
            datatype: name,
            description: name.optional(),
            synonyms: texts.optional(),
            unit: name.optional(),
            masked: z.boolean().optional(),
            nullable: z.boolean().optional().describe('False: never null. Absent: it may be'),
            values: texts.optional().describe('All that are stored, where they are at most 8'),
            has_values: z.boolean().optional(),
          }),
        ),
      }),
    ),
    relationships: z.array(
      z.object({ name: name.describe('The role: fields of the target are `name.field`'), from: end, to: end }),
    ),
  }),
  definitions: z.array(
    z.object({
      term: name,
      meaning: name.optional(),
      synonyms: texts.optional(),
      metric: name.optional(),
      senses: z.array(z.object({ key: name, label: name, meaning: name, metric: name.optional() })).optional(),
    }),
  ),
  data_as_of: z.string().nullable(),
  next_cursor: z.string().nullable(),
});
export type DescribedLens = z.infer<typeof describedLens>;

const certifiedRun = z
  .strictObject({
    lens,
    cert_id: z.string().min(1).max(200).optional().describe('Id of an approved entry'),
    q: z
      .string()
      .trim()
      .min(1)
      .max(10_000)
      .optional()
      .describe('A bare question; runs only when it is exactly an approved one'),
    ...certifiedRunBody.shape,
    ...told,
  })
  .refine((given) => (given.cert_id === undefined) !== (given.q === undefined), 'Give exactly one of cert_id and q.');

export const mcpTools = {
  list_lenses: {
    title: 'List lenses',
    description: 'The lenses (governed views of data) that this key can query, with sample questions.',
    input: z.strictObject({}),
    output: z.object({ ...ok, ...lensList.shape }),
    readOnly: true,
  },
  describe_lens: {
    title: 'Describe a lens',
    description:
      'Metrics, terms, datasets, fields, keys, joins and few-valued fields of one lens, with today’s date; a page at a time. Read it before query_metrics or sql. In a large lens give search or dataset.',
    input: z.strictObject({
      lens,
      search: z.string().trim().min(1).max(200).optional().describe('Only what is called so or described with it'),
      dataset: z.string().min(1).max(200).optional().describe('Only this dataset, its metrics and its joins'),
      cursor: z.string().min(1).max(2_000).optional().describe('`next_cursor` of the page before'),
    }),
    output: z.object({ ...ok, ...describedLens.shape }),
    readOnly: true,
  },
  lookup_definition: {
    title: 'Look up a definition',
    description:
      'The approved meaning of a governed term, verbatim. Touches no warehouse. Quote it, do not paraphrase it.',
    input: z.strictObject({ term: z.string().trim().min(1).max(200), lens: lens.optional() }),
    output: z.object({ ...ok, ...definitionList.shape }),
    readOnly: true,
  },
  search_certified: {
    title: 'Search certified answers',
    description: 'The five approved question-and-SQL pairs of a lens that come nearest to a question, scored.',
    input: z.strictObject({ lens, q: z.string().trim().min(1).max(10_000) }),
    output: z.object({ ...ok, ...certifiedList.shape }),
    readOnly: true,
  },
  run_certified: {
    title: 'Run a certified answer',
    description:
      'Runs approved SQL exactly as approved. Give cert_id, or a bare question q: it runs only when it is exactly an approved question, else code no_exact_match lists near misses.',
    input: certifiedRun,
    output: answered,
    readOnly: true,
  },
  query: {
    title: 'Ask a lens',
    description:
      'The first way to ask, when you know the lens: plain words. Returns rows, grade, filters and SQL; a clarification, to answer with choices; or a refusal that names what could not be placed, the nearest names and a plan: then go on to query_metrics.',
    input: z.strictObject({ lens, ...ask.shape }),
    output: answered,
    readOnly: true,
  },
  query_metrics: {
    title: 'Ask by metrics',
    description:
      'The second way, when query refused or you want exact names: a plan of metrics or measures of fields, by dimensions, with nested filters, related rows, periods, shares, ranks, changes, first rows of each group. Names come from describe_lens. Nothing is counted twice; a 422 names the nearest plan that works. Deterministic. Go on to sql only for what a plan can’t say.',
    input: z.strictObject({
      lens,
      ...metricsBody.omit({ dry_run: true }).shape,
      rows: z
        .union([metricsBody.shape.rows, rows.removeDefault()])
        .optional()
        .describe('A name: the dataset whose rows are listed, as in a plan. A number says the same as shown_rows'),
      shown_rows: rows.removeDefault().optional(),
      receipt: told.receipt,
    }),
    output: answered,
    readOnly: true,
  },
  sql: {
    title: 'Run SQL in a lens',
    description:
      'The last way, when neither query nor query_metrics can say it: your own read-only SELECT over the datasets of one lens. Guarded and logged, and graded by what is proven of it: as the plan that it equals; else partial where joins, values and sums are proven; else unverified, with the reason and a statement that works.',
    input: z.strictObject({
      lens,
      ...sqlBody.pick({ sql: true, limit: true, plan: true }).shape,
      receipt: told.receipt,
    }),
    output: answered,
    readOnly: true,
  },
  route_query: {
    title: 'Ask',
    description:
      'As query, when you do not know the lens: the service picks it and says why, or declines when none covers the question.',
    input: ask,
    output: answered,
    readOnly: true,
  },
  send_for_review: {
    title: 'Send for review',
    description:
      'Put an answer that looks wrong into the human review queue, with an optional correction. Makes a ticket.',
    input: reviewBody,
    output: z.object({ ...ok, ...reviewTicket.shape }),
    readOnly: false,
  },
  review_status: {
    title: 'Review status',
    description: 'Where a review ticket stands, with rulings and comments.',
    input: z.strictObject({ ticket_id: z.string().min(1).max(100) }),
    output: z.object({ ...ok, ...reviewTicket.shape }),
    readOnly: true,
  },
  verify_receipt: {
    title: 'Verify a receipt',
    description:
      'Checks signature and audit trail of a receipt. Do this before repeating a number that someone else gave you.',
    input: z.strictObject({
      receipt: z
        .union([presentedReceipt, receiptId.strict()])
        .describe('`receipt` of an answer, unchanged: the whole one, or request_id and digest'),
    }),
    output: z.object({ ...ok, verification: receiptVerification }),
    readOnly: true,
  },
} satisfies Record<string, Tool>;
export type McpToolName = keyof typeof mcpTools;
