// What a question takes for defined is: in the lens, by the approval of somebody, and not by whoever reads or asks.
import { type ProvenBy, passed, untold } from '../check.ts';

export const definitionsKnown: ProvenBy = {
  name: 'definitions_known',
  critical: true,
  ofPlan({ read }) {
    if (read.by !== 'model' || !('meant' in read)) return null;
    const { meant } = read;
    if (meant.length === 0) return passed('No acronym and no quoted term lacks a definition.');
    return untold(
      `What the asker said it means, and nobody has approved: ${meant.map(({ term, meaning }) => `“${term}”: ${meaning}`).join('; ')}.`,
    );
  },
};
