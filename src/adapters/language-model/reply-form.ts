// How an endpoint can be held to a form of reply. What it can do is found by its first replies and kept: it says no to a
// form that it does not know (400), or takes no notice of it, which its reply shows.
import type OpenAI from 'openai';

export type Form = 'strict' | 'json_schema' | 'json_object' | 'tools' | 'none';
const FORMS: readonly Form[] = ['strict', 'json_schema', 'json_object', 'tools', 'none'];

export interface Wanted {
  name: string;
  schema: Record<string, unknown>;
}

export class ReplyForm {
  #form: Form = 'strict';
  #kept = false;

  get form(): Form {
    return this.#form;
  }

  /** The form works: it is asked for from now on. */
  keep(form: Form): void {
    if (this.#kept) return;
    this.#form = form;
    this.#kept = true;
  }

  /** What to try where the endpoint says no to `form`; null: that was no matter of the form. */
  afterNo(form: Form, fault: unknown): Form | null {
    if (this.#kept || !isNoToForm(fault)) return null;
    return FORMS[FORMS.indexOf(form) + 1] ?? null;
  }

  /** It failed in another way than over the form, which it thus takes: those that it said no to are not tried again. */
  failed(form: Form, fault: unknown): void {
    if (!this.#kept && !isNoToForm(fault)) this.#form = form;
  }

  /** A reply that has nothing of the schema was not held to it: from now on the prompt says the form, and nothing else is tried. */
  ignored(form: Form, reply: unknown, { schema }: Wanted): boolean {
    if (this.#kept || (form !== 'strict' && form !== 'json_schema')) return false;
    const members = Object.keys((schema['properties'] ?? {}) as object);
    const has = typeof reply === 'object' && reply !== null && members.some((name) => name in reply);
    if (has || members.length === 0) return false;
    this.#form = 'json_object';
    return true;
  }
}

/** Some servers fail over a schema that their grammar can't say. */
function isNoToForm(fault: unknown): boolean {
  const { status, message = '' } = (fault ?? {}) as { status?: number; message?: string };
  if (status === 400 || status === 422 || status === 501) return true;
  return status === 500 && /schema|grammar|response_format|\btools?\b|json_object/i.test(message);
}

type Call = Partial<OpenAI.ChatCompletionCreateParamsNonStreaming>;

export function formOf(form: Form, { name, schema }: Wanted): Call {
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

/** What the prompt must say where the request can't. */
export const formInWords = (form: Form, { schema }: Wanted): string =>
  form === 'json_object' || form === 'none'
    ? `\nAnswer with one JSON object and nothing else. Its form, as a JSON Schema; null means that you leave it out:\n${JSON.stringify(schema)}`
    : '';
