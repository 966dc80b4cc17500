// A question on the page and its outcome.
import type { ReopenedAnswer } from '../api/answers.ts';
import type { Asked, Envelope } from '../api/ask.ts';

export interface TurnState {
  id: string;
  asked: Asked;
  /** The request id of a stored turn. The turn is asked again when it comes into view. */
  kept: string | null;
  opened: Pick<ReopenedAnswer, 'own' | 'asked_at' | 'changed'> | null;
  envelope: Envelope | null;
  fault: unknown;
  startedAt: number;
}

export const newTurn = (asked: Asked, kept: string | null = null): TurnState => ({
  id: kept ?? crypto.randomUUID(),
  asked,
  kept,
  opened: null,
  envelope: null,
  fault: null,
  startedAt: performance.now(),
});

export const isRunning = ({ envelope, fault, kept }: TurnState): boolean => !envelope && !fault && !kept;
