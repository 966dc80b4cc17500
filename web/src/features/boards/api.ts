import { queryOptions } from '@tanstack/react-query';
import { apiClient, unwrapData } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import type { operations } from '../../api/schema.d.ts';

export type Board = operations['getBoard']['responses'][200]['content']['application/json'];
export type BoardTile = Board['tiles'][number];
export type BoardSummary = operations['listBoards']['responses'][200]['content']['application/json']['items'][number];
type BoardChange = NonNullable<operations['changeBoard']['requestBody']>['content']['application/json'];

export const createBoardQuery = (id: string) =>
  queryOptions({
    queryKey: ['boards', id],
    queryFn: ({ signal }) => unwrapData(apiClient.GET('/v1/boards/{id}', { signal, params: { path: { id } } })),
    retry: false,
  });

const MINUTE_MS = 60_000;
export const REFRESH_INTERVALS: Record<Board['refresh'], { label: string; ms: number }> = {
  manual: { label: 'off', ms: Number.POSITIVE_INFINITY },
  '5m': { label: 'every 5 minutes', ms: 5 * MINUTE_MS },
  '1h': { label: 'every hour', ms: 60 * MINUTE_MS },
  '24h': { label: 'every day', ms: 1440 * MINUTE_MS },
};

/**
 * Requests a tile. svc computes the tile each time someone opens the board, and at the board's interval while the board
 * is visible.
 */
export const createTileQuery = ({ id, refresh }: Pick<Board, 'id' | 'refresh'>, tile: string) =>
  queryOptions({
    queryKey: ['tiles', id, tile],
    queryFn: async ({ signal }) => {
      const params = { path: { id, tile }, query: { chart: 'true', plan: 'true' } } as const;
      return (await unwrapData(apiClient.GET('/v1/boards/{id}/tiles/{tile}', { signal, params }))).answer;
    },
    staleTime: REFRESH_INTERVALS[refresh].ms,
    refetchInterval: refresh === 'manual' ? false : REFRESH_INTERVALS[refresh].ms,
    refetchOnWindowFocus: refresh !== 'manual',
    refetchOnMount: 'always',
    retry: false,
  });

export const listBoards = (page: {
  q: string;
  cursor?: string | undefined;
  limit: number;
  signal?: AbortSignal | undefined;
}) =>
  unwrapData(
    apiClient.GET('/v1/boards', {
      ...(page.signal && { signal: page.signal }),
      params: { query: { limit: page.limit, cursor: page.cursor, ...(page.q ? { q: page.q } : {}) } },
    }),
  );

const cacheBoard = (board: Board): Board => {
  queryClient.setQueryData(createBoardQuery(board.id).queryKey, board);
  void queryClient.invalidateQueries({ queryKey: ['board list'] });
  return board;
};

export const createBoard = async (title: string): Promise<Board> =>
  cacheBoard(await unwrapData(apiClient.POST('/v1/boards', { body: { title } })));

export const changeBoard = async (id: string, change: BoardChange): Promise<Board> =>
  cacheBoard(await unwrapData(apiClient.PATCH('/v1/boards/{id}', { params: { path: { id } }, body: change })));

export const pinAnswer = async (id: string, requestId: string): Promise<Board> =>
  cacheBoard(
    await unwrapData(
      apiClient.POST('/v1/boards/{id}/tiles', { params: { path: { id } }, body: { request_id: requestId } }),
    ),
  );

export async function deleteBoard(id: string): Promise<void> {
  await unwrapData(apiClient.DELETE('/v1/boards/{id}', { params: { path: { id } } }));
  void queryClient.invalidateQueries({ queryKey: ['board list'] });
}
