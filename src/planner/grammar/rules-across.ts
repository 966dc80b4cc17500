// "the average price across all products" is one number: over all of them, no row for each.
import type { Cursor } from './cursor.ts';
import { attempt, peekEntity, readEntity } from './read-things.ts';
import { refuse } from './resolve.ts';
import type { Rule } from './rule.ts';

const ACROSS = /(?:(?:across|over|among) all(?: (?:of|the|our))*|across(?: (?:the|our))?)/;
const ONE_NUMBER = /^(?:total|average|avg|mean|overall|combined|sum|median)\b/i;

/** The datasets whose rows are measured. */
const measuredIn = (c: Cursor): string[] => {
  const last = c.draft.shown.at(-1);
  if (c.draft.extremes) return last?.slot?.candidates.map(({ dataset }) => dataset) ?? [];
  const { slot, dataset, metrics } = last?.measure ?? {};
  return (
    slot?.candidates.map((one) => one.dataset) ?? metrics?.flatMap(({ home }) => home ?? []) ?? [dataset ?? []].flat()
  );
};

export const across: Rule = (c, state) =>
  attempt(c, () => {
    const length = c.match(ACROSS);
    const entity = length > 0 ? peekEntity(c, length) : null;
    const said = c.draft.shown.at(-1)?.measure?.text.replace(/^the /i, '') ?? '';
    const measured = measuredIn(c);
    if (!entity || entity.role || c.draft.compared) return null;
    const all = /\ball\b/i.test(c.textOf(c.at, length));
    if (measured.includes(entity.dataset)) {
      if (!all && !ONE_NUMBER.test(said)) return null;
      c.accept(length, 'everything');
      return readEntity(c) !== null;
    }
    const plural = c.token(length + entity.length - 1)!.norm !== c.token(length + entity.length - 1)!.stem;
    const { graph } = c.vocabulary;
    if (!plural || measured.length === 0 || measured.some((one) => graph.paths(one, entity.dataset).length === 0))
      return null;
    if (all) {
      c.accept(length, 'everything');
      const mention = readEntity(c)!;
      c.newClause(false).relation = mention;
      mention.clause = c.clause;
      state.head = false;
      return true;
    }
    // "what is the total revenue across stores": one number to some, one for each store to others.
    if (ONE_NUMBER.test(said) && /^(?:is|was)$/.test(c.norm(1 - c.at)))
      refuse(
        c.textOf(c.at, length + entity.length),
        `Say "across all ${c.textOf(c.at + length, entity.length)}" or "for each of them".`,
      );
    return null;
  }) ?? false;
