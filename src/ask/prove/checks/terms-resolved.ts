import { type AnswerCheck, notApplicable, passed, undetermined } from '../check.ts';
import { UNPROVEN_MODEL_DETAIL } from './question-covered.ts';

export const termsResolved: AnswerCheck = {
  name: 'terms_resolved',
  critical: true,
  ofPlan({ plan, read, routedByModel }) {
    if (routedByModel)
      return undetermined('A language model chose the lens. That its terms are the intended ones is not proven.');
    if (read.by === 'approval') return passed(read.said);
    if (read.by === 'model') {
      if (plan !== 'compiled' || !('proof' in read) || !read.proof.same) return undetermined(UNPROVEN_MODEL_DETAIL);
    }
    if (plan === 'caller_sql') return notApplicable('The question uses no governed term.');
    return passed('Every governed term in the question has one meaning here.');
  },
};
