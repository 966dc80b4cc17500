// Which reply format an endpoint supports. svc learns this from the first replies: an endpoint rejects an
// unknown format (400) or ignores it, which its reply shows.
import type OpenAI from 'openai';

export type Form = 'strict' | 'json_schema' | 'json_object' | 'tools' | 'none';
const FORMS: readonly Form[] = ['strict', 'json_schema', 'json_object', 'tools', 'none'];

export interface ReplyRequest {
  name: string;
  schema: Record<string, unknown>;
}

export class ReplyForm {
  #form: Form = 'strict';
  #kept = false;

  get form(): Form {
    return this.#form;
  }

  /** The format works and is used from now on. */
  keep(form: Form): void {
    if (this.#kept) return;
    this.#form = form;
    this.#kept = true;
  }

  /** The next format after a rejection of `form`. Null if the error had another cause. */
  afterNo(form: Form, fault: unknown): Form | null {
    if (this.#kept || !rejectsForm(fault)) return null;
    return FORMS[FORMS.indexOf(form) + 1] ?? null;
  }

  /**
   * The call failed for another reason, so the endpoint accepts this format. Rejected formats aren't tried
   * again.
   */
  failed(form: Form, fault: unknown): void {
    if (!this.#kept && !rejectsForm(fault)) this.#form = form;
  }

  /**
   * The reply doesn't follow the schema at all, so the endpoint ignores formats. From now on only the prompt
   * describes the schema.
   */
  ignored(form: Form, reply: unknown, { schema }: ReplyRequest): boolean {
    if (this.#kept || (form !== 'strict' && form !== 'json_schema')) return false;
    const members = Object.keys((schema['properties'] ?? {}) as object);
    const has = typeof reply === 'object' && reply !== null && members.some((name) => name in reply);
    if (has || members.length === 0) return false;
    this.#form = 'json_object';
    return true;
  }
}

/** Some servers fail on a schema that their grammar can't express. */
function rejectsForm(fault: unknown): boolean {
  const { status, message = '' } = (fault ?? {}) as { status?: number; message?: string };
  if (status === 400 || status === 422 || status === 501) return true;
  return status === 500 && /schema|grammar|response_format|\btools?\b|json_object/i.test(message);
}

type Call = Partial<OpenAI.ChatCompletionCreateParamsNonStreaming>;

export function formOf(form: Form, { name, schema }: ReplyRequest): Call {
  switch (form) {
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

/** What the prompt must describe if the request can't. */
export const formInstructions = (form: Form, { schema }: ReplyRequest): string =>
  form === 'json_object' || form === 'none'
    ? `\nAnswer with one JSON object and nothing else. Its form, as a JSON Schema; null means that you leave it out:\n${JSON.stringify(schema)}`
    : '';
