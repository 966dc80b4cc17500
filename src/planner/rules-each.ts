// "…, and how many orders are there for each": each of what was named before, which the answer is grouped by anyway.
import type { Rule } from './rule.ts';

const EACH_OF_THEM =
  /(?:(?:have|has|had) been (?:made|done|used|placed) )?(?:(?:corresponds?|corresponding|belongs?|belonging) to |(?:(?:are|were|is|was) )?(?:there )?(?:for|in|of|with|from|at|by|on) |(?:does|do|did|has|have) )?each(?: one| of (?:them|these|those))?(?: (?:have|has|hold|contain|include))?(?= (?:\.|\?|,|;|!)|$)/;

export const eachOfThem: Rule = (c) => {
  const { shown } = c.draft;
  if (!shown.some(({ measure }) => measure) || shown.every(({ measure }) => measure)) return false;
  return c.take(EACH_OF_THEM, 'each');
};
