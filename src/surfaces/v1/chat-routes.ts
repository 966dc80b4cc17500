// A client selects a lens as its model. The last user message is the question, and earlier messages are its context.

import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { chooseHttpStatus } from '../../ask/entry-points.ts';
import { findGrantedLens, listGrantedLenses } from '../../ask/read/resolve-lens.ts';
import type { Envelope } from '../../contract/ask.ts';
import type { ChatCompletion, ChatMessage } from '../../contract/chat.ts';
import {
  chatBodySchema,
  chatCompletionSchema,
  chatProblemSchema,
  modelListSchema,
  modelObjectSchema,
} from '../../contract/chat.ts';
import type { Deps } from '../../deps.ts';
import type { Principal } from '../../domain/identity/principal.ts';
import type { ModelUsage } from '../../domain/ports.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import { Problem } from '../../platform/problem.ts';
import { createOperationFactory, type ResultOf } from '../http/operation.ts';
import { replyWithProblem } from '../http/reply-with-problem.ts';
import { createAskContext, createDisconnectSignal } from '../http/request-context.ts';
import {
  bearerSecurity,
  createCallerProblemResponses,
  createProblemResponses,
  type ProblemResponse,
} from '../http/route-schema.ts';
import { writeChatContent } from './chat-content.ts';
import { modelParamsSchema } from './params.ts';

const MAX_QUESTION_LENGTH = 10_000;

function readChatTurns(messages: readonly ChatMessage[]): { question: string; context: string[] } {
  const questions = messages.filter(({ role }) => role === 'user').map(readMessageText);
  const question = questions.at(-1)?.trim() ?? '';
  if (question === '')
    throw createInvalidMessageProblem(
      'messages',
      'The conversation has no user message with text. Send the question as the last message.',
    );
  if (question.length > MAX_QUESTION_LENGTH)
    throw createInvalidMessageProblem(
      'messages',
      `The question is longer than ${MAX_QUESTION_LENGTH} characters. Shorten it.`,
    );
  const context = questions
    .slice(0, -1)
    .map((text) => text.trim())
    .filter((text) => text !== '' && text.length <= MAX_QUESTION_LENGTH);
  return { question, context };
}

/** The lens that a model id names, or null for svc/auto. */
function findLensOfModel(model: string): string | null {
  const lens = /^svc\/(.+)$/s.exec(model)?.[1];
  if (lens === undefined) {
    throw new Problem(
      'not_found',
      `There is no model “${model}”. Use svc/<lens> or svc/auto; GET /v1/models lists the models.`,
      { param: 'model' },
    );
  }
  return lens === 'auto' ? null : lens;
}

const readMessageText = ({ content }: ChatMessage): string =>
  typeof content === 'string'
    ? content
    : (content ?? []).map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('\n');

const createInvalidMessageProblem = (path: string, message: string): Problem =>
  new Problem('invalid', message, { param: path, details: [{ path, code: 'question', message }] });

function toChatReply(
  envelope: Envelope,
  model: string,
  calls: readonly Pick<ModelUsage, 'tokensIn' | 'tokensOut'>[],
  now: Date,
): ChatCompletion {
  const content = writeChatContent(envelope);
  const prompt_tokens = calls.reduce((sum, { tokensIn }) => sum + tokensIn, 0);
  const completion_tokens = calls.reduce((sum, { tokensOut }) => sum + tokensOut, 0);
  return {
    id: `chatcmpl-${envelope.request_id}`,
    object: 'chat.completion',
    created: Math.floor(now.getTime() / 1000),
    model,
    choices: [
      { index: 0, message: { role: 'assistant', content, refusal: null }, logprobs: null, finish_reason: 'stop' },
    ],
    usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
    svc: envelope,
  };
}

/** Sends the whole completion in one chunk, including the finish reason, and then [DONE]. */
function toChatStream(completion: ChatCompletion): string | Readable {
  const [choice] = completion.choices;
  const chunk = {
    ...completion,
    object: 'chat.completion.chunk',
    choices: [
      {
        index: 0,
        delta: { role: 'assistant', content: choice!.message.content },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
  };
  return writeJson(chunk, 'data: ', '\n\ndata: [DONE]\n\n');
}

const AUTO_MODEL = 'svc/auto';
const EXAMPLE_REQUEST = {
  model: 'svc/superstore',
  messages: [{ role: 'user', content: 'What was revenue in the West in 2016?' }],
};

/** Reports `model` as the faulty parameter, because `model` contains the name of the lens. */
function rethrowWithModelParameter(fault: unknown): never {
  if (!(fault instanceof Problem) || fault.param !== 'lens') throw fault;
  const { code, message, details, detail } = fault;
  throw new Problem(code, message, { param: 'model', details, detail });
}

const toModelView = ({ orgName }: Principal, id: string, createdAt: Date | null) => ({
  id,
  object: 'model' as const,
  created: Math.floor((createdAt?.getTime() ?? 0) / 1000),
  owned_by: orgName,
});

/** The model svc/auto is as old as the oldest lens that it can select. */
const findOldestLensTime = (liveLenses: ResultOf<typeof listGrantedLenses>): Date | null =>
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

function createFailedAskResponses(): Record<number, ProblemResponse> {
  const upstreamProblems = createProblemResponses('upstream', 'unreachable', 'timeout');
  for (const { content } of Object.values(upstreamProblems)) content['application/json'].schema = chatProblemSchema;
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
        body: chatBodySchema.meta({ examples: [EXAMPLE_REQUEST] }),
        response: {
          200: {
            description: 'The completion; with `stream`, one chunk and [DONE]',
            content: {
              'application/json': { schema: chatCompletionSchema },
              'text/event-stream': { schema: z.string() },
            },
          },
          ...createCallerProblemResponses('not_found', 'too_large', 'unsupported_media_type', 'invalid'),
          ...createFailedAskResponses(),
        },
      },
    },
    async (request, reply) => {
      const { model, messages, stream, format, choices, chart, plan } = request.body;
      const lens = findLensOfModel(model);
      const { question, context } = readChatTurns(messages);
      const body = { q: question, format, choices, chart, plan };
      const calls: ModelUsage[] = [];
      const chatContext = {
        ...createAskContext(request, createDisconnectSignal(reply), 'chat'),
        context,
        onModelCall: (call: ModelUsage) => void calls.push(call),
      };
      const envelope = await (lens === null
        ? deps.ask.queryWithRouting(chatContext, body)
        : deps.ask.query(chatContext, lens, body)
      ).catch(rethrowWithModelParameter);
      if (chooseHttpStatus(envelope) !== 200) return sendFailedAsk(request, reply, envelope);
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

const defineOperation = createOperationFactory<Pick<Deps, 'lenses'>>('chat', 'data');

export const modelRoutes = [
  defineOperation('GET', '/models', {
    id: 'listModels',
    summary: 'Lenses as models',
    description:
      'The lenses of this credential in the format of the chat-completions protocol. With the first model, `svc/auto`, svc chooses the lens. `created` is the creation time of the lens.',
    result: modelListSchema,
    run: async ({ deps, principal }) => {
      const liveLenses = await listGrantedLenses(deps.lenses, principal);
      const autoModels =
        liveLenses.length > 0 ? [toModelView(principal, AUTO_MODEL, findOldestLensTime(liveLenses))] : [];
      const lenses = liveLenses.map(({ name, createdAt }) => toModelView(principal, `svc/${name}`, createdAt));
      return { object: 'list' as const, data: [...autoModels, ...lenses] };
    },
  }),
  defineOperation('GET', '/models/:model', {
    id: 'getModel',
    summary: 'One lens as a model',
    description: 'Encode the slash of the id in the path: `/v1/models/svc%2Fsuperstore`.',
    params: modelParamsSchema,
    result: modelObjectSchema,
    fails: ['not_found', 'invalid'],
    run: async ({ deps, principal, params: { model } }) => {
      const lens = findLensOfModel(model);
      if (lens === null)
        return toModelView(principal, model, findOldestLensTime(await listGrantedLenses(deps.lenses, principal)));
      const { createdAt } = await findGrantedLens(deps.lenses, principal, lens).catch(rethrowWithModelParameter);
      return toModelView(principal, model, createdAt);
    },
  }),
];
