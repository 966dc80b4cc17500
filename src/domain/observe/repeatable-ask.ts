// The route and body of a stored request, for repeating the ask.
import type { StoredTrace } from './trace-repository.ts';

export interface RepeatableAsk {
  route: string;
  lens: string | null;
  question: string | null;
  certified_id: string | null;
  parameters: StoredTrace['envelope']['parameters'];
  /** The request body without the question: choices, a plan, parameters, SQL. */
  asked: Record<string, unknown>;
  /** Earlier turns of the conversation, oldest first. */
  context: string[];
}

export const toRepeatableAsk = ({ route, envelope, asked, context }: StoredTrace): RepeatableAsk => {
  const { lens, question, certified_id, parameters } = envelope;
  return { route, lens, question, certified_id, parameters, asked, context };
};

/** The question of a proposed plan contains words that the plan ignores. */
export function withoutProposedQuestion({ asked: { answers: _, ...asked }, ...rest }: RepeatableAsk): RepeatableAsk {
  return { ...rest, asked };
}
