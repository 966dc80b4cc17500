// Chooses every option of a clarification. Each option must lead to an answer or to a new clarification.
import type { Clarification, Envelope } from '../../src/contract/ask.ts';

type Choices = Record<string, string>;
export type Asks = (choices: Choices) => Promise<Envelope>;
const keysOf = ({ options }: Clarification): string[] =>
  options.slice(0, 4).map((option) => (typeof option === 'string' ? option : option.key));

/** Describes the problems on each path from the first reply. */
export async function findOptionProblems(
  q: string,
  firstEnvelope: Envelope,
  ask: Asks,
  choices: Choices = {},
): Promise<string[]> {
  const { clarification, status, answer } = firstEnvelope;
  const choiceCount = Object.keys(choices).length;
  if (status !== 'clarification')
    return status === 'answered' || choiceCount === 0 ? [] : [`${q} ${JSON.stringify(choices)}: ${status} ${answer}`];
  const { term } = clarification!;
  if (term in choices || choiceCount > 4) return [`${q} ${JSON.stringify(choices)}: asked again about ${term}`];
  if (clarification!.options.length === 0) return [`${q}: nothing to choose for ${term}`];
  const wrong: string[] = [];
  for (const key of keysOf(clarification!)) {
    const next = { ...choices, [term]: key };
    wrong.push(...(await findOptionProblems(q, await ask(next), ask, next)));
  }
  return wrong;
}
