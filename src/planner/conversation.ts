// What a question owes to the one before it: the meaning that it picks for a term, and the limits that it no longer names.

import { fieldsOf } from './follow-up.ts';
import type { Cursor } from './grammar/cursor.ts';
import { phraseKey } from './words/vocabulary.ts';

/** "Profit in USD", said when "margin" was asked back: the earlier question with that meaning. */
export const picksSense = (earlier: Cursor, question: string): { term: string; key: string } | null => {
  const said = phraseKey(question.replace(/^\W*(?:the|i mean|i meant)\b/i, ''));
  for (const { definition } of earlier.draft.definitions) {
    const sense = definition.senses.find(({ key, label }) => [key, label].some((name) => phraseKey(name) === said));
    if (sense) return { term: definition.term, key: sense.key };
  }
  return null;
};

/** "What was profit?" behind "revenue in the West in 2016": of all that is stored, or of the West in 2016? It stands alone,
 *  but that nothing is left out is not proven. */
export const leftOut = (alone: Cursor, earlier: Cursor): string | null => {
  const { conditions, times, havings, clauses } = alone.draft;
  if (earlier.unread.length > 0 || conditions.length + times.length + havings.length > 0) return null;
  if (clauses.some(({ relation }) => relation)) return null;
  const grouped = new Set(
    alone.draft.groups.flatMap((group) =>
      'candidates' in group
        ? group.candidates.flatMap(({ dataset, fields }) => fields.map(({ name }) => `${dataset}.${name}`))
        : [],
    ),
  );
  const limits = [
    ...earlier.draft.conditions.filter((one) => ![...fieldsOf(one)].some((name) => grouped.has(name))),
    ...earlier.draft.times,
  ].map(({ text }) => `"${text}"`);
  return limits.length === 0
    ? null
    : `Limits of the earlier question are not applied: ${limits.join(', ')}. Begin with "and" to keep them.`;
};
