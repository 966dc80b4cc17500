import { doubted, failed, type ProvenBy, passed } from '../check.ts';
import { cutsThroughTie } from './cut-through-tie.ts';

const TIED = 'The last row shown ties with the first one left out: which of them is shown is chance.';

export const rowsComplete: ProvenBy = {
  name: 'rows_complete',
  critical: false,
  ofPlan: async (plan, probes) =>
    plan.plan === 'compiled' && (await cutsThroughTie(plan.intent, probes)) ? doubted(TIED) : null,
  ofRows({ plan, more, bytesCut }, tied) {
    const hidden = plan.scope.masks ?? [];
    const warning = tied?.warning;
    const told = warning === undefined ? {} : { warning };
    if (hidden.length > 0)
      return { ...failed(`Masked in this lens, so shown without a value: ${hidden.join(', ')}.`), ...told };
    if (more || bytesCut)
      return { ...failed('A cap stopped the read: the warehouse holds more rows than were fetched.'), ...told };
    return tied ?? passed('Every row of the result was fetched.');
  },
};
