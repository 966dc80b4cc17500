// Checks that the terms of a question have approved definitions in the lens, not only a meaning from a model or the
// caller.
import { type AnswerCheck, createPassVerdict, createUnknownVerdict } from '../check.ts';

export const definitionsKnownCheck: AnswerCheck = {
  name: 'definitions_known',
  critical: true,
  checkPlan({ readingOrigin: readBy }) {
    if (!('meant' in readBy) || !readBy.meant) return null;
    const { meant } = readBy;
    if (meant.length === 0) return createPassVerdict('Every acronym and quoted term has a definition.');
    return createUnknownVerdict(
      `Defined by the caller and not approved: ${meant.map(({ term, meaning }) => `“${term}”: ${meaning}`).join('; ')}.`,
    );
  },
};
