// What was asked, for asking it again: the door, and what went through it.
import type { StoredTrace } from './trace-repository.ts';

export interface AskedOnce {
  route: string;
  lens: string | null;
  question: string | null;
  certified_id: string | null;
  parameters: StoredTrace['envelope']['parameters'];
  /** What the route was asked beside the question: choices, a plan, parameters, SQL. */
  asked: Record<string, unknown>;
  /** Earlier turns of the conversation, oldest first. */
  context: string[];
}

export const askedOnce = ({ route, envelope, asked, context }: StoredTrace): AskedOnce => {
  const { lens, question, certified_id, parameters } = envelope;
  return { route, lens, question, certified_id, parameters, asked, context };
};

/** Without the question that a plan was proposed for, which has words that the plan leaves out. */
export function withoutProposal({ asked: { answers: _, ...asked }, ...rest }: AskedOnce): AskedOnce {
  return { ...rest, asked };
}
