// Calls a model through an endpoint in OpenAI's format. All attempts of a call share one deadline, and retries have a
// budget.
import { setTimeout as sleep } from 'node:timers/promises';
import type OpenAI from 'openai';
import type { ProblemCode } from '../../contract/problem-codes.ts';
import { ModelFault } from '../../domain/model-fault.ts';
import type { LanguageModel, ModelUsage } from '../../domain/ports.ts';
import { createOpenAiLoader } from '../openai-client.ts';
import { boundedFetch, ReplyTooLargeError } from './bounded-fetch.ts';
import {
  createReplyFormatParameters,
  type NamedSchema,
  type ReplyFormat,
  ReplyFormatNegotiator,
  writeReplyFormatInstructions,
} from './reply-format.ts';

export interface OpenAiModelConfig {
  entry: 'fast' | 'smart';
  provider: string;
  model: string;
  baseUrl: string | null;
  apiKey: string;
  /** The price in USD per million tokens. */
  price: { input: number; output: number } | null;
}
interface CompletionRequest {
  system: string;
  user: string;
  deadlineMs: number;
  signal?: AbortSignal;
}

const MAX_ATTEMPTS = 3;
/** The maximum number of retries per call. More retries could overload an endpoint that is already failing. */
const MAX_RETRY_SHARE = 0.1;
const MAX_RETRIES = 5;
const MAX_REPLY_TOKENS = 8_000; // including the model's reasoning tokens
const MAX_REPLY_CHARACTERS = 100_000;

export function createOpenAiModel(config: OpenAiModelConfig): LanguageModel {
  let retries = MAX_RETRIES;
  const replyFormats = new ReplyFormatNegotiator();
  let tokenLimitName: 'max_completion_tokens' | 'max_tokens' = 'max_completion_tokens';
  const getClient = createOpenAiLoader(config, { maxRetries: 0, fetch: boundedFetch });

  async function complete(
    request: CompletionRequest,
    replySchema?: NamedSchema,
    format: ReplyFormat = replyFormats.format,
    startedAt = performance.now(),
  ): Promise<{ text: string; usage: ModelUsage; format: ReplyFormat }> {
    const elapsedMs = () => performance.now() - startedAt;
    const timeoutSignal = AbortSignal.timeout(Math.max(1, Math.ceil(request.deadlineMs - elapsedMs())));
    const stopSignal = AbortSignal.any([timeoutSignal, ...(request.signal ? [request.signal] : [])]);
    const openai = await getClient();
    retries = Math.min(MAX_RETRIES, retries + MAX_RETRY_SHARE);
    for (let attempt = 1; ; attempt++) {
      try {
        const reply = await openai.chat.completions.create(
          {
            model: config.model,
            messages: [
              { role: 'system', content: request.system },
              {
                role: 'user',
                content: `${request.user}${replySchema ? writeReplyFormatInstructions(format, replySchema) : ''}`,
              },
            ],
            [tokenLimitName]: MAX_REPLY_TOKENS,
            ...(replySchema && createReplyFormatParameters(format, replySchema)),
          },
          { signal: stopSignal },
        );
        const choice = reply?.choices?.[0];
        const text = removeUnstorableCharacters(
          replySchema && format === 'tools' ? findToolArguments(choice) : choice?.message?.content,
        );
        const usage = toModelUsage(config, reply?.usage, elapsedMs());
        const isFinished =
          isCompleteReply(choice?.finish_reason) || (format === 'tools' && choice?.finish_reason === 'tool_calls');
        if (typeof text === 'string' && text.trim() && isFinished && text.length <= MAX_REPLY_CHARACTERS)
          return { text, usage, format };
        throw createUnusableReplyFault(
          usage,
          choice?.finish_reason === 'length' ? 'truncated' : 'unusable',
          `finish_reason ${choice?.finish_reason ?? 'missing'}`,
        );
      } catch (fault) {
        if (tokenLimitName === 'max_completion_tokens' && isTokenLimitRejection(fault)) {
          tokenLimitName = 'max_tokens';
          continue;
        }
        const nextFormat = replySchema ? replyFormats.findNextFormat(format, fault) : null;
        if (nextFormat) return complete(request, replySchema, nextFormat, startedAt);
        if (replySchema) replyFormats.recordOtherFailure(format, fault);
        const delayMs = computeRetryDelay(fault, attempt);
        if (
          delayMs === null ||
          attempt >= MAX_ATTEMPTS ||
          delayMs >= request.deadlineMs - elapsedMs() ||
          stopSignal.aborted
        )
          throw toModelFault(fault, timeoutSignal.aborted, toModelUsage(config, undefined, elapsedMs()));
        if (retries < 1) throw toModelFault(fault, false, toModelUsage(config, undefined, elapsedMs()));
        retries -= 1;
        await sleep(delayMs, undefined, { signal: stopSignal }).catch(() => undefined);
      }
    }
  }

  return {
    entry: config.entry,
    provider: config.provider,
    model: config.model,
    async decide({ schema, schemaName, ...request }) {
      const replySchema = { name: schemaName, schema };
      const startedAt = performance.now();
      let completion = await complete(request, replySchema, replyFormats.format, startedAt);
      let value = extractJson(completion.text);
      if (replyFormats.fallBackIfIgnored(completion.format, value, replySchema)) {
        const previousUsage = completion.usage;
        completion = await complete(request, replySchema, replyFormats.format, startedAt);
        completion.usage = sumUsage(previousUsage, completion.usage);
        value = extractJson(completion.text);
      }
      if (value === undefined)
        throw createUnusableReplyFault(completion.usage, 'invalid_json', 'the reply is not JSON');
      replyFormats.recordSuccess(completion.format);
      return { value, usage: completion.usage };
    },
    async write(request) {
      const { text, usage } = await complete(request);
      return { text, usage };
    },
  };
}

/** Returns false if a token limit or a filter cut off the reply. Some endpoints omit the reason. */
const isCompleteReply = (reason: string | null | undefined): boolean =>
  reason === 'stop' || reason === null || reason === undefined;

/** Removes NUL and unpaired surrogates, which the control database can't store. */
const removeUnstorableCharacters = <T>(part: T): T =>
  (typeof part === 'string' ? Buffer.from(part).toString().replaceAll('\u0000', '\ufffd') : part) as T;

const findToolArguments = (choice: OpenAI.ChatCompletion.Choice | undefined): string | null => {
  const [call] = choice?.message?.tool_calls ?? [];
  return call?.type === 'function' ? call.function.arguments : (choice?.message?.content ?? null);
};

/** Returns the JSON in a reply that can also contain other text, or undefined if the reply contains no JSON. */
function extractJson(text: string): unknown {
  for (const part of [stripCodeFence(text), text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)])
    try {
      return JSON.parse(part, (_key, item: unknown) => removeUnstorableCharacters(item)) as unknown;
    } catch {
      // The next part may be JSON.
    }
  return undefined;
}

/** Returns true if the server rejects `max_completion_tokens`, because older servers accept only `max_tokens`. */
const isTokenLimitRejection = (fault: unknown): boolean => {
  const { status, message = '' } = (fault ?? {}) as { status?: number; message?: string };
  return (status === 400 || status === 422) && message.includes('max_completion_tokens');
};

const sumUsage = (first: ModelUsage, second: ModelUsage): ModelUsage => ({
  ...second,
  tokensIn: first.tokensIn + second.tokensIn,
  tokensOut: first.tokensOut + second.tokensOut,
  cost: first.cost === null || second.cost === null ? null : first.cost + second.cost,
});

const stripCodeFence = (text: string): string => text.replace(/^\s*```\w*\s*|\s*```\s*$/g, '');

const createUnusableReplyFault = (
  usage: ModelUsage,
  outcome: 'truncated' | 'invalid_json' | 'unusable',
  detail: string,
): ModelFault =>
  new ModelFault('upstream', 'The language model sent no usable reply.', { ...usage, outcome }, { detail });

function toModelUsage(
  config: OpenAiModelConfig,
  tokenUsage: OpenAI.CompletionUsage | undefined,
  ms: number,
): ModelUsage {
  const [tokensIn, tokensOut] = [tokenUsage?.prompt_tokens, tokenUsage?.completion_tokens].map((count) =>
    Number.isSafeInteger(count) && count! >= 0 ? count! : 0,
  ) as [number, number];
  const cost = config.price ? (tokensIn * config.price.input + tokensOut * config.price.output) / 1e6 : null;
  return { entry: config.entry, model: config.model, tokensIn, tokensOut, cost, ms: Math.round(ms), outcome: 'ok' };
}

/** Returns the milliseconds until the next attempt, or null if another attempt is pointless. */
function computeRetryDelay(fault: unknown, attempt: number): number | null {
  const { status, headers } = (fault ?? {}) as { status?: number; headers?: Headers };
  if (fault instanceof ModelFault || isCausedBy(fault, SyntaxError) || isCausedBy(fault, ReplyTooLargeError))
    return null;
  if (status !== undefined && status !== 429 && status < 500) return null;
  const retryAfter = headers?.get?.('retry-after');
  const seconds = retryAfter
    ? /^\d+(\.\d+)?$/.test(retryAfter)
      ? Number(retryAfter)
      : (Date.parse(retryAfter) - Date.now()) / 1000
    : NaN;
  return seconds >= 0 ? seconds * 1000 : 200 * 2 ** attempt * (0.5 + Math.random() / 2);
}

function toModelFault(fault: unknown, isLate: boolean, usage: ModelUsage): ModelFault {
  if (fault instanceof ModelFault) return fault;
  const { status } = (fault ?? {}) as { status?: number };
  const makeFault = (code: ProblemCode, outcome: string, message: string) =>
    new ModelFault(code, message, { ...usage, outcome }, { cause: fault, detail: `status ${status ?? 'none'}` });
  if (isLate) return makeFault('timeout', 'timeout', 'The language model did not answer in time.');
  if (status === 429)
    return makeFault('upstream', 'rate_limited', 'The rate limit of the language model was exceeded.');
  if (isCausedBy(fault, SyntaxError) || isCausedBy(fault, ReplyTooLargeError))
    return makeFault('upstream', 'garbled', 'The language model sent no usable reply.');
  return makeFault(
    status === undefined ? 'unreachable' : 'upstream',
    status === undefined ? 'unreachable' : `status_${status}`,
    'The language model did not answer.',
  );
}

function isCausedBy(fault: unknown, errorClass: new (message: string) => Error): boolean {
  if (fault instanceof errorClass) return true;
  return fault instanceof Error && fault.cause !== undefined && isCausedBy(fault.cause, errorClass);
}
