// Routes for boards: pinned questions and plans, computed for the person who opens them.
import { z } from 'zod';
import * as wire from '../../contract/boards.ts';
import type { Deps } from '../../deps.ts';
import * as boards from '../../domain/boards/boards.ts';
import { defineOperations } from '../http/operation.ts';
import { byLastChange, pageByKey } from '../http/page.ts';

const operation = defineOperations<Pick<Deps, 'tenancy' | 'traces'>>('boards', 'data');
const EXAMPLE_ID = '0192f0c1-7a10-7b52-8f3e-0d5c1f2a9b77';
const WRITE_PROBLEMS = ['forbidden', 'not_found', 'too_large', 'unsupported_media_type', 'invalid'] as const;

export const boardRoutes = [
  operation('GET', '/boards', {
    id: 'listBoards',
    summary: 'Boards that you may open, last changed first',
    description:
      'Lists your boards, and shared boards with a tile of a lens that you may use. `q` searches the titles.',
    query: wire.boardsQuery,
    result: wire.boardList,
    fails: ['forbidden', 'invalid'],
    run: ({ deps, principal, query: { q, ...page } }) =>
      pageByKey(byLastChange, page, (rowPage) => boards.listVisibleBoards(deps, principal, { q, ...rowPage })),
  }),
  operation('POST', '/boards', {
    id: 'makeBoard',
    summary: 'Create an empty board',
    description: 'Only you can open the board until you share it. Returns 409 if you have 200 boards.',
    body: wire.newBoard.meta({ examples: [{ title: 'Weekly sales' }] }),
    status: 201,
    result: wire.board,
    fails: [...WRITE_PROBLEMS, 'conflict'],
    run: ({ deps, principal, body }) => boards.createBoard(deps, principal, body.title),
  }),
  operation('GET', '/boards/:id', {
    id: 'getBoard',
    summary: 'One board: its tiles in order',
    description:
      'Returns your board, or a shared board with a tile of a lens that you may use. The reply has no answers. GET /v1/boards/{id}/tiles/{tile} computes each answer for you.',
    params: wire.boardParams,
    result: wire.board,
    fails: ['forbidden', 'not_found'],
    run: ({ deps, principal, params }) => boards.openBoard(deps, principal, params.id),
  }),
  operation('POST', '/boards/:id/tiles', {
    id: 'pinAnswer',
    summary: 'Pin one of your answers to one of your boards',
    description:
      'Stores the question or plan, never the rows. Returns 409 if the board already has 40 tiles, and 422 if the request has no answer or was SQL.',
    params: wire.boardParams,
    body: wire.newTile.meta({ examples: [{ request_id: EXAMPLE_ID }] }),
    status: 201,
    result: wire.board,
    fails: [...WRITE_PROBLEMS, 'conflict'],
    run: ({ deps, principal, params, body }) => boards.pinAnswer(deps, principal, params.id, body.request_id),
  }),
  operation('PATCH', '/boards/:id', {
    id: 'changeBoard',
    summary: 'Rename, share or arrange one of your boards',
    description: 'Only the owner can change a board. Tiles that `tiles` leaves out are removed.',
    params: wire.boardParams,
    body: wire.changedBoard.meta({ examples: [{ shared: true }, { tiles: [{ id: EXAMPLE_ID, wide: true }] }] }),
    result: wire.board,
    fails: WRITE_PROBLEMS,
    run: ({ deps, principal, params, body }) => boards.changeBoard(deps, principal, params.id, body),
  }),
  operation('DELETE', '/boards/:id', {
    id: 'deleteBoard',
    summary: 'Delete a board of yours',
    description: 'The requests stay in the log.',
    params: wire.boardParams,
    status: 204,
    result: z.null(),
    fails: ['forbidden', 'not_found'],
    run: ({ deps, principal, params }) => boards.removeBoard(deps, principal, params.id),
    view: () => null,
  }),
];
