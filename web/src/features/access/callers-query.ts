import { queryOptions } from '@tanstack/react-query';
import { apiClient, unwrapData } from '../../api/client.ts';

export const allCallersQuery = queryOptions({
  queryKey: ['callers', 'all'],
  queryFn: ({ signal }) => unwrapData(apiClient.GET('/mgmt/callers', { signal, params: { query: { limit: 500 } } })),
});
