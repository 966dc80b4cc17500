// "students taking classes from the Art department": whose department? What stands behind a noun is said of that noun.
import type { Cursor } from './cursor.ts';
import type { ConditionDraft, EntityMention } from './draft.ts';

/** The thing right in front of a condition, when it is on the many side of a home and leads to the condition's dataset by
 *  ways of its own: nothing of the home's own is meant then. */
export const nearestNoun = (c: Cursor, draft: ConditionDraft, home: string, dataset: string): EntityMention | null => {
  const { graph } = c.vocabulary;
  let before = draft.at - 1;
  while (/^(?:the|a|an|all|any|our)$/.test(c.tokens[before]?.norm ?? '')) before--;
  if (!/^(?:from|in|of|at|by|within)$/.test(c.tokens[before]?.norm ?? '')) return null;
  const noun = c.draft.entities.find(({ at, text }) => at + text.split(' ').length === before);
  if (!noun || noun.dataset === home || graph.paths(home, noun.dataset).length > 0) return null;
  const steps = graph.paths(noun.dataset, dataset);
  const overHome = steps.some(({ via }) => via.some(({ to }) => to.dataset === home));
  return steps.length > 0 && !overHome ? noun : null;
};

/** Rows that link a home with the noun lead to the condition's dataset over the noun, and in no other way. */
export const overNoun = (c: Cursor, through: string, noun: EntityMention, dataset: string): boolean =>
  through === noun.dataset ||
  c.vocabulary.graph
    .paths(through, dataset)
    .every(({ via, ambiguous }) => !ambiguous && via.some(({ to }) => to.dataset === noun.dataset));
