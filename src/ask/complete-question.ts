// A question that is being typed, completed for one asker: from the lens alone, with no query.
import type { z } from 'zod';
import type { Completion, completeQuery, PhraseList } from '../contract/complete.ts';
import type { Asker, Lens } from '../lens/lens.ts';
import { lensOfferedTo } from '../lens/lens-seen-by.ts';
import { completeAt } from '../planner/complete/complete.ts';
import { phrasesOf } from '../planner/complete/phrases.ts';

export function completeQuestion(
  lens: Lens,
  asker: Asker,
  { q, cursor = q.length, limit }: z.infer<typeof completeQuery>,
  now: Date,
): Completion {
  const { next, unresolved, sentence } = completeAt({
    lens: lensOfferedTo(lens, asker),
    text: q,
    cursor: Math.min(cursor, q.length),
    now,
    limit,
  });
  return {
    next,
    unresolved: unresolved.map(({ candidates, ...word }) => ({
      ...word,
      candidates: candidates.map(({ kind, said, name }) => ({ kind, text: said, name })),
    })),
    sentence,
  };
}

/** Questions that the lens answers, by its names and the values that this caller may see. */
export const phrasesFor = (lens: Lens, asker: Asker, now: Date): PhraseList => ({
  items: phrasesOf(lensOfferedTo(lens, asker), now),
});
