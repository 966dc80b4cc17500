import { z } from 'zod';
import {
  askQuerySchema,
  certifiedRunBodySchema,
  envelopeSchema,
  metricsBodySchema,
  queryBodySchema,
  readPlanOption,
  sqlBodySchema,
} from '../../contract/ask.ts';
import { PLAN_EXAMPLES } from '../../contract/plan.ts';
import type { Deps } from '../../deps.ts';
import { createOperationFactory } from '../http/operation.ts';
import { createProblemResponses } from '../http/route-schema.ts';
import { certifiedEntryParamsSchema, lensParamsSchema } from './params.ts';
import { sendEnvelope } from './send-envelope.ts';

const defineOperation = createOperationFactory<Pick<Deps, 'ask'>>('ask', 'data');

/** If the warehouse fails, the reply of an ask is an envelope too. */
const askReply = {
  query: askQuerySchema,
  result: envelopeSchema,
  send: sendEnvelope,
  response: {
    description: 'An answer, a clarification, a refusal or an uncovered question, by `status`',
    content: {
      'application/json': { schema: envelopeSchema },
      'text/csv': {
        schema: z
          .string()
          .describe(
            'The rows, if the Accept header requests CSV. Headers contain the grade and state whether rows were cut. An apostrophe precedes text that a spreadsheet would treat as a formula',
          ),
      },
    },
  },
  problems: Object.fromEntries(
    Object.entries(createProblemResponses('upstream', 'unreachable', 'timeout')).map(([status, { description }]) => [
      status,
      {
        description: `${description}. An envelope of status \`failed\`, or a problem`,
        content: { 'application/json': { schema: z.looseObject({}) } },
      },
    ]),
  ),
  fails: ['not_found', 'too_large', 'unsupported_media_type', 'invalid'],
} as const;

export const askRoutes = [
  defineOperation('POST', '/lenses/:name/query', {
    ...askReply,
    id: 'askLens',
    summary: 'Ask a lens a question',
    description:
      'svc interprets the question, checks the SQL with its guard, runs the SQL, and grades and signs the answer. svc refuses a question that it understands only in part.',
    params: lensParamsSchema,
    body: queryBodySchema.meta({ examples: [{ q: 'What was revenue in the West in 2016?' }] }),
    run: ({ deps, params, query, body, createAskContext }) =>
      deps.ask.query(createAskContext(), params.name, { ...body, ...readPlanOption(query) }),
  }),
  defineOperation('POST', '/lenses/:name/metrics', {
    ...askReply,
    id: 'askMetrics',
    summary: 'Ask a lens with a plan',
    description:
      'A plan states metrics, conditions, groups and order with the names in the lens. See docs/plans.md and /schemas/plan.json. Governance and receipts are the same as for a question. If a plan would count rows twice, svc returns 422 and names the nearest plan that works.',
    params: lensParamsSchema,
    body: metricsBodySchema.meta({ examples: PLAN_EXAMPLES }),
    run: ({ deps, params, query, body, createAskContext }) =>
      deps.ask.metrics(createAskContext(), params.name, { ...body, ...readPlanOption(query) }),
  }),
  defineOperation('POST', '/query', {
    ...askReply,
    id: 'askRouted',
    summary: 'Ask without naming a lens',
    description: 'svc chooses one of the lenses of this credential and says why, or declines with `uncovered`.',
    body: queryBodySchema.meta({ examples: [{ q: 'What was revenue by region in 2016?', format: 'structured' }] }),
    run: ({ deps, query, body, createAskContext }) =>
      deps.ask.queryWithRouting(createAskContext(), { ...body, ...readPlanOption(query) }),
  }),
  defineOperation('POST', '/lenses/:name/certified/:cert_id/run', {
    ...askReply,
    id: 'runCertified',
    summary: 'Run a certified entry',
    description: 'Runs the approved SQL unchanged. Row policies, masks and limits of the lens apply.',
    params: certifiedEntryParamsSchema,
    body: certifiedRunBodySchema.meta({ examples: [{ format: 'structured' }, { parameters: { year: 2016 } }] }),
    run: ({ deps, params: { name, cert_id }, query, body, createAskContext }) =>
      deps.ask.certifiedRun(createAskContext(), name, cert_id, { ...body, ...readPlanOption(query) }),
  }),
  defineOperation('POST', '/sql', {
    ...askReply,
    id: 'runSql',
    summary: 'Run guarded read-only SQL',
    description:
      'Runs one SELECT on a lens or, for admins, on a connection, with a row limit and a log entry. SQL that is equivalent to a plan gets the grade of that plan. The grade of other SQL depends on its proofs. If the warehouse rejects the statement, the error is 422 `invalid`, with its class in `details[].code`: division_by_zero, out_of_range, bad_value, bad_argument, several_rows, type_mismatch, bad_statement, too_complex, out_of_memory. If a row policy applies, data_dependent replaces the first five classes.',
    body: sqlBodySchema.meta({
      examples: [{ lens: 'superstore', sql: 'select region, sum(sales) from main.orders group by region' }],
    }),
    fails: [...askReply.fails, 'forbidden', 'guard_refused'],
    run: ({ deps, query, body, createAskContext }) =>
      deps.ask.sql(createAskContext(), { ...body, ...readPlanOption(query) }),
  }),
];
