// Pins an answer to an existing or a new board.
import { Button, Menu, ScrollArea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { showHiddenCharacters } from '../../../ui/hidden-characters.ts';
import { Failed } from '../../../ui/States.tsx';
import { type BoardSummary, listBoards, makeBoard, pin } from '../../boards/api.ts';
import css from './ask.module.css';

const MAX_BOARDS = 50;
const isCalled = (title: string) => (board: BoardSummary) =>
  board.own && board.title.toLowerCase() === title.toLowerCase();

/** Asks the server, because the list may still be loading when someone presses Enter. */
const ownBoard = async (title: string): Promise<BoardSummary | undefined> =>
  (await listBoards({ q: title, limit: MAX_BOARDS })).items.find(isCalled(title));

export function Pin({ requestId }: { requestId: string }) {
  const [opened, setOpened] = useState(false);
  const [typed, setTyped] = useState('');
  const title = typed.trim();
  const { data } = useQuery({
    queryKey: ['board list', 'to pin to', title],
    queryFn: ({ signal }) => listBoards({ q: title, limit: MAX_BOARDS, signal }),
    enabled: opened,
  });
  const pinning = useMutation({
    mutationFn: async (to: { id: string } | { title: string }) =>
      pin('id' in to ? to.id : ((await ownBoard(to.title)) ?? (await makeBoard(to.title))).id, requestId),
  });
  const boards = (data?.items ?? []).filter(({ own }) => own);
  const take = (to: { id: string } | { title: string }) => {
    setOpened(false);
    setTyped('');
    pinning.mutate(to);
  };
  const existingBoard = boards.find(isCalled(title));
  return (
    <>
      <Menu position="bottom-start" opened={opened} onChange={setOpened}>
        <Menu.Target>
          <Button variant="default" size="xs" data-pin loading={pinning.isPending}>
            Pin
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (title) take(existingBoard ?? { title });
            }}
          >
            <Menu.Search
              size="xs"
              aria-label="Board to pin to"
              placeholder="Find or name a board"
              maxLength={200}
              value={typed}
              onChange={({ currentTarget: { value } }) => setTyped(value)}
            />
          </form>
          <ScrollArea.Autosize mah={240}>
            {boards.map((board) => (
              <Menu.Item key={board.id} onClick={() => take(board)}>
                {showHiddenCharacters(board.title)}
              </Menu.Item>
            ))}
          </ScrollArea.Autosize>
          {data && boards.length === 0 && !title && <Menu.Item disabled>Type a name to create a board</Menu.Item>}
          {title && !existingBoard && (
            <Menu.Item onClick={() => take({ title })}>New board “{showHiddenCharacters(title)}”</Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {pinning.data && (
        <span role="status" className={css.hint}>
          Pinned to{' '}
          <Link to="/boards/$id" params={{ id: pinning.data.id }}>
            {showHiddenCharacters(pinning.data.title)}
          </Link>
        </span>
      )}
      {pinning.error && <Failed fault={pinning.error} />}
    </>
  );
}
