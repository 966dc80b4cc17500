// A plan that a refusal proposed says less than its question, or guesses a word of it: it is never the whole answer.
import { failed, type ProvenBy } from '../check.ts';

export const wholeQuestion: ProvenBy = {
  name: 'whole_question',
  critical: false,
  ofPlan(plan) {
    if (plan.plan !== 'compiled' || !plan.answers) return null;
    const { question, leaves_out } = plan.answers;
    const words = leaves_out.map((word) => `“${word}”`).join(', ');
    return failed(
      words === ''
        ? `This plan was proposed for “${question}”. Check that it asks the same.`
        : `This plan was proposed for “${question}” and leaves out ${words}.`,
    );
  },
};
