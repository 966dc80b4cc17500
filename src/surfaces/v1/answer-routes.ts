// Answers by link, computed for the person who opens them.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { answerAgain } from '../../ask/answer-again.ts';
import { answerParams, answerQuery, reopened } from '../../contract/answers.ts';
import type { Deps } from '../../deps.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import { bearer, callerProblems } from '../http/route-schema.ts';
import { askContext } from './ask-context.ts';

export function answerRoutes(scope: FastifyInstance, deps: Deps): void {
  scope.withTypeProvider<ZodTypeProvider>().get(
    '/answers/:request_id',
    {
      schema: {
        tags: ['ask'],
        security: bearer,
        operationId: 'openAnswer',
        summary: 'An answer by its request id, computed again for this caller',
        description:
          'Asks the same thing again as the caller who opens it, under their grants, row policies and masks, as a new request. svc never shows rows that it served to another caller. Returns 403 without access to the lens, or if the request names something that this caller may not see.',
        params: answerParams,
        querystring: answerQuery,
        response: {
          200: reopened,
          ...callerProblems('forbidden', 'not_found', 'invalid', 'upstream', 'unreachable', 'timeout'),
        },
      },
    },
    async (request, reply) => {
      const { chart, plan } = request.query;
      const looks = { chart: chart === 'true', plan: plan === 'true' };
      const opened = await answerAgain(deps, askContext(request, reply), request.params.request_id, looks);
      return reply.type('application/json; charset=utf-8').send(writeJson(opened) as never);
    },
  );
}
