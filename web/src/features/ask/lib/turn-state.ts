// A question on the page and what came of it.
import type { Asked, Envelope } from '../api/ask.ts';

export interface TurnState {
  id: number;
  asked: Asked;
  envelope: Envelope | null;
  fault: unknown;
  startedAt: number;
}
