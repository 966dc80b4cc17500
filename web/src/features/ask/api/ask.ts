import { apiClient, toProblem } from '../../../api/client.ts';
import type { components, paths } from '../../../api/schema.d.ts';

export type Envelope = components['schemas']['Envelope'];
export type MetricsBody = NonNullable<
  paths['/v1/lenses/{name}/metrics']['post']['requestBody']
>['content']['application/json'];

/**
 * What the person asked. Each answer keeps its inquiry, so that the app can ask again with a changed word, filter or
 * choice.
 */
export type Inquiry = { lens: string | null; choices: Record<string, string> } & (
  | { kind: 'question'; q: string; earlierQuestions: string[] }
  | { kind: 'plan'; title: string; lens: string; body: MetricsBody }
);

export type QuestionInquiry = Extract<Inquiry, { kind: 'question' }>;

const REQUESTED_PARTS = { chart: true, plan: true };

interface AskRequest {
  path: string;
  body: Record<string, unknown>;
}

export function toRequest(inquiry: Inquiry): AskRequest {
  const choices = Object.keys(inquiry.choices).length > 0 ? { choices: inquiry.choices } : {};
  if (inquiry.kind === 'plan')
    return { path: `/v1/lenses/${inquiry.lens}/metrics`, body: { ...inquiry.body, ...choices } };
  if (inquiry.earlierQuestions.length > 0)
    return { path: '/v1/chat/completions', body: { ...toChatBody(inquiry), ...choices } };
  return { path: inquiry.lens ? `/v1/lenses/${inquiry.lens}/query` : '/v1/query', body: { q: inquiry.q, ...choices } };
}

const toChatBody = ({ earlierQuestions: before, q, lens }: QuestionInquiry) => ({
  model: lens ? `svc/${lens}` : 'svc/auto',
  messages: [...before, q].map((content) => ({ role: 'user', content })),
});

export async function askInquiry(inquiry: Inquiry, signal: AbortSignal): Promise<Envelope> {
  const { data, error, response } = await sendInquiry(inquiry, signal);
  if (data) return data as Envelope; // never CSV, because the app requests JSON
  const errorEnvelope = error as Partial<Envelope> | undefined;
  if (errorEnvelope?.status === 'failed') return errorEnvelope as Envelope;
  throw toProblem(error, response);
}

const FOLLOW_UP_PATTERN = /^(and|but|also|only|just|what about|how about)\b/i;

/**
 * If the question begins like a follow-up, first asks it as a follow-up. Otherwise, first asks the question alone.
 */
export async function askInConversation(
  [alone, followUp]: [Inquiry, QuestionInquiry],
  signal: AbortSignal,
): Promise<{ inquiry: Inquiry; envelope: Envelope }> {
  const inquiries = FOLLOW_UP_PATTERN.test(followUp.q) ? [followUp, alone] : [alone, followUp];
  const asked: { inquiry: Inquiry; envelope: Envelope }[] = [];
  for (const inquiry of inquiries) {
    const envelope = await askInquiry(inquiry, signal);
    if (!['refused', 'uncovered'].includes(envelope.status)) return { inquiry, envelope };
    asked.push({ inquiry, envelope });
  }
  return asked.find(({ inquiry }) => inquiry === followUp)!; // the answer to the follow-up lists the words that the conversation's lens doesn't know
}

async function sendInquiry(inquiry: Inquiry, signal: AbortSignal) {
  const { lens, choices } = inquiry;
  if (inquiry.kind === 'plan') {
    const body = { ...inquiry.body, choices, format: 'both' as const, ...REQUESTED_PARTS };
    return apiClient.POST('/v1/lenses/{name}/metrics', { params: { path: { name: inquiry.lens } }, body, signal });
  }
  if (inquiry.earlierQuestions.length > 0) return sendFollowUp(inquiry, signal);
  const body = { q: inquiry.q, choices, ...REQUESTED_PARTS };
  return lens
    ? apiClient.POST('/v1/lenses/{name}/query', { params: { path: { name: lens } }, body, signal })
    : apiClient.POST('/v1/query', { body, signal });
}

/** Sends a question with the earlier turns, which only the chat endpoint accepts. */
async function sendFollowUp(inquiry: QuestionInquiry, signal: AbortSignal) {
  const { data, error, response } = await apiClient.POST('/v1/chat/completions', {
    body: { ...toChatBody(inquiry), choices: inquiry.choices, ...REQUESTED_PARTS },
    signal,
  });
  return { data: typeof data === 'object' ? data.svc : undefined, error, response };
}
