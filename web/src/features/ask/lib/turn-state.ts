import type { ReopenedAnswer } from '../api/answers.ts';
import type { Envelope, Inquiry, QuestionInquiry } from '../api/ask.ts';

export interface ConversationTurn {
  id: string;
  inquiry: Inquiry;
  /** A question with its answer. When a stored turn scrolls into view, svc computes the answer again. */
  storedRequestId: string | null;
  reopenDetails: Pick<ReopenedAnswer, 'own' | 'asked_at' | 'changed'> | null;
  envelope: Envelope | null;
  fault: unknown;
  startedAt: number;
}

export const createTurn = (inquiry: Inquiry, storedRequestId: string | null = null): ConversationTurn => ({
  id: storedRequestId ?? crypto.randomUUID(),
  inquiry,
  storedRequestId,
  reopenDetails: null,
  envelope: null,
  fault: null,
  startedAt: performance.now(),
});

export const isRunning = ({ envelope, fault, storedRequestId }: ConversationTurn): boolean =>
  !envelope && !fault && !storedRequestId;

/** Returns the text of a question that the person asked in this page and that has no answer yet. */
export const getUnansweredText = ({ inquiry, envelope, storedRequestId }: ConversationTurn): string =>
  inquiry.kind === 'question' && !envelope && !storedRequestId ? inquiry.q : '';

/** A stored turn with a known question accepts a follow-up before its answer is loaded. */
export const canHaveFollowUp = ({ inquiry, envelope, storedRequestId, fault }: ConversationTurn): boolean =>
  hasQuestion(inquiry) &&
  (envelope ? ['answered', 'clarification'].includes(envelope.status) : storedRequestId !== null && !fault);

/** A stored answer that the app can't show, such as another person's answer, has no question. */
export const hasQuestion = (inquiry: Inquiry): boolean => inquiry.kind === 'plan' || inquiry.q !== '';

export const formatTurnTitle = (inquiry: Inquiry): string =>
  inquiry.kind === 'plan' ? inquiry.title : inquiry.q || 'An answer';

/** After a choice or a click on the answer, the earlier question is svc's own wording, which includes the choice. */
export function createFollowUp({ inquiry, envelope }: ConversationTurn, question: QuestionInquiry): QuestionInquiry {
  const before = inquiry.kind === 'question' ? inquiry.earlierQuestions : [];
  const isAlone = inquiry.kind === 'question' && before.length + Object.keys(inquiry.choices).length === 0;
  const sentence = isAlone || envelope?.status !== 'answered' ? null : envelope.scope?.sentence;
  return {
    ...question,
    lens: envelope?.lens ?? inquiry.lens,
    earlierQuestions: sentence ? [sentence] : [...before, formatTurnTitle(inquiry)],
  };
}
