// "What cities do students live in?", "all cities where students live": the cities, each once, and no row for each student.
import type { Cursor } from '../grammar/cursor.ts';
import type { FieldSlot } from '../grammar/draft.ts';
import { isNumeric } from '../words/datatypes.ts';

const OF_THEM = /^(?:do|does|did|are|were|where|in which|in that|from which|from where|at which|on which|that)$/;
const ASKED = /^(?:which|what|all|all the|in which|in what|from which|at which|what are the|the)$/;

/** Values said in the plural, and behind them what the things do there. */
export const asksForValues = (c: Cursor, slot: FieldSlot): boolean => {
  const length = slot.text.split(' ').length;
  const last = c.tokens[slot.at + length - 1];
  if (!last || last.norm === last.stem || length > 2) return false;
  const norm = (at: number): string => c.tokens[at]?.norm ?? '';
  const led = [1, 2, 3].some((count) =>
    ASKED.test(
      Array.from({ length: count }, (_, index) => norm(slot.at - count + index))
        .join(' ')
        .trim(),
    ),
  );
  const after = slot.at + length;
  const two = OF_THEM.test(`${norm(after)} ${norm(after + 1)}`) ? 2 : OF_THEM.test(norm(after)) ? 1 : 0;
  let thing = after + two;
  while (/^(?:the|our|all|any)$/.test(norm(thing))) thing++;
  const things = c.draft.entities.some(({ at }) => at === thing);
  return (
    led && two > 0 && things && slot.candidates.every(({ fields }) => fields.every((one) => !isNumeric(one.datatype)))
  );
};
