// Routes for answers by link and for board tiles. svc computes each answer for the person who opens it.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerAgain, answerTile } from '../../ask/answer-again.ts';
import { answerParams, answerQuery, reopenedAnswer } from '../../contract/answers.ts';
import { tileAnswer, tileParams } from '../../contract/boards.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import { type Call, defineOperations } from '../http/operation.ts';

type RouteDeps = Parameters<typeof answerTile>[0];
const operationOf = (tag: string) => defineOperations<RouteDeps>(tag, 'data');
const opened = {
  query: answerQuery,
  fails: ['forbidden', 'not_found', 'invalid', 'upstream', 'unreachable', 'timeout'],
  send: (_request: FastifyRequest, reply: FastifyReply, answer: object) =>
    reply.type('application/json; charset=utf-8').send(writeJson(answer)),
} as const;
const viewContext = ({ createAskContext }: Pick<Call<RouteDeps>, 'createAskContext'>) => ({
  ...{ ...createAskContext(), surface: 'view' as const },
});
const viewerOptionsOf = ({ chart, plan }: { chart?: string | undefined; plan?: string | undefined }) => ({
  ...{ chart: chart === 'true', plan: plan === 'true' },
});

export const answerRoutes = [
  operationOf('ask')('GET', '/answers/:request_id', {
    ...opened,
    id: 'openAnswer',
    summary: 'An answer by its request ID, computed again for this caller',
    description:
      'Asks the question, plan or SQL again as a new request, with the grants, row policies and masks of the caller who opens the answer. svc never shows rows that it served to another caller. Returns 403 if this caller has no access to the lens, or if the request names something that the caller may not see.',
    params: answerParams,
    result: reopenedAnswer,
    run: (call) => answerAgain(call.deps, viewContext(call), call.params.request_id, viewerOptionsOf(call.query)),
  }),
  operationOf('boards')('GET', '/boards/:id/tiles/:tile', {
    ...opened,
    id: 'answerTile',
    summary: 'The answer of a tile, computed for this caller',
    description:
      'Asks the question or plan of the tile as a new request, with the grants, row policies and masks of the caller who opens it. Returns 403 if this caller has no access to the lens, or if the tile names something that the caller may not see.',
    params: tileParams,
    result: tileAnswer,
    run: (call) => answerTile(call.deps, viewContext(call), call.params, viewerOptionsOf(call.query)),
  }),
];
