// "…, and how many orders are there for each": each of what was named before, which the answer is grouped by anyway.
import type { Rule } from './rule.ts';

const EACH_OF_THEM =
  /(?:(?:have|has|had) been (?:made|done|used|placed) )?(?:(?:corresponds?|corresponding|belongs?|belonging) to |(?:(?:are|were|is|was) )?(?:there )?(?:for|in|of|with|from|at|by|on) |(?:does|do|did|has|have) )?each(?: one| of (?:them|these|those))?(?: (?:have|has|hold|contain|include))?(?= (?:\.|\?|,|;|!)|$)/;

/** "for each country, how many are from that country": the one it is grouped by. */
const thatOne: Rule = (c) => {
  const length = c.match(
    /(?:(?:that |which |who )?(?:have|has)|having|in|from|of|for|with|on|at|by|to) (?:that|this|the same)/,
  );
  const terms = length > 0 ? (c.phrase(length)?.terms ?? []) : [];
  const group = c.draft.groups.at(-1);
  // "the number of orders having that status": of each status.
  if (/hav|has/.test(c.textOf(c.at, length)) && !c.draft.shown.at(-1)?.measure) return false;
  const same =
    group &&
    terms.some((term) =>
      term.kind === 'dataset'
        ? 'dataset' in group && group.dataset === term.dataset
        : term.kind === 'field' &&
          'candidates' in group &&
          group.candidates.some(({ dataset, fields }) => dataset === term.dataset && fields[0] === term.field),
    );
  if (!same) return false;
  c.accept(length + c.phrase(length)!.length, 'pronoun');
  return true;
};

export const eachOfThem: Rule = (c, state) => {
  if (thatOne(c, state)) return true;
  const { shown } = c.draft;
  if (!shown.some(({ measure }) => measure) || shown.every(({ measure }) => measure)) return false;
  return c.take(EACH_OF_THEM, 'each');
};
