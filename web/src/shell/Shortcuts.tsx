// Keyboard shortcuts on every page: go to a page by name, the question box, and the list of shortcuts.
import { Kbd, Modal, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Session } from '../api/session.ts';
import { listThreads } from '../features/ask/api/answers.ts';
import { lensesQuery } from '../features/ask/api/lenses.ts';
import { listBoards } from '../features/boards/api.ts';
import { placesFor } from './nav.ts';
import css from './shell.module.css';

const KEYS: [string[], string][] = [
  [['Ctrl', 'K'], 'Go to a page, a board, a lens or a conversation'],
  [['/'], 'Write a question'],
  [['P'], 'Pin the newest answer to a board'],
  [['?'], 'Show keyboard shortcuts'],
  [['Tab'], 'Complete the current word'],
  [['Enter'], 'Ask'],
  [['Esc'], 'Close the open dialog'],
];

export function Shortcuts({ session }: { session: Session }) {
  const [open, setOpen] = useState<'places' | 'keys' | null>(null);
  const navigate = useNavigate();
  const writeQuestion = async () => {
    const box = () => document.querySelector<HTMLTextAreaElement>('textarea[aria-label="Your question"]');
    if (!box()) await navigate({ to: '/' });
    box()?.focus();
  };
  useHotkeys([
    ['/', () => void writeQuestion()],
    ['P', () => [...document.querySelectorAll<HTMLElement>('[data-pin]')].at(-1)?.click()],
    ['shift+?', () => setOpen('keys')],
  ]);
  useHotkeys([['mod+K', () => setOpen('places')]], []);
  const close = () => setOpen(null);
  const common = { onClose: close, lockScroll: false, closeButtonProps: { 'aria-label': 'Close' } };
  return (
    <>
      <Modal opened={open === 'places'} title="Go to" {...common}>
        <GoTo session={session} onGone={close} />
      </Modal>
      <Modal opened={open === 'keys'} title="Keyboard shortcuts" {...common}>
        <dl className={css.keys}>
          {KEYS.map(([keys, effect]) => (
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

const MAX_MATCHES = 8;

/** The arrow keys select, Enter opens. */
function GoTo({ session, onGone }: { session: Session; onGone: () => void }) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const navigate = useNavigate();
  const lenses = useQuery(lensesQuery);
  const threads = useQuery({
    queryKey: ['conversations', 'go to', typed],
    queryFn: ({ signal }) => listThreads({ q: typed.trim(), limit: MAX_MATCHES, signal }),
  });
  const boards = useQuery({
    queryKey: ['board list', 'go to', typed],
    queryFn: ({ signal }) => listBoards({ q: typed.trim(), limit: MAX_MATCHES, signal }),
  });
  const pages = placesFor(session).flatMap((group) => group.places);
  const like = (text: string) => text.toLowerCase().includes(typed.trim().toLowerCase());
  const found = [
    ...pages.map(({ to, label }) => ({ key: to, label, of: 'Page', go: () => navigate({ to }) })),
    ...(lenses.data ?? []).map(({ name, title }) => ({
      key: `lens ${name}`,
      label: title,
      of: 'Lens',
      go: () => navigate({ to: '/lenses/$name', params: { name } }),
    })),
  ]
    .filter(({ label }) => like(label))
    .concat(
      (boards.data?.items ?? []).map(({ id, title }) => ({
        key: id,
        label: title,
        of: 'Board',
        go: () => navigate({ to: '/boards/$id', params: { id } }),
      })),
      (threads.data?.items ?? []).map(({ id, title }) => ({
        key: id,
        label: title ?? '',
        of: 'Conversation',
        go: () => navigate({ to: '/', search: { thread: id } }),
      })),
    )
    .slice(0, MAX_MATCHES);
  const go = (index: number) => {
    if (!found[index]) return;
    onGone();
    void found[index].go();
  };
  return (
    <>
      <TextInput
        data-autofocus
        role="combobox"
        aria-label="Page, board, lens or conversation"
        aria-controls="go-to"
        aria-expanded={found.length > 0}
        aria-activedescendant={found[at] ? `go-to-${at}` : undefined}
        value={typed}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') go(at);
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (!step) return;
          event.preventDefault();
          setAt((at + step + found.length) % Math.max(found.length, 1));
        }}
      />
      <div role="listbox" id="go-to" aria-label="Results" className={css.found}>
        {found.map(({ key, label, of }, index) => (
          <button
            type="button"
            role="option"
            tabIndex={-1}
            key={key}
            id={`go-to-${index}`}
            aria-selected={index === at}
            onClick={() => go(index)}
          >
            <span>{label}</span>
            <span>{of}</span>
          </button>
        ))}
      </div>
    </>
  );
}
