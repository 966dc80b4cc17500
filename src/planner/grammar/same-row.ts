// "lots of transactions whose count is over 100 and whose type is PUR": both clauses are about one transaction, not about
// one that is large and another that is a purchase.
import type { Cursor } from './cursor.ts';
import type { Clause, TimeDraft } from './draft.ts';
import type { Placed } from './place-conditions.ts';

/** A clause right behind a thing is about that thing; the next one goes on about it unless another thing is named first. */
export const goesOnAbout = (c: Cursor, before: Clause, from: number, said: string): void => {
  const { clause } = c;
  const last = c.draft.entities.at(-1);
  const behind = last?.part === true && last.at + last.text.split(' ').length === from;
  const thing = behind ? last : c.draft.entities.findLast((one) => !one.part);
  if (!thing || /\bwhom?\b/i.test(said)) return;
  if (thing.at + thing.text.split(' ').length === from) clause.about = thing;
  else if (before.about === thing && !before.negated && clause !== before) {
    clause.about = thing;
    clause.goesOn = before.goesOn ?? before;
  }
};

/** What is beyond the rows at hand holds for one related row where the clauses go on about it. */
export const joinClauses = (placed: Placed[], times: TimeDraft[]): void => {
  const through = (clause: Clause, path: string): boolean =>
    placed.some((one) => one.draft.clause === clause && one.through === path);
  for (const { draft, through: path } of placed)
    if (draft.clause.goesOn && path !== null && through(draft.clause.goesOn, path)) draft.clause = draft.clause.goesOn;
  for (const time of times)
    if (time.clause.goesOn && placed.some((one) => one.draft.clause === time.clause.goesOn && one.through !== null))
      time.clause = time.clause.goesOn;
};
