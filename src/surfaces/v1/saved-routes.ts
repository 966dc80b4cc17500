// svc computes each answer for the person who opens it.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { computeTileAnswer, recomputeAnswer } from '../../ask/recompute-answer.ts';
import * as wire from '../../contract/saved.ts';
import * as boardWire from '../../contract/saved.ts';
import {
  answerParamsSchema,
  answerQuerySchema,
  reopenedAnswerSchema,
  tileAnswerSchema,
  tileParamsSchema,
} from '../../contract/saved.ts';
import type { Deps } from '../../deps.ts';
import * as boards from '../../domain/boards/boards.ts';
import * as threads from '../../domain/threads/threads.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import { createOperationFactory, type OperationCall } from '../http/operation.ts';
import { lastChangeOrder } from '../http/page.ts';

type RouteDeps = Parameters<typeof computeTileAnswer>[0] & Pick<Deps, 'tenancy' | 'traces'>;
const defineThreadOperation = createOperationFactory<RouteDeps>('threads', 'data');
const defineBoardOperation = createOperationFactory<RouteDeps>('boards', 'data');
const defineAnswerOperation = createOperationFactory<RouteDeps>('ask', 'data');
const EXAMPLE_ID = '0192f0c1-7a10-7b52-8f3e-0d5c1f2a9b77';

const WRITE_PROBLEMS = ['forbidden', 'not_found', 'too_large', 'unsupported_media_type', 'invalid'] as const;
const reopenedAnswerReply = {
  query: answerQuerySchema,
  fails: ['forbidden', 'not_found', 'invalid', 'upstream', 'unreachable', 'timeout'],
  send: (_request: FastifyRequest, reply: FastifyReply, answer: object) =>
    reply.type('application/json; charset=utf-8').send(writeJson(answer)),
} as const;
const toViewContext = ({ createAskContext }: Pick<OperationCall<RouteDeps>, 'createAskContext'>) => ({
  ...{ ...createAskContext(), surface: 'view' as const },
});
const createViewerOptions = ({ chart, plan }: { chart?: string | undefined; plan?: string | undefined }) => ({
  ...{ chart: chart === 'true', plan: plan === 'true' },
});

export const savedRoutes = [
  defineThreadOperation('GET', '/threads', {
    id: 'listThreads',
    summary: 'Your conversations, last used first',
    description: '`q` searches the titles and the questions. Shared conversations of other people are not listed.',
    query: wire.threadsQuerySchema,
    result: wire.threadListSchema,
    fails: ['forbidden', 'invalid'],
    orderBy: lastChangeOrder,
    run: ({ deps, principal, query: { q }, page }) => threads.listOwnThreads(deps, principal, { q, ...page }),
  }),
  defineThreadOperation('POST', '/threads', {
    id: 'startThread',
    summary: 'Start a conversation with one of your asks',
    description: 'Takes the request ID of one of your asks. Without `title`, the question is the title.',
    body: wire.newThreadSchema.meta({ examples: [{ request_id: EXAMPLE_ID }] }),
    status: 201,
    result: wire.threadSchema,
    fails: WRITE_PROBLEMS,
    run: ({ deps, principal, body }) => threads.startThread(deps, principal, body),
  }),
  defineThreadOperation('GET', '/threads/:id', {
    id: 'getThread',
    summary: 'One conversation with its requests in order',
    description:
      'Returns your conversation, or a shared one. In a shared conversation, others see only the requests about lenses that they may use. GET /v1/answers/{request_id} computes each answer for them.',
    params: wire.threadParamsSchema,
    result: wire.threadSchema,
    fails: ['forbidden', 'not_found'],
    run: ({ deps, principal, params }) => threads.getThread(deps, principal, params.id),
  }),
  defineThreadOperation('POST', '/threads/:id/turns', {
    id: 'continueThread',
    summary: 'Add one of your asks to one of your conversations',
    description: 'Returns 409 if the conversation already has 200 asks.',
    params: wire.threadParamsSchema,
    body: wire.newTurnSchema.meta({ examples: [{ request_id: EXAMPLE_ID }] }),
    status: 201,
    result: wire.threadSchema,
    fails: [...WRITE_PROBLEMS, 'conflict'],
    run: ({ deps, principal, params, body }) => threads.continueThread(deps, principal, params.id, body.request_id),
  }),
  defineThreadOperation('PATCH', '/threads/:id', {
    id: 'changeThread',
    summary: 'Rename or share one of your conversations',
    description:
      'Only the owner can change a conversation. Other people in the organization can open a shared conversation with their own access.',
    params: wire.threadParamsSchema,
    body: wire.changedThreadSchema.meta({ examples: [{ shared: true }] }),
    result: wire.threadSchema,
    fails: WRITE_PROBLEMS,
    run: ({ deps, principal, params, body }) => threads.changeThread(deps, principal, params.id, body),
  }),
  defineThreadOperation('DELETE', '/threads/:id', {
    id: 'deleteThread',
    summary: 'Delete one of your conversations',
    description: 'The requests stay in the log.',
    params: wire.threadParamsSchema,
    status: 204,
    result: z.null(),
    fails: ['forbidden', 'not_found'],
    run: ({ deps, principal, params }) => threads.deleteThread(deps, principal, params.id),
    view: () => null,
  }),
  defineBoardOperation('GET', '/boards', {
    id: 'listBoards',
    summary: 'Boards that you may open, last changed first',
    description:
      'Lists your boards, and the shared boards that have at least one tile from a lens that you can use. `q` searches the titles.',
    query: boardWire.boardsQuerySchema,
    result: boardWire.boardListSchema,
    fails: ['forbidden', 'invalid'],
    orderBy: lastChangeOrder,
    run: ({ deps, principal, query: { q }, page }) => boards.listVisibleBoards(deps, principal, { q, ...page }),
  }),
  defineBoardOperation('POST', '/boards', {
    id: 'makeBoard',
    summary: 'Create an empty board',
    description: 'Only you can open the board until you share it. Returns 409 if you have 200 boards.',
    body: boardWire.newBoardSchema.meta({ examples: [{ title: 'Weekly sales' }] }),
    status: 201,
    result: boardWire.boardSchema,
    fails: [...WRITE_PROBLEMS, 'conflict'],
    run: ({ deps, principal, body }) => boards.createBoard(deps, principal, body.title),
  }),
  defineBoardOperation('GET', '/boards/:id', {
    id: 'getBoard',
    summary: 'One board with its tiles in order',
    description:
      'Returns your board, or a shared board with a tile of a lens that you may use. The reply has no answers. GET /v1/boards/{id}/tiles/{tile} computes each answer for you.',
    params: boardWire.boardParamsSchema,
    result: boardWire.boardSchema,
    fails: ['forbidden', 'not_found'],
    run: ({ deps, principal, params }) => boards.readAndTouchBoard(deps, principal, params.id),
  }),
  defineBoardOperation('POST', '/boards/:id/tiles', {
    id: 'pinAnswer',
    summary: 'Pin one of your answers to one of your boards',
    description:
      'Stores the question or plan, never the rows. Returns 409 if the board already has 40 tiles, and 422 if the request has no answer or was SQL.',
    params: boardWire.boardParamsSchema,
    body: boardWire.newTileSchema.meta({ examples: [{ request_id: EXAMPLE_ID }] }),
    status: 201,
    result: boardWire.boardSchema,
    fails: [...WRITE_PROBLEMS, 'conflict'],
    run: ({ deps, principal, params, body }) => boards.pinAnswer(deps, principal, params.id, body.request_id),
  }),
  defineBoardOperation('PATCH', '/boards/:id', {
    id: 'changeBoard',
    summary: 'Rename, share or arrange one of your boards',
    description: 'Only the owner can change a board. svc removes tiles that `tiles` does not list.',
    params: boardWire.boardParamsSchema,
    body: boardWire.changedBoardSchema.meta({
      examples: [{ shared: true }, { tiles: [{ id: EXAMPLE_ID, wide: true }] }],
    }),
    result: boardWire.boardSchema,
    fails: WRITE_PROBLEMS,
    run: ({ deps, principal, params, body }) => boards.changeBoard(deps, principal, params.id, body),
  }),
  defineBoardOperation('DELETE', '/boards/:id', {
    id: 'deleteBoard',
    summary: 'Delete one of your boards',
    description: 'The requests stay in the log.',
    params: boardWire.boardParamsSchema,
    status: 204,
    result: z.null(),
    fails: ['forbidden', 'not_found'],
    run: ({ deps, principal, params }) => boards.deleteBoard(deps, principal, params.id),
    view: () => null,
  }),
  defineAnswerOperation('GET', '/answers/:request_id', {
    ...reopenedAnswerReply,
    id: 'openAnswer',
    summary: 'An answer by its request ID, computed again for this caller',
    description:
      'Asks the question, plan or SQL again as a new request, with the grants, row policies and masks of the caller who opens the answer. svc never shows rows that it served to another caller. Returns 403 if this caller has no access to the lens, or if the request names something that the caller may not see.',
    params: answerParamsSchema,
    result: reopenedAnswerSchema,
    run: (call) =>
      recomputeAnswer(call.deps, toViewContext(call), call.params.request_id, createViewerOptions(call.query)),
  }),
  defineBoardOperation('GET', '/boards/:id/tiles/:tile', {
    ...reopenedAnswerReply,
    id: 'answerTile',
    summary: 'The answer of a tile, computed for this caller',
    description:
      'Asks the question or plan of the tile as a new request, with the grants, row policies and masks of the caller who opens it. Returns 403 if this caller has no access to the lens, or if the tile names something that the caller may not see.',
    params: tileParamsSchema,
    result: tileAnswerSchema,
    run: (call) => computeTileAnswer(call.deps, toViewContext(call), call.params, createViewerOptions(call.query)),
  }),
];
