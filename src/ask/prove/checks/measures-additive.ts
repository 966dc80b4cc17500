// Checks that summed values are additive and that averages are valid for their rows.
import { findDoubtfulMeasures } from '../../../plan/doubtful-measures.ts';
import {
  type AnswerCheck,
  createFailVerdict,
  createPassVerdict,
  createUnknownVerdict,
  createWarningVerdict,
} from '../check.ts';
import { findAdditivityFaults } from '../statement/aggregates.ts';

const ADDITIVE_DETAIL = 'Every summed measure is additive over these rows.';

export const measuresAdditiveCheck: AnswerCheck = {
  name: 'measures_additive',
  critical: false,
  checkPlan(plan) {
    if (plan.readingOrigin.by === 'approval') return createPassVerdict(plan.readingOrigin.detail);
    if (plan.plan !== 'compiled') return null;
    const doubts = [...plan.sumDoubts, ...findDoubtfulMeasures(plan.grantedLens.lens, plan.lensPlan)];
    if (doubts.length > 0) return createWarningVerdict(doubts.join(' '));
    return plan.lensPlan.measures.length === 0 ? null : createPassVerdict(ADDITIVE_DETAIL);
  },
  checkStatement(reader) {
    const sumVerdicts = reader.views.map((view) => findAdditivityFaults(reader, view));
    const [fail, unknown] = [sumVerdicts.flatMap((item) => item.failures), sumVerdicts.flatMap((item) => item.unknown)];
    if (fail.length > 0) return createFailVerdict([...new Set([...fail, ...unknown])].join(' '));
    return unknown.length > 0
      ? createUnknownVerdict([...new Set(unknown)].join(' '))
      : createPassVerdict(ADDITIVE_DETAIL);
  },
};
