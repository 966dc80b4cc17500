// Formats an envelope as a chat completion. The sentence is the assistant's text, and `svc` has the whole envelope.
import type { Readable } from 'node:stream';
import type { Envelope } from '../../contract/ask.ts';
import type { ChatCompletion } from '../../contract/chat.ts';
import type { ModelUsage } from '../../domain/ports.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import { writeChatContent } from './chat-content.ts';

export function toChatReply(
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
export function toChatStream(completion: ChatCompletion): string | Readable {
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
