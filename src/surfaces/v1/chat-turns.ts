// Converts a conversation to an ask. The last user message is the question, and earlier ones are its context.
import type { ChatMessage } from '../../contract/chat.ts';
import { Problem } from '../../platform/problem.ts';

const MAX_QUESTION_LENGTH = 10_000;

export function readChatTurns(messages: readonly ChatMessage[]): { question: string; context: string[] } {
  const questions = messages.filter(({ role }) => role === 'user').map(textOf);
  const question = questions.at(-1)?.trim() ?? '';
  if (question === '')
    throw invalidMessageProblem(
      'messages',
      'The conversation has no user message with text. Send the question as the last message.',
    );
  if (question.length > MAX_QUESTION_LENGTH)
    throw invalidMessageProblem(
      'messages',
      `The question is longer than ${MAX_QUESTION_LENGTH} characters. Shorten it.`,
    );
  const context = questions
    .slice(0, -1)
    .map((text) => text.trim())
    .filter((text) => text !== '' && text.length <= MAX_QUESTION_LENGTH);
  return { question, context };
}

/** The lens that a model id names, or null for svc/auto. */
export function lensOfModel(model: string): string | null {
  const lens = /^svc\/(.+)$/s.exec(model)?.[1];
  if (lens === undefined) {
    throw new Problem(
      'not_found',
      `There is no model “${model}”. Use svc/<lens> or svc/auto; GET /v1/models lists them.`,
      { param: 'model' },
    );
  }
  return lens === 'auto' ? null : lens;
}

const textOf = ({ content }: ChatMessage): string =>
  typeof content === 'string'
    ? content
    : (content ?? []).map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('\n');

const invalidMessageProblem = (path: string, message: string): Problem =>
  new Problem('invalid', message, { param: path, details: [{ path, code: 'question', message }] });
