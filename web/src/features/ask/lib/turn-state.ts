// The state of a question on the page.
import type { ReopenedAnswer } from '../api/answers.ts';
import type { Envelope, Inquiry } from '../api/ask.ts';

export interface TurnState {
  id: string;
  inquiry: Inquiry;
  /** The request id of a stored turn, whose answer svc computes again when the turn scrolls into view. */
  storedRequestId: string | null;
  reopenDetails: Pick<ReopenedAnswer, 'own' | 'asked_at' | 'changed'> | null;
  envelope: Envelope | null;
  fault: unknown;
  startedAt: number;
}

export const newTurn = (inquiry: Inquiry, storedRequestId: string | null = null): TurnState => ({
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
