import { queryOptions, useQuery } from '@tanstack/react-query';
import { apiClient, unwrapData } from '../../../api/client.ts';
import { matchesTypedText } from '../../../ui/SearchList.tsx';

export const lensesQuery = queryOptions({
  queryKey: ['lenses'],
  queryFn: async ({ signal }) =>
    (await unwrapData(apiClient.GET('/v1/lenses', { signal, params: { query: { limit: 500 } } }))).items,
  staleTime: 60_000,
});
export type LensSummary = Awaited<ReturnType<NonNullable<typeof lensesQuery.queryFn>>>[number];

/** If another lens has the same title, the title is followed by the name of the lens. */
export function useLensTitle(): (name: string) => string {
  const { data = [] } = useQuery(lensesQuery);
  return (name) => {
    const title = data.find((lens) => lens.name === name)?.title ?? name;
    return data.some((lens) => lens.title === title && lens.name !== name) ? `${title} (${name})` : title;
  };
}

export function useLensOptions() {
  const titleOf = useLensTitle();
  return useQuery(lensesQuery).data?.map(({ name }) => ({ value: name, label: titleOf(name) })) ?? [];
}

export const createLensQuery = (name: string) =>
  queryOptions({
    queryKey: ['lenses', name],
    queryFn: ({ signal }) => unwrapData(apiClient.GET('/v1/lenses/{name}', { signal, params: { path: { name } } })),
    staleTime: 60_000,
  });
export type LensDetail = Awaited<ReturnType<NonNullable<ReturnType<typeof createLensQuery>['queryFn']>>>;

export const createCertifiedEntriesQuery = (lens: string, q: string) =>
  queryOptions({
    queryKey: ['approved', lens, q],
    queryFn: async ({ signal }) =>
      (
        await unwrapData(
          apiClient.GET('/v1/lenses/{name}/certified', {
            signal,
            params: { path: { name: lens }, query: { q, limit: 4 } },
          }),
        )
      ).items,
    staleTime: 60_000,
  });

export const createValuesQuery = (lens: string, field: string, q: string, limit: number) =>
  queryOptions({
    queryKey: ['values', lens, field, q, limit],
    queryFn: async ({ signal }) =>
      (
        await unwrapData(
          apiClient.GET('/v1/lenses/{name}/values', {
            signal,
            params: { path: { name: lens }, query: { field, limit, ...(q ? { q } : {}) } },
          }),
        )
      ).items,
    staleTime: 60_000,
  });

const MAX_SUGGESTED_VALUES = 50;

/** While the values for the typed text load, returns the matching values among the previous ones. */
export function useValues(lens: string, field: string, typed: string, enabled: boolean) {
  const { data, error, isPlaceholderData } = useQuery({
    ...createValuesQuery(lens, field, typed.trim(), MAX_SUGGESTED_VALUES),
    placeholderData: (before, query) => (query?.queryKey[2] === field ? before : undefined),
    enabled,
  });
  return { values: isPlaceholderData ? data?.filter((value) => matchesTypedText(value, typed)) : data, error };
}
