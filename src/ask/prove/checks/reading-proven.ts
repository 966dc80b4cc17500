// An interpretation by a model or caller counts as proven only if the question reader produces a plan with the same meaning.
import { type AnswerCheck, createPassVerdict, createUnknownVerdict } from '../check.ts';

export const readingProvenCheck: AnswerCheck = {
  name: 'reading_proven',
  critical: false,
  checkPlan(plan) {
    const { readingOrigin: readBy } = plan;
    if (plan.plan !== 'compiled' || !('proof' in readBy) || !readBy.proof) return null;
    if (!readBy.proof.same) return createUnknownVerdict(readBy.proof.reason);
    const { omitted } = readBy.proof;
    const omission = omitted.length === 0 ? '' : ` without ${omitted.map((word) => `“${word}”`).join(', ')}`;
    return createPassVerdict(
      `From the question${omission}, svc derives a plan with the same meaning, using only the words of the lens.`,
    );
  },
};
