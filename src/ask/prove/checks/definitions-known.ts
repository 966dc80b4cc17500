// What a question takes for defined is: in the lens, by the approval of somebody, and not by whoever reads or asks.
import { failed, type ProvenBy, passed, untold } from '../check.ts';

export const definitionsKnown: ProvenBy = {
  name: 'definitions_known',
  critical: true,
  ofPlan({ read }) {
    if (read.by !== 'model' || !read.proof) return null;
    const { undefined: open, meant } = read.proof;
    if (open.length > 0) return failed(`Not defined in this lens: ${open.map((term) => `“${term}”`).join(', ')}.`);
    if (meant.length === 0) return passed('No acronym and no quoted term lacks a definition.');
    return untold(
      `What the asker said it means, and nobody has approved: ${meant.map(({ term, meaning }) => `“${term}”: ${meaning}`).join('; ')}.`,
    );
  },
};
