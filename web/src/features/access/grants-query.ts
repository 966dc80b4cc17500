import { queryOptions } from '@tanstack/react-query';
import { apiClient, unwrapData } from '../../api/client.ts';

export const createGrantsQuery = (id: string) =>
  queryOptions({
    queryKey: ['grants', id],
    queryFn: ({ signal }) =>
      unwrapData(apiClient.GET('/mgmt/callers/{id}/grants', { signal, params: { path: { id } } })),
  });
