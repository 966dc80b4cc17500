// A plan sent with its question answers the whole question only if the reader confirms the plan. A plan that svc
// proposed leaves out words of its question or guesses their meaning.
import { type AnswerCheck, createFailVerdict, createPassVerdict } from '../check.ts';

export const wholeQuestionCheck: AnswerCheck = {
  name: 'whole_question',
  critical: false,
  checkPlan(plan) {
    if (plan.plan !== 'compiled' || !plan.answers) return null;
    const { question, leaves_out } = plan.answers;
    const words = leaves_out.map((word) => `“${word}”`).join(', ');
    if (words !== '') return createFailVerdict(`This plan is for “${question}” and leaves out ${words}.`);
    return plan.readingOrigin.by === 'caller' && plan.readingOrigin.proof?.same
      ? createPassVerdict(`This plan is for “${question}” and covers all of it.`)
      : createFailVerdict(
          `This plan is for “${question}”. Check that the plan and the question ask for the same thing.`,
        );
  },
};
