// One chat-completions endpoint with one model, through the openai package, loaded when first needed.
// Bounded: a total deadline for all attempts, few retries with jitter, Retry-After honoured when it fits (SECURITY F08).
import { setTimeout as sleep } from 'node:timers/promises';
import type OpenAI from 'openai';
import type { LanguageModel, ModelUsage } from '../../domain/ports.ts';
import { Problem } from '../../platform/problem.ts';

export interface ModelEntry {
  entry: 'fast' | 'smart';
  provider: string;
  model: string;
  baseUrl: string | null;
  apiKey: string;
  /** USD per million tokens. */
  price: { input: number; output: number } | null;
}

const ATTEMPTS = 3;
const ANSWER_TOKENS = 2_000;
const MAX_ANSWER_CHARS = 200_000;

export function openAiModel(config: ModelEntry): LanguageModel {
  let client: Promise<OpenAI> | null = null;
  const connect = () => {
    client ??= import('openai').then(
      ({ default: Client }) =>
        new Client({ apiKey: config.apiKey, baseURL: config.baseUrl ?? undefined, maxRetries: 0 }),
    );
    return client;
  };

  async function complete(
    request: { system: string; user: string; deadlineMs: number; signal?: AbortSignal },
    responseFormat: OpenAI.ResponseFormatJSONSchema | undefined,
  ): Promise<{ text: string; usage: ModelUsage }> {
    const started = performance.now();
    const deadline = AbortSignal.any([
      AbortSignal.timeout(request.deadlineMs),
      ...(request.signal ? [request.signal] : []),
    ]);
    const openai = await connect();
    for (let attempt = 1; ; attempt++) {
      try {
        const reply = await openai.chat.completions.create(
          {
            model: config.model,
            messages: [
              { role: 'system', content: request.system },
              { role: 'user', content: request.user },
            ],
            max_completion_tokens: ANSWER_TOKENS,
            ...(responseFormat ? { response_format: responseFormat } : {}),
          },
          { signal: deadline },
        );
        const choice = reply.choices?.[0];
        const text = choice?.message?.content ?? '';
        if (!text || choice?.finish_reason === 'length' || text.length > MAX_ANSWER_CHARS) {
          throw new Problem('upstream', 'The language model gave no usable answer.', {
            detail: `finish_reason ${choice?.finish_reason ?? 'missing'}`,
          });
        }
        return { text, usage: usageOf(config, reply.usage, performance.now() - started) };
      } catch (fault) {
        const wait = retryDelay(fault, attempt);
        const left = request.deadlineMs - (performance.now() - started);
        if (wait === null || attempt >= ATTEMPTS || wait >= left || deadline.aborted)
          throw asProblem(fault, deadline.aborted);
        await sleep(wait, undefined, { signal: deadline }).catch(() => undefined);
      }
    }
  }

  return {
    entry: config.entry,
    provider: config.provider,
    model: config.model,
    async decide({ schema, schemaName, ...request }) {
      const { text, usage } = await complete(request, {
        type: 'json_schema',
        json_schema: { name: schemaName, schema },
      });
      try {
        return { value: JSON.parse(text) as unknown, usage };
      } catch (cause) {
        throw new Problem('upstream', 'The language model did not answer in the form asked for.', { cause });
      }
    },
    write: (request) => complete(request, undefined),
  };
}

function usageOf(config: ModelEntry, used: OpenAI.CompletionUsage | undefined, ms: number): ModelUsage {
  const tokensIn = used?.prompt_tokens ?? 0;
  const tokensOut = used?.completion_tokens ?? 0;
  const cost = config.price ? (tokensIn * config.price.input + tokensOut * config.price.output) / 1e6 : null;
  return { entry: config.entry, model: config.model, tokensIn, tokensOut, cost, ms: Math.round(ms), outcome: 'ok' };
}

/** Milliseconds until another try makes sense; null when it never does. */
function retryDelay(fault: unknown, attempt: number): number | null {
  const { status, headers } = (fault ?? {}) as { status?: number; headers?: Headers };
  if (fault instanceof Problem) return null;
  if (status !== undefined && status !== 429 && status < 500) return null;
  const asked = Number(headers?.get?.('retry-after'));
  return Number.isFinite(asked) && asked > 0 ? asked * 1000 : 200 * 2 ** attempt * (0.5 + Math.random() / 2);
}

function asProblem(fault: unknown, late: boolean): Problem {
  if (fault instanceof Problem) return fault;
  if (late) return new Problem('timeout', 'The language model did not answer in time.', { cause: fault });
  const { status } = (fault ?? {}) as { status?: number };
  if (status === 429) return new Problem('upstream', 'The language model is over its rate limit.', { cause: fault });
  return new Problem(status === undefined ? 'unreachable' : 'upstream', 'The language model did not answer.', {
    cause: fault,
    detail: `status ${status ?? 'none'}`,
  });
}
