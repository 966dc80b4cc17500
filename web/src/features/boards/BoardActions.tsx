import { ActionIcon, Button, Menu, Modal, TextInput, useMantineColorScheme } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconDots } from '@tabler/icons-react';
import { useIsFetching, useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { ErrorState } from '../../ui/States.tsx';
import { type Board, changeBoard, deleteBoard, REFRESH_INTERVALS } from './api.ts';
import css from './boards.module.css';

const CHART_REDRAW_MS = 400;

export function BoardActions(props: {
  board: Board;
  arranging: { saving: boolean; done: () => void; cancel: () => void } | null;
  onArrange: () => void;
  onSavePicture: () => Promise<void>;
}) {
  const { board, arranging } = props;
  const [openDialog, setOpenDialog] = useState<'rename' | 'delete' | 'share' | null>(null);
  const isComputing = useIsFetching({ queryKey: ['tiles', board.id] }) > 0;
  const link = useClipboard({ timeout: 2000 });
  const print = usePrintWithLightCharts();
  const savePicture = useMutation({ mutationFn: props.onSavePicture });
  const changeBoardMutation = useMutation({
    mutationFn: (changes: { title?: string; shared?: boolean; refresh?: Board['refresh'] }) =>
      changeBoard(board.id, changes),
    onSuccess: () => setOpenDialog(null),
  });
  if (arranging)
    return (
      <>
        <Button variant="default" onClick={arranging.cancel}>
          Cancel
        </Button>
        <Button loading={arranging.saving} onClick={arranging.done}>
          Save
        </Button>
      </>
    );
  const share = async () => {
    await changeBoardMutation.mutateAsync({ shared: true });
    link.copy(window.location.href);
  };
  return (
    <>
      {board.tiles.length > 0 && (
        <Button
          variant="default"
          loading={isComputing}
          onClick={() => void queryClient.invalidateQueries({ queryKey: ['tiles', board.id] })}
        >
          Refresh
        </Button>
      )}
      {board.own && (
        <Button variant="default" onClick={() => (board.shared ? void share() : setOpenDialog('share'))}>
          {link.copied ? 'Link copied' : board.shared ? 'Copy link' : 'Share'}
        </Button>
      )}
      {(board.own || board.tiles.length > 0) && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size="input-sm" aria-label="More actions" loading={savePicture.isPending}>
              <IconDots size={18} stroke={2} aria-hidden="true" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {board.tiles.length > 0 && (
              <>
                <Menu.Item onClick={() => void print()}>Print</Menu.Item>
                <Menu.Item disabled={isComputing} onClick={() => savePicture.mutate()}>
                  Download as PNG
                </Menu.Item>
                {document.fullscreenEnabled && (
                  <Menu.Item onClick={() => void document.documentElement.requestFullscreen()}>Full screen</Menu.Item>
                )}
              </>
            )}
            {board.own && (
              <>
                {board.tiles.length > 0 && <Menu.Item onClick={props.onArrange}>Arrange tiles</Menu.Item>}
                <Menu.Item onClick={() => setOpenDialog('rename')}>Rename</Menu.Item>
                {board.shared && (
                  <Menu.Item onClick={() => changeBoardMutation.mutate({ shared: false })}>Stop sharing</Menu.Item>
                )}
                <Menu.Label>Refresh automatically</Menu.Label>
                {Object.entries(REFRESH_INTERVALS).map(([refresh, { label }]) => (
                  <Menu.Item
                    key={refresh}
                    aria-current={board.refresh === refresh || undefined}
                    rightSection={board.refresh === refresh ? <span aria-hidden="true">✓</span> : null}
                    onClick={() => changeBoardMutation.mutate({ refresh: refresh as Board['refresh'] })}
                  >
                    {label.charAt(0).toUpperCase() + label.slice(1)}
                  </Menu.Item>
                ))}
                <Menu.Divider />
                <Menu.Item color="var(--mantine-color-error)" onClick={() => setOpenDialog('delete')}>
                  Delete
                </Menu.Item>
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {openDialog === null && changeBoardMutation.error && <ErrorState fault={changeBoardMutation.error} />}
      {savePicture.error && <ErrorState fault={savePicture.error} />}
      <RenameDialog
        key={`${openDialog} ${board.title}`}
        opened={openDialog === 'rename'}
        title={board.title}
        fault={changeBoardMutation.error}
        onClose={() => setOpenDialog(null)}
        onTitle={(title) => changeBoardMutation.mutate({ title })}
      />
      <Modal
        opened={openDialog === 'share'}
        onClose={() => setOpenDialog(null)}
        title="Share this board?"
        {...MODAL_PROPS}
      >
        <div className={css.form}>
          <p>
            Everyone in your organization who can use at least one of the lenses on this board can then find and open
            the board. Each person sees only data that they have access to.
          </p>
          {changeBoardMutation.error && <ErrorState fault={changeBoardMutation.error} />}
          <Button data-autofocus loading={changeBoardMutation.isPending} onClick={() => void share()}>
            Share and copy link
          </Button>
        </div>
      </Modal>
      <DeleteDialog board={board} opened={openDialog === 'delete'} onClose={() => setOpenDialog(null)} />
    </>
  );
}

export async function leaveFullScreen(): Promise<void> {
  if (document.fullscreenElement) await document.exitFullscreen();
}

const MODAL_PROPS = { lockScroll: false, closeButtonProps: { 'aria-label': 'Close' } };

function RenameDialog(props: {
  opened: boolean;
  title: string;
  fault: unknown;
  onClose: () => void;
  onTitle: (title: string) => void;
}) {
  const [title, setTitle] = useState(props.title);
  return (
    <Modal opened={props.opened} onClose={props.onClose} title="Rename board" {...MODAL_PROPS}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (title.trim()) props.onTitle(title.trim());
        }}
      >
        <TextInput
          label="Name"
          data-autofocus
          maxLength={200}
          value={title}
          onChange={({ currentTarget: { value } }) => setTitle(value)}
        />
        {props.fault ? <ErrorState fault={props.fault} /> : null}
        <Button type="submit">Save</Button>
      </form>
    </Modal>
  );
}

function DeleteDialog({ board, opened, onClose }: { board: Board; opened: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => deleteBoard(board.id),
    onSuccess: () => navigate({ to: '/boards' }),
  });
  return (
    <Modal opened={opened} onClose={onClose} title="Delete this board?" {...MODAL_PROPS}>
      <div className={css.form}>
        <p>This deletes the board and its pins for everyone. The requests stay in the log.</p>
        {remove.error && <ErrorState fault={remove.error} />}
        <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
          Delete
        </Button>
      </div>
    </Modal>
  );
}

function usePrintWithLightCharts(): () => Promise<void> {
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return async () => {
    if (colorScheme === 'light') return window.print();
    setColorScheme('light');
    await new Promise((resolve) => setTimeout(resolve, CHART_REDRAW_MS));
    window.print();
    setColorScheme(colorScheme);
  };
}
