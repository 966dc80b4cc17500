import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { DataTable, type TableColumn } from './DataTable.tsx';
import { ErrorState, LoadingState } from './States.tsx';

interface PageOfItems<Row> {
  items: Row[];
  next_cursor: string | null;
}

export function usePagedList<Row>(
  key: QueryKey,
  fetch: (page: { cursor?: string; signal: AbortSignal }) => Promise<PageOfItems<Row>>,
) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => fetch({ ...(pageParam ? { cursor: pageParam } : {}), signal }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }: PageOfItems<Row>) => next_cursor,
  });
  return {
    rows: data?.pages.flatMap(({ items }) => items),
    error,
    retry: () => void refetch(),
    more: { has: hasNextPage, loading: isFetchingNextPage, fetch: () => void fetchNextPage() },
  };
}

export function PagedList<Row extends object>(props: {
  label: string;
  pages: ReturnType<typeof usePagedList<Row>>;
  columns: TableColumn<Row>[];
  empty: ReactNode;
}) {
  const { rows, error, retry, more } = props.pages;
  if (error) return <ErrorState fault={error} onRetry={retry} />;
  if (!rows) return <LoadingState lines={6} />;
  if (rows.length === 0) return props.empty;
  return <DataTable label={props.label} rows={rows} columns={props.columns} more={more} />;
}
