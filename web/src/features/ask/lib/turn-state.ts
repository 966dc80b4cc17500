// A question on the page and what came of it.
import type { Reopened } from '../api/answers.ts';
import type { Asked, Envelope } from '../api/ask.ts';

export interface TurnState {
  id: string;
  asked: Asked;
  /** Of a turn that was kept: its request, which is asked again once it is looked at. */
  kept: string | null;
  opened: Pick<Reopened, 'own' | 'asked_at' | 'changed'> | null;
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
