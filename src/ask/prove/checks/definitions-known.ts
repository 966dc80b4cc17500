// Checks that the terms of a question have approved definitions in the lens, not only a meaning from a model or the
// caller.
import { type AnswerCheck, passed, undetermined } from '../check.ts';

export const definitionsKnown: AnswerCheck = {
  name: 'definitions_known',
  critical: true,
  ofPlan({ read }) {
    if (read.by !== 'model' || !('meant' in read)) return null;
    const { meant } = read;
    if (meant.length === 0) return passed('Every acronym and quoted term has a definition.');
    return undetermined(
      `Defined by the caller and not approved: ${meant.map(({ term, meaning }) => `“${term}”: ${meaning}`).join('; ')}.`,
    );
  },
};
