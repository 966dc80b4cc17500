import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Page } from '../../ui/Page.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../ui/States.tsx';
import { savePicture } from '../../ui/save-picture.ts';
import { ArrangeButtons } from './ArrangeButtons.tsx';
import { type Board, changeBoard, createBoardQuery, REFRESH_INTERVALS } from './api.ts';
import { BoardActions, leaveFullScreen } from './BoardActions.tsx';
import { useBoardFilters } from './BoardFilters.tsx';
import { parseBoardFilter } from './board-filter.ts';
import css from './boards.module.css';
import { Tile } from './Tile.tsx';

export function BoardPage() {
  const { id } = useParams({ from: '/app/boards/$id' });
  const { data: board, error, refetch } = useQuery(createBoardQuery(id));
  if (error)
    return (
      <Page title="Board">
        <ErrorState fault={error} onRetry={() => void refetch()} />
      </Page>
    );
  return board ? <BoardContent key={board.id} board={board} /> : <LoadingState lines={8} />;
}

function BoardContent({ board }: { board: Board }) {
  const { filter: searchFilter } = useSearch({ from: '/app/boards/$id' });
  const filter = parseBoardFilter(searchFilter);
  const [arranged, setArranged] = useState<Board['tiles'] | null>(null);
  const saveTiles = useMutation({
    mutationFn: (tiles: Board['tiles']) =>
      changeBoard(board.id, { tiles: tiles.map(({ id, wide }) => ({ id, wide })) }),
    onSuccess: () => setArranged(null),
  });
  useEffect(() => () => void leaveFullScreen(), []);
  const boardElement = useRef<HTMLDivElement>(null);
  const tiles = arranged ?? board.tiles;
  const lenses = [...new Set(board.tiles.map(({ lens }) => lens).filter((lens) => lens !== null))];
  const { add, chips } = useBoardFilters(lenses, filter);
  return (
    <Page
      title={board.title}
      wide
      description={describeBoard(board)}
      actions={
        <>
          {!arranged && add}
          <BoardActions
            board={board}
            arranging={
              arranged && {
                saving: saveTiles.isPending,
                done: () => saveTiles.mutate(arranged),
                cancel: () => setArranged(null),
              }
            }
            onArrange={() => setArranged(board.tiles)}
            onSavePicture={() => savePicture(`${toFileName(board.title)}.png`, board.title, boardElement.current!)}
          />
        </>
      }
    >
      {saveTiles.error && <ErrorState fault={saveTiles.error} />}
      {board.tiles.length === 0 && (
        <EmptyState title="No tiles yet">
          <Link to="/">Ask a question</Link>, then select “Pin” below its answer.
        </EmptyState>
      )}
      {!arranged && chips}
      <div className={css.tiles} ref={boardElement}>
        {tiles.map((tile, index) => (
          <Tile
            key={tile.id}
            {...{ board, tile, filter }}
            position={index + 1}
            spansRow={isFullWidthTile(tiles, index)}
          >
            {arranged && <ArrangeButtons tiles={arranged} index={index} onChange={setArranged} />}
          </Tile>
        ))}
      </div>
    </Page>
  );
}

/** In a layout with two columns, a tile without a neighbor spans both columns. */
function isFullWidthTile(tiles: Board['tiles'], index: number): boolean {
  const halfTileCount = index - tiles.slice(0, index + 1).findLastIndex(({ wide }) => wide);
  return halfTileCount % 2 === 1 && (tiles[index + 1]?.wide ?? true);
}

const toFileName = (title: string): string => title.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'board';

function describeBoard({ own, shared, origin, refresh }: Board): string {
  const refreshText = refresh === 'manual' ? '' : `Refreshes ${REFRESH_INTERVALS[refresh].label} while it is open.`;
  if (own) return [shared && SHARED_BOARD_MESSAGE, refreshText].filter(Boolean).join(' ');
  const originText = origin === 'file' ? 'This board comes from the project.' : 'Someone shared this board.';
  return `${originText} svc computes its answers with your access. ${refreshText}`;
}

const SHARED_BOARD_MESSAGE =
  'Shared: anyone in your organization who can use a lens of this board can open it. Each person sees answers with their own access.';
