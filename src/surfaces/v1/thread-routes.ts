// Stored conversations, for the people who started them.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  changedThread,
  newThread,
  newTurn,
  thread,
  threadList,
  threadParams,
  threadsQuery,
} from '../../contract/threads.ts';
import type { Deps } from '../../deps.ts';
import {
  changeThread,
  continueThread,
  listOwnThreads,
  openThread,
  removeThread,
  startThread,
} from '../../domain/threads/threads.ts';
import { momentAfter, momentCursor } from '../http/page.ts';
import { bearer, callerProblems } from '../http/route-schema.ts';

const REQUEST = { request_id: '0192f0c1-7a10-7b52-8f3e-0d5c1f2a9b77' };

export function threadRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const common = { tags: ['threads'], security: bearer };
  const written = callerProblems('forbidden', 'not_found', 'too_large', 'unsupported_media_type', 'invalid');

  app.get(
    '/threads',
    {
      schema: {
        ...common,
        operationId: 'listThreads',
        summary: 'Your conversations, last used first',
        description: 'Searches titles with q. Shared conversations of other people are not listed.',
        querystring: threadsQuery,
        response: { 200: threadList, ...callerProblems('forbidden', 'invalid') },
      },
    },
    async ({ query: { cursor, q, limit }, principal }) => {
      const { items, last } = await listOwnThreads(deps, principal, { q, limit, after: momentAfter(cursor) });
      return { items, next_cursor: momentCursor(last) };
    },
  );

  app.post(
    '/threads',
    {
      schema: {
        ...common,
        operationId: 'startThread',
        summary: 'Keep an answer as the start of a conversation',
        description: 'Takes the request id of one of your answers. The title is its question unless you give one.',
        body: newThread.meta({ examples: [REQUEST] }),
        response: { 201: thread, ...written },
      },
    },
    async ({ body, principal }, reply) => reply.code(201).send(await startThread(deps, principal, body)),
  );

  app.get(
    '/threads/:id',
    {
      schema: {
        ...common,
        operationId: 'getThread',
        summary: 'One conversation: its requests in order',
        description:
          'Yours, or one that is shared. Of a shared one others learn the requests about lenses that they may use; GET /v1/answers/{request_id} computes each for them.',
        params: threadParams,
        response: { 200: thread, ...callerProblems('forbidden', 'not_found') },
      },
    },
    ({ params, principal }) => openThread(deps, principal, params.id),
  );

  app.post(
    '/threads/:id/turns',
    {
      schema: {
        ...common,
        operationId: 'continueThread',
        summary: 'Add an ask of yours to a conversation of yours',
        description: 'Returns 409 for a conversation of 200 asks.',
        params: threadParams,
        body: newTurn.meta({ examples: [REQUEST] }),
        response: { 201: thread, ...written, ...callerProblems('conflict') },
      },
    },
    async ({ params, body, principal }, reply) =>
      reply.code(201).send(await continueThread(deps, principal, params.id, body.request_id)),
  );

  app.patch(
    '/threads/:id',
    {
      schema: {
        ...common,
        operationId: 'changeThread',
        summary: 'Rename a conversation of yours, or share it',
        description:
          'Only the owner can change a conversation. A shared one opens for people of the organization, with their own access.',
        params: threadParams,
        body: changedThread.meta({ examples: [{ shared: true }] }),
        response: { 200: thread, ...written },
      },
    },
    ({ params, body, principal }) => changeThread(deps, principal, params.id, body),
  );

  app.delete(
    '/threads/:id',
    {
      schema: {
        ...common,
        operationId: 'deleteThread',
        summary: 'Delete a conversation of yours',
        description: 'The requests stay in the log.',
        params: threadParams,
        response: { 204: z.null(), ...callerProblems('forbidden', 'not_found') },
      },
    },
    async ({ params, principal }, reply) => {
      await removeThread(deps, principal, params.id);
      return reply.code(204).send(null);
    },
  );
}
