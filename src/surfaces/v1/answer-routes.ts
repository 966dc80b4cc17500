// Routes for answers by link and for board tiles. svc computes each answer for the person who opens it. svc writes the
// envelopes of these answers in slices, so these routes aren't defined as operations.
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { answerAgain, answerTile } from '../../ask/answer-again.ts';
import { answerParams, answerQuery, reopenedAnswer } from '../../contract/answers.ts';
import { tileAnswer, tileParams } from '../../contract/boards.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import { createAskContext } from '../http/ask-context.ts';
import { bearerSecurity, callerProblemResponses } from '../http/route-schema.ts';

const failureResponses = callerProblemResponses(
  'forbidden',
  'not_found',
  'invalid',
  'upstream',
  'unreachable',
  'timeout',
);
const viewerOptionsOf = ({ chart, plan }: { chart?: string | undefined; plan?: string | undefined }) => ({
  ...{ chart: chart === 'true', plan: plan === 'true' },
});
const sendAnswer = (reply: FastifyReply, answer: object) =>
  reply.type('application/json; charset=utf-8').send(writeJson(answer) as never);

export function registerAnswerRoutes(scope: FastifyInstance, deps: Parameters<typeof answerTile>[0]): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.get(
    '/answers/:request_id',
    {
      schema: {
        ...{ tags: ['ask'], security: bearerSecurity, operationId: 'openAnswer' },
        summary: 'An answer by its request ID, computed again for this caller',
        description:
          'Asks the question, plan or SQL again as a new request, with the grants, row policies and masks of the caller who opens the answer. svc never shows rows that it served to another caller. Returns 403 if this caller has no access to the lens, or if the request names something that the caller may not see.',
        params: answerParams,
        querystring: answerQuery,
        response: { 200: reopenedAnswer, ...failureResponses },
      },
    },
    async (request, reply) => {
      const { params, query } = request;
      return sendAnswer(
        reply,
        await answerAgain(deps, createAskContext(request, reply, 'view'), params.request_id, viewerOptionsOf(query)),
      );
    },
  );

  app.get(
    '/boards/:id/tiles/:tile',
    {
      schema: {
        ...{ tags: ['boards'], security: bearerSecurity, operationId: 'answerTile' },
        summary: 'The answer of a tile, computed for this caller',
        description:
          'Asks the question or plan of the tile as a new request, with the grants, row policies and masks of the caller who opens it. Returns 403 if this caller has no access to the lens, or if the tile names something that the caller may not see.',
        params: tileParams,
        querystring: answerQuery,
        response: { 200: tileAnswer, ...failureResponses },
      },
    },
    async (request, reply) =>
      sendAnswer(
        reply,
        await answerTile(
          deps,
          createAskContext(request, reply, 'view'),
          request.params,
          viewerOptionsOf(request.query),
        ),
      ),
  );
}
