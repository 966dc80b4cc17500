// Routes for a person's stored conversations.
import { z } from 'zod';
import * as wire from '../../contract/threads.ts';
import type { Deps } from '../../deps.ts';
import * as threads from '../../domain/threads/threads.ts';
import { defineOperations } from '../http/operation.ts';
import { byLastChange, pageByKey } from '../http/page.ts';

const operation = defineOperations<Pick<Deps, 'tenancy' | 'traces'>>('threads', 'data');
const EXAMPLE_REQUEST = { request_id: '0192f0c1-7a10-7b52-8f3e-0d5c1f2a9b77' };
const WRITE_PROBLEMS = ['forbidden', 'not_found', 'too_large', 'unsupported_media_type', 'invalid'] as const;

export const threadRoutes = [
  operation('GET', '/threads', {
    id: 'listThreads',
    summary: 'Your conversations, last used first',
    description: '`q` searches the titles and the questions. Shared conversations of other people are not listed.',
    query: wire.threadsQuery,
    result: wire.threadList,
    fails: ['forbidden', 'invalid'],
    run: ({ deps, principal, query: { q, ...page } }) =>
      pageByKey(byLastChange, page, (rowPage) => threads.listOwnThreads(deps, principal, { q, ...rowPage })),
  }),
  operation('POST', '/threads', {
    id: 'startThread',
    summary: 'Start a conversation with one of your asks',
    description: 'Takes the request ID of one of your asks. Without `title`, the question is the title.',
    body: wire.newThread.meta({ examples: [EXAMPLE_REQUEST] }),
    status: 201,
    result: wire.thread,
    fails: WRITE_PROBLEMS,
    run: ({ deps, principal, body }) => threads.startThread(deps, principal, body),
  }),
  operation('GET', '/threads/:id', {
    id: 'getThread',
    summary: 'One conversation: its requests in order',
    description:
      'Returns your conversation, or a shared one. In a shared conversation, others see only the requests about lenses that they may use. GET /v1/answers/{request_id} computes each answer for them.',
    params: wire.threadParams,
    result: wire.thread,
    fails: ['forbidden', 'not_found'],
    run: ({ deps, principal, params }) => threads.openThread(deps, principal, params.id),
  }),
  operation('POST', '/threads/:id/turns', {
    id: 'continueThread',
    summary: 'Add one of your asks to one of your conversations',
    description: 'Returns 409 if the conversation already has 200 asks.',
    params: wire.threadParams,
    body: wire.newTurn.meta({ examples: [EXAMPLE_REQUEST] }),
    status: 201,
    result: wire.thread,
    fails: [...WRITE_PROBLEMS, 'conflict'],
    run: ({ deps, principal, params, body }) => threads.continueThread(deps, principal, params.id, body.request_id),
  }),
  operation('PATCH', '/threads/:id', {
    id: 'changeThread',
    summary: 'Rename or share one of your conversations',
    description:
      'Only the owner can change a conversation. Other people in the organization can open a shared conversation with their own access.',
    params: wire.threadParams,
    body: wire.changedThread.meta({ examples: [{ shared: true }] }),
    result: wire.thread,
    fails: WRITE_PROBLEMS,
    run: ({ deps, principal, params, body }) => threads.changeThread(deps, principal, params.id, body),
  }),
  operation('DELETE', '/threads/:id', {
    id: 'deleteThread',
    summary: 'Delete a conversation of yours',
    description: 'The requests stay in the log.',
    params: wire.threadParams,
    status: 204,
    result: z.null(),
    fails: ['forbidden', 'not_found'],
    run: ({ deps, principal, params }) => threads.removeThread(deps, principal, params.id),
    view: () => null,
  }),
];
