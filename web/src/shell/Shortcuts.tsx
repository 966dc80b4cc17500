import { Kbd, Modal } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconBook2, IconLayoutDashboard, IconMessageCircle } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Session } from '../api/session.ts';
import { listThreads } from '../features/ask/api/answers.ts';
import { lensesQuery } from '../features/ask/api/lenses.ts';
import { listBoards } from '../features/boards/api.ts';
import { showHiddenCharacters } from '../ui/hidden-characters.ts';
import { matchesTypedText, SearchList } from '../ui/SearchList.tsx';
import { listNavItems } from './nav.ts';
import css from './shell.module.css';

const SHORTCUT_KEYS: [string[], string][] = [
  [['Ctrl', 'K'], 'Go to a page, a board, a lens or a conversation'],
  [['/'], 'Go to the question box'],
  [['P'], 'Pin the newest answer to a board'],
  [['?'], 'Show keyboard shortcuts'],
  [['Tab'], 'Complete the current word'],
  [['Enter'], 'Send the question'],
  [['Esc'], 'Close the open dialog'],
];

export function Shortcuts({ session }: { session: Session }) {
  const [openDialog, setOpenDialog] = useState<'places' | 'keys' | null>(null);
  const navigate = useNavigate();
  const focusQuestionBox = async () => {
    const findQuestionBox = () => document.querySelector<HTMLTextAreaElement>('textarea[aria-label="Your question"]');
    if (!findQuestionBox()) await navigate({ to: '/' });
    findQuestionBox()?.focus();
  };
  useHotkeys([
    ['/', () => void focusQuestionBox()],
    ['P', () => [...document.querySelectorAll<HTMLElement>('[data-pin]')].at(-1)?.click()],
    ['shift+?', () => setOpenDialog('keys')],
  ]);
  useHotkeys([['mod+K', () => setOpenDialog('places')]], []);
  const close = () => setOpenDialog(null);
  const modalProps = { onClose: close, lockScroll: false, closeButtonProps: { 'aria-label': 'Close' } };
  return (
    <>
      <Modal opened={openDialog === 'places'} title="Go to" transitionProps={{ duration: 0 }} {...modalProps}>
        <GoToDialog session={session} onGone={close} />
      </Modal>
      <Modal opened={openDialog === 'keys'} title="Keyboard shortcuts" {...modalProps}>
        <dl className={css.keys}>
          {SHORTCUT_KEYS.map(([keys, effect]) => (
            <div key={effect}>
              <dt>
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </dt>
              <dd>{effect}</dd>
            </div>
          ))}
        </dl>
      </Modal>
    </>
  );
}

const MAX_MATCHES_PER_KIND = 8;

function GoToDialog({ session, onGone: onNavigated }: { session: Session; onGone: () => void }) {
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  const lenses = useQuery(lensesQuery);
  const threads = useQuery({
    queryKey: ['conversations', 'go to', typed],
    queryFn: ({ signal }) => listThreads({ q: typed.trim(), limit: MAX_MATCHES_PER_KIND, signal }),
    placeholderData: keepPreviousData,
  });
  const boards = useQuery({
    queryKey: ['board list', 'go to', typed],
    queryFn: ({ signal }) => listBoards({ q: typed.trim(), limit: MAX_MATCHES_PER_KIND, signal }),
    placeholderData: keepPreviousData,
  });
  const pages = listNavItems(session).flatMap((group) => group.items);
  const matches = [
    ...pages.map(({ to, label, icon }) => ({ key: to, label, icon, hint: '', go: () => navigate({ to }) })),
    ...(lenses.data ?? [])
      .filter(({ title }) => matchesTypedText(title, typed))
      .slice(0, MAX_MATCHES_PER_KIND)
      .map(({ name, title }) => ({
        key: `lens ${name}`,
        label: title,
        hint: 'Lens',
        icon: IconBook2,
        go: () => navigate({ to: '/lenses/$name', params: { name } }),
      })),
    ...(boards.data?.items ?? []).map(({ id, title }) => ({
      key: id,
      label: title,
      hint: 'Board',
      icon: IconLayoutDashboard,
      go: () => navigate({ to: '/boards/$id', params: { id } }),
    })),
    ...(threads.data?.items ?? []).map(({ id, title }) => ({
      key: id,
      label: title ?? '',
      hint: 'Conversation',
      icon: IconMessageCircle,
      go: () => navigate({ to: '/', search: { thread: id } }),
    })),
  ].filter(({ label }) => matchesTypedText(label, typed));
  return (
    <SearchList
      label="Page, board, lens or conversation"
      placeholder="Search pages, boards, lenses and conversations"
      typed={typed}
      onTyped={setTyped}
      options={matches.map(({ go, label, ...option }) => ({
        ...option,
        label: showHiddenCharacters(label),
        take: () => {
          onNavigated();
          void go();
        },
      }))}
      note={boards.data && threads.data && 'No results.'}
    />
  );
}
