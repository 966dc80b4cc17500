import { type AnswerCheck, createInapplicableVerdict, createPassVerdict, createUnknownVerdict } from '../check.ts';
import { UNPROVEN_MODEL_DETAIL } from './question-covered.ts';

export const termsResolvedCheck: AnswerCheck = {
  name: 'terms_resolved',
  critical: true,
  checkPlan({ plan, readingOrigin: readBy, routedByModel }) {
    if (routedByModel)
      return createUnknownVerdict(
        'A language model chose the lens, and svc has not proven that the terms of the lens are the intended ones.',
      );
    if (readBy.by === 'approval') return createPassVerdict(readBy.detail);
    if (readBy.by === 'model') {
      if (plan !== 'compiled' || !('proof' in readBy) || !readBy.proof.same)
        return createUnknownVerdict(UNPROVEN_MODEL_DETAIL);
    }
    if (plan === 'caller_sql') return createInapplicableVerdict('The request is SQL and uses no governed term.');
    return createPassVerdict('Every governed term has one meaning in this lens.');
  },
};
