// Routes for asks: a question to a lens, a plan, a routed question, a certified entry, and guarded SQL.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  askQuery,
  certifiedRunBody,
  envelope,
  metricsBody,
  planOptionOf,
  queryBody,
  sqlBody,
} from '../../contract/ask.ts';
import { PLAN_EXAMPLES } from '../../contract/plan.ts';
import type { Deps } from '../../deps.ts';
import { createAskContext } from '../http/ask-context.ts';
import { bearerSecurity, callerProblemResponses, problemResponses } from '../http/route-schema.ts';
import { certParams, lensParams } from './params.ts';
import { sendEnvelope } from './send-envelope.ts';

const answerResponse = {
  200: {
    description: 'An answer, a clarification, a refusal or an uncovered question, by `status`',
    content: {
      'application/json': { schema: envelope },
      'text/csv': {
        schema: z
          .string()
          .describe(
            'The rows, if the Accept header requests CSV. Headers contain the grade and state whether rows were cut. An apostrophe precedes text that a spreadsheet would treat as a formula',
          ),
      },
    },
  },
  ...callerProblemResponses('not_found', 'too_large', 'unsupported_media_type', 'invalid'),
  ...failedAskResponses(),
};

/** After a warehouse failure, an ask returns an envelope with status `failed`, or a problem if the ask has no trace. */
function failedAskResponses() {
  const upstreamProblems = problemResponses('upstream', 'unreachable', 'timeout');
  return Object.fromEntries(
    Object.entries(upstreamProblems).map(([status, { description }]) => [
      status,
      {
        description: `${description}. An envelope of status \`failed\`, or a problem`,
        content: { 'application/json': { schema: z.looseObject({}) } },
      },
    ]),
  );
}

export function registerAskRoutes(scope: FastifyInstance, deps: Pick<Deps, 'ask'>): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const common = { tags: ['ask'], security: bearerSecurity, response: answerResponse, querystring: askQuery };
  const toAskBody = <Body>({ body, query }: { body: Body; query: z.infer<typeof askQuery> }): Body => ({
    ...body,
    ...planOptionOf(query),
  });

  app.post(
    '/lenses/:name/query',
    {
      schema: {
        ...common,
        operationId: 'askLens',
        summary: 'Ask a lens a question',
        description:
          'svc interprets the question, checks the SQL with its guard, runs the SQL, and grades and signs the answer. svc refuses a question that it understands only in part.',
        params: lensParams,
        body: queryBody.meta({ examples: [{ q: 'What was revenue in the West in 2016?' }] }),
      },
    },
    async (request, reply) =>
      sendEnvelope(
        request,
        reply,
        await deps.ask.query(createAskContext(request, reply), request.params.name, toAskBody(request)),
      ),
  );

  app.post(
    '/lenses/:name/metrics',
    {
      schema: {
        ...common,
        operationId: 'askMetrics',
        summary: 'Ask a lens with a plan',
        description:
          'A plan states metrics, conditions, groups and order in the names of the lens. See docs/plans.md and /schemas/plan.json. Governance and receipts are the same as for a question. svc refuses a plan that would count rows twice with 422, and names the nearest plan that works.',
        params: lensParams,
        body: metricsBody.meta({ examples: PLAN_EXAMPLES }),
      },
    },
    async (request, reply) =>
      sendEnvelope(
        request,
        reply,
        await deps.ask.metrics(createAskContext(request, reply), request.params.name, toAskBody(request)),
      ),
  );

  app.post(
    '/query',
    {
      schema: {
        ...common,
        operationId: 'askRouted',
        summary: 'Ask without naming a lens',
        description: 'svc chooses one of the lenses of this credential and says why, or declines with `uncovered`.',
        body: queryBody.meta({ examples: [{ q: 'What was revenue by region in 2016?', format: 'structured' }] }),
      },
    },
    async (request, reply) =>
      sendEnvelope(
        request,
        reply,
        await deps.ask.queryWithRouting(createAskContext(request, reply), toAskBody(request)),
      ),
  );

  app.post(
    '/lenses/:name/certified/:cert_id/run',
    {
      schema: {
        ...common,
        operationId: 'runCertified',
        summary: 'Run a certified entry',
        description: 'Runs the approved SQL unchanged. Row policies, masks and limits of the lens apply.',
        params: certParams,
        body: certifiedRunBody.meta({ examples: [{ format: 'structured' }, { parameters: { year: 2016 } }] }),
      },
    },
    async (request, reply) => {
      const { name, cert_id } = request.params;
      return sendEnvelope(
        request,
        reply,
        await deps.ask.certifiedRun(createAskContext(request, reply), name, cert_id, toAskBody(request)),
      );
    },
  );

  app.post(
    '/sql',
    {
      schema: {
        ...common,
        response: {
          ...answerResponse,
          ...problemResponses('forbidden'),
          422: problemResponses('invalid', 'guard_refused')[422],
        },
        operationId: 'runSql',
        summary: 'Run guarded read-only SQL',
        description:
          'Runs one SELECT on a lens or, for admins, on a connection, with a row limit and a log entry. SQL that equals a plan gets the grade of that plan; other SQL is graded by its proofs. If the warehouse rejects the statement, the error is 422 `invalid`, with its class in `details[].code`: division_by_zero, out_of_range, bad_value, bad_argument, several_rows, type_mismatch, bad_statement, too_complex, out_of_memory; if a row policy applies, data_dependent replaces the first five.',
        body: sqlBody.meta({
          examples: [{ lens: 'superstore', sql: 'select region, sum(sales) from main.orders group by region' }],
        }),
      },
    },
    async (request, reply) =>
      sendEnvelope(request, reply, await deps.ask.sql(createAskContext(request, reply), toAskBody(request))),
  );
}
