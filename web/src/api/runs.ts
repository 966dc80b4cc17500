import { useQuery } from '@tanstack/react-query';
import { apiClient, unwrapData } from './client.ts';
import { toUserMessage } from './user-messages.ts';

const POLL_INTERVAL_MS = 500;

export interface RunProgress {
  step?: string;
  done?: number;
  total?: number;
}

export const fetchRun = (id: string, signal?: AbortSignal) =>
  unwrapData(apiClient.GET('/mgmt/runs/{run_id}', { ...(signal ? { signal } : {}), params: { path: { run_id: id } } }));

export function useRun(id: string | null) {
  return useQuery({
    queryKey: ['run', id],
    queryFn: ({ signal }) => fetchRun(id!, signal),
    enabled: id !== null,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && data.state !== 'running' ? false : POLL_INTERVAL_MS),
  });
}

export async function waitForRun(id: string): Promise<unknown> {
  for (;;) {
    const { state, error, result } = await fetchRun(id);
    if (state === 'succeeded') return result;
    if (state !== 'running')
      throw new Error(error ? toUserMessage(error.message, error.code) : 'The run ended without a result.');
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}
