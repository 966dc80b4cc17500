// The interpretation of a model or caller counts as proven only if the reader produces the same statement.
import { type AnswerCheck, passed, undetermined } from '../check.ts';

export const readingProven: AnswerCheck = {
  name: 'reading_proven',
  critical: false,
  ofPlan(plan) {
    const { read } = plan;
    if (plan.plan !== 'compiled' || !('proof' in read) || !read.proof) return null;
    if (!read.proof.same) return undetermined(read.proof.why);
    const { omitted } = read.proof;
    const less = omitted.length === 0 ? '' : ` without ${omitted.map((word) => `“${word}”`).join(', ')}`;
    return passed(`svc interprets the question as the same statement, using only the words of the lens${less}.`);
  },
};
