// What a question may owe to the one before it: the limits that it no longer names.

import { fieldsOf } from './follow-up.ts';
import type { Cursor } from './grammar/cursor.ts';

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
