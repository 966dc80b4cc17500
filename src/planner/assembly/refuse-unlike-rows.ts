// "average stars of each film that was not reviewed by Ann": the films she never reviewed, or all reviews but hers? What is
// measured are the reviews, and a film leads to none of its own, so leaving out single reviews would answer the other one.
import type { Cursor } from '../grammar/cursor.ts';
import type { ConditionDraft, EntityMention } from '../grammar/draft.ts';
import { refuse } from '../grammar/resolve.ts';

const SAID_NOT =
  /^(?:(?:that|which|who|is|are|was|were|do|does|did|has|have|had|been) )*(?:not|never|no|(?:is|are|was|were|do|does|did|has|have|had)n't)(?= |$)/;

/** The thing right in front of the negation that a condition stands in. */
const deniedOf = (c: Cursor, { at, clause }: ConditionDraft): EntityMention | undefined =>
  c.draft.entities.findLast((entity) => {
    const end = entity.at + entity.text.split(' ').length;
    const between = c.tokens.slice(end, at).map(({ norm }) => norm);
    return entity.clause !== clause && end < at && SAID_NOT.test(between.join(' '));
  });

export const refuseUnlikeRows = (c: Cursor, home: string): void => {
  const { graph } = c.vocabulary;
  const leads = (from: string, to: string): boolean => from === to || graph.paths(from, to).length > 0;
  for (const condition of c.draft.conditions) {
    if (!condition.clause.negated) continue;
    const thing = deniedOf(c, condition);
    if (!thing || thing.dataset === home || !leads(home, thing.dataset)) continue;
    if (condition.options.some(({ dataset }) => leads(thing.dataset, dataset))) continue;
    const rows = home.replaceAll('_', ' ');
    refuse(
      condition.text,
      `Is "${thing.text}" without any such ${rows} meant, or only the other ${rows} of each? Say "excluding" for the latter.`,
    );
  }
};
