// "How many advisors are there?", where an advisor is a number: the numbers of advisors are not to be added up. Whether a
// number counts something ("bedrooms") or stands for something, the lens does not say; where the question doesn't either,
// it is asked to.
import type { Cursor } from './cursor.ts';
import type { FieldSlot } from './draft.ts';
import { refuse } from './resolve.ts';

/** Behind what is counted: that there are any, and no more. */
const BARE =
  /^(?:(?:is|are|were|do|does|did|have|has|been|there|we|you|exist|exists|listed|in|total|all|together|altogether|[.?!])(?: |$))*$/;
/** Who does something: a number in a field called so is whose. */
const DOER = /(?:[ei]ser|[ao]tor|[cst]tor|[aeiou]sor|ager|yer|eader|acher|iver|wner|ician|ist|ee)$/;

export const refuseCodeSum = (c: Cursor, slot: FieldSlot): void => {
  const bare = c.draft.entities.length + c.draft.conditions.length === 0 && BARE.test(restOf(c));
  const doer = slot.candidates.some(({ fields }) => DOER.test(fields[0]!.name));
  // "copies" of a book are many.
  const counts = slot.candidates.every(
    ({ fields: [field] }) =>
      /[a-z]{2}[^su\W]s$/i.test(field!.name) ||
      [field!.name, ...field!.synonyms].some((name) => /(?:^|[ _])(?:number|count|total)(?:$|[ _])/i.test(name)),
  );
  if (counts || !(bare || doer)) return;
  refuse(slot.text, `Say "how many different ${slot.text}" or "the total of ${slot.text}".`);
};
const restOf = (c: Cursor): string =>
  c.tokens
    .slice(c.at)
    .map(({ norm }) => norm)
    .join(' ');
