import { queryOptions } from '@tanstack/react-query';
import { apiClient, unwrapData } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import type { operations } from '../../../api/schema.d.ts';
import type { Inquiry } from './ask.ts';

export type ReopenedAnswer = operations['openAnswer']['responses'][200]['content']['application/json'];
export type Thread = operations['getThread']['responses'][200]['content']['application/json'];
export type ThreadSummary = operations['listThreads']['responses'][200]['content']['application/json']['items'][number];

export const createAnswerQuery = (requestId: string) =>
  queryOptions({
    queryKey: ['answers', requestId],
    queryFn: ({ signal }) =>
      unwrapData(
        apiClient.GET('/v1/answers/{request_id}', {
          signal,
          params: { path: { request_id: requestId }, query: { chart: 'true', plan: 'true' } },
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

export const createThreadQuery = (id: string) =>
  queryOptions({
    queryKey: ['threads', id],
    queryFn: ({ signal }) => unwrapData(apiClient.GET('/v1/threads/{id}', { signal, params: { path: { id } } })),
    retry: false,
  });

export function toInquiry({ question, context, choices, plan, answer }: ReopenedAnswer): Inquiry {
  const lens = answer.lens;
  if (plan && lens) return { kind: 'plan', title: answer.scope?.sentence ?? 'A plan', lens, body: plan, choices };
  return {
    kind: 'question',
    q: question ?? answer.scope?.sentence ?? '',
    lens,
    choices,
    earlierQuestions: context,
  };
}

export async function storeTurn(requestId: string, thread: string | null): Promise<Thread> {
  const body = { request_id: requestId };
  const storedThread = thread
    ? await unwrapData(apiClient.POST('/v1/threads/{id}/turns', { params: { path: { id: thread } }, body }))
    : await unwrapData(apiClient.POST('/v1/threads', { body }));
  queryClient.setQueryData(createThreadQuery(storedThread.id).queryKey, storedThread);
  void queryClient.invalidateQueries({ queryKey: ['conversations'] });
  return storedThread;
}

export async function changeThread(id: string, change: { title?: string; shared?: boolean }): Promise<Thread> {
  const updatedThread = await unwrapData(
    apiClient.PATCH('/v1/threads/{id}', { params: { path: { id } }, body: change }),
  );
  queryClient.setQueryData(createThreadQuery(id).queryKey, updatedThread);
  void queryClient.invalidateQueries({ queryKey: ['conversations'] });
  return updatedThread;
}

export const listThreads = (page: { q: string; cursor?: string | undefined; limit: number; signal: AbortSignal }) =>
  unwrapData(
    apiClient.GET('/v1/threads', {
      signal: page.signal,
      params: { query: { limit: page.limit, cursor: page.cursor, ...(page.q ? { q: page.q } : {}) } },
    }),
  );
