// What a question takes for defined is: in the lens, by the approval of someone, and not by whoever reads or asks.
import { type ProvenBy, passed, untold } from '../check.ts';

export const definitionsKnown: ProvenBy = {
  name: 'definitions_known',
  critical: true,
  ofPlan({ read }) {
    if (read.by !== 'model' || !('meant' in read)) return null;
    const { meant } = read;
    if (meant.length === 0) return passed('Every acronym and quoted term has a definition.');
    return untold(
      `Defined by the caller and not approved: ${meant.map(({ term, meaning }) => `“${term}”: ${meaning}`).join('; ')}.`,
    );
  },
};
