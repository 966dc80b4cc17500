// Chat completions in OpenAI's format. svc ignores unknown members of requests.
import { z } from 'zod';
import { choicesSchema, envelopeSchema, formatSchema } from './ask.ts';
import { problemBodySchema } from './problem.ts';

const partSchema = z.looseObject({ type: z.string().max(50), text: z.string().max(100_000).optional() });
const messageSchema = z.looseObject({
  role: z.string().max(50),
  content: z.union([z.string().max(100_000), z.array(partSchema).max(100)]).nullish(),
});
export type ChatMessage = z.infer<typeof messageSchema>;

export const chatBodySchema = z.looseObject({
  model: z.string().min(1).max(200).describe('`svc/<lens>`, or `svc/auto` to let svc choose the lens'),
  messages: z
    .array(messageSchema)
    .min(1)
    .max(1_000)
    .describe('The last user message is the question. Earlier messages are context'),
  stream: z.boolean().nullish(),
  format: formatSchema.optional(),
  choices: choicesSchema.optional(),
  chart: z.boolean().optional(),
  plan: z.boolean().optional(),
});

/** A failed ask includes its envelope. If the request is invalid, the response contains only the problem. */
export const chatProblemSchema = problemBodySchema.extend({ svc: envelopeSchema.optional() });

const usageSchema = z.object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() });
export const chatCompletionSchema = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.int(),
      message: z.object({ role: z.literal('assistant'), content: z.string(), refusal: z.null() }),
      logprobs: z.null(),
      finish_reason: z.literal('stop'),
    }),
  ),
  usage: usageSchema,
  svc: envelopeSchema,
});
export type ChatCompletion = z.infer<typeof chatCompletionSchema>;

export const modelObjectSchema = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string(),
});
export const modelListSchema = z.object({ object: z.literal('list'), data: z.array(modelObjectSchema) });
