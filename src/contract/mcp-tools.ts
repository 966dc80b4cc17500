// The twelve tools (SPEC "MCP", CONTRACT 6): one table, read by tools/list and by the calls. Inputs and results are made
// of the shapes of /v1, so that both doors say the same.
import { z } from 'zod';
import { certifiedRunBody, envelope, metricsBody, queryBody, sqlBody } from './ask.ts';
import { certifiedList } from './certified.ts';
import { definitionList } from './definition.ts';
import { lensDetail, lensList } from './lens.ts';
import { PROBLEM_CODES, problemDetail } from './problem.ts';
import { presentedReceipt, receiptVerification } from './receipt.ts';
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
const ask = queryBody.pick({ q: true, format: true, choices: true });
const answered = z.object({ ...ok, ...envelope.shape });

interface Tool {
  title: string;
  description: string;
  input: z.ZodType;
  output: z.ZodObject;
  readOnly: boolean;
}

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
  })
  .refine((given) => (given.cert_id === undefined) !== (given.q === undefined), 'Give exactly one of cert_id and q.');

export const mcpTools = {
  list_lenses: {
    title: 'List lenses',
    description: 'The lenses (governed views of data) that this key can query, with sample questions. Call this first.',
    input: z.strictObject({}),
    output: z.object({ ...ok, ...lensList.shape }),
    readOnly: true,
  },
  describe_lens: {
    title: 'Describe a lens',
    description:
      'Datasets, fields, metrics, definitions and certified count of one lens. Read it before query_metrics or sql.',
    input: z.strictObject({ lens }),
    output: z.object({ ...ok, ...lensDetail.shape }),
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
      'Ask one lens in plain words. Returns the answer with rows, SQL, grade and a signed receipt; or a clarification to answer with choices.',
    input: z.strictObject({ lens, ...ask.shape }),
    output: answered,
    readOnly: true,
  },
  query_metrics: {
    title: 'Ask by metrics',
    description:
      'Ask one lens with a structured intent: metrics by dimensions, filters and time. Names come from describe_lens. Deterministic.',
    input: z.strictObject({ lens, ...metricsBody.omit({ dry_run: true }).shape }),
    output: answered,
    readOnly: true,
  },
  sql: {
    title: 'Run SQL in a lens',
    description:
      'Your own read-only SELECT over the datasets of one lens. Guarded, logged, at most 500 rows (20 unless you say). Graded unverified: prefer query or query_metrics.',
    input: z.strictObject({ lens, ...sqlBody.pick({ sql: true, limit: true }).shape }),
    output: answered,
    readOnly: true,
  },
  route_query: {
    title: 'Ask',
    description:
      'The default door: ask in plain words and let the service pick the lens, or decline when none covers the question.',
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
    input: z.strictObject({ receipt: presentedReceipt.describe('The receipt object itself, unchanged') }),
    output: z.object({ ...ok, verification: receiptVerification }),
    readOnly: true,
  },
} satisfies Record<string, Tool>;
export type McpToolName = keyof typeof mcpTools;
