// An envelope as a chat completion: its words are the assistant's text, the whole envelope travels under `svc`.
import { inertText } from '../../ask/inert-text.ts';
import type { Envelope } from '../../contract/ask.ts';
import type { ChatCompletion } from '../../contract/chat.ts';

export function chatReply(envelope: Envelope, model: string, asked: readonly string[], now: Date): ChatCompletion {
  const content = textOfEnvelope(envelope);
  const prompt_tokens = asked.reduce((sum, text) => sum + tokens(text), 0);
  const completion_tokens = tokens(content);
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

/** One chunk holds everything, finish reason included; [DONE] ends the stream. */
export function chatStream(completion: ChatCompletion): string {
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
  return `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
}

function textOfEnvelope(envelope: Envelope): string {
  if (envelope.answer) return envelope.answer;
  if (envelope.clarification) return envelope.clarification.message;
  if (envelope.error) return envelope.error.message;
  if (!envelope.data || !envelope.columns) return envelope.scope?.sentence ?? '';
  // `structured` asks for rows without prose: the text is the rows.
  const names = envelope.columns.map(({ name }) => name);
  const lines = envelope.data.map((row) => `| ${names.map((name) => cell(row[name])).join(' | ')} |`);
  return [`| ${names.join(' | ')} |`, `|${names.map(() => ' --- |').join('')}`, ...lines].join('\n');
}

const cell = (value: unknown): string =>
  value === null || value === undefined ? '' : inertText(String(value).replace(/[|\n\r]/g, ' '));

/** Clients want a count; without a tokenizer of one model, four characters are about one token. */
const tokens = (text: string): number => Math.ceil(text.length / 4);
