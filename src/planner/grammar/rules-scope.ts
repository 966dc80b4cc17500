// "For the cars with 4 cylinders, which model has the largest horsepower?": what opens the question says of which rows, and
// what is asked for comes behind the comma.
import type { Rule } from './rule.ts';

export const scope: Rule = (c, state) => {
  if (c.draft.scope !== undefined || c.norm(-1) !== ',' || c.draft.sentences.length > 0) return false;
  const opening = c.tokens.find(({ norm }) => norm !== 'please')!.norm;
  if (!/^(?:for|among|of|in|from)$/.test(opening) || c.draft.groups.length > 0) return false;
  const asked = c.match(/(?:which|what|who)(?: (?:is|are|was|were))?(?: the)?/);
  if (asked === 0 || c.tokens.slice(0, c.at - 1).some(({ norm }) => norm === ',')) return false;
  const [entity] = c.draft.entities;
  if (!entity || entity.role || c.draft.shown.some((item) => item.measure ?? item.slot)) return false;
  c.draft.scope = entity.dataset;
  c.draft.shown.splice(0, c.draft.shown.length);
  c.accept(asked, 'question');
  c.newClause(false);
  state.head = true;
  state.open = [];
  return true;
};
