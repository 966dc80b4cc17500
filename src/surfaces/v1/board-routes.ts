// Boards: pinned questions and plans, computed for the person who opens them.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { answerTile } from '../../ask/answer-again.ts';
import { answerQuery } from '../../contract/answers.ts';
import {
  board,
  boardList,
  boardParams,
  boardsQuery,
  changedBoard,
  newBoard,
  newTile,
  tileAnswer,
  tileParams,
} from '../../contract/boards.ts';
import type { Deps } from '../../deps.ts';
import {
  changeBoard,
  listVisibleBoards,
  makeBoard,
  openBoard,
  pinAnswer,
  removeBoard,
} from '../../domain/boards/boards.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import { momentAfter, momentCursor } from '../http/page.ts';
import { bearer, callerProblems } from '../http/route-schema.ts';
import { askContext } from './ask-context.ts';

const ID = '0192f0c1-7a10-7b52-8f3e-0d5c1f2a9b77';

export function boardRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const common = { tags: ['boards'], security: bearer };
  const written = callerProblems('forbidden', 'not_found', 'too_large', 'unsupported_media_type', 'invalid');

  app.get(
    '/boards',
    {
      schema: {
        ...common,
        operationId: 'listBoards',
        summary: 'Boards that you may open, last changed first',
        description: 'Yours, and the shared ones that have a tile of a lens that you may use. Searches titles with q.',
        querystring: boardsQuery,
        response: { 200: boardList, ...callerProblems('forbidden', 'invalid') },
      },
    },
    async ({ query: { cursor, q, limit }, principal }) => {
      const { items, last } = await listVisibleBoards(deps, principal, { q, limit, after: momentAfter(cursor) });
      return { items, next_cursor: momentCursor(last) };
    },
  );

  app.post(
    '/boards',
    {
      schema: {
        ...common,
        operationId: 'makeBoard',
        summary: 'Make an empty board',
        description: 'It is yours alone until you share it. Returns 409 if you have 200 boards.',
        body: newBoard.meta({ examples: [{ title: 'Weekly sales' }] }),
        response: { 201: board, ...written, ...callerProblems('conflict') },
      },
    },
    async ({ body, principal }, reply) => reply.code(201).send(await makeBoard(deps, principal, body.title)),
  );

  app.get(
    '/boards/:id',
    {
      schema: {
        ...common,
        operationId: 'getBoard',
        summary: 'One board: its tiles in order',
        description:
          'Yours, or a shared one with a tile of a lens that you may use. Has no answers: GET /v1/boards/{id}/tiles/{tile} computes each for you.',
        params: boardParams,
        response: { 200: board, ...callerProblems('forbidden', 'not_found') },
      },
    },
    ({ params, principal }) => openBoard(deps, principal, params.id),
  );

  app.get(
    '/boards/:id/tiles/:tile',
    {
      schema: {
        ...common,
        operationId: 'answerTile',
        summary: 'The answer of a tile, computed for this caller',
        description:
          'Asks the question or plan of the tile as the caller who opens it, under their grants, row policies and masks, as a new request. Returns 403 without access to the lens, or if the tile names something that this caller may not see.',
        params: tileParams,
        querystring: answerQuery,
        response: {
          200: tileAnswer,
          ...callerProblems('forbidden', 'not_found', 'invalid', 'upstream', 'unreachable', 'timeout'),
        },
      },
    },
    async (request, reply) => {
      const { chart, plan } = request.query;
      const looks = { chart: chart === 'true', plan: plan === 'true' };
      const answered = await answerTile(deps, askContext(request, reply), request.params, looks);
      return reply.type('application/json; charset=utf-8').send(writeJson(answered) as never);
    },
  );

  app.post(
    '/boards/:id/tiles',
    {
      schema: {
        ...common,
        operationId: 'pinAnswer',
        summary: 'Pin an answer of yours to a board of yours',
        description:
          'Keeps the question or plan, never the rows. Returns 409 for a board of 40 tiles, and 422 for a request without an answer and for SQL.',
        params: boardParams,
        body: newTile.meta({ examples: [{ request_id: ID }] }),
        response: { 201: board, ...written, ...callerProblems('conflict') },
      },
    },
    async ({ params, body, principal }, reply) =>
      reply.code(201).send(await pinAnswer(deps, principal, params.id, body.request_id)),
  );

  app.patch(
    '/boards/:id',
    {
      schema: {
        ...common,
        operationId: 'changeBoard',
        summary: 'Rename, share or arrange a board of yours',
        description: 'Only the owner can change a board. Tiles that `tiles` leaves out are removed.',
        params: boardParams,
        body: changedBoard.meta({ examples: [{ shared: true }, { tiles: [{ id: ID, wide: true }] }] }),
        response: { 200: board, ...written },
      },
    },
    ({ params, body, principal }) => changeBoard(deps, principal, params.id, body),
  );

  app.delete(
    '/boards/:id',
    {
      schema: {
        ...common,
        operationId: 'deleteBoard',
        summary: 'Delete a board of yours',
        description: 'The requests stay in the log.',
        params: boardParams,
        response: { 204: z.null(), ...callerProblems('forbidden', 'not_found') },
      },
    },
    async ({ params, principal }, reply) => {
      await removeBoard(deps, principal, params.id);
      return reply.code(204).send(null);
    },
  );
}
