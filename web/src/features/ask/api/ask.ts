// Requests for answers: a question to one lens or to any lens, a follow-up, or a plan.
import { api, problemIn } from '../../../api/client.ts';
import type { components, paths } from '../../../api/schema.d.ts';

export type Envelope = components['schemas']['Envelope'];
export type MetricsBody = NonNullable<
  paths['/v1/lenses/{name}/metrics']['post']['requestBody']
>['content']['application/json'];

/**
 * What was asked. It stays with its answer, so that it can be asked again with a changed word, filter or
 * choice.
 */
export type Asked = { lens: string | null; choices: Record<string, string> } & (
  | { kind: 'question'; q: string; before: string[] }
  | { kind: 'plan'; title: string; lens: string; body: MetricsBody }
);

const REQUESTED_PARTS = { chart: true, plan: true };

interface AskRequest {
  path: string;
  body: Record<string, unknown>;
}

/** The same ask as a request for other clients. */
export function toRequest(asked: Asked): AskRequest {
  const choices = Object.keys(asked.choices).length > 0 ? { choices: asked.choices } : {};
  if (asked.kind === 'plan') return { path: `/v1/lenses/${asked.lens}/metrics`, body: { ...asked.body, ...choices } };
  if (asked.before.length > 0) return { path: '/v1/chat/completions', body: { ...turnsOf(asked), ...choices } };
  return { path: asked.lens ? `/v1/lenses/${asked.lens}/query` : '/v1/query', body: { q: asked.q, ...choices } };
}

const turnsOf = ({ before, q, lens }: Extract<Asked, { kind: 'question' }>) => ({
  model: lens ? `svc/${lens}` : 'svc/auto',
  messages: [...before, q].map((content) => ({ role: 'user', content })),
});

export async function ask(asked: Asked, signal: AbortSignal): Promise<Envelope> {
  const { data, error, response } = await send(asked, signal);
  if (data) return data as Envelope; // the request asks for JSON
  const failed = error as Partial<Envelope> | undefined;
  if (failed?.status === 'failed') return failed as Envelope;
  throw problemIn(error, response);
}

async function send(asked: Asked, signal: AbortSignal) {
  const { lens, choices } = asked;
  if (asked.kind === 'plan') {
    const body = { ...asked.body, choices, format: 'both' as const, ...REQUESTED_PARTS };
    return api.POST('/v1/lenses/{name}/metrics', { params: { path: { name: asked.lens } }, body, signal });
  }
  if (asked.before.length > 0) return followOn(asked, signal);
  const body = { q: asked.q, choices, ...REQUESTED_PARTS };
  return lens
    ? api.POST('/v1/lenses/{name}/query', { params: { path: { name: lens } }, body, signal })
    : api.POST('/v1/query', { body, signal });
}

/** A follow-up uses the chat endpoint, because that one has turns. */
async function followOn(asked: Extract<Asked, { kind: 'question' }>, signal: AbortSignal) {
  const { data, error, response } = await api.POST('/v1/chat/completions', {
    body: { ...turnsOf(asked), choices: asked.choices, ...REQUESTED_PARTS },
    signal,
  });
  return { data: typeof data === 'object' ? data.svc : undefined, error, response };
}
