// A question on the page and its outcome.
import type { ReopenedAnswer } from '../api/answers.ts';
import type { Envelope, Inquiry } from '../api/ask.ts';

export interface TurnState {
  id: string;
  inquiry: Inquiry;
  /** The request id of a stored turn. The turn is asked again when it comes into view. */
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
