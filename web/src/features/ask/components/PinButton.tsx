import { Button } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { queryClient } from '../../../api/query-client.ts';
import { showHiddenCharacters } from '../../../ui/hidden-characters.ts';
import { matchesTypedText, SearchMenu, useSearchMenu } from '../../../ui/SearchList.tsx';
import { ErrorState } from '../../../ui/States.tsx';
import { type BoardSummary, createBoard, listBoards, pinAnswer } from '../../boards/api.ts';
import css from './ask.module.css';

const MAX_LISTED_BOARDS = 50;
const isOwnBoardNamed = (title: string) => (board: BoardSummary) =>
  board.own && board.title.toLowerCase() === title.toLowerCase();

/** Asks the server for the board, because the list of boards may still be loading when the person presses Enter. */
const findOwnBoard = async (title: string): Promise<BoardSummary | undefined> =>
  (await listBoards({ q: title, limit: MAX_LISTED_BOARDS })).items.find(isOwnBoardNamed(title));

export function PinButton({ requestId }: { requestId: string }) {
  const menu = useSearchMenu();
  const title = menu.typed.trim();
  const { data } = useQuery({
    queryKey: ['board list', 'to pin to', title],
    queryFn: ({ signal }) => listBoards({ q: title, limit: MAX_LISTED_BOARDS, signal }),
    placeholderData: keepPreviousData,
    enabled: menu.opened,
  });
  const pinning = useMutation({
    mutationFn: async (target: { id: string } | { title: string }) =>
      pinAnswer(
        'id' in target ? target.id : ((await findOwnBoard(target.title)) ?? (await createBoard(target.title))).id,
        requestId,
      ),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ['board list'], refetchType: 'all' }),
  });
  const boards = (data?.items ?? []).filter((board) => board.own && matchesTypedText(board.title, title));
  const exactMatch = boards.find(isOwnBoardNamed(title));
  const newBoardOption = {
    key: 'new',
    label: `New board “${showHiddenCharacters(title)}”`,
    take: () => pinning.mutate({ title }),
  };
  const optionOf = (board: BoardSummary) => ({
    key: board.id,
    label: showHiddenCharacters(board.title),
    take: () => pinning.mutate(board),
  });
  return (
    <>
      <SearchMenu
        menu={menu}
        button={
          <Button variant="default" size="xs" data-pin>
            {pinning.isPending ? 'Pinning' : 'Pin'}
          </Button>
        }
        label="Board to pin to"
        placeholder="Search boards or type a new name"
        options={[
          ...(exactMatch ? [optionOf(exactMatch)] : []), // Enter selects the first option
          ...boards.filter((board) => board !== exactMatch).map(optionOf),
          ...(title && !exactMatch ? [newBoardOption] : []),
        ]}
        note={data && 'Type a name to create a board.'}
      />
      {pinning.data && (
        <span role="status" className={css.hint}>
          Pinned to{' '}
          <Link to="/boards/$id" params={{ id: pinning.data.id }}>
            {showHiddenCharacters(pinning.data.title)}
          </Link>
        </span>
      )}
      {pinning.error && <ErrorState fault={pinning.error} />}
    </>
  );
}
