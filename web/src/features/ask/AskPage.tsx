// Ask: questions and their answers down the page, the box where the eye is. What is typed survives a sign-in in between.
import { Button, VisuallyHidden } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ApiProblem } from '../../api/client.ts';
import { signInAgain } from '../../api/query-client.ts';
import { mayManage, sessionQuery } from '../../api/session.ts';
import { Empty } from '../../ui/States.tsx';
import { type Asked, ask } from './api/ask.ts';
import { lensesQuery } from './api/lenses.ts';
import { AskBox } from './components/AskBox.tsx';
import css from './components/ask.module.css';
import { Past } from './components/Past.tsx';
import { Turn } from './components/Turn.tsx';
import { type Past as PastQuestion, pastOf, remember } from './lib/history.ts';
import type { TurnState } from './lib/turn-state.ts';

const DRAFT = 'svc draft';

export function AskPage() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { data: lenses } = useSuspenseQuery(lensesQuery);
  const search = useSearch({ from: '/app/' });
  const navigate = useNavigate();
  const who = session.user?.id ?? session.name;
  const [text, setText] = useState(() => search.q ?? sessionStorage.getItem(DRAFT) ?? '');
  const [turns, setTurns] = useState<TurnState[]>([]);
  const [follows, setFollows] = useState<string[]>([]);
  const [past, setPast] = useState<PastQuestion[]>(() => pastOf(who));
  const box = useRef<HTMLTextAreaElement>(null);
  const newest = useRef<HTMLDivElement>(null);
  const stop = useRef<AbortController | null>(null);
  const running = turns.at(-1) !== undefined && !turns.at(-1)!.envelope && !turns.at(-1)!.fault;

  useEffect(() => {
    document.title = 'Ask · svc';
    box.current?.focus();
    return () => stop.current?.abort();
  }, []);
  useEffect(() => sessionStorage.setItem(DRAFT, text), [text]);
  const id = turns.at(-1)?.id;
  useEffect(() => {
    if (id !== undefined) newest.current?.scrollIntoView({ block: 'start', behavior: 'smooth' });
  }, [id]);

  const change = (turn: number, known: Partial<TurnState>) =>
    setTurns((all) => all.map((one) => (one.id === turn ? { ...one, ...known } : one)));

  async function run(asked: Asked): Promise<void> {
    stop.current?.abort();
    const abort = new AbortController();
    stop.current = abort;
    const turn: TurnState = { id: Date.now(), asked, envelope: null, fault: null, startedAt: performance.now() };
    setTurns((all) => [...all.filter((one) => one.envelope || one.fault), turn]);
    try {
      const envelope = await ask(asked, abort.signal);
      change(turn.id, { envelope });
      if (asked.kind === 'question')
        setPast(remember(who, { q: asked.q, lens: asked.lens, status: envelope.status, at: Date.now() }));
    } catch (fault) {
      if (fault instanceof ApiProblem && fault.status === 401) {
        sessionStorage.setItem(DRAFT, asked.kind === 'question' ? asked.q : text);
        signInAgain();
      }
      change(turn.id, { fault: abort.signal.aborted ? new Error('Stopped. Nothing was kept of it.') : fault });
    }
  }

  const askQuestion = (q: string, lens = search.lens ?? null) => {
    setText('');
    setFollows([]);
    void run({ kind: 'question', q, lens, choices: {}, before: follows });
  };
  const followOn = (turn: TurnState) => {
    if (turn.asked.kind !== 'question') return;
    setFollows([...turn.asked.before, turn.asked.q]);
    void navigate({
      to: '/',
      search: { lens: turn.envelope?.lens ?? turn.asked.lens ?? undefined },
      resetScroll: false,
    });
    box.current?.focus();
  };

  if (lenses.length === 0)
    return (
      <div className={css.page}>
        <Empty title="There is no lens to ask yet">
          {mayManage(session)
            ? 'Connect a database with `npx svc introspect <url> --publish`, or apply a project folder with `npx svc apply`.'
            : 'Ask an administrator to link your account to a caller that may use a lens.'}
        </Empty>
      </div>
    );
  return (
    <div className={turns.length === 0 ? css.pageStart : css.page}>
      {turns.length === 0 && (
        <div className={css.hello}>
          <h1>What would you like to know?</h1>
          <p>Every answer comes with its query, its checks and a signed receipt.</p>
        </div>
      )}
      {turns.length > 0 && <VisuallyHidden component="h1">Questions and answers</VisuallyHidden>}
      <div className={css.turns}>
        {turns.map((turn, index) => (
          <div key={turn.id} ref={index === turns.length - 1 ? newest : undefined} className={css.turnPlace}>
            <Turn turn={turn} onAsk={(asked) => void run(asked)} onFollow={() => followOn(turn)} />
          </div>
        ))}
      </div>
      <div className={turns.length === 0 ? css.boxPlaceStart : css.boxPlace}>
        <AskBox
          box={box}
          text={text}
          onText={setText}
          lens={search.lens ?? null}
          onLens={(lens) => void navigate({ to: '/', search: { lens: lens ?? undefined }, resetScroll: false })}
          lenses={lenses}
          follows={follows.at(-1) ?? null}
          onFollowNothing={() => setFollows([])}
          running={running}
          onAsk={askQuestion}
          onStop={() => stop.current?.abort()}
        />
      </div>
      {turns.length === 0 && (
        <div className={css.starts}>
          <section aria-label="Questions to start with">
            <h2>Questions to start with</h2>
            <div className={css.samples}>
              {lenses
                .filter(({ name }) => !search.lens || name === search.lens)
                .flatMap(({ name, title, sample_questions }) =>
                  sample_questions.slice(0, search.lens ? 8 : 4).map((q) => ({ name, title, q })),
                )
                .slice(0, 8)
                .map(({ name, title, q }) => (
                  <button type="button" key={name + q} className={css.sample} onClick={() => askQuestion(q, name)}>
                    <span>{q}</span>
                    <span className={css.hint}>{title}</span>
                  </button>
                ))}
            </div>
          </section>
          <Past past={past} who={who} onForget={() => setPast([])} onAsk={askQuestion} />
        </div>
      )}
      {turns.length > 0 && !running && (
        <div className={css.anew}>
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => {
              setTurns([]);
              setFollows([]);
              box.current?.focus();
            }}
          >
            Clear the page
          </Button>
        </div>
      )}
    </div>
  );
}
