import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { formatDateTime } from '../../ui/format.ts';
import { showHiddenCharacters } from '../../ui/hidden-characters.ts';
import { Page } from '../../ui/Page.tsx';
import { PagedList, usePagedList } from '../../ui/PagedList.tsx';
import { EmptyState, ErrorState } from '../../ui/States.tsx';
import { type BoardSummary, createBoard, listBoards } from './api.ts';
import css from './boards.module.css';

export function BoardsPage() {
  const boards = usePagedList<BoardSummary>(['board list', 'all'], ({ cursor, signal }) =>
    listBoards({ q: '', cursor, signal, limit: 50 }),
  );
  return (
    <Page
      title="Boards"
      description="A board shows pinned answers. svc computes them again each time you open the board."
      actions={<NewBoard />}
    >
      <PagedList
        label="Boards"
        pages={boards}
        columns={[
          {
            id: 'title',
            header: 'Board',
            wraps: true,
            cell: ({ id, title }) => (
              <Link to="/boards/$id" params={{ id }}>
                {showHiddenCharacters(title)}
              </Link>
            ),
          },
          { id: 'tiles', header: 'Tiles', numeric: true, cell: ({ tiles }) => tiles },
          {
            id: 'whose',
            header: 'Owner',
            cell: describeOwner,
          },
          { id: 'changed', header: 'Updated', cell: ({ updated_at }) => formatDateTime(updated_at) },
        ]}
        empty={
          <EmptyState title="No boards yet">
            <Link to="/">Ask a question</Link>, then select “Pin” below its answer.
          </EmptyState>
        }
      />
    </Page>
  );
}

function describeOwner({ own, shared, origin }: BoardSummary): string {
  if (own) return shared ? 'Yours, shared' : 'Yours';
  return origin === 'file' ? 'Project' : 'Shared with you';
}

function NewBoard() {
  const [title, setTitle] = useState('');
  const navigate = useNavigate();
  const creation = useMutation({
    mutationFn: createBoard,
    onSuccess: ({ id }) => navigate({ to: '/boards/$id', params: { id } }),
  });
  return (
    <form
      className={css.naming}
      onSubmit={(event) => {
        event.preventDefault();
        if (title.trim()) creation.mutate(title.trim());
      }}
    >
      <TextInput
        aria-label="New board name"
        placeholder="New board name"
        maxLength={200}
        value={title}
        onChange={({ currentTarget: { value } }) => setTitle(value)}
      />
      <Button type="submit" loading={creation.isPending}>
        Create
      </Button>
      {creation.error && <ErrorState fault={creation.error} />}
    </form>
  );
}
