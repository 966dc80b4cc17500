// Asks the questions of a conversation, and stores each answered turn in a thread.
import { useEffect, useRef, useState } from 'react';
import { ApiProblem } from '../../../api/client.ts';
import { queryClient, signInAgain } from '../../../api/query-client.ts';
import { createAnswerQuery, type ReopenedAnswer, storeTurn, type Thread, toInquiry } from '../api/answers.ts';
import { askInConversation, askInquiry, type Envelope, type Inquiry, type QuestionInquiry } from '../api/ask.ts';
import {
  type ConversationTurn,
  canHaveFollowUp,
  createFollowUp,
  createTurn,
  formatTurnTitle,
  isRunning,
} from './turn-state.ts';

export function useConversation(options: {
  thread: Thread | null;
  answer: string | undefined;
  onStored: (thread: Thread) => void;
}) {
  const { thread, answer } = options;
  const [turns, setTurns] = useState<ConversationTurn[]>(() =>
    answer ? [toTurn(answer, null, null)] : toTurns(thread),
  );
  const [followed, setFollowed] = useState<ConversationTurn | null>(null);
  const [saveFault, setSaveFault] = useState<unknown>(null);
  const runController = useRef<AbortController | null>(null);
  const storedThreadId = useRef(thread?.own ? thread.id : null);
  useEffect(() => () => runController.current?.abort(), []);

  const changeTurn = (turnId: string, changes: Partial<ConversationTurn>) =>
    setTurns((currentTurns) => currentTurns.map((item) => (item.id === turnId ? { ...item, ...changes } : item)));

  /** Stores an answered turn. If this fails, the page shows the failure and keeps the answer. */
  async function saveTurn({ request_id }: Envelope): Promise<void> {
    try {
      const storedThread = await storeTurn(request_id, storedThreadId.current);
      storedThreadId.current = storedThread.id;
      setSaveFault(null);
      if (runController.current?.signal.aborted) return; // the person left the page while the answer was being saved
      options.onStored(storedThread);
    } catch (fault) {
      setSaveFault(fault);
    }
  }

  async function run(inquiry: Inquiry, followUp: QuestionInquiry | null = null): Promise<void> {
    runController.current?.abort();
    const abort = new AbortController();
    runController.current = abort;
    const turn = createTurn(inquiry);
    setFollowed(null);
    setTurns((currentTurns) => [...currentTurns.filter((item) => !isRunning(item)), turn]);
    try {
      const asked = followUp
        ? await askInConversation([inquiry, followUp], abort.signal)
        : { inquiry, envelope: await askInquiry(inquiry, abort.signal) };
      changeTurn(turn.id, asked);
      await saveTurn(asked.envelope);
    } catch (fault) {
      if (fault instanceof ApiProblem && fault.status === 401) signInAgain();
      changeTurn(turn.id, {
        fault: abort.signal.aborted ? new Error('Stopped. The conversation doesn’t include this question.') : fault,
      });
    }
  }

  const earlierTurn = followed ?? turns.findLast(canHaveFollowUp);
  return {
    turns,
    followedQuestion: followed ? formatTurnTitle(followed.inquiry) : null,
    saveFault,
    running: turns.some(isRunning),
    run,
    earlier: earlierTurn ? createFollowUp(earlierTurn, createQuestionInquiry('', null)) : null,
    askNext: (q: string, lens: string | null) => {
      const inquiry = createQuestionInquiry(q, lens);
      if (followed) return void run(createFollowUp(followed, inquiry));
      const followUp = earlierTurn ? createFollowUp(earlierTurn, inquiry) : null;
      void run(inquiry, followUp && [null, followUp.lens].includes(lens) ? followUp : null);
    },
    follow: setFollowed,
    followNothing: () => setFollowed(null),
    setAnswer: (turnId: string, { own, asked_at, changed, ...rest }: ReopenedAnswer) =>
      changeTurn(turnId, {
        reopenDetails: { own, asked_at, changed },
        envelope: rest.answer as Envelope,
        inquiry: toInquiry({ own, asked_at, changed, ...rest }),
      }),
    /**
     * Reopens a stored answer instead of asking again, because the app may not know the question of a stored answer.
     */
    askAgain: ({ id, inquiry, storedRequestId }: ConversationTurn) => {
      if (!storedRequestId) return void run(inquiry);
      changeTurn(id, { envelope: null, fault: null });
      void queryClient.resetQueries({ queryKey: createAnswerQuery(storedRequestId).queryKey });
    },
    setFault: (turnId: string, fault: unknown) => changeTurn(turnId, { fault }),
    stop: () => runController.current?.abort(),
  };
}

const createQuestionInquiry = (q: string, lens: string | null): QuestionInquiry => ({
  kind: 'question',
  q,
  lens,
  choices: {},
  earlierQuestions: [],
});

const toTurns = (thread: Thread | null): ConversationTurn[] =>
  (thread?.turns ?? []).map(({ request_id, question, lens }) => toTurn(request_id, question, lens));

const toTurn = (requestId: string, question: string | null, lens: string | null): ConversationTurn =>
  createTurn({ kind: 'question', q: question ?? '', lens, choices: {}, earlierQuestions: [] }, requestId);
