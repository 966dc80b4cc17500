import { queryOptions } from '@tanstack/react-query';
import { apiClient, unwrapData } from '../../api/client.ts';
import type { paths } from '../../api/schema.d.ts';

type RequestsQuery = NonNullable<paths['/mgmt/observe/requests']['get']['parameters']['query']>;
export type RequestFilters = Omit<RequestsQuery, 'limit' | 'cursor'>;

export const fetchRequests = (filters: RequestFilters, { cursor, signal }: { cursor?: string; signal: AbortSignal }) =>
  unwrapData(
    apiClient.GET('/mgmt/observe/requests', {
      signal,
      params: { query: { ...filters, limit: 100, ...(cursor ? { cursor } : {}) } },
    }),
  );

export const createRequestQuery = (id: string) =>
  queryOptions({
    queryKey: ['request', id],
    queryFn: ({ signal }) =>
      unwrapData(
        apiClient.GET('/mgmt/observe/requests/{request_id}', { signal, params: { path: { request_id: id } } }),
      ),
  });
