import { useMutation } from '@tanstack/react-query';
import { apiClient, unwrapData } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import type { paths } from '../../../api/schema.d.ts';
import { usePagedList } from '../../../ui/PagedList.tsx';

type FactsPath = paths['/mgmt/lenses/{name}/facts'];
export type Fact = FactsPath['get']['responses'][200]['content']['application/json']['items'][number];
export type FactDecision = NonNullable<FactsPath['post']['requestBody']>['content']['application/json'];

const PAGE_SIZE = 100;

export const useFacts = (name: string) =>
  usePagedList(['facts', name], ({ cursor, signal }) =>
    unwrapData(
      apiClient.GET('/mgmt/lenses/{name}/facts', {
        signal,
        params: { path: { name }, query: { limit: PAGE_SIZE, cursor } },
      }),
    ),
  );

export const useDecideFacts = (name: string) =>
  useMutation({
    mutationFn: (body: FactDecision) =>
      unwrapData(apiClient.POST('/mgmt/lenses/{name}/facts', { params: { path: { name } }, body })),
    onSuccess: () =>
      Promise.all(
        ['facts', 'lenses', 'sample-grades'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
      ),
  });

/** Returns the joins that "Confirm proven joins" couldn't confirm. Empty if the server returned a run. */
export const listUnconfirmedJoins = (
  reply: Awaited<ReturnType<typeof unwrapData>> | undefined,
): { id: string; why: string }[] =>
  reply !== undefined && typeof reply === 'object' && reply !== null && 'left' in reply
    ? (reply.left as { id: string; why: string }[])
    : [];
