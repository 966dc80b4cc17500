// The ask doors: a question to a lens, an intent, a routed question, a certified entry, guarded SQL.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  askQuery,
  certifiedRunBody,
  envelope,
  metricsBody,
  queryBody,
  sqlBody,
  wantsPlan,
} from '../../contract/ask.ts';
import { PLAN_EXAMPLES } from '../../contract/plan.ts';
import type { Deps } from '../../deps.ts';
import { bearer, callerProblems, problems } from '../http/route-schema.ts';
import { askContext } from './ask-context.ts';
import { certParams, lensParams } from './params.ts';
import { sendEnvelope } from './send-envelope.ts';

const answers = {
  200: {
    description: 'An answer, a clarification, a refusal or an uncovered question; `status` says which',
    content: {
      'application/json': { schema: envelope },
      'text/csv': {
        schema: z
          .string()
          .describe(
            'The rows, when Accept asks for them; grade and truncation in headers. Text that a spreadsheet would take for a formula is quoted with an apostrophe',
          ),
      },
    },
  },
  ...callerProblems('not_found', 'too_large', 'unsupported_media_type', 'invalid'),
  ...failedAsk(),
};

/** A warehouse that failed answers an envelope of status `failed`, or a problem when nothing could be traced. */
function failedAsk() {
  const failed = problems('upstream', 'unreachable', 'timeout');
  return Object.fromEntries(
    Object.entries(failed).map(([status, { description }]) => [
      status,
      {
        description: `${description}. An envelope of status \`failed\`, or a problem`,
        content: { 'application/json': { schema: z.looseObject({}) } },
      },
    ]),
  );
}

export function askRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const common = { tags: ['ask'], security: bearer, response: answers, querystring: askQuery };
  const asked = <Body>({ body, query }: { body: Body; query: z.infer<typeof askQuery> }): Body => ({
    ...body,
    ...wantsPlan(query),
  });

  app.post(
    '/lenses/:name/query',
    {
      schema: {
        ...common,
        operationId: 'askLens',
        summary: 'Ask a lens a question',
        description:
          'Plans, guards, runs, grades and signs. A question that cannot be placed whole is refused, never half answered.',
        params: lensParams,
        body: queryBody.meta({ examples: [{ q: 'What was revenue in the West in 2016?' }] }),
      },
    },
    async (request, reply) =>
      sendEnvelope(
        request,
        reply,
        await deps.ask.query(askContext(request, reply), request.params.name, asked(request)),
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
          'What is measured, of which rows, by what, in which order, in the names of the lens; docs/plans.md has the language, /schemas/plan.json its schema. Same governance and receipts as a question. What can’t be told without counting rows twice is 422, with the nearest plan that can.',
        params: lensParams,
        body: metricsBody.meta({ examples: PLAN_EXAMPLES }),
      },
    },
    async (request, reply) =>
      sendEnvelope(
        request,
        reply,
        await deps.ask.metrics(askContext(request, reply), request.params.name, asked(request)),
      ),
  );

  app.post(
    '/query',
    {
      schema: {
        ...common,
        operationId: 'askRouted',
        summary: 'Ask, and let the service pick the lens',
        description: 'Picks among the lenses that this credential may use and says why, or declines with `uncovered`.',
        body: queryBody.meta({ examples: [{ q: 'What was revenue by region in 2016?', format: 'structured' }] }),
      },
    },
    async (request, reply) =>
      sendEnvelope(request, reply, await deps.ask.routed(askContext(request, reply), asked(request))),
  );

  app.post(
    '/lenses/:name/certified/:cert_id/run',
    {
      schema: {
        ...common,
        operationId: 'runCertified',
        summary: 'Run a certified entry',
        description:
          'Runs the approved SQL exactly as certified; row policies, masks and caps of the lens apply around it.',
        params: certParams,
        body: certifiedRunBody.meta({ examples: [{ format: 'structured' }, { parameters: { year: 2016 } }] }),
      },
    },
    async (request, reply) => {
      const { name, cert_id } = request.params;
      return sendEnvelope(
        request,
        reply,
        await deps.ask.certifiedRun(askContext(request, reply), name, cert_id, asked(request)),
      );
    },
  );

  app.post(
    '/sql',
    {
      schema: {
        ...common,
        response: { ...answers, ...problems('forbidden'), 422: problems('invalid', 'guard_refused')[422] },
        operationId: 'runSql',
        summary: 'Run guarded read-only SQL',
        description:
          'One SELECT within a lens, or, for admins, on a connection. Row-capped and logged. It is graded by what can be proven of it: as the plan that it equals, where it equals one. What the guard lets pass and the warehouse still can’t run is 422 `invalid`, its class in `details[].code`: division_by_zero, out_of_range, bad_value, bad_argument, several_rows, type_mismatch, bad_statement, too_complex, out_of_memory; under a row policy the first five read data_dependent.',
        body: sqlBody.meta({
          examples: [{ lens: 'superstore', sql: 'select region, sum(sales) from main.orders group by region' }],
        }),
      },
    },
    async (request, reply) =>
      sendEnvelope(request, reply, await deps.ask.sql(askContext(request, reply), asked(request))),
  );
}
