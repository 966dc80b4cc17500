// Finds a reply format that an endpoint supports. An endpoint either rejects an unknown reply format with status 400,
// or ignores it and replies in another format.
import type OpenAI from 'openai';

export type ReplyFormat = 'strict' | 'json_schema' | 'json_object' | 'tools' | 'none';
const REPLY_FORMATS: readonly ReplyFormat[] = ['strict', 'json_schema', 'json_object', 'tools', 'none'];

export interface NamedSchema {
  name: string;
  schema: Record<string, unknown>;
}

export class ReplyFormatNegotiator {
  #format: ReplyFormat = 'strict';
  #isFixed = false;

  get format(): ReplyFormat {
    return this.#format;
  }

  /** Makes all later calls use this format. */
  recordSuccess(format: ReplyFormat): void {
    if (this.#isFixed) return;
    this.#format = format;
    this.#isFixed = true;
  }

  /** Returns the format to try next, or null if the error had another cause. */
  findNextFormat(format: ReplyFormat, fault: unknown): ReplyFormat | null {
    if (this.#isFixed || !isFormatRejection(fault)) return null;
    return REPLY_FORMATS[REPLY_FORMATS.indexOf(format) + 1] ?? null;
  }

  /** Records that the endpoint accepts the format, because the failure had another cause. */
  recordOtherFailure(format: ReplyFormat, fault: unknown): void {
    if (!this.#isFixed && !isFormatRejection(fault)) this.#format = format;
  }

  /** Returns true if the reply completely ignores the schema. The caller then asks again with `json_object`. */
  fallBackIfIgnored(format: ReplyFormat, reply: unknown, { schema }: NamedSchema): boolean {
    if (this.#isFixed || (format !== 'strict' && format !== 'json_schema')) return false;
    const members = Object.keys((schema['properties'] ?? {}) as object);
    const hasMember = typeof reply === 'object' && reply !== null && members.some((name) => name in reply);
    if (hasMember || members.length === 0) return false;
    this.#format = 'json_object';
    return true;
  }
}

/**
 * Returns true if the error shows that the server doesn't support the format. Some servers return status 500 for a
 * schema that their grammar doesn't support.
 */
function isFormatRejection(fault: unknown): boolean {
  const { status, message = '' } = (fault ?? {}) as { status?: number; message?: string };
  if (status === 400 || status === 422 || status === 501) return true;
  return status === 500 && /schema|grammar|response_format|\btools?\b|json_object/i.test(message);
}

type ReplyFormatParameters = Partial<OpenAI.ChatCompletionCreateParamsNonStreaming>;

export function createReplyFormatParameters(format: ReplyFormat, { name, schema }: NamedSchema): ReplyFormatParameters {
  switch (format) {
    case 'strict':
      return { response_format: { type: 'json_schema', json_schema: { name, schema, strict: true } } };
    case 'json_schema':
      return { response_format: { type: 'json_schema', json_schema: { name, schema } } };
    case 'json_object':
      return { response_format: { type: 'json_object' } };
    case 'tools':
      return {
        tools: [{ type: 'function', function: { name, parameters: schema } }],
        tool_choice: { type: 'function', function: { name } },
      };
    case 'none':
      return {};
  }
}

/** Describes the schema in the prompt for formats whose requests can't contain a schema. */
export const writeReplyFormatInstructions = (format: ReplyFormat, { schema }: NamedSchema): string =>
  format === 'json_object' || format === 'none'
    ? `\nAnswer with one JSON object and nothing else. Its form, as a JSON Schema; null means that you leave it out:\n${JSON.stringify(schema)}`
    : '';
