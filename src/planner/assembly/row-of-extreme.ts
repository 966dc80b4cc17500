// "the lowest price and its product": one row with both, not the lowest price of each product.
import type { Cursor } from '../grammar/cursor.ts';
import type { Shown } from '../grammar/draft.ts';
import { refuse } from '../grammar/resolve.ts';

const ITS = /^(?:its|their|his|her|corresponding|respective)$/;

const EACH = /^(?:each|every|per|by|across)$/;
const fnWord = (fn: 'min' | 'max'): string => (fn === 'max' ? 'highest' : 'lowest');

export const rowOfExtreme = (c: Cursor, shown: Shown[]): void => {
  const { groups, ranks, havings } = c.draft;
  const [first, ...others] = shown;
  const extreme = first?.measure;
  if (extreme?.kind !== 'aggregate' || (extreme.fn !== 'min' && extreme.fn !== 'max') || !extreme.slot) return;
  if (others.length === 0 || groups.length + ranks.length + havings.length > 0) return;
  const pronoun =
    others.every(({ slot }) => slot) && others.some(({ slot }) => ITS.test(c.tokens[slot!.at - 1]?.norm ?? ''));
  // "the maximum price and the name of the product": of the one that has it, or a row for each?
  const slots = others.every(({ slot, entity }) => slot ?? entity) && c.tokens.every(({ norm }) => !EACH.test(norm));
  if (!pronoun && slots) refuse(extreme.text, `Say which has the ${fnWord(extreme.fn)}, or "for each".`);
  if (!pronoun) return;
  const { slot, at, text, fn } = extreme;
  shown[0] = { slot };
  ranks.push({ at, text, limit: 1, direction: fn === 'max' ? 'desc' : 'asc', by: slot });
};
