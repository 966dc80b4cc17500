import { z } from 'zod';
import { envelopeSchema } from '../../contract/ask.ts';
import { projectProblemSchema } from '../../contract/mgmt/project.ts';
import { problemBodySchema } from '../../contract/problem.ts';
import { PROBLEMS, type ProblemCode } from '../../contract/problem-codes.ts';
import { receiptSchema } from '../../contract/receipt.ts';
import { reviewTicketSchema } from '../../contract/review.ts';
import { Problem } from '../../platform/problem.ts';
import { toProblemBody } from './reply-with-problem.ts';

export const EXAMPLE_ID = '0192f0c1-7a10-4b52-8f3e-0d5c1f2a9b77';

const EXAMPLE_ANSWER = {
  status: 'answered',
  lens: 'superstore',
  lens_version: 3,
  question: 'What was revenue in the West in 2016?',
  answer: 'Revenue was 187,480.18 USD (region: West; order date: 2016).',
  sql: "select sum(orders.sales) as revenue from main.orders where orders.region = 'West'",
  parameters: null,
  columns: [{ name: 'revenue', datatype: 'decimal', unit: 'USD', encoding: 'json' }],
  data: [{ revenue: 187480.18 }],
  row_count: 1,
  citations: [{ kind: 'metric', name: 'revenue', lens: 'superstore', text: 'Sales after discount, before returns.' }],
  confidence: 'verified',
  checks: [{ name: 'lens_scope', outcome: 'pass', critical: true, detail: 'Only tables and columns of this lens.' }],
  certification: 'assisted',
  certified_id: null,
  plan: 'compiled',
  scope: {
    filters: [{ field: 'orders.region', op: '=', values: ['West'] }],
    time: { field: 'orders.order_date', from: '2016-01-01', to: '2017-01-01', timezone: 'UTC' },
    row_policies: [],
    joins: [],
    sentence: 'Revenue, where region is West, order date in 2016.',
  },
  empty: null,
  data_as_of: '2017-12-30T00:00:00.000Z',
  request_id: EXAMPLE_ID,
  receipt: null,
  clarification: null,
  suggestions: null,
  warnings: [],
  error: null,
  timings_ms: { plan: 1.2, warehouse: 8, compose: 0, total: 12.5 },
};

// Schemas that many routes share get a name. Bodies stay unnamed, because MCP tools reuse them.
for (const [id, schema] of Object.entries({
  Problem: problemBodySchema,
  Receipt: receiptSchema,
  Envelope: envelopeSchema,
  ReviewTicket: reviewTicketSchema,
})) {
  const examples = schema === envelopeSchema ? { examples: [EXAMPLE_ANSWER] } : {};
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id, ...examples });
}

const STATUS_DESCRIPTIONS: Record<ProblemCode, string> = {
  malformed: 'The request is not valid HTTP or JSON',
  auth: 'The credential is missing, unknown, expired or revoked',
  forbidden: 'The credential does not permit this request',
  not_found: 'The object does not exist, or the credential may not see it',
  no_exact_match: 'No certified entry matches this question',
  method_not_allowed: 'Wrong method. The Allow header lists the valid methods',
  conflict: 'The request conflicts with the current state',
  precondition_failed: 'The object has changed since you read it',
  too_large: 'The body is too large',
  unsupported_media_type: 'Send application/json, uncompressed',
  invalid: 'The request is not valid. `details` lists every error',
  guard_refused: 'The guard refused the SQL. `details` names the construct',
  rate_limited: 'Too many requests. Retry after the time in Retry-After',
  internal: 'Internal error in svc',
  upstream: 'The warehouse or the model returned an error',
  unreachable: 'The warehouse or the control database is not reachable',
  timeout: 'The warehouse took too long',
};

export interface ProblemResponse {
  description: string;
  content: { 'application/json': { schema: z.ZodType } };
}

/** Codes with the same status share one response. */
export function createProblemResponses(...codes: ProblemCode[]): Record<number, ProblemResponse> {
  const responses: Record<number, ProblemResponse> = {};
  for (const code of codes) {
    const existingResponse = responses[PROBLEMS[code].status];
    const description = existingResponse
      ? `${existingResponse.description}. ${STATUS_DESCRIPTIONS[code]}`
      : STATUS_DESCRIPTIONS[code];
    responses[PROBLEMS[code].status] = { description, content: { 'application/json': { schema: problemBodySchema } } };
  }
  return responses;
}

/** Includes the problems of every route that needs a credential. */
export const createCallerProblemResponses = (...codes: ProblemCode[]) =>
  createProblemResponses('malformed', 'auth', ...codes, 'rate_limited', 'internal', 'unreachable');

const EXAMPLE_REFUSAL = {
  ...toProblemBody(new Problem('invalid', 'The project has problems; nothing changed.'), EXAMPLE_ID),
  problems: [
    {
      ...{ path: 'lenses/superstore/lens.yaml', line: 14, column: 7, pointer: '/metrics/revenue/expression' },
      ...{ code: 'unknown_name', message: 'There is no field "sale" in orders. Nearest: sales.' },
    },
  ],
  warnings: [],
};
export const refusalResponse = {
  422: {
    description:
      'The request is not valid, or the files have problems, each listed with its file, line and column; nothing changed',
    content: {
      'application/json': {
        schema: problemBodySchema
          .extend({ problems: z.array(projectProblemSchema).optional(), warnings: z.array(z.string()).optional() })
          .meta({ examples: [EXAMPLE_REFUSAL] }),
      },
    },
  },
};

export const bearerSecurity = [{ bearer: [] }];
export const bearerOrSessionSecurity: { [scheme: string]: string[] }[] = [{ bearer: [] }, { session: [] }];
