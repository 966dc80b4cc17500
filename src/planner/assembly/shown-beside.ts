// "films and their ratings", "their industries, and what are the companies": the thing is asked for besides a field of
// its own, so that what it is called by is shown too. Elsewhere a field of a thing says enough.
import type { Cursor } from '../grammar/cursor.ts';
import type { EntityMention, FieldSlot, Shown } from '../grammar/draft.ts';

const FIRST = /^(?:,? ?and|,|,? ?(?:along|together) with|as well as) (?:(?:also|the|its|their|his|her) )*$/;
const LAST = /^(?:,? ?and|,) (?:(?:also|what|which|who|is|are|was|were|the|all) )*$/;
/** "which customers are from Brazil, and what is their city?" */
const THEN = /(?:^| )and (?:also )?(?:what|which|who) (?:is|are|was|were) (?:(?:the|its|their|his|her) )*$/;

/** A name beside the thing is what it is called by: "the customers and their first names". */
const namesIt = (c: Cursor, { candidates }: FieldSlot, dataset: string): boolean =>
  candidates.some((one) => one.fields.some((field) => c.vocabulary.display(dataset).includes(field)));

export const shownBeside = (c: Cursor, entity: EntityMention, shown: Shown[]): boolean => {
  const said = (from: number, to: number): string =>
    c.tokens
      .slice(from, to)
      .map(({ norm }) => `${norm} `)
      .join('');
  const slots = shown.flatMap(({ slot }) => (slot ? [slot] : []));
  if (slots.some((slot) => namesIt(c, slot, entity.dataset))) return false;
  const end = entity.at + entity.text.split(' ').length;
  if (slots.some(({ at }) => at > end && (FIRST.test(said(end, at)) || THEN.test(said(end, at))))) return true;
  let before = entity.at;
  while (before > 0 && /^(?:also|what|which|who|is|are|was|were|the|all)$/.test(c.tokens[before - 1]!.norm)) before--;
  return slots.some(({ at }) => at < before) && LAST.test(said(Math.max(0, before - 1), entity.at));
};
