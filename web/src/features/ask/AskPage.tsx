// The browser tab keeps the typed text and the question without an answer, so neither is lost if the person reloads the
// page or has to sign in again.
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { canManage, sessionQuery } from '../../api/session.ts';
import { showHiddenCharacters } from '../../ui/hidden-characters.ts';
import { EmptyState, ErrorState, LoadingState } from '../../ui/States.tsx';
import { useFileDropToDataPage } from '../data/files/use-file-drop.ts';
import { createThreadQuery, type Thread } from './api/answers.ts';
import { lensesQuery } from './api/lenses.ts';
import { AskBox } from './components/AskBox.tsx';
import css from './components/ask.module.css';
import { StartPanel } from './components/StartPanel.tsx';
import { StoredTurn } from './components/StoredTurn.tsx';
import { ThreadHead } from './components/ThreadHead.tsx';
import { Turn } from './components/Turn.tsx';
import { getUnansweredText } from './lib/turn-state.ts';
import { useConversation } from './lib/use-conversation.ts';

const DRAFT_STORAGE_KEY = 'svc draft';

export function AskPage() {
  const { thread } = useSearch({ strict: false });
  const { id: answer } = useParams({ strict: false });
  const storedThread = useQuery({ ...createThreadQuery(thread ?? ''), enabled: thread !== undefined });
  // After svc stores a new conversation, the conversation stays open until the person leaves it.
  const [begunThread, setBegunThread] = useState<string | null>(null);
  const [place, setPlace] = useState({ thread, leftCount: 0 });
  if (thread !== place.thread) {
    setPlace({ thread, leftCount: place.leftCount + (place.thread ? 1 : 0) });
    if (place.thread) setBegunThread(null);
  }
  const title = storedThread.data?.title;
  useEffect(() => {
    document.title = `${title ? showHiddenCharacters(title) : 'Ask'} · svc`;
  }, [title]);
  if (thread && storedThread.error)
    return (
      <div className={css.page}>
        <h1>Conversation</h1>
        <ErrorState fault={storedThread.error} onRetry={() => void storedThread.refetch()} />
      </div>
    );
  if (thread && !storedThread.data) return <LoadingState lines={8} />;
  const key = answer ?? (thread && thread !== begunThread ? thread : `started here ${place.leftCount}`);
  return <Conversation key={key} thread={storedThread.data ?? null} answer={answer} onThreadCreated={setBegunThread} />;
}

function Conversation(props: {
  thread: Thread | null;
  answer: string | undefined;
  onThreadCreated: (thread: string) => void;
}) {
  const { thread } = props;
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { data: lenses } = useSuspenseQuery(lensesQuery);
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const { history } = useRouter();
  const findPath = () => history.location.pathname.replace(/\/$/, ''); // "/app" and "/app/" are the same page
  const [ownPath] = useState(findPath);
  const [text, setText] = useState(() => search.q ?? sessionStorage.getItem(DRAFT_STORAGE_KEY) ?? '');
  const box = useRef<HTMLTextAreaElement>(null);
  const newest = useRef<HTMLDivElement>(null);
  const lens = search.lens ?? null;
  const conversation = useConversation({
    thread,
    answer: props.answer,
    onStored: ({ id }) => {
      if (findPath() !== ownPath) return; // the person has selected a link whose page is still loading
      if (!thread) props.onThreadCreated(id);
      // The person may have chosen another lens while the answer was being saved. The browser's Back button leads from
      // the first answer to the empty page.
      const search = (now: { lens?: string | undefined }) => ({ lens: now.lens, thread: id });
      void navigate({ to: '/', search, replace: thread !== null, resetScroll: false });
    },
  });
  const { turns, running } = conversation;
  useEffect(() => {
    if (!props.answer) box.current?.focus({ preventScroll: true });
  }, [props.answer]);
  // A question from a link isn't saved as the person's draft.
  const [linkedQuestion, setLinkedQuestion] = useState(search.q);
  if (search.q !== linkedQuestion) {
    setLinkedQuestion(search.q);
    if (search.q !== undefined) setText(search.q);
    else if (text === linkedQuestion) setText(sessionStorage.getItem(DRAFT_STORAGE_KEY) ?? '');
  }
  const hasText = text.length > 1;
  useEffect(() => {
    if (hasText) void import('../../ui/Chart.tsx').catch(() => undefined); // preloads the chart code for the first answer
  }, [hasText]);
  const last = turns.at(-1);
  const draft = text || (last ? getUnansweredText(last) : '');
  useEffect(() => {
    if (draft !== search.q) sessionStorage.setItem(DRAFT_STORAGE_KEY, draft);
  }, [draft, search.q]);
  const askedTurnId = last && !last.storedRequestId ? last.id : undefined;
  useEffect(() => {
    if (askedTurnId !== undefined) newest.current?.scrollIntoView({ block: 'start' });
  }, [askedTurnId]);
  const [startsWithTurns] = useState(turns.length > 1);
  useEffect(() => {
    if (!startsWithTurns) return;
    const frame = requestAnimationFrame(() => newest.current?.scrollIntoView({ block: 'start' }));
    return () => cancelAnimationFrame(frame);
  }, [startsWithTurns]);
  const choose = (lensName: string | null) =>
    void navigate({ to: '/', search: (now) => ({ ...now, lens: lensName ?? undefined }), resetScroll: false });
  const askQuestion = (q: string, lensName = lens) => {
    setText('');
    conversation.askNext(q, lensName);
  };
  const begin = () => void navigate({ to: '/', search: { lens: lens ?? undefined } });

  if (thread && turns.length === 0) return <NoThreadAccess />;
  if (lenses.length === 0) return <NoLenses mayAddData={canManage(session)} />;
  const isEmpty = turns.length === 0;
  return (
    <div className={isEmpty ? css.pageStart : css.page}>
      {isEmpty && (
        <div className={css.hello}>
          <h1>What would you like to know?</h1>
          <p>Every answer comes with its SQL, its checks and a receipt.</p>
        </div>
      )}
      {!isEmpty && <ThreadHead thread={thread} onNew={begin} />}
      {conversation.saveFault ? (
        <p className={css.hint}>This conversation can’t be saved: {(conversation.saveFault as Error).message}</p>
      ) : null}
      <div className={css.turns}>
        {turns.map((turn, index) => (
          <div key={turn.id} ref={index === turns.length - 1 ? newest : undefined} className={css.turnPlace}>
            <StoredTurn
              turn={turn}
              onOpened={(reopenedAnswer) => conversation.setAnswer(turn.id, reopenedAnswer)}
              onFailed={(fault) => conversation.setFault(turn.id, fault)}
            >
              <Turn
                turn={turn}
                onAsk={(inquiry) => void conversation.run(inquiry)}
                onAskAgain={() => conversation.askAgain(turn)}
                onFollowUp={() => {
                  conversation.follow(turn);
                  if (lens) choose(turn.envelope?.lens ?? turn.inquiry.lens);
                  box.current?.focus({ preventScroll: true });
                }}
              />
            </StoredTurn>
          </div>
        ))}
      </div>
      <div className={isEmpty ? css.boxPlaceStart : css.boxPlace}>
        <AskBox
          textAreaRef={box}
          text={text}
          onText={setText}
          lens={lens}
          onLens={choose}
          lenses={lenses}
          followedQuestion={conversation.followedQuestion}
          isConversation={!isEmpty}
          earlierContext={conversation.earlier}
          onCancelFollowUp={() => {
            conversation.followNothing();
            box.current?.focus({ preventScroll: true });
          }}
          running={running}
          onAsk={askQuestion}
          onStop={conversation.stop}
        />
      </div>
      {isEmpty && <StartPanel lenses={lenses} lens={lens} mayAddData={canManage(session)} onAsk={askQuestion} />}
    </div>
  );
}

const NoThreadAccess = () => (
  <div className={css.page}>
    <h1>Shared conversation</h1>
    <EmptyState title="You don’t have access to the data in this conversation">
      Ask an admin of your organization for access to the lens of this conversation, or{' '}
      <Link to="/">ask a question</Link>.
    </EmptyState>
  </div>
);

const NoLenses = ({ mayAddData }: { mayAddData: boolean }) => (
  <div className={css.page}>
    <EmptyState title="No lenses yet">
      {mayAddData ? <AddData /> : 'Ask an admin to link your account to a caller that can use a lens.'}
    </EmptyState>
  </div>
);

function AddData() {
  useFileDropToDataPage();
  return (
    <>
      Drop a CSV, JSON or Parquet file, or connect a database: <Link to="/data">add your data</Link>.
    </>
  );
}
