// Review tickets: create one for your own answer, list yours, follow one.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { pageQuery } from '../../contract/lens.ts';
import { reviewBody, reviewList, reviewTicket } from '../../contract/review.ts';
import type { Deps } from '../../deps.ts';
import { getReview, listOwnReviews, raiseReview } from '../../domain/reviews/review.ts';
import { decodeCursor, encodeCursor, unusableCursor } from '../http/page.ts';
import { bearer, callerProblems } from '../http/route-schema.ts';
import { idempotencyHeader, runOnce } from '../http/run-once.ts';
import { ticketParams } from './params.ts';

const EXAMPLE = {
  request_id: '0192f0c1-7a10-7b52-8f3e-0d5c1f2a9b77',
  note: 'Returns were not subtracted.',
  correction: { answer: '181,204.11 USD' },
};

export function reviewRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const common = { tags: ['evidence'], security: bearer };

  app.post(
    '/reviews',
    {
      schema: {
        ...common,
        operationId: 'raiseReview',
        summary: 'Report an answer for review',
        description: 'Possible for requests of this caller; for admins, on any request of the organization.',
        headers: idempotencyHeader,
        body: reviewBody.meta({ examples: [EXAMPLE] }),
        response: {
          201: reviewTicket,
          ...callerProblems('forbidden', 'not_found', 'conflict', 'too_large', 'unsupported_media_type', 'invalid'),
        },
      },
    },
    async (request, reply) =>
      runOnce(deps, request, reply, async () => ({
        status: 201,
        body: await raiseReview(deps, request.principal, request.body),
      })),
  );

  app.get(
    '/reviews',
    {
      schema: {
        ...common,
        operationId: 'listReviews',
        summary: 'Review tickets, newest first',
        description: 'Tickets about requests of this caller. For an admin: all tickets of the organization.',
        querystring: pageQuery,
        response: { 200: reviewList, ...callerProblems('invalid') },
      },
    },
    async ({ query, principal }) => {
      const after = decodeCursor(query.cursor);
      if (after !== null && !z.uuid().safeParse(after).success) throw unusableCursor();
      const { items, next } = await listOwnReviews(deps, principal, { limit: query.limit, after });
      return { items, next_cursor: next && encodeCursor(next) };
    },
  );

  app.get(
    '/reviews/:ticket_id',
    {
      schema: {
        ...common,
        operationId: 'getReview',
        summary: 'One ticket: status, ruling, comments',
        description: 'Only the caller of the request and admins can read the ticket.',
        params: ticketParams,
        response: { 200: reviewTicket, ...callerProblems('forbidden', 'not_found') },
      },
    },
    (request) => getReview(deps, request.principal, request.params.ticket_id),
  );
}
