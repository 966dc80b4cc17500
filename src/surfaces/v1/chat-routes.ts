// The chat-completions door: any client of that protocol asks a lens by naming it as its model.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { statusOfEnvelope } from '../../ask/entrances.ts';
import { findGranted, grantedLenses } from '../../ask/resolve-lens.ts';
import { chatBody, chatCompletion, modelList, modelObject } from '../../contract/chat.ts';
import type { Deps } from '../../deps.ts';
import type { Principal } from '../../domain/identity/principal.ts';
import { Problem } from '../../platform/problem.ts';
import { bearer, callerProblems } from '../route-schema.ts';
import { askContext } from './ask-context.ts';
import { chatReply, chatStream } from './chat-reply.ts';
import { lensOfModel, questionOf } from './chat-turns.ts';
import { modelParams } from './params.ts';

const EXAMPLE = {
  model: 'svc/superstore',
  messages: [{ role: 'user', content: 'What was revenue in the West in 2016?' }],
};

/** The lens is named by `model` here, so that is the parameter to mend. */
function aboutModel(fault: unknown): never {
  if (!(fault instanceof Problem) || fault.param !== 'lens') throw fault;
  const { code, message, details, detail } = fault;
  throw new Problem(code, message, { param: 'model', details, detail });
}

const modelOf = ({ orgName }: Principal, id: string) => ({
  id,
  object: 'model' as const,
  created: 0,
  owned_by: orgName,
});

export function chatRoutes(scope: FastifyInstance, deps: Deps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const common = { tags: ['chat'], security: bearer };

  app.post(
    '/chat/completions',
    {
      schema: {
        ...common,
        operationId: 'createChatCompletion',
        summary: 'Ask in the chat-completions protocol',
        description:
          'The model selects the lens. A clarification or refusal is the text of the assistant. Unknown fields are ignored.',
        body: chatBody.meta({ examples: [EXAMPLE] }),
        response: {
          200: {
            description: 'The completion; with `stream`, one chunk and [DONE]',
            content: { 'application/json': { schema: chatCompletion }, 'text/event-stream': { schema: z.string() } },
          },
          ...callerProblems('not_found', 'too_large', 'unsupported_media_type', 'invalid', 'upstream', 'timeout'),
        },
      },
    },
    async (request, reply) => {
      const { model, messages, stream, format, choices } = request.body;
      const lens = lensOfModel(model);
      const { question, context } = questionOf(messages);
      const body = { q: question, format, choices };
      const asked = { ...askContext(request, reply, 'chat'), context };
      const envelope = await (lens === null ? deps.ask.routed(asked, body) : deps.ask.query(asked, lens, body)).catch(
        aboutModel,
      );
      if (statusOfEnvelope(envelope) !== 200) {
        throw new Problem(envelope.error?.code ?? 'upstream', envelope.error?.message ?? 'The ask failed.');
      }
      const completion = chatReply(envelope, model, [...context, question], deps.clock.now());
      if (stream)
        return reply
          .type('text/event-stream; charset=utf-8')
          .header('x-accel-buffering', 'no')
          .send(chatStream(completion));
      return reply
        .type('application/json; charset=utf-8')
        .serializer((sent: unknown) => JSON.stringify(sent))
        .send(completion);
    },
  );

  app.get(
    '/models',
    {
      schema: {
        ...common,
        operationId: 'listModels',
        summary: "This credential's lenses as models",
        description: 'In the format of the chat-completions protocol. svc/auto works too, and is not listed.',
        response: { 200: modelList, ...callerProblems() },
      },
    },
    async ({ principal }) => {
      const served = await grantedLenses(deps.lenses, principal);
      return { object: 'list' as const, data: served.map(({ name }) => modelOf(principal, `svc/${name}`)) };
    },
  );

  app.get(
    '/models/:model',
    {
      schema: {
        ...common,
        operationId: 'getModel',
        summary: 'One lens as a model',
        description: 'The id is written into the path with its slash encoded: `/v1/models/svc%2Fsuperstore`.',
        params: modelParams,
        response: { 200: modelObject, ...callerProblems('not_found', 'invalid') },
      },
    },
    async ({ principal, params: { model } }) => {
      const lens = lensOfModel(model);
      if (lens !== null) await findGranted(deps.lenses, principal, lens).catch(aboutModel);
      return modelOf(principal, model);
    },
  );
}
