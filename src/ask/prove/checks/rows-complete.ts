import {
  type AnswerCheck,
  createFailVerdict,
  createPassVerdict,
  createUnknownVerdict,
  createWarningVerdict,
} from '../check.ts';
import { isTieSplitByLimit } from './limit-splits-tie.ts';

const TIE_WARNING = 'The last row ties with the first omitted row, so the choice between these rows is arbitrary.';
const UNKNOWN_TIE_DETAIL = 'svc can’t check whether the last row ties with the first omitted row.';

export const rowsCompleteCheck: AnswerCheck = {
  name: 'rows_complete',
  critical: false,
  async checkPlan(plan, probes) {
    const isTied = plan.plan === 'compiled' && (await isTieSplitByLimit(plan.lensPlan, probes));
    if (!isTied) return null;
    return isTied === 'unknown' ? createUnknownVerdict(UNKNOWN_TIE_DETAIL) : createWarningVerdict(TIE_WARNING);
  },
  checkRows({ plan, more, bytesCut }, tieVerdict) {
    const masks = plan.scope.masks ?? [];
    const warning = tieVerdict?.warning;
    const warningMember = warning === undefined ? {} : { warning };
    if (masks.length > 0)
      return {
        ...createFailVerdict(`The lens masks these fields, so their values are null: ${masks.join(', ')}.`),
        ...warningMember,
      };
    if (more || bytesCut)
      return {
        ...createFailVerdict('The query stopped at a row limit, and the warehouse has more rows.'),
        ...warningMember,
      };
    return tieVerdict ?? createPassVerdict('svc fetched every row of the result.');
  },
};
