// The state of a question on the page.
import type { ReopenedAnswer } from '../api/answers.ts';
import type { Envelope, Inquiry, QuestionInquiry } from '../api/ask.ts';

export interface TurnState {
  id: string;
  inquiry: Inquiry;
  /** The request ID of a stored turn, whose answer svc computes again when the turn scrolls into view. */
  storedRequestId: string | null;
  reopenDetails: Pick<ReopenedAnswer, 'own' | 'asked_at' | 'changed'> | null;
  envelope: Envelope | null;
  fault: unknown;
  startedAt: number;
}

export const createTurn = (inquiry: Inquiry, storedRequestId: string | null = null): TurnState => ({
  id: storedRequestId ?? crypto.randomUUID(),
  inquiry,
  storedRequestId,
  reopenDetails: null,
  envelope: null,
  fault: null,
  startedAt: performance.now(),
});

export const isRunning = ({ envelope, fault, storedRequestId }: TurnState): boolean =>
  !envelope && !fault && !storedRequestId;

/**
 * Returns true if the turn has an answer or a clarification, or if a stored turn has a known question that isn't loaded
 * yet.
 */
export const acceptsFollowUp = ({ inquiry, envelope, storedRequestId, fault }: TurnState): boolean =>
  hasQuestion(inquiry) &&
  (envelope ? ['answered', 'clarification'].includes(envelope.status) : storedRequestId !== null && !fault);

/** Returns false for a stored answer without a question, such as another person's answer that the app can't show. */
export const hasQuestion = (inquiry: Inquiry): boolean => inquiry.kind === 'plan' || inquiry.q !== '';

/** The question, or a title if the question is unknown. */
export const formatTurnTitle = (inquiry: Inquiry): string =>
  inquiry.kind === 'plan' ? inquiry.title : inquiry.q || 'An answer';

/**
 * Returns the question as a follow-up to a turn. If the person made a choice or clicked a part of the answer, the
 * earlier question is svc's own wording, which includes that choice.
 */
export function createFollowUp({ inquiry, envelope }: TurnState, question: QuestionInquiry): QuestionInquiry {
  const before = inquiry.kind === 'question' ? inquiry.earlierQuestions : [];
  const isAlone = inquiry.kind === 'question' && before.length + Object.keys(inquiry.choices).length === 0;
  const sentence = isAlone || envelope?.status !== 'answered' ? null : envelope.scope?.sentence;
  return {
    ...question,
    lens: envelope?.lens ?? inquiry.lens,
    earlierQuestions: sentence ? [sentence] : [...before, formatTurnTitle(inquiry)],
  };
}
