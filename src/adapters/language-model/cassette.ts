// Records and replays the prompts and replies of a model, so that anyone can repeat evals without a provider.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ModelFault } from '../../domain/model-fault.ts';
import type { LanguageModel, ModelUsage } from '../../domain/ports.ts';

export const cassetteLineSchema = z.strictObject({
  hash: z.string(),
  entry: z.enum(['fast', 'smart']),
  model: z.string().nullable(),
  system: z.string(),
  user: z.string(),
  /** The JSON Schema of the reply, for prompts that request JSON. */
  schema: z.record(z.string(), z.unknown()).nullable(),
  /** Null if no reply has been recorded yet. */
  reply: z.string().nullable(),
  tokens: z.strictObject({ in: z.int(), out: z.int() }).nullable(),
});
export type CassetteLine = z.infer<typeof cassetteLineSchema>;

/** Creates a model that records the calls of `model`, or that replays recorded replies without calling `model`. */
export type Cassette = (entry: 'fast' | 'smart', model: LanguageModel | null) => LanguageModel;

type Prompt = Pick<CassetteLine, 'system' | 'user' | 'schema'>;

/** Ignores the date in a prompt, so that a recording also works on other days. */
export const hashPrompt = ({ system, user, schema }: Prompt): string =>
  createHash('sha256')
    .update(JSON.stringify([system.replace(/^today is .*$/m, ''), user, schema]))
    .digest('hex')
    .slice(0, 32);

/** Writes each different prompt once, with the model's reply if there is a model. */
export function createRecordingCassette(write: (line: CassetteLine) => void): Cassette {
  const writtenHashes = new Set<string>();
  return (entry, model) =>
    createCassetteModel(entry, model, async (prompt, ask) => {
      const hash = hashPrompt(prompt);
      const line = { hash, entry, model: model?.model ?? null, ...prompt };
      const isFirst = !writtenHashes.has(hash);
      writtenHashes.add(hash);
      if (!ask) {
        if (isFirst) write({ ...line, reply: null, tokens: null });
        throw createMissingRecordingFault(entry, model);
      }
      const { reply, usage } = await ask();
      if (isFirst) write({ ...line, reply, tokens: { in: usage.tokensIn, out: usage.tokensOut } });
      return { reply, usage };
    });
}

/** Creates models that replay recorded replies, and that fail for prompts without a recorded reply. */
export function createReplayingCassette(lines: readonly CassetteLine[]): Cassette {
  const linesByHash = new Map(lines.filter(({ reply }) => reply !== null).map((line) => [line.hash, line]));
  return (entry, model) =>
    createCassetteModel(entry, model, async (prompt) => {
      const line = linesByHash.get(hashPrompt(prompt));
      if (!line) throw createMissingRecordingFault(entry, model);
      const usage = {
        ...createZeroUsage(entry, line.model),
        tokensIn: line.tokens?.in ?? 0,
        tokensOut: line.tokens?.out ?? 0,
      };
      return { reply: line.reply!, usage };
    });
}

type RecordedReply = { reply: string; usage: ModelUsage };

function createCassetteModel(
  entry: 'fast' | 'smart',
  model: LanguageModel | null,
  answer: (prompt: Prompt, ask: (() => Promise<RecordedReply>) | null) => Promise<RecordedReply>,
): LanguageModel {
  return {
    entry,
    provider: model?.provider ?? 'recording',
    model: model?.model ?? 'recording',
    async decide(request) {
      const { system, user, schema } = request;
      const record = async (): Promise<RecordedReply> => {
        const { value, usage } = await model!.decide(request);
        return { reply: JSON.stringify(value), usage };
      };
      const { reply, usage } = await answer({ system, user, schema }, model && record);
      return { value: parseReply(reply, usage), usage };
    },
    async write(request) {
      const { system, user } = request;
      const record = async (): Promise<RecordedReply> => {
        const { text, usage } = await model!.write(request);
        return { reply: text, usage };
      };
      const { reply, usage } = await answer({ system, user, schema: null }, model && record);
      return { text: reply, usage };
    },
  };
}

function parseReply(reply: string, usage: ModelUsage): unknown {
  try {
    return JSON.parse(reply.replace(/^\s*```\w*\s*|\s*```\s*$/g, ''));
  } catch {
    throw new ModelFault('upstream', 'The recorded reply is not JSON.', { ...usage, outcome: 'invalid_json' });
  }
}

const createZeroUsage = (entry: 'fast' | 'smart', model: string | null): ModelUsage => ({
  ...{ entry, model: model ?? 'recording', tokensIn: 0, tokensOut: 0, cost: null, ms: 0, outcome: 'ok' },
});

const createMissingRecordingFault = (entry: 'fast' | 'smart', model: LanguageModel | null): ModelFault =>
  new ModelFault('upstream', 'No reply to this prompt is recorded.', {
    ...createZeroUsage(entry, model?.model ?? null),
    outcome: 'unusable',
  });
