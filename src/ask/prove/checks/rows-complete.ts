import { type AnswerCheck, failed, failedWithWarning, passed } from '../check.ts';
import { cutsThroughTie } from './cut-through-tie.ts';

const TIE_WARNING = 'The last row ties with the first one left out, so the choice between them is arbitrary.';

export const rowsComplete: AnswerCheck = {
  name: 'rows_complete',
  critical: false,
  ofPlan: async (plan, probes) =>
    plan.plan === 'compiled' && (await cutsThroughTie(plan.lensPlan, probes)) ? failedWithWarning(TIE_WARNING) : null,
  ofRows({ plan, more, bytesCut }, tied) {
    const hidden = plan.scope.masks ?? [];
    const warning = tied?.warning;
    const extra = warning === undefined ? {} : { warning };
    if (hidden.length > 0)
      return { ...failed(`Masked in this lens, so shown without values: ${hidden.join(', ')}.`), ...extra };
    if (more || bytesCut) return { ...failed('A row limit stopped the query; the warehouse has more rows.'), ...extra };
    return tied ?? passed('Every row of the result was fetched.');
  },
};
