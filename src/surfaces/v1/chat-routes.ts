// The chat-completions endpoint. A client selects a lens as its model.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { httpStatusOf } from '../../ask/entrances.ts';
import { findGrantedLens, listGrantedLenses } from '../../ask/read/resolve-lens.ts';
import type { Envelope } from '../../contract/ask.ts';
import { chatBody, chatCompletion, chatProblem, modelList, modelObject } from '../../contract/chat.ts';
import type { Deps } from '../../deps.ts';
import type { Principal } from '../../domain/identity/principal.ts';
import type { ModelUsage } from '../../domain/ports.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import { Problem } from '../../platform/problem.ts';
import { defineOperations, type ResultOf } from '../http/operation.ts';
import { replyWithProblem } from '../http/reply-with-problem.ts';
import { createAskContext } from '../http/request-context.ts';
import {
  bearerSecurity,
  callerProblemResponses,
  type ProblemResponse,
  problemResponses,
} from '../http/route-schema.ts';
import { toChatReply, toChatStream } from './chat-reply.ts';
import { lensOfModel, readChatTurns } from './chat-turns.ts';
import { modelParams } from './params.ts';

const AUTO_MODEL = 'svc/auto';
const EXAMPLE = {
  model: 'svc/superstore',
  messages: [{ role: 'user', content: 'What was revenue in the West in 2016?' }],
};

/** Reports `model` as the faulty parameter, because `model` contains the name of the lens. */
function throwAsModelFault(fault: unknown): never {
  if (!(fault instanceof Problem) || fault.param !== 'lens') throw fault;
  const { code, message, details, detail } = fault;
  throw new Problem(code, message, { param: 'model', details, detail });
}

const modelView = ({ orgName }: Principal, id: string, createdAt: Date | null) => ({
  id,
  object: 'model' as const,
  created: Math.floor((createdAt?.getTime() ?? 0) / 1000),
  owned_by: orgName,
});

/** The creation time of the model svc/auto: the creation time of the oldest lens that it can select. */
const oldestLensTime = (liveLenses: ResultOf<typeof listGrantedLenses>): Date | null =>
  liveLenses.reduce<Date | null>(
    (oldest, { createdAt }) => (oldest === null || (createdAt && createdAt < oldest) ? createdAt : oldest),
    null,
  );

/** Clients of this protocol read `error`. `svc` contains the same body that other endpoints return. */
function sendFailedAsk(request: FastifyRequest, reply: FastifyReply, envelope: Envelope): FastifyReply {
  const problem = new Problem(envelope.error?.code ?? 'upstream', envelope.error?.message ?? 'The ask failed.');
  if (problem.code === 'unreachable') reply.header('retry-after', 5);
  return replyWithProblem(problem, request, reply, { svc: envelope });
}

function failedAskResponses(): Record<number, ProblemResponse> {
  const upstreamProblems = problemResponses('upstream', 'unreachable', 'timeout');
  for (const { content } of Object.values(upstreamProblems)) content['application/json'].schema = chatProblem;
  return upstreamProblems;
}

export function registerChatRoutes(scope: FastifyInstance, deps: Pick<Deps, 'ask' | 'clock'>): void {
  scope.withTypeProvider<ZodTypeProvider>().post(
    '/chat/completions',
    {
      schema: {
        tags: ['chat'],
        security: bearerSecurity,
        operationId: 'createChatCompletion',
        summary: 'Ask in the chat-completions protocol',
        description:
          '`model` selects the lens. With `svc/auto`, svc chooses the lens and keeps it for the conversation. svc reads up to 20 earlier turns with 2,000 characters in total. Without a language model, a question has at most 2,000 characters and 120 words. The text is Markdown. It contains the answer, a table of its first 20 rows and the grade, or else the clarification or refusal, with what to ask instead. `usage` counts the tokens of language models. If the ask fails, the reply has the envelope as `svc` next to `error`. Unknown fields are ignored.',
        body: chatBody.meta({ examples: [EXAMPLE] }),
        response: {
          200: {
            description: 'The completion; with `stream`, one chunk and [DONE]',
            content: { 'application/json': { schema: chatCompletion }, 'text/event-stream': { schema: z.string() } },
          },
          ...callerProblemResponses('not_found', 'too_large', 'unsupported_media_type', 'invalid'),
          ...failedAskResponses(),
        },
      },
    },
    async (request, reply) => {
      const { model, messages, stream, format, choices, chart, plan } = request.body;
      const lens = lensOfModel(model);
      const { question, context } = readChatTurns(messages);
      const body = { q: question, format, choices, chart, plan };
      const calls: ModelUsage[] = [];
      const chatContext = {
        ...createAskContext(request, reply, 'chat'),
        context,
        onModelCall: (call: ModelUsage) => void calls.push(call),
      };
      const envelope = await (lens === null
        ? deps.ask.queryWithRouting(chatContext, body)
        : deps.ask.query(chatContext, lens, body)
      ).catch(throwAsModelFault);
      if (httpStatusOf(envelope) !== 200) return sendFailedAsk(request, reply, envelope);
      const completion = toChatReply(envelope, model, calls, deps.clock.now());
      if (stream)
        return reply
          .type('text/event-stream; charset=utf-8')
          .header('x-accel-buffering', 'no')
          .send(toChatStream(completion) as never);
      return reply.type('application/json; charset=utf-8').send(writeJson(completion) as never);
    },
  );
}

const operation = defineOperations<Pick<Deps, 'lenses'>>('chat', 'data');

export const modelRoutes = [
  operation('GET', '/models', {
    id: 'listModels',
    summary: 'Lenses as models',
    description:
      'The lenses of this credential in the format of the chat-completions protocol. The first model, `svc/auto`, chooses among them. `created` is the creation time of the lens.',
    result: modelList,
    run: async ({ deps, principal }) => {
      const liveLenses = await listGrantedLenses(deps.lenses, principal);
      const autoModels = liveLenses.length > 0 ? [modelView(principal, AUTO_MODEL, oldestLensTime(liveLenses))] : [];
      const lenses = liveLenses.map(({ name, createdAt }) => modelView(principal, `svc/${name}`, createdAt));
      return { object: 'list' as const, data: [...autoModels, ...lenses] };
    },
  }),
  operation('GET', '/models/:model', {
    id: 'getModel',
    summary: 'One lens as a model',
    description: 'Encode the slash of the id in the path: `/v1/models/svc%2Fsuperstore`.',
    params: modelParams,
    result: modelObject,
    fails: ['not_found', 'invalid'],
    run: async ({ deps, principal, params: { model } }) => {
      const lens = lensOfModel(model);
      if (lens === null)
        return modelView(principal, model, oldestLensTime(await listGrantedLenses(deps.lenses, principal)));
      const { createdAt } = await findGrantedLens(deps.lenses, principal, lens).catch(throwAsModelFault);
      return modelView(principal, model, createdAt);
    },
  }),
];
