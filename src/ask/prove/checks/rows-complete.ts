import { type AnswerCheck, failVerdict, passVerdict, warningVerdict } from '../check.ts';
import { cutsThroughTie } from './cut-through-tie.ts';

const TIE_WARNING = 'The last row ties with the first one left out, so the choice between them is arbitrary.';

export const rowsComplete: AnswerCheck = {
  name: 'rows_complete',
  critical: false,
  checkPlan: async (plan, probes) =>
    plan.plan === 'compiled' && (await cutsThroughTie(plan.lensPlan, probes)) ? warningVerdict(TIE_WARNING) : null,
  ofRows({ plan, more, bytesCut }, tieVerdict) {
    const masks = plan.scope.masks ?? [];
    const warning = tieVerdict?.warning;
    const extra = warning === undefined ? {} : { warning };
    if (masks.length > 0)
      return { ...failVerdict(`Masked in this lens, so shown without values: ${masks.join(', ')}.`), ...extra };
    if (more || bytesCut)
      return { ...failVerdict('A row limit stopped the query; the warehouse has more rows.'), ...extra };
    return tieVerdict ?? passVerdict('Every row of the result was fetched.');
  },
};
